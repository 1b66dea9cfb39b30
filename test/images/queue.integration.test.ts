import { afterEach, beforeAll, expect, it, vi } from "vitest"

import { UPLOAD_BODY_SECONDS } from "../../src/limits.ts"
import { API, type Author, call, encode, fileForm, newAuthor, newPost, png } from "../support.ts"

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

it("of ten uploads of one account at once, one is converted, and the others are busy and not counted", async () => {
  const author = await newAuthor()
  const answers = await Promise.all(Array.from({ length: 10 }, () => uploadOf(author)))
  const busy = answers.filter(({ status }) => status === 503)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(busy.map(({ json, headers }) => [json.code, headers.get("Retry-After"), headers.get("RateLimit")])).toEqual(
    Array.from({ length: 9 }, () => ["busy", "5", null]),
  )
  expect((await uploadOf(author, fileForm(await png()))).headers.get("RateLimit")).toMatch(/^"upload";r=8;/)
})

it("uploads of three accounts at once are converted one after another, and one of a fourth account is busy", async () => {
  const authors = await Promise.all(Array.from({ length: 4 }, () => newAuthor()))
  const answers = await Promise.all(authors.map((author) => uploadOf(author)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 503])
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

it("three uploads whose bodies do not arrive answer 408 after 20 seconds and give back their places", async () => {
  const authors = await Promise.all(Array.from({ length: 3 }, () => newAuthor()))
  const last = await newAuthor()
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const stalled = authors.map(() => Promise.withResolvers<null>())
  const slow = authors.map((author, i) => {
    const pull = () => {
      stalled[i]?.resolve(null)
      return new Promise<void>(() => {})
    }
    return uploadOf(author, new ReadableStream({ pull }, { highWaterMark: 0 }))
  })
  await Promise.all(stalled.map(({ promise }) => promise))
  expect((await uploadOf(last)).json.code).toBe("busy")
  await vi.advanceTimersByTimeAsync(UPLOAD_BODY_SECONDS * 1000)
  const answers = await Promise.all(slow)
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
    Array.from({ length: 3 }, () => [408, "body_timeout"]),
  )
  vi.useRealTimers()
  expect((await uploadOf(last)).status).toBe(201)
})
