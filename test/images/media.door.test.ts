import { ulid } from "ulid"
import { beforeEach, describe, expect, it } from "vitest"

import { patch, statusOf } from "../calls.ts"
import { failing, faulty, tapD1 } from "../faults.ts"
import { type Author, call, env, fetchWorker, newAuthor, newPost, OPERATOR, ORIGIN, rows } from "../support.ts"
import { passSeconds, stopClock, upload } from "../support.ts"

const LIFETIME = 1800
const YEAR = 365 * 24 * 60 * 60

let ann: Author
let image: Awaited<ReturnType<typeof upload>>
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  image = await upload(ann)
})

const attach = () => newPost(ann, { image_ids: [image.image_id] })

const hide = (hidden: boolean) =>
  call("PATCH", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR, json: { hidden } })

/** The answer with its bytes, which `call` would read as text. */
const fetchBytes = async (headers: Record<string, string> = {}, method = "GET") => {
  const response = await fetchWorker(new Request(`${ORIGIN}${image.image_url}`, { method, headers }))
  return {
    status: response.status,
    headers: response.headers,
    bytes: [...new Uint8Array(await response.arrayBuffer())],
  }
}

const maxAge = (headers: Headers): number => Number(/max-age=(\d+)/.exec(headers.get("Cache-Control") ?? "")?.[1])

describe("a picture", () => {
  it.each(["before it is attached", "once it is attached"])(
    "%s is a WebP file that does nothing but show",
    async (when) => {
      if (when.startsWith("once")) await attach()
      const { status, headers, bytes } = await fetchBytes()
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "image/webp",
        "content-length": String(bytes.length),
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*",
        "accept-ranges": "bytes",
        etag: expect.stringMatching(/^"[^"]+"$/) as string,
      })
      const text = String.fromCharCode(...bytes)
      expect([text.slice(0, 4), text.slice(8, 12)]).toEqual(["RIFF", "WEBP"])
    },
  )

  it("may be kept no longer than it may be used, until it is attached", async () => {
    const fresh = await fetchBytes()
    expect(maxAge(fresh.headers)).toBe(LIFETIME)
    expect(fresh.headers.get("Cache-Control")).not.toContain("immutable")
    passSeconds(LIFETIME - 0.5)
    expect(maxAge((await fetchBytes()).headers)).toBe(0)
  })

  it("may be kept for a year once it is attached", async () => {
    await attach()
    const { headers } = await fetchBytes()
    expect(maxAge(headers)).toBe(YEAR)
    expect(headers.get("Cache-Control")).toContain("immutable")
  })

  it("may not be kept for a year any more once it is released", async () => {
    const { slug } = await attach()
    await patch(ann, slug, { body: "b", image_ids: [] })
    passSeconds(600)
    const { headers } = await fetchBytes()
    expect(maxAge(headers)).toBe(LIFETIME - 600)
    expect(headers.get("Cache-Control")).not.toContain("immutable")
  })

  it("answers HEAD like GET, without the bytes", async () => {
    const got = await fetchBytes()
    const { status, headers, bytes } = await fetchBytes({}, "HEAD")
    expect([status, bytes]).toEqual([200, []])
    for (const name of ["ETag", "Content-Type", "Content-Length", "Cache-Control"])
      expect(headers.get(name), name).toBe(got.headers.get(name))
  })

  it.each([
    ["its ETag", (etag: string) => etag, 304],
    ["its ETag, weakened by a proxy", (etag: string) => `W/${etag}`, 304],
    ["its ETag among others", (etag: string) => `"a", ${etag}`, 304],
    ["a star", () => "*", 304],
    ["another ETag", () => '"a"', 200],
  ])("with If-None-Match of %s", async (_, tagFor, expected) => {
    const first = await fetchBytes()
    const etag = first.headers.get("ETag") ?? ""
    const { status, headers, bytes } = await fetchBytes({ "If-None-Match": tagFor(etag) })
    expect(status).toBe(expected)
    expect([headers.get("ETag"), maxAge(headers)]).toEqual([etag, LIFETIME])
    expect(bytes.length).toBe(expected === 304 ? 0 : first.bytes.length)
  })

  it("is gone for If-None-Match too when its time is over", async () => {
    const { headers } = await fetchBytes()
    passSeconds(LIFETIME)
    const answer = await call("GET", image.image_url, { headers: { "If-None-Match": headers.get("ETag") ?? "" } })
    expect(answer.status).toBe(410)
  })
})

describe("ranges", () => {
  it.each<[string, string, (size: number) => [number, number]]>([
    ["the first bytes", "bytes=0-3", () => [0, 3]],
    ["bytes in the middle", "bytes=5-9", () => [5, 9]],
    ["one byte", "bytes=0-0", () => [0, 0]],
    ["a suffix", "bytes=-4", (size) => [size - 4, size - 1]],
    ["a suffix longer than the file", "bytes=-99999", (size) => [0, size - 1]],
    ["an open end", "bytes=4-", (size) => [4, size - 1]],
    ["an end beyond the file", "bytes=4-99999", (size) => [4, size - 1]],
  ])("%s: 206", async (_, range, expectedFor) => {
    const whole = await fetchBytes()
    const size = whole.bytes.length
    const [first, last] = expectedFor(size)
    const { status, headers, bytes } = await fetchBytes({ Range: range })
    expect([status, headers.get("Content-Range")]).toEqual([206, `bytes ${first}-${last}/${size}`])
    expect(bytes).toEqual(whole.bytes.slice(first, last + 1))
    expect([headers.get("ETag"), headers.get("Content-Type")]).toEqual([whole.headers.get("ETag"), "image/webp"])
    expect(headers.get("Content-Length")).toBe(String(bytes.length))
  })

  // RFC 9110 section 14.2 lets a server ignore any Range.
  it.each([
    ["several", "bytes=0-1,4-5"],
    ["one that ends before it begins", "bytes=5-2"],
    ["another unit", "pages=1-2"],
    ["rubbish", "bytes=a-b"],
    ["nothing", "bytes=-"],
  ])("%s: the whole file", async (_, range) => {
    const whole = await fetchBytes()
    const { status, headers, bytes } = await fetchBytes({ Range: range })
    expect([status, headers.get("Content-Range"), bytes]).toEqual([200, null, whole.bytes])
  })

  it.each([
    ["a beginning behind the end", "bytes=99999-"],
    ["an empty suffix", "bytes=-0"],
  ])("%s: 416 with the size", async (_, range) => {
    const whole = await fetchBytes()
    const { status, headers } = await fetchBytes({ Range: range })
    expect([status, headers.get("Content-Range")]).toEqual([416, `bytes */${whole.bytes.length}`])
  })

  // RFC 9110 section 14.2 defines Range for GET alone.
  it.each(["bytes=0-3", "bytes=99999-"])("of HEAD: the whole file's headers, for %s", async (range) => {
    const whole = await fetchBytes()
    const { status, headers } = await fetchBytes({ Range: range }, "HEAD")
    expect([status, headers.get("Content-Range"), headers.get("Content-Length")]).toEqual([
      200,
      null,
      String(whole.bytes.length),
    ])
  })

  it.each<[string, (etag: string) => string, number]>([
    ["its ETag", (etag) => etag, 206],
    ["another ETag", () => '"a"', 200],
    ["a weak ETag", (etag) => `W/${etag}`, 200],
  ])("with If-Range of %s: %i", async (_, tagFor, expected) => {
    const { headers } = await fetchBytes()
    const answer = await fetchBytes({ Range: "bytes=0-3", "If-Range": tagFor(headers.get("ETag") ?? "") })
    expect(answer.status).toBe(expected)
  })
})

describe("no picture", () => {
  const MINUTES = 60_000

  it.each<[string, () => string, number]>([
    ["an unknown young id", () => `/media/${ann.username}/blog_img/${ulid(Date.now() - 29 * MINUTES)}.webp`, 404],
    ["an unknown old id", () => `/media/${ann.username}/blog_img/${ulid(Date.now() - 31 * MINUTES)}.webp`, 410],
    [
      "an unknown id of exactly 30 minutes",
      () => `/media/${ann.username}/blog_img/${ulid(Date.now() - 30 * MINUTES)}.webp`,
      410,
    ],
    ["a username of nobody", () => image.image_url.replace(ann.username, "nobody"), 404],
    ["letters behind the name", () => `${image.image_url}x`, 404],
    ["letters before the name", () => image.image_url.replace(image.image_id, `x${image.image_id}`), 404],
    ["a longer path", () => `${image.image_url}/x`, 404],
    ["another extension", () => image.image_url.replace("webp", "png"), 404],
    ["no extension", () => image.image_url.replace(".webp", ""), 404],
    ["no id", () => `/media/${ann.username}/blog_img/.webp`, 404],
    ["another folder", () => image.image_url.replace("blog_img", "img"), 404],
    ["an encoded slash", () => image.image_url.replace("/blog_img/", "/blog_img/%2F"), 404],
    ["a line behind it", () => `${image.image_url}%0A`, 404],
  ])("%s", async (_, pathFor, expected) => {
    await attach()
    expect(await statusOf(call("GET", pathFor()))).toBe(expected)
  })

  it("another author's name does not show it, attached or not", async () => {
    const bob = await newAuthor()
    const path = image.image_url.replace(ann.username, bob.username)
    expect(await statusOf(call("GET", path))).toBe(404)
    await attach()
    expect(await statusOf(call("GET", path))).toBe(404)
  })

  it("of a hidden account, attached or not; it comes back with the account", async () => {
    await hide(true)
    expect(await statusOf(call("GET", image.image_url))).toBe(404)
    await hide(false)
    await attach()
    await hide(true)
    expect(await statusOf(call("GET", image.image_url))).toBe(404)
    await hide(false)
    expect(await statusOf(call("GET", image.image_url))).toBe(200)
  })

  it("whose refusal may be kept: a picture can appear and expire", async () => {
    passSeconds(LIFETIME)
    const { status, headers } = await call("GET", image.image_url)
    expect([status, headers.get("Cache-Control")]).toEqual([410, "no-store"])
  })

  it.each(["POST", "PATCH", "DELETE"] as const)("%s is 405", async (method) => {
    const { status, headers } = await call(method, image.image_url)
    expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
  })
})

describe("a replica that is behind", () => {
  const UNKNOWN = "0".repeat(26)
  /** Reads through this binding do not find the picture's row yet. */
  const behind = () => ({
    DB: tapD1({ rebind: (values) => values.map((value) => (value === image.image_id ? UNKNOWN : value)) }),
  })

  it("still shows a fresh picture, by its ticket, for what is left of its time", async () => {
    passSeconds(600)
    const { status, headers } = await call("GET", image.image_url, { env: behind() })
    expect([status, maxAge(headers)]).toEqual([200, LIFETIME - 600])
  })

  it("still shows a picture that was attached in its last seconds", async () => {
    passSeconds(LIFETIME - 5)
    await attach()
    passSeconds(10)
    const [link] = await rows("select * from post_images where image_id = ?", image.image_id)
    // The replica is read before the link is there.
    const DB = tapD1({
      aroundReplica: async (ask) => {
        await rows("delete from post_images where image_id = ?", image.image_id)
        const answer = await ask()
        await rows(
          "insert into post_images (post_id, image_id, position) values (?, ?, 0)",
          link?.post_id,
          image.image_id,
        )
        return answer
      },
    })
    expect(await statusOf(call("GET", image.image_url, { env: { DB } }))).toBe(200)
  })

  it("shows none without a ticket, nor under another's name", async () => {
    const bob = await newAuthor()
    const noTickets = { IMAGE_TICKETS: faulty(env.IMAGE_TICKETS, { get: failing }) }
    expect(await statusOf(call("GET", image.image_url, { env: { ...behind(), ...noTickets } }))).toBe(404)
    const path = image.image_url.replace(ann.username, bob.username)
    expect(await statusOf(call("GET", path, { env: behind() }))).toBe(404)
  })
})
