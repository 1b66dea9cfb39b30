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

const attach = (changes: Record<string, unknown> = {}) =>
  newPost(ann, { image_ids: [image.image_id], status: "PB", ...changes })

const hide = (hidden: boolean) =>
  call("PATCH", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR, json: { hidden } })

/** Requests the image and returns the answer with its bytes, which `call` would read as text. */
const fetchBytes = async (headers: Record<string, string> = {}, method = "GET") => {
  const response = await fetchWorker(new Request(`${ORIGIN}${image.image_url}`, { method, headers }))
  return {
    status: response.status,
    headers: response.headers,
    bytes: [...new Uint8Array(await response.arrayBuffer())],
  }
}

describe("GET of an image", () => {
  it.each(["before it is attached", "after it is attached"])(
    "GET of an image %s to a post answers a WebP file with safe headers",
    async (when) => {
      if (when.startsWith("after")) await attach()
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

  it("an image that no published post shows is served as private and always revalidated", async () => {
    const cached = async () => (await fetchBytes()).headers.get("Cache-Control")
    expect(await cached()).toBe("private, no-cache")
    const { slug } = await attach({ status: "DF" })
    expect(await cached()).toBe("private, no-cache")
    await patch(ann, slug, { status: "PB" })
    expect(await cached()).toBe(`public, max-age=${YEAR}, immutable`)
    await attach({ status: "DF" })
    expect(await cached()).toBe(`public, max-age=${YEAR}, immutable`)
    await patch(ann, slug, { status: "DF" })
    expect(await cached()).toBe("private, no-cache")
    const { headers } = await fetchBytes()
    expect((await fetchBytes({ "If-None-Match": headers.get("ETag") ?? "" })).status).toBe(304)
  })

  it("HEAD of an image answers with the headers of GET, without the bytes", async () => {
    const got = await fetchBytes()
    const { status, headers, bytes } = await fetchBytes({}, "HEAD")
    expect([status, bytes]).toEqual([200, []])
    for (const name of ["ETag", "Content-Type", "Content-Length", "Cache-Control"])
      expect(headers.get(name), name).toBe(got.headers.get(name))
  })

  it.each([
    ["its ETag", 304, (etag: string) => etag],
    ["its ETag made weak", 304, (etag: string) => `W/${etag}`],
    ["its ETag among others", 304, (etag: string) => `"a", ${etag}`],
    ["*", 304, () => "*"],
    ["another ETag", 200, () => '"a"'],
  ])("GET of an image with the If-None-Match %s answers %i", async (_, expected, tagFor) => {
    const first = await fetchBytes()
    const etag = first.headers.get("ETag") ?? ""
    const { status, headers, bytes } = await fetchBytes({ "If-None-Match": tagFor(etag) })
    expect(status).toBe(expected)
    expect([headers.get("ETag"), headers.get("Cache-Control")]).toEqual([etag, "private, no-cache"])
    expect(bytes.length).toBe(expected === 304 ? 0 : first.bytes.length)
  })

  it("GET of an expired image with If-None-Match answers 410", async () => {
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
  ])("GET of an image with a Range for %s answers 206 with these bytes", async (_, range, expectedFor) => {
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
    ["several ranges", "bytes=0-1,4-5"],
    ["a range that ends before it begins", "bytes=5-2"],
    ["another unit", "pages=1-2"],
    ["letters", "bytes=a-b"],
    ["no number", "bytes=-"],
  ])("GET of an image with a Range of %s answers 200 with the whole file", async (_, range) => {
    const whole = await fetchBytes()
    const { status, headers, bytes } = await fetchBytes({ Range: range })
    expect([status, headers.get("Content-Range"), bytes]).toEqual([200, null, whole.bytes])
  })

  it.each([
    ["a start after the end", "bytes=99999-"],
    ["an empty suffix", "bytes=-0"],
  ])("GET of an image with a Range of %s answers 416 with the size of the file", async (_, range) => {
    const whole = await fetchBytes()
    const { status, headers } = await fetchBytes({ Range: range })
    expect([status, headers.get("Content-Range")]).toEqual([416, `bytes */${whole.bytes.length}`])
  })

  // RFC 9110 section 14.2 defines Range for GET alone.
  it.each(["bytes=0-3", "bytes=99999-"])("HEAD of an image ignores the header Range: %s", async (range) => {
    const whole = await fetchBytes()
    const { status, headers } = await fetchBytes({ Range: range }, "HEAD")
    expect([status, headers.get("Content-Range"), headers.get("Content-Length")]).toEqual([
      200,
      null,
      String(whole.bytes.length),
    ])
  })

  it.each<[string, number, (etag: string) => string]>([
    ["its ETag", 206, (etag) => etag],
    ["another ETag", 200, () => '"a"'],
    ["a weak ETag", 200, (etag) => `W/${etag}`],
  ])("GET of an image with a Range and the If-Range %s answers %i", async (_, expected, tagFor) => {
    const { headers } = await fetchBytes()
    const answer = await fetchBytes({ Range: "bytes=0-3", "If-Range": tagFor(headers.get("ETag") ?? "") })
    expect(answer.status).toBe(expected)
  })
})

describe("media paths without an image", () => {
  const MINUTES = 60_000

  it.each<[string, number, () => string]>([
    [
      "an unknown id, 29 minutes old",
      404,
      () => `/media/${ann.username}/blog_img/${ulid(Date.now() - 29 * MINUTES)}.webp`,
    ],
    [
      "an unknown id, 31 minutes old",
      410,
      () => `/media/${ann.username}/blog_img/${ulid(Date.now() - 31 * MINUTES)}.webp`,
    ],
    [
      "an unknown id, exactly 30 minutes old",
      410,
      () => `/media/${ann.username}/blog_img/${ulid(Date.now() - 30 * MINUTES)}.webp`,
    ],
    ["an unknown username", 404, () => image.image_url.replace(ann.username, "unknown")],
    ["a letter after the extension", 404, () => `${image.image_url}x`],
    ["a letter before the id", 404, () => image.image_url.replace(image.image_id, `x${image.image_id}`)],
    ["a longer path", 404, () => `${image.image_url}/x`],
    ["another extension", 404, () => image.image_url.replace("webp", "png")],
    ["no extension", 404, () => image.image_url.replace(".webp", "")],
    ["no id", 404, () => `/media/${ann.username}/blog_img/.webp`],
    ["another folder", 404, () => image.image_url.replace("blog_img", "img")],
    ["an encoded slash", 404, () => image.image_url.replace("/blog_img/", "/blog_img/%2F")],
    ["a line break at the end", 404, () => `${image.image_url}%0A`],
  ])("GET of an image URL with %s answers %i", async (_, expected, pathFor) => {
    await attach()
    expect(await statusOf(call("GET", pathFor()))).toBe(expected)
  })

  it("GET of an image under another author's username answers 404", async () => {
    const bob = await newAuthor()
    const path = image.image_url.replace(ann.username, bob.username)
    expect(await statusOf(call("GET", path))).toBe(404)
    await attach()
    expect(await statusOf(call("GET", path))).toBe(404)
  })

  it("GET of an image of a hidden account answers 404, and 200 when the account is shown again", async () => {
    await hide(true)
    expect(await statusOf(call("GET", image.image_url))).toBe(404)
    await hide(false)
    await attach()
    await hide(true)
    expect(await statusOf(call("GET", image.image_url))).toBe(404)
    await hide(false)
    expect(await statusOf(call("GET", image.image_url))).toBe(200)
  })

  it("an error answer to GET of an image has Cache-Control: no-store", async () => {
    passSeconds(LIFETIME)
    const { status, headers } = await call("GET", image.image_url)
    expect([status, headers.get("Cache-Control")]).toEqual([410, "no-store"])
  })

  it.each(["POST", "PATCH", "DELETE"] as const)("%s of an image URL answers 405", async (method) => {
    const { status, headers } = await call(method, image.image_url)
    expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
  })
})

describe("a D1 replica that lags", () => {
  const UNKNOWN = "0".repeat(26)
  /** Returns a binding whose reads do not find the image's row yet. */
  const lagging = () => ({
    DB: tapD1({ rebind: (values) => values.map((value) => (value === image.image_id ? UNKNOWN : value)) }),
  })

  it("GET of a new image that a lagging D1 replica lacks answers 200, uncached, by the image's KV ticket", async () => {
    passSeconds(600)
    const { status, headers } = await call("GET", image.image_url, { env: lagging() })
    expect([status, headers.get("Cache-Control")]).toEqual([200, "private, no-cache"])
  })

  it("GET of an image attached in its last seconds answers 200 even if the D1 replica lacks the link", async () => {
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

  it("GET of an image that the D1 replica lacks answers 404 without a KV ticket or under another username", async () => {
    const bob = await newAuthor()
    const noTickets = { IMAGE_TICKETS: faulty(env.IMAGE_TICKETS, { get: failing }) }
    expect(await statusOf(call("GET", image.image_url, { env: { ...lagging(), ...noTickets } }))).toBe(404)
    const path = image.image_url.replace(ann.username, bob.username)
    expect(await statusOf(call("GET", path, { env: lagging() }))).toBe(404)
  })
})
