import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test"
import { describe, expect, it } from "vitest"

import worker from "../../src/index.ts"
import {
  MAX_ATTEMPTS,
  MAX_LARGE_WRITES,
  MAX_UNKNOWN_KEY_CALLS,
  MAX_UNKNOWN_KEY_LOOKUPS,
  MAX_WRITES,
  RATE_WINDOW_SECONDS,
} from "../../src/limits.ts"
import config from "../../wrangler.toml?raw"
import { Browser, newLink } from "../author-pages/browser.ts"
import { accountId, patch, statusOf } from "../calls.ts"
import { failing, faulty, tapD1 } from "../faults.ts"
import { dumpStorage } from "../storage.ts"
import {
  API,
  type Author,
  call,
  env,
  fileForm,
  newAuthor,
  newPost,
  OPERATOR,
  passSeconds,
  postInput,
  png,
  rows,
  runCron,
  stopClock,
} from "../support.ts"
import { newLimiter, pathOf, signInOperator } from "./operator.ts"

const DAY_SECONDS = 24 * 60 * 60
const NOON = new Date("2026-03-04T12:00:00Z")

const uploadTo = ({ key }: Author, bytes: Uint8Array<ArrayBuffer>, faults: Partial<Env> = {}) =>
  call("POST", `${API}/image-upload/`, { key, body: fileForm(bytes), env: faults })

const TEXT = Uint8Array.from(new TextEncoder().encode("This is no image."))
const tooLong = (): string => JSON.stringify({ title: "x".repeat(2 * 1024 * 1024) })

const countsOf = async (author: Author): Promise<Record<string, unknown>[]> =>
  rows("select day, kind, count from abuse_counts where account_id = ? order by day, kind", await accountId(author))

const isCount = (statements: { sql: string }[]) => statements.some(({ sql }) => sql.includes("abuse_counts"))

describe("counts of refused requests", () => {
  it("refused requests of an account are counted by day and kind and shown to the operator", async () => {
    stopClock(NOON)
    const author = await newAuthor()
    const { slug } = await newPost(author)
    const large = new Uint8Array(5 * 1024 * 1024 + 1)
    for (let i = 0; i < 2; i++) expect((await uploadTo(author, TEXT)).json.code).toBe("unsupported_format")
    expect((await uploadTo(author, large)).json.code).toBe("file_too_large")
    const larger = new Uint8Array(6 * 1024 * 1024)
    expect((await uploadTo(author, larger)).json.code).toBe("file_too_large")
    const one = { UPLOADS_PER_MINUTE: "1" }
    for (let i = 0; i < 3; i++) expect((await uploadTo(author, TEXT, one)).status).toBe(429)
    expect((await call("POST", `${API}/posts/`, { key: author.key, body: tooLong() })).json.code).toBe("invalid_json")
    passSeconds(DAY_SECONDS)
    expect((await call("PATCH", `${API}/${slug}/`, { key: author.key, body: tooLong() })).json.code).toBe(
      "invalid_json",
    )
    expect(await countsOf(author)).toEqual([
      { day: "2026-03-04", kind: "file_too_large", count: 2 },
      { day: "2026-03-04", kind: "json_too_large", count: 1 },
      { day: "2026-03-04", kind: "rate_limited", count: 3 },
      { day: "2026-03-04", kind: "unsupported_format", count: 2 },
      { day: "2026-03-05", kind: "json_too_large", count: 1 },
    ])
    const { html } = await (await signInOperator()).get(pathOf(author.username))
    expect(html).toContain('<time datetime="2026-03-04">2026-03-04</time>: 3 uploads over the limit of a minute')
  })

  it("other errors, successes and requests without an account do not count as refused requests", async () => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    expect((await uploadTo(author, await png())).status).toBe(201)
    expect((await uploadTo(author, (await png()).slice(0, 40))).json.code).toBe("undecodable_image")
    expect((await patch(author, slug, { title: "" })).status).toBe(400)
    expect((await call("POST", `${API}/posts/`, { key: author.key, body: "{" })).json.code).toBe("invalid_json")
    expect((await call("POST", `${API}/posts/`, { body: tooLong() })).status).toBe(401)
    expect(await countsOf(author)).toEqual([])
  })

  it("concurrent refused requests of an account are counted exactly", async () => {
    const author = await newAuthor()
    const headers = { "Content-Length": "9999999" }
    await Promise.all(Array.from({ length: 8 }, () => call("POST", `${API}/posts/`, { ...author, headers, json: {} })))
    expect((await countsOf(author)).map(({ count }) => count)).toEqual([8])
  })

  it("counts of refused requests are erased with their account and deleted after 90 days", async () => {
    stopClock(NOON)
    const [gone, kept] = [await newAuthor(), await newAuthor()]
    for (const author of [gone, kept]) await uploadTo(author, TEXT)
    const id = await accountId(gone)
    await call("DELETE", `/operator/api/accounts/${gone.username}/`, { headers: OPERATOR })
    expect(await rows("select * from abuse_counts where account_id = ?", id)).toEqual([])
    passSeconds(90 * DAY_SECONDS)
    await runCron()
    expect(await countsOf(kept)).toHaveLength(1)
    passSeconds(DAY_SECONDS)
    await runCron()
    expect(await countsOf(kept)).toEqual([])
  })

  it("a refused request gets its usual answer even if counting it fails", async () => {
    const author = await newAuthor()
    const DB = tapD1({ before: (statements) => (isCount(statements) ? failing() : undefined) })
    expect((await uploadTo(author, TEXT, { DB })).json.code).toBe("unsupported_format")
    expect(await countsOf(author)).toEqual([])
  })

  it("the answer to a refused request does not wait until the request is counted", async () => {
    const author = await newAuthor()
    const gate = Promise.withResolvers<void>()
    const DB = tapD1({
      before: (statements) => (isCount(statements) ? gate.promise : undefined),
    })
    const context = createExecutionContext()
    const request = new Request(`http://localhost:8787${API}/image-upload/`, {
      method: "POST",
      headers: { "X-API-KEY": author.key },
      body: fileForm(TEXT),
    })
    expect((await worker.fetch(request, { ...env, DB }, context)).status).toBe(400)
    expect(await countsOf(author)).toEqual([])
    gate.resolve()
    await waitOnExecutionContext(context)
    expect(await countsOf(author)).toHaveLength(1)
  })

  it("the cleanup deletes entries of the operator's audit log after 400 days", async () => {
    stopClock(NOON)
    const { username } = await newAuthor()
    const count = () => rows("select count(*) as n from operator_actions where username = ?", username)
    passSeconds(400 * DAY_SECONDS - 1)
    await runCron()
    expect(await count()).toEqual([{ n: 2 }])
    passSeconds(2)
    await runCron()
    expect(await count()).toEqual([{ n: 0 }])
  })
})

const from = (address: string, headers: Record<string, string> = {}) => ({ "CF-Connecting-IP": address, ...headers })
const WRONG = { Authorization: "Bearer a-wrong-operator-token-of-some-length" }
const times = <T>(number: number, attempt: () => Promise<T>): Promise<T[]> =>
  Array.from({ length: number }).reduce<Promise<T[]>>(
    async (before) => [...(await before), await attempt()],
    Promise.resolve([]),
  )

const useLink = (path: string, limiter: RateLimit, address: string) =>
  call("POST", path, {
    headers: from(address, { Origin: "http://localhost:8787" }),
    body: new URLSearchParams(),
    env: { ATTEMPT_LIMITER: limiter },
  })

it("sign-in attempts are limited by IP address, and a sign-in link refused with 429 stays valid", async () => {
  stopClock()
  const { binding } = newLimiter()
  const link = await newLink((await newAuthor()).username)
  const guess = () => statusOf(useLink("/sign-in/guessed/", binding, "192.0.2.1"))
  expect(await times(10, guess)).toEqual(Array(10).fill(410))
  const slowed = await useLink(link, binding, "192.0.2.1")
  expect([slowed.status, slowed.json.code, slowed.headers.get("Retry-After")]).toEqual([429, "rate_limited", "60"])
  expect((await useLink("/sign-in/guessed/", binding, "192.0.2.2")).status).toBe(410)
  passSeconds(Number(slowed.headers.get("Retry-After")))
  expect((await useLink(link, binding, "192.0.2.1")).status).toBe(303)
})

describe("limits of sign-in attempts", () => {
  it("sign-in attempts are allowed if the platform's rate limiter fails", async () => {
    const broken = faulty(newLimiter().binding, { limit: failing })
    expect((await useLink(await newLink((await newAuthor()).username), broken, "192.0.2.1")).status).toBe(303)
  })

  it("sign-in attempts are limited by the platform's rate limiter", async () => {
    // The window may end in between, so two windows allow 20 attempts.
    const statuses = await times(2 * MAX_ATTEMPTS + 1, async () => {
      const { status } = await useLink("/sign-in/guessed/", env.ATTEMPT_LIMITER, "192.0.2.77")
      return status
    })
    expect(new Set(statuses)).toEqual(new Set([410, 429]))
    expect(config).toContain(`simple = { limit = ${MAX_ATTEMPTS}, period = ${RATE_WINDOW_SECONDS} }`)
  })
})

describe("limits of attempts with the operator's token", () => {
  it("attempts with a wrong operator token are limited by IP address, in the API and on the page", async () => {
    stopClock()
    const { binding } = newLimiter()
    const options = { ATTEMPT_LIMITER: binding }
    const path = "/operator/api/accounts/nobody/"
    const guess = () => call("GET", path, { headers: from("192.0.2.1", WRONG), env: options })
    expect((await times(5, guess)).map(({ status }) => status)).toEqual(Array(5).fill(401))
    const browser = new Browser(options)
    const signIn = (token: string) => browser.post("/operator/sign-in/", { token }, from("192.0.2.1"))
    expect((await times(5, () => signIn("wrong"))).map(({ status }) => status)).toEqual(Array(5).fill(401))
    const slowed = await guess()
    expect([slowed.status, slowed.json.code, slowed.headers.get("Retry-After")]).toEqual([429, "rate_limited", "60"])
    expect((await signIn(env.OPERATOR_TOKEN)).status).toBe(429)
    expect(browser.cookies.size).toBe(0)
    // Another client at the same address must not block the operator's scripts.
    expect((await call("GET", path, { headers: from("192.0.2.1", OPERATOR), env: options })).status).toBe(404)
    passSeconds(60)
    expect((await signIn(env.OPERATOR_TOKEN)).status).toBe(303)
  })

  it("API requests with the right operator token do not count as attempts", async () => {
    const { binding, keys } = newLimiter()
    const ask = () =>
      call("GET", "/operator/api/accounts/nobody/", { headers: OPERATOR, env: { ATTEMPT_LIMITER: binding } })
    await times(20, ask)
    expect(keys).toEqual([])
  })
})

describe("limits of API keys", () => {
  it("requests with API keys are never limited by IP address", async () => {
    const { binding, keys } = newLimiter()
    const { key } = await newAuthor()
    const ask = (sent: string) =>
      statusOf(
        call("GET", `${API}/account/`, { key: sent, headers: from("192.0.2.1"), env: { ATTEMPT_LIMITER: binding } }),
      )
    expect(new Set(await times(30, () => ask(key)))).toEqual(new Set([200]))
    expect(new Set(await times(30, () => ask(`${key.slice(0, -1)}!`)))).toEqual(new Set([401]))
    expect(keys).toEqual([])
  })
})

const keyFor = async (address: string, changes: Partial<Env> = {}): Promise<string> => {
  const { binding, keys } = newLimiter()
  const headers = from(address, WRONG)
  await call("GET", "/operator/api/accounts/nobody/", { headers, env: { ...changes, ATTEMPT_LIMITER: binding } })
  return keys[0] ?? ""
}

describe("the hash that stands for an address", () => {
  it("the hash of an IP address for rate limiting changes daily and depends on the operator's token", async () => {
    stopClock(NOON)
    const key = await keyFor("192.0.2.1")
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await keyFor("192.0.2.1")).toBe(key)
    expect(await keyFor("192.0.2.2")).not.toBe(key)
    expect(await keyFor("192.0.2.1", { OPERATOR_TOKEN: "another-operator-token-of-the-test-suite" })).not.toBe(key)
    passSeconds(DAY_SECONDS)
    expect(await keyFor("192.0.2.1")).not.toBe(key)
    expect(JSON.stringify(await dumpStorage())).not.toContain("192.0.2.")
  })

  it("requests without an IP address share one hash for rate limiting", async () => {
    stopClock(NOON)
    expect(await keyFor("")).toBe(await keyFor(""))
  })

  it.each([
    ["2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", true],
    ["2001:db8::1", "2001:db8:0:0:ffff::", true],
    ["::1", "::2", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["2001:db8::1", "2001:db8:0:1::1", false],
  ])("the hashes for rate limiting of the IPv6 addresses %s and %s are the same: %s", async (one, other, isSame) => {
    stopClock(NOON)
    expect((await keyFor(one)) === (await keyFor(other))).toBe(isSame)
  })
})

/** Returns a rate limiter that allows so many calls. */
const limitTo = (most: number): RateLimit => {
  let count = 0
  return { limit: async () => ({ success: ++count <= most }) }
}

describe("limits of writes", () => {
  it("writes of an account beyond the platform's limit get 429 with Retry-After, reads do not", async () => {
    const author = await newAuthor()
    const WRITE_LIMITER = limitTo(1)
    const send = (method: "POST" | "GET") =>
      call(method, `${API}/posts/`, {
        ...author,
        env: { WRITE_LIMITER },
        ...(method === "POST" && { json: postInput() }),
      })
    expect((await send("POST")).status).toBe(201)
    const refused = await send("POST")
    expect([refused.status, refused.json.code, refused.headers.get("Retry-After")]).toEqual([429, "rate_limited", "60"])
    expect((await send("GET")).status).toBe(200)
  })

  it("writes with a body over 64 KB have a lower limit of their own", async () => {
    const author = await newAuthor()
    const limited = { LARGE_WRITE_LIMITER: limitTo(1) }
    const statuses = []
    for (const body of ["word ".repeat(14_000), "short", "word ".repeat(14_000)])
      statuses.push(
        (await call("POST", `${API}/posts/`, { ...author, json: postInput({ body }), env: limited })).status,
      )
    expect(statuses).toEqual([201, 201, 429])
  })

  it("the limits of writes and of unknown keys stand in wrangler.toml", () => {
    for (const most of [MAX_WRITES, MAX_LARGE_WRITES, MAX_UNKNOWN_KEY_CALLS, MAX_UNKNOWN_KEY_LOOKUPS])
      expect(config).toContain(`simple = { limit = ${most}, period = ${RATE_WINDOW_SECONDS} }`)
  })
})
