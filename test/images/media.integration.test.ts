import { ulid } from "ulid"
import { beforeEach, describe, expect, it } from "vitest"

import { patch, setAccount, statusOf } from "../calls.ts"
import { failing, faulty, tapD1 } from "../faults.ts"
import { type Author, call, env, fetchWorker, newAuthor, newPost, ORIGIN, rows } from "../support.ts"
import { passSeconds, stopClock, upload } from "../support.ts"
import { LIFETIME, type Uploaded, view } from "./uploads.ts"

const YEAR = 365 * 24 * 60 * 60

let ann: Author
let image: Uploaded
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  image = await upload(ann)
})

const attach = (changes: Record<string, unknown> = {}) =>
  newPost(ann, { image_ids: [image.image_id], status: "PB", ...changes })

/** Requests the image and returns the answer with its bytes, which `call` would read as text. */
const fetchBytes = async (headers: Record<string, string> = {}, method = "GET") => {
  const answer = await fetchWorker(new Request(`${ORIGIN}${image.image_url}`, { method, headers }))
  const { status } = answer
  return {
    status,
    header: (name: string) => answer.headers.get(name),
    bytes: [...new Uint8Array(await answer.arrayBuffer())],
  }
}

describe("GET of an image", () => {
  it("GET of an image answers a WebP file with safe headers, before and after it is attached to a post", async () => {
    for (const prepare of [() => undefined, attach]) {
      await prepare()
      const { status, header, bytes } = await fetchBytes()
      expect(status).toBe(200)
      const expected = {
        "Content-Type": "image/webp",
        "Content-Length": String(bytes.length),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Access-Control-Allow-Origin": "*",
        "Accept-Ranges": "bytes",
      }
      for (const [name, value] of Object.entries(expected)) expect(header(name), name).toBe(value)
      expect(header("ETag")).toMatch(/^"[^"]+"$/)
      const text = String.fromCharCode(...bytes)
      expect([text.slice(0, 4), text.slice(8, 12)]).toEqual(["RIFF", "WEBP"])
    }
  })

  it("an image that no published post shows is served as private and always revalidated", async () => {
    const cached = async () => (await fetchBytes()).header("Cache-Control")
    const [isPrivate, isPublic] = ["private, no-cache", `public, max-age=${YEAR}, immutable`]
    expect(await cached()).toBe(isPrivate)
    const { slug } = await attach({ status: "DF" })
    expect(await cached()).toBe(isPrivate)
    await patch(ann, slug, { status: "PB" })
    expect(await cached()).toBe(isPublic)
    await attach({ status: "DF" })
    expect(await cached()).toBe(isPublic)
    await patch(ann, slug, { status: "DF" })
    expect(await cached()).toBe(isPrivate)
    expect((await fetchBytes({ "If-None-Match": (await fetchBytes()).header("ETag") ?? "" })).status).toBe(304)
  })

  it.each<[string, number, (etag: string) => string, Record<string, string>?]>([
    ["its ETag", 304, (etag) => etag],
    ["its ETag made weak", 304, (etag) => `W/${etag}`],
    ["its ETag among others", 304, (etag) => `"a", ${etag}`],
    ["its ETag with a Range", 304, (etag) => etag, { Range: "bytes=0-3" }],
    ["*", 304, () => "*"],
    ["another ETag", 200, () => '"a"'],
  ])("GET of an image with the If-None-Match %s answers %i", async (_, expected, tagFor, more) => {
    const first = await fetchBytes()
    const etag = first.header("ETag") ?? ""
    const { status, header, bytes } = await fetchBytes({ "If-None-Match": tagFor(etag), ...more })
    expect([status, header("ETag"), header("Cache-Control")]).toEqual([expected, etag, "private, no-cache"])
    expect(bytes.length).toBe(expected === 304 ? 0 : first.bytes.length)
  })

  it("GET of an expired image answers 410 with Cache-Control: no-store, with If-None-Match as well", async () => {
    const etag = (await fetchBytes()).header("ETag") ?? ""
    passSeconds(LIFETIME)
    for (const name of ["If-None-Match", "X-Other"]) {
      const answer = await call("GET", image.image_url, { headers: { [name]: etag } })
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([410, "no-store"])
    }
  })
})

describe("ranges", () => {
  // RFC 9110 section 14.2 lets a server ignore any Range. Negative places are counted from the end.
  it.each<[string, string, status: number, first?: number, last?: number]>([
    ["the first bytes", "bytes=0-3", 206, 0, 3],
    ["bytes in the middle", "bytes=5-9", 206, 5, 9],
    ["one byte", "bytes=0-0", 206, 0, 0],
    ["a suffix", "bytes=-4", 206, -4, -1],
    ["a suffix longer than the file", "bytes=-99999", 206, 0, -1],
    ["an open end", "bytes=4-", 206, 4, -1],
    ["an end beyond the file", "bytes=4-99999", 206, 4, -1],
    ["several ranges", "bytes=0-1,4-5", 200],
    ["a range that ends before it begins", "bytes=5-2", 200],
    ["another unit", "pages=1-2", 200],
    ["letters", "bytes=a-b", 200],
    ["no number", "bytes=-", 200],
    ["a start after the end", "bytes=99999-", 416],
    ["an empty suffix", "bytes=-0", 416],
  ])("GET of an image with a Range for %s (%s) answers %i", async (_, range, expected, first = 0, last = -1) => {
    const whole = await fetchBytes()
    const size = whole.bytes.length
    const [start, end] = [first, last].map((place) => (place + size) % size)
    const { status, header, bytes } = await fetchBytes({ Range: range })
    const ranges = { 200: null, 206: `bytes ${start}-${end}/${size}`, 416: `bytes */${size}` }
    expect([status, header("Content-Range")]).toEqual([expected, ranges[expected as 200 | 206 | 416]])
    if (expected === 416) return
    expect(bytes).toEqual(whole.bytes.slice(start, Number(end) + 1))
    expect([header("ETag"), header("Content-Type")]).toEqual([whole.header("ETag"), "image/webp"])
    expect(header("Content-Length")).toBe(String(bytes.length))
  })

  // RFC 9110 section 14.2 defines Range for GET alone.
  it.each<Record<string, string>>([{}, { Range: "bytes=0-3" }, { Range: "bytes=99999-" }])(
    "HEAD of an image with the headers %j answers as GET without a Range, without the bytes",
    async (headers) => {
      const whole = await fetchBytes()
      const { status, header, bytes } = await fetchBytes(headers, "HEAD")
      const length = String(whole.bytes.length)
      expect([status, bytes, header("Content-Range"), header("Content-Length")]).toEqual([200, [], null, length])
    },
  )

  it.each<[string, number, (etag: string) => string]>([
    ["its ETag", 206, (etag) => etag],
    ["another ETag", 200, () => '"a"'],
    ["a weak ETag", 200, (etag) => `W/${etag}`],
  ])("GET of an image with a Range and the If-Range %s answers %i", async (_, expected, tagFor) => {
    const etag = (await fetchBytes()).header("ETag") ?? ""
    expect((await fetchBytes({ Range: "bytes=0-3", "If-Range": tagFor(etag) })).status).toBe(expected)
  })
})

const unknown = (minutes: number) => `/media/${ann.username}/blog_img/${ulid(Date.now() - minutes * 60_000)}.webp`

describe("media paths without an image", () => {
  it.each<[string, number, () => string]>([
    ["an unknown id, 29 minutes old", 404, () => unknown(29)],
    ["an unknown id, 31 minutes old", 410, () => unknown(31)],
    ["an unknown id, exactly 30 minutes old", 410, () => unknown(30)],
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
    const image_url = image.image_url.replace(ann.username, (await newAuthor()).username)
    expect(await view({ image_url })).toBe(404)
    await attach()
    expect(await view({ image_url })).toBe(404)
  })

  it("GET of an image of a hidden account answers 404, and 200 when the account is shown again", async () => {
    await setAccount(ann, { hidden: true })
    expect(await view(image)).toBe(404)
    await setAccount(ann, { hidden: false })
    await attach()
    await setAccount(ann, { hidden: true })
    expect(await view(image)).toBe(404)
    await setAccount(ann, { hidden: false })
    expect(await view(image)).toBe(200)
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
