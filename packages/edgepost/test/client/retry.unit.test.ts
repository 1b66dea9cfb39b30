import { describe, expect, test } from "vitest"

import { EdgepostError, type Client, type PutPost } from "../../src/client/index.ts"
import { REAL_TIMING } from "../../src/client/retry.ts"
import { answer, fakeService, problem, type Step } from "./fake.ts"

const BODY: PutPost = { title: "T", status: "DF", categories: "c", meta_description: "d", body: "b" }
const CHANGE = { lang_code: "en", primary_language: "en", translation_languages: [] }

const CALLS = {
  GET: (client) => client.getAccount(),
  POST: (client) => client.createPost({ ...BODY, slug: "a" }),
  "POST upload": (client) => client.uploadImage(new Uint8Array(1), "a.png"),
  "POST preview": (client) => client.renewPreview("a"),
  PUT: (client) => client.putPost("a", BODY),
  "PUT If-Match": (client) => client.putPost("a", BODY, { ifMatch: '"1.1"' }),
  PATCH: (client) => client.patchPost("a", CHANGE),
  "PATCH If-Match": (client) => client.patchPost("a", CHANGE, { ifMatch: '"1.1"' }),
  "PATCH Idempotency-Key": (client) => client.patchPost("a", CHANGE, { idempotencyKey: "k" }),
  DELETE: (client) => client.deletePost("a"),
} satisfies Record<string, (client: Client) => Promise<unknown>>

const OK = answer(200, { ETag: '"2.1"' }, { account: {}, post: {}, warnings: [] })
const NOW = "Thu, 01 Jan 2026 00:00:00 GMT"
const IN_90_SECONDS = "Thu, 01 Jan 2026 00:01:30 GMT"

/** Runs a call. @returns how it ended: `done`, or status and code */
const endOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    await call()
    return "done"
  } catch (error) {
    if (error instanceof EdgepostError) return `${error.status} ${error.code}`
    throw error
  }
}

/** Call, what the service does, how the call ends, and the seconds of each wait. */
type Row = [keyof typeof CALLS, Step[], string, number[]]

const testAll = (rows: Row[]): void => {
  const titled = rows.map(([call, steps, end, waits]) => {
    const names = steps.map((step) => (step === "cut" ? step : step.status)).join(", ")
    return { title: `${call} after ${names}: ${end}, waits ${waits.join(", ") || "none"}`, call, steps, end, waits }
  })
  test.each(titled)("$title", async ({ call, steps, end, waits }) => {
    const fake = fakeService(steps)
    expect([await endOf(() => CALLS[call](fake.client)), fake.waits]).toEqual([end, waits])
  })
}

const limited = (headers: Record<string, string>) => problem(429, "rate_limited", headers)
const unavailable = (headers?: Record<string, string>) => problem(503, "unavailable", headers)
const internal = (status: number) => problem(status, "internal_error")
const gone = problem(404, "not_found")
const conflict = problem(412, "version_conflict")

describe("429 and 503 wait as long as the service says, whatever the call", () => {
  // A service whose clock is a day behind.
  const behind = { "Retry-After": "Wed, 31 Dec 2025 00:00:07 GMT", Date: "Wed, 31 Dec 2025 00:00:00 GMT" }
  testAll([
    ["PATCH", [limited({ "Retry-After": "37" }), OK], "done", [37]],
    ["POST preview", [problem(503, "busy", { "Retry-After": "2" }), OK], "done", [2]],
    ["GET", [limited({ "Retry-After": "60" }), OK], "done", [60]],
    ["GET", [unavailable({ "Retry-After": IN_90_SECONDS }), OK], "done", [90]],
    ["GET", [limited({ "Retry-After": NOW }), OK], "done", [0]],
    ["GET", [unavailable(behind), OK], "done", [7]],
    ["POST upload", [limited({ RateLimit: '"upload";r=0;t=21' }), OK], "done", [21]],
    ["PATCH", [unavailable(), OK], "done", [0.5]],
    ["GET", [limited({ "Retry-After": "301" })], "429 rate_limited", []],
    ["GET", [limited({ "Retry-After": "60" })], "429 rate_limited", [60, 60, 60, 60, 60]],
    ["POST", [problem(409, "idempotency_in_progress", { "Retry-After": "9" }), OK], "done", [9]],
  ])
})

describe("a lost answer: the request is sent again only where repeating is safe", () => {
  const safe = ["GET", "POST", "POST upload", "PUT", "PUT If-Match", "PATCH If-Match", "PATCH Idempotency-Key"] as const
  const unsafe = ["PATCH", "POST preview"] as const
  testAll([
    ...[...safe, "DELETE" as const].map((call): Row => [call, ["cut", OK], "done", [0.5]]),
    ...unsafe.map((call): Row => [call, ["cut", OK], "0 unreachable", []]),
    ...[500, 502, 504].flatMap((status): Row[] => [
      ["PUT", [internal(status), OK], "done", [0.5]],
      ["PATCH", [internal(status), OK], `${status} internal_error`, []],
    ]),
    ["GET", ["cut"], "0 unreachable", [0.5, 1, 2, 4]],
    ["GET", [new Response("<h1>Bad gateway</h1>", { status: 502 }), OK], "done", [0.5]],
  ])
})

describe("what a repeated request means", () => {
  const refusals = [400, 401, 403, 404, 408, 410, 412, 422]
  testAll([
    ["DELETE", ["cut", gone], "done", [0.5]],
    ["DELETE", [internal(502), gone], "done", [0.5]],
    ["DELETE", ["cut", limited({ "Retry-After": "3" }), gone], "done", [0.5, 3]],
    ["DELETE", [gone], "404 not_found", []],
    ["DELETE", [limited({ "Retry-After": "3" }), gone], "404 not_found", [3]],
    ["GET", ["cut", gone], "404 not_found", [0.5]],
    ["PATCH If-Match", ["cut", conflict], "412 version_conflict", [0.5]],
    ["PUT If-Match", ["cut", conflict], "412 version_conflict", [0.5]],
    ["POST upload", ["cut", problem(410, "image_expired")], "410 image_expired", [0.5]],
    ...refusals.map((status): Row => ["PUT", [problem(status, "refused"), OK], `${status} refused`, []]),
  ])
})

/** Tells which requests are over the limit: each fourth one. */
const isLimited = (request: number): boolean => request % 4 === 3

test("posts that are read one after another, more than the service gives in some minutes, all arrive", async () => {
  const fake = fakeService(Array.from({ length: 40 }, (_, i) => (isLimited(i) ? limited({ "Retry-After": "60" }) : OK)))
  const slugs = Array.from({ length: 30 }, (_, i) => `post-${i}`)
  for (const slug of slugs) await fake.client.getPost(slug)
  const read = fake.sent.filter((_, i) => !isLimited(i))
  expect(read).toEqual(slugs.map((slug) => `GET posts/${slug}/`))
  expect(fake.waits).toEqual(Array(9).fill(60))
})

test("repeated requests have the same body and the same Idempotency-Key, other calls another", async () => {
  const fake = fakeService(["cut", OK])
  await fake.client.createPost({ ...BODY, slug: "a" })
  await fake.client.createPost({ ...BODY, slug: "b" })
  const keys = fake.requests.map((request) => request.headers.get("Idempotency-Key"))
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0], expect.not.stringContaining(keys[0] ?? "")])
  const [first, second] = await Promise.all(fake.requests.map((request) => request.text()))
  expect(second).toBe(first)
  expect(first).toContain('"slug":"a"')
})

test("an answer that ends in its middle counts as lost", async () => {
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"account"'))
      controller.error(new TypeError("terminated"))
    },
  })
  const fake = fakeService([new Response(body, { headers: { "Content-Type": "application/json" } }), OK])
  expect(await endOf(() => fake.client.getAccount())).toBe("done")
  expect(fake.waits).toEqual([0.5])
})

test("after an upload that used up the rate limit, the next upload waits, other calls do not", async () => {
  const image = answer(201, { RateLimit: '"upload";r=0;t=12', "RateLimit-Policy": '"upload";q=1;w=12' })
  const fake = fakeService([image, OK, OK])
  await CALLS["POST upload"](fake.client)
  await fake.client.getAccount()
  expect(fake.waits).toEqual([])
  await CALLS["POST upload"](fake.client)
  expect(fake.waits).toEqual([12])
  expect(fake.told).toEqual(["12 s: the rate limit is used up"])
})

test("after an upload that left room in the rate limit, the next one does not wait", async () => {
  const fake = fakeService([answer(201, { RateLimit: '"upload";r=1;t=60' })])
  await CALLS["POST upload"](fake.client)
  await CALLS["POST upload"](fake.client)
  expect(fake.waits).toEqual([])
})

test("onWait is told of waits of more than a second", async () => {
  const fake = fakeService(["cut", "cut", "cut", problem(503, "busy", { "Retry-After": "4" }), OK])
  await fake.client.getAccount()
  expect(fake.waits).toEqual([0.5, 1, 2, 4])
  expect(fake.told).toEqual(["2 s: the service does not answer", "4 s: the service is busy"])
})

test("an aborted signal ends a wait at once, with the signal's reason", async () => {
  const abort = new AbortController()
  const wait = REAL_TIMING.sleep(3_600_000, abort.signal)
  abort.abort(new Error("enough"))
  await expect(wait).rejects.toThrow("enough")
  await expect(REAL_TIMING.sleep(3_600_000, abort.signal)).rejects.toThrow("enough")
})

test("an aborted signal ends a call without another attempt", async () => {
  const abort = new AbortController()
  const fetch = async (): Promise<Response> => {
    abort.abort(new Error("enough"))
    throw new TypeError("fetch failed")
  }
  const fake = fakeService([], { fetch, signal: abort.signal })
  await expect(fake.client.renewPreview("a")).rejects.toThrow("enough")
  await expect(fake.client.getAccount()).rejects.toThrow("enough")
  expect(fake.waits).toEqual([])
})

test("without Retry-After, the wait is random, from nothing to a time that doubles", async () => {
  const fake = fakeService(["cut"], {}, [0, 0.25, 0.5, 0.75])
  expect(await endOf(() => fake.client.getAccount())).toBe("0 unreachable")
  expect(fake.waits).toEqual([0, 0.25, 1, 3])
})
