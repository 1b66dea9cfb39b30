import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test"
import { beforeEach, describe, expect, it } from "vitest"

import { accountId, statusOf, stored } from "../calls.ts"
import { failing, faulty } from "../faults.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  env,
  fileForm,
  newAuthor,
  passSeconds,
  newPng,
  rotateKey,
} from "../support.ts"
import { stopClock } from "../support.ts"

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

const send = async (key = ann.key, faults: Partial<Env> = {}, bytes?: Uint8Array<ArrayBuffer>): Promise<Answer> =>
  call("POST", `${API}/image-upload/`, { key, body: fileForm(bytes ?? (await newPng())), env: faults })
const sendBroken = () => send(ann.key, {}, new Uint8Array(100))

const times = async <T>(count: number, act: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let i = 0; i < count; i++) results.push(await act())
  return results
}

const limiterStub = (take: unknown) => {
  const getByName = (name: string) => faulty(env.UPLOAD_LIMITER.getByName(name), { take })
  return { UPLOAD_LIMITER: faulty(env.UPLOAD_LIMITER, { getByName, get: () => getByName("unused") }) }
}

describe("10 uploads in any 60 seconds", () => {
  it("of 12 uploads 10 are counted, and one whose key is rotated while it is counted stores nothing", async () => {
    const account = await accountId(ann)
    let key = ann.key
    const takeLater = async (limit: number, seconds: number) => {
      key = await rotateKey(ann.username)
      return env.UPLOAD_LIMITER.getByName(account).take(limit, seconds)
    }
    expect((await send(ann.key, limiterStub(takeLater))).status).toBe(401)
    const statuses = await times(11, async () => (await send(key)).status)
    expect(statuses).toEqual([...Array<number>(9).fill(201), 429, 429])
    expect((await stored(account)).files).toHaveLength(9)
  })

  it("every answer to an upload has the headers RateLimit and RateLimit-Policy", async () => {
    const answers = await times(11, () => send())
    expect(answers.map(({ headers }) => headers.get("RateLimit"))).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0].map((left) => `"upload";r=${left};t=60`),
    )
    for (const { headers } of answers) expect(headers.get("RateLimit-Policy")).toBe('"upload";q=10;w=60')
    passSeconds(60)
    const broken = await sendBroken()
    expect([broken.status, broken.headers.get("RateLimit")]).toEqual([400, '"upload";r=9;t=60'])
    expect(broken.headers.get("RateLimit-Policy")).toBe('"upload";q=10;w=60')
  })

  it("the 11th upload within a minute answers 429, and one sent after its Retry-After answers 201", async () => {
    await times(10, () => send())
    passSeconds(12.345)
    const { status, headers, json } = await send()
    expect([status, json.title, json.code]).toEqual([429, "Too Many Requests", "rate_limited"])
    const wait = Number(headers.get("Retry-After"))
    expect(wait).toBe(48)
    passSeconds(wait)
    expect(await statusOf(send())).toBe(201)
  })

  it("the upload limit is a sliding window: each upload leaves it after exactly 60 seconds", async () => {
    await send()
    passSeconds(30)
    await times(9, () => send())
    passSeconds(29.999)
    expect(await statusOf(send())).toBe(429)
    passSeconds(0.001)
    expect(await times(2, () => statusOf(send()))).toEqual([201, 429])
    passSeconds(29.999)
    expect(await statusOf(send())).toBe(429)
    passSeconds(0.001)
    expect(await times(10, () => statusOf(send()))).toEqual([...Array<number>(9).fill(201), 429])
  })

  it("uploads that fail count towards the upload limit", async () => {
    expect(await times(10, () => statusOf(sendBroken()))).toEqual(Array(10).fill(400))
    expect(await statusOf(send())).toBe(429)
  })

  it("uploads that answer 429 do not count towards the upload limit", async () => {
    await times(10, () => send())
    passSeconds(30)
    await times(20, () => send())
    passSeconds(30)
    expect(await times(11, () => statusOf(send()))).toEqual([...Array<number>(10).fill(201), 429])
  })

  it("calls with a wrong API key or to other routes do not count towards the upload limit", async () => {
    expect(await times(12, () => statusOf(send("wrong")))).toEqual(Array(12).fill(401))
    expect(await statusOf(call("GET", `${API}/account/`, { key: ann.key }))).toBe(200)
    expect((await send()).headers.get("RateLimit")).toBe('"upload";r=9;t=60')
  })

  it("the body of an upload that answers 429 is not read", async () => {
    await times(10, () => send())
    let reads = 0
    const pull = (controller: ReadableStreamDefaultController) => {
      reads += 1
      controller.close()
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    expect(await statusOf(call("POST", `${API}/image-upload/`, { key: ann.key, body }))).toBe(429)
    expect(reads).toBe(0)
    passSeconds(60)
    const read = new ReadableStream({ pull }, { highWaterMark: 0 })
    expect(await statusOf(call("POST", `${API}/image-upload/`, { key: ann.key, body: read }))).toBe(400)
    expect(reads).toBe(1)
  })

  it("rotating an API key does not reset the upload limit of its account", async () => {
    await times(10, () => send())
    const key = await rotateKey(ann.username)
    expect(await statusOf(send(key))).toBe(429)
  })

  it.each<[string, () => Promise<void>]>([
    ["evicted", async () => evictDurableObject(env.UPLOAD_LIMITER.getByName(await accountId(ann)))],
    ["aborted", () => abortAllDurableObjects()],
  ])("the count of uploads for the upload limit survives if its Durable Object is %s", async (_, end) => {
    await times(9, () => send())
    await end()
    expect((await send()).headers.get("RateLimit")).toBe('"upload";r=0;t=60')
    await end()
    expect(await statusOf(send())).toBe(429)
  })

  it("the variable UPLOADS_PER_MINUTE sets the upload limit", async () => {
    const faults = { UPLOADS_PER_MINUTE: "2" } as unknown as Partial<Env>
    const answers = await times(3, () => send(ann.key, faults))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429])
    expect(answers[0]?.headers.get("RateLimit-Policy")).toBe('"upload";q=2;w=60')
  })
})

it.each<[string, unknown]>([
  ["rejects", failing],
  [
    "throws",
    () => {
      throw new Error("A fault that a test made.")
    },
  ],
])("an upload whose rate limiter %s answers 503 and stores nothing", async (_, take) => {
  const { status, headers } = await send(ann.key, limiterStub(take))
  expect([status, headers.has("Retry-After")]).toEqual([503, true])
  expect(await stored(await accountId(ann))).toEqual({ rows: [], files: [], bytes: 0 })
})
