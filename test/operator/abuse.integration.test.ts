import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test"
import { beforeEach, expect, it } from "vitest"

import worker from "../../src/index.ts"
import {
  MAX_ATTEMPTS,
  MAX_LARGE_WRITES,
  MAX_EXPENSIVE_CALLS,
  MAX_UNKNOWN_KEY_CALLS,
  MAX_UNKNOWN_KEY_LOOKUPS,
  MAX_READS,
  MAX_WRITES,
  RATE_WINDOW_SECONDS,
} from "../../src/limits.ts"
import config from "../../wrangler.toml?raw"
import { Browser, newLink, signIn } from "../author-pages/browser.ts"
import { accountId, create, eraseAccount, patch, statusOf } from "../calls.ts"
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
  ORIGIN,
  passSeconds,
  png,
  rows,
  runCron,
  stopClock,
} from "../support.ts"
import { newLimiter, pathOf, registerAuthor, signInOperator } from "./operator.ts"

const DAY_SECONDS = 24 * 60 * 60
beforeEach(() => stopClock(new Date("2026-03-04T12:00:00Z")))

const uploadTo = ({ key }: Author, bytes: Uint8Array<ArrayBuffer>, faults: Partial<Env> = {}) =>
  call("POST", `${API}/image-upload/`, { key, body: fileForm(bytes), env: faults })
const TEXT = Uint8Array.from(new TextEncoder().encode("This is no image."))
const TOO_LONG = JSON.stringify({ title: "x".repeat(2 * 1024 * 1024) })

const countsOf = async (author: Author): Promise<Record<string, unknown>[]> =>
  rows("select day, kind, count from abuse_counts where account_id = ? order by day, kind", await accountId(author))

/** Returns a D1 binding that calls `act` before requests are counted. */
const beforeCounting = (act: () => Promise<unknown>) =>
  tapD1({ before: (statements) => (statements.some(({ sql }) => sql.includes("abuse_counts")) ? act() : undefined) })

const refused = async (answer: ReturnType<typeof call>, code: string) => expect((await answer).json.code).toBe(code)

it("refused requests of an account are counted by day and kind and shown to the operator", async () => {
  const author = await newAuthor()
  const { key } = author
  const { slug } = await newPost(author)
  for (let i = 0; i < 2; i++) await refused(uploadTo(author, TEXT), "unsupported_format")
  for (const mib of [5, 6]) await refused(uploadTo(author, new Uint8Array(mib * 1024 * 1024 + 1)), "file_too_large")
  for (let i = 0; i < 3; i++) await refused(uploadTo(author, TEXT, { UPLOADS_PER_MINUTE: "1" }), "rate_limited")
  await refused(call("POST", `${API}/posts/`, { key, body: TOO_LONG }), "invalid_json")
  passSeconds(DAY_SECONDS)
  await refused(call("PATCH", `${API}/${slug}/`, { key, body: TOO_LONG }), "invalid_json")
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
  expect((await call("POST", `${API}/posts/`, { body: TOO_LONG })).status).toBe(401)
  expect(await countsOf(author)).toEqual([])
})

it("concurrent refused requests of an account are counted exactly", async () => {
  const author = await newAuthor()
  const headers = { "Content-Length": "9999999" }
  await Promise.all(Array.from({ length: 8 }, () => call("POST", `${API}/posts/`, { ...author, headers, json: {} })))
  expect(await countsOf(author)).toMatchObject([{ count: 8 }])
})

it("counts of refused requests are erased with their account and deleted after 90 days", async () => {
  const [gone, kept] = [await newAuthor(), await newAuthor()]
  for (const author of [gone, kept]) await uploadTo(author, TEXT)
  const id = await accountId(gone)
  await eraseAccount(gone)
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
  const { json } = await uploadTo(author, TEXT, { DB: beforeCounting(failing) })
  expect([json.code, await countsOf(author)]).toEqual(["unsupported_format", []])
})

it("the answer to a refused request does not wait until the request is counted", async () => {
  const author = await newAuthor()
  const gate = Promise.withResolvers<void>()
  const DB = beforeCounting(() => gate.promise)
  const context = createExecutionContext()
  const sent = { method: "POST", headers: { "X-API-KEY": author.key }, body: fileForm(TEXT) }
  const request = new Request(`${ORIGIN}${API}/image-upload/`, sent)
  expect((await worker.fetch(request, { ...env, DB }, context)).status).toBe(400)
  expect(await countsOf(author)).toEqual([])
  gate.resolve()
  await waitOnExecutionContext(context)
  expect(await countsOf(author)).toHaveLength(1)
})

it("the cleanup deletes entries of the operator's audit log after 400 days", async () => {
  const { username } = await registerAuthor()
  for (const [seconds, n] of [[400 * DAY_SECONDS - 1, 2] as const, [2, 0] as const]) {
    passSeconds(seconds)
    await runCron()
    expect(await rows("select 1 from operator_actions where username = ?", username)).toHaveLength(n)
  }
})

const WRONG = { Authorization: "Bearer a-wrong-operator-token-of-some-length" }
const LIMITED = [429, "rate_limited", "60"]
const outcomeOf = ({ status, json, headers }: Awaited<ReturnType<typeof call>>) => [
  status,
  json.code,
  headers.get("Retry-After"),
]
const times = async <T>(number: number, attempt: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = []
  for (let i = 0; i < number; i++) answers.push(await attempt())
  return answers
}

const useLink = (path: string, limiter: RateLimit, address = "192.0.2.1") => {
  const headers = { "CF-Connecting-IP": address, Origin: ORIGIN }
  return call("POST", path, { headers, body: new URLSearchParams(), env: { ATTEMPT_LIMITER: limiter } })
}
const askAsOperator = (limiter: RateLimit, headers: Record<string, string>, changes: Partial<Env> = {}) =>
  call("GET", "/operator/api/accounts/nobody/", { headers, env: { ...changes, ATTEMPT_LIMITER: limiter } })

it("sign-in attempts are limited by IP address, and a sign-in link refused with 429 stays valid", async () => {
  const { binding } = newLimiter()
  const link = await newLink((await newAuthor()).username)
  const guess = (address?: string) => statusOf(useLink("/sign-in/guessed/", binding, address))
  expect(await times(10, guess)).toEqual(Array(10).fill(410))
  expect(outcomeOf(await useLink(link, binding))).toEqual(LIMITED)
  expect(await guess("192.0.2.2")).toBe(410)
  passSeconds(60)
  expect((await useLink(link, binding)).status).toBe(303)
})

it("sign-in attempts are allowed if the platform's rate limiter fails", async () => {
  const broken = faulty(newLimiter().binding, { limit: failing })
  expect((await useLink(await newLink((await newAuthor()).username), broken)).status).toBe(303)
})

it("sign-in attempts are limited by the platform's rate limiter", async () => {
  // The window may end in between, so two windows allow 20 attempts.
  const answers = await times(2 * MAX_ATTEMPTS + 1, () => useLink("/sign-in/guessed/", env.ATTEMPT_LIMITER))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([410, 429]))
})

it("attempts with a wrong operator token are limited by IP address, in the API and on the page", async () => {
  const { binding } = newLimiter()
  const address = { "CF-Connecting-IP": "192.0.2.1" }
  const guess = () => askAsOperator(binding, { ...address, ...WRONG })
  expect(await times(5, () => statusOf(guess()))).toEqual(Array(5).fill(401))
  const browser = new Browser({ ATTEMPT_LIMITER: binding })
  const tryToken = async (token: string) => (await browser.post("/operator/sign-in/", { token }, address)).status
  expect(await times(5, () => tryToken("wrong"))).toEqual(Array(5).fill(401))
  expect(outcomeOf(await guess())).toEqual(LIMITED)
  expect([await tryToken(env.OPERATOR_TOKEN), browser.cookies.size]).toEqual([429, 0])
  // Another client at the same address must not block the operator's scripts.
  expect((await askAsOperator(binding, { ...address, ...OPERATOR })).status).toBe(404)
  passSeconds(60)
  expect(await tryToken(env.OPERATOR_TOKEN)).toBe(303)
})

it("API requests with the right operator token or with API keys never count as attempts", async () => {
  const { binding, keys } = newLimiter()
  const { key } = await newAuthor()
  const headers = { "CF-Connecting-IP": "192.0.2.1" }
  const ask = (sent: string) =>
    statusOf(call("GET", `${API}/account/`, { key: sent, headers, env: { ATTEMPT_LIMITER: binding } }))
  expect(new Set(await times(30, () => ask(key)))).toEqual(new Set([200]))
  expect(new Set(await times(30, () => ask(`${key.slice(0, -1)}!`)))).toEqual(new Set([401]))
  await times(20, () => askAsOperator(binding, OPERATOR))
  expect(keys).toEqual([])
})

/** Returns the hash under which a request from an address is counted. */
const keyFor = async (address: string, changes: Partial<Env> = {}): Promise<string> => {
  const { binding, keys } = newLimiter()
  await askAsOperator(binding, { ...WRONG, "CF-Connecting-IP": address }, changes)
  return keys[0] ?? ""
}

it("the hash of an IP address for rate limiting changes daily and depends on the operator's token", async () => {
  const key = await keyFor("192.0.2.1")
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(await keyFor("192.0.2.1")).toBe(key)
  expect(await keyFor("192.0.2.2")).not.toBe(key)
  expect(await keyFor("192.0.2.1", { OPERATOR_TOKEN: "another-operator-token-of-the-test-suite" })).not.toBe(key)
  passSeconds(DAY_SECONDS)
  expect(await keyFor("192.0.2.1")).not.toBe(key)
  expect(JSON.stringify(await dumpStorage())).not.toContain("192.0.2.")
})

it.each([
  ["", "", true],
  ["2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", true],
  ["2001:db8::1", "2001:db8:0:0:ffff::", true],
  ["::1", "::2", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["2001:db8::1", "2001:db8:0:1::1", false],
])(
  "the hashes for rate limiting of the IPv6 or missing addresses %j and %j are the same: %s",
  async (one, other, isSame) => {
    expect((await keyFor(one)) === (await keyFor(other))).toBe(isSame)
  },
)

/** Returns a rate limiter that allows so many calls. */
const limitTo = (most: number): RateLimit => {
  let count = 0
  return { limit: async () => ({ success: ++count <= most }) }
}

it("writes of an account beyond the platform's limit get 429 with Retry-After, reads do not", async () => {
  const author = await newAuthor()
  const limited = { WRITE_LIMITER: limitTo(1) }
  expect((await create(author, {}, limited)).status).toBe(201)
  expect(outcomeOf(await create(author, {}, limited))).toEqual(LIMITED)
  expect((await call("GET", `${API}/posts/`, { ...author, env: limited })).status).toBe(200)
})

it("reads of an account by a key or a session beyond the platform's limit get 429 with Retry-After, writes and readers do not", async () => {
  const READ_LIMITER = limitTo(1)
  const { browser, ...author } = await signIn({}, { READ_LIMITER })
  const post = await newPost(author)
  const limited = { ...author, env: { READ_LIMITER } }
  expect((await browser.get("/settings/")).status).toBe(200)
  for (const path of ["posts/", `posts/${post.slug}/`, "account/"])
    expect(outcomeOf(await call("GET", `${API}/${path}`, limited)), path).toEqual(LIMITED)
  expect(outcomeOf(await call("GET", "/micropub/?q=config", limited))).toEqual(LIMITED)
  expect((await browser.get("/settings/")).status).toBe(429)
  expect((await create(author, {}, { READ_LIMITER })).status).toBe(201)
  expect((await call("GET", `/@${author.username}/${post.slug}/`, limited)).status).toBe(200)
})

it("writes with a body over 64 KB have a lower limit of their own", async () => {
  const author = await newAuthor()
  const limited = { LARGE_WRITE_LIMITER: limitTo(1) }
  const large = "word ".repeat(14_000)
  const statuses = []
  for (const body of [large, "short", large]) statuses.push((await create(author, { body }, limited)).status)
  expect(statuses).toEqual([201, 201, 429])
})

it("the limits of attempts, of reads, of writes and of unknown keys stand in wrangler.toml", () => {
  for (const most of [
    MAX_ATTEMPTS,
    MAX_READS,
    MAX_WRITES,
    MAX_LARGE_WRITES,
    MAX_EXPENSIVE_CALLS,
    MAX_UNKNOWN_KEY_CALLS,
    MAX_UNKNOWN_KEY_LOOKUPS,
  ])
    expect(config).toContain(`simple = { limit = ${most}, period = ${RATE_WINDOW_SECONDS} }`)
})
