import { afterEach, beforeAll, expect, it, vi } from "vitest"

import { UPLOAD_PACE_SECONDS, UPLOAD_WINDOW_SECONDS } from "../../src/limits.ts"
import { accountId } from "../calls.ts"
import { API, type Author, call, encode, env as bindings, fileForm, newAuthor, newPng, newPost } from "../support.ts"

/** A PNG of noise, which takes some hundred milliseconds to convert. */
let noise: Uint8Array<ArrayBuffer>
beforeAll(() => {
  const side = 1024
  const pixels = new Uint8Array(side * side * 4)
  for (let i = 0; i < pixels.length; i += 65_536) crypto.getRandomValues(pixels.subarray(i, i + 65_536))
  for (let i = 3; i < pixels.length; i += 4) pixels[i] = 255
  noise = encode(pixels, side, side, "png")
})
afterEach(() => {
  vi.useRealTimers()
})

const uploadOf = ({ key }: Author, body: BodyInit = fileForm(noise)) =>
  call("POST", `${API}/image-upload/`, {
    key,
    body,
    headers: body instanceof FormData ? {} : { "Content-Type": "multipart/form-data; boundary=x" },
  })

/** Returns how many uploads of accounts count in this minute. */
const counts = (authors: Author[]): Promise<number[]> =>
  Promise.all(
    authors.map(async (author) =>
      bindings.UPLOAD_LIMITER.getByName(await accountId(author)).count(UPLOAD_WINDOW_SECONDS),
    ),
  )

it("ten uploads of one account at once are all stored, beside another account's, and an eleventh gets 429", async () => {
  const authors = [await newAuthor(), await newAuthor()]
  const ended: number[] = []
  const uploads = authors.flatMap((author, i) =>
    Array.from({ length: 10 }, async () => {
      const { status } = await uploadOf(author, fileForm(await newPng()))
      ended.push(i)
      return status
    }),
  )
  const statuses = await Promise.all(uploads)
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 201))
  // How many of each end first depends on how long they take; none waits for all of the other account's.
  for (const author of authors.keys()) expect(ended.indexOf(author)).toBeLessThan(10)
  const eleventh = await uploadOf(authors[0] as Author)
  expect([eleventh.status, eleventh.headers.get("RateLimit")]).toEqual([429, expect.stringMatching(/^"upload";r=0;/)])
})

it("an eleventh upload that is sent with ten others gets 429 at once", async () => {
  const author = await newAuthor()
  const answers = await Promise.all(Array.from({ length: 11 }, async () => uploadOf(author, fileForm(await newPng()))))
  const refused = answers.filter(({ status }) => status !== 201).map(({ json }) => json.code)
  expect([answers.length - refused.length, refused]).toEqual([10, ["rate_limited"]])
})

it("another author's page is answered while uploads wait for their conversion", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const authors = await Promise.all(Array.from({ length: 3 }, () => newAuthor()))
  const ended: string[] = []
  const uploads = authors.map(async (uploader) => {
    await uploadOf(uploader)
    ended.push("upload")
  })
  await call("GET", `/@${author.username}/${slug}/`)
  ended.push("page")
  await Promise.all(uploads)
  expect(ended.indexOf("page")).toBeLessThan(2)
})

/** Sends an upload whose body stops after five bytes. @returns its answer, and when its body is being read */
const stallOf = (author: Author) => {
  const begun = Promise.withResolvers<null>()
  let pulls = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    pulls += 1
    if (pulls === 1) return controller.enqueue(new Uint8Array(5))
    begun.resolve(null)
    return new Promise<void>(() => {})
  }
  return { answer: uploadOf(author, new ReadableStream({ pull }, { highWaterMark: 0 })), begun: begun.promise }
}

it("uploads whose bodies stop after five bytes answer 408 after 3 seconds, and another account's is next", async () => {
  const authors = await Promise.all(Array.from({ length: 3 }, () => newAuthor()))
  const last = await newAuthor()
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  const slow = authors.flatMap((author) => [stallOf(author), stallOf(author)])
  const first = slow.filter((_, i) => i % 2 === 0)
  await Promise.all(first.map(({ begun }) => begun))
  const next = uploadOf(last, fileForm(await newPng()))
  vi.advanceTimersByTime(UPLOAD_PACE_SECONDS * 1000)
  expect((await next).status).toBe(201)
  const refused = await Promise.all(first.map(({ answer }) => answer))
  expect(refused.map(({ status, json }) => [status, json.code])).toEqual(
    Array.from({ length: 3 }, () => [408, "body_timeout"]),
  )
  await Promise.all(slow.map(({ begun }) => begun))
  vi.advanceTimersByTime(UPLOAD_PACE_SECONDS * 1000)
  expect((await Promise.all(slow.map(({ answer }) => answer))).map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, () => 408),
  )
})

it("an upload that loses its place in a full line answers 503 and does not count", async () => {
  const authors = await Promise.all(Array.from({ length: 3 }, () => newAuthor()))
  const late = await newAuthor()
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  const slow = authors.map(stallOf)
  await Promise.all(slow.map(({ begun }) => begun))
  const file = fileForm(await newPng())
  const env = { ...bindings, UPLOADS_PER_MINUTE: "100" }
  const waiting = authors.flatMap(({ key }) =>
    Array.from({ length: 10 }, () => call("POST", `${API}/image-upload/`, { key, body: file, env })),
  )
  await vi.waitUntil(async () => (await counts(authors)).every((count) => count === 11))
  const next = uploadOf(late, file)
  const displaced = await waiting[9]
  expect([displaced?.status, displaced?.json.code]).toEqual([503, "busy"])
  const { headers } = displaced ?? {}
  expect([headers?.get("Retry-After"), headers?.get("RateLimit")]).toEqual(["5", null])
  expect(await counts(authors)).toEqual([10, 11, 11])
  vi.advanceTimersByTime(UPLOAD_PACE_SECONDS * 1000)
  expect((await next).status).toBe(201)
  const others = (await Promise.all(waiting)).filter((answer) => answer !== displaced)
  expect(others.every(({ status }) => status === 200 || status === 201)).toBe(true)
  await Promise.all(slow.map(({ answer }) => answer))
})
