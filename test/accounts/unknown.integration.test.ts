import { ulid } from "ulid"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"

import { mintKey } from "../../src/accounts/key.ts"
import {
  MAX_UNKNOWN_KEY_CALLS,
  PREVIEW_TOKEN_CHARS,
  RATE_WINDOW_SECONDS,
  UNKNOWN_KEY_SECONDS,
} from "../../src/limits.ts"
import { randomText, SECRET_CHARS } from "../../src/tokens.ts"
import { newLink, signIn, whereTo } from "../author-pages/browser.ts"
import { newLimiter } from "../operator/operator.ts"
import { API, type Author, call, countingD1, newAuthor, passSeconds, stopClock, unique } from "../support.ts"

beforeEach(() => stopClock())

/** Sends a request. Returns its status with the number of its D1 calls. */
const ask = async (
  path: string,
  headers: Record<string, string>,
  limits: Partial<Env> = {},
): Promise<[status: number, calls: number]> => {
  const { DB, calls } = countingD1()
  const { status } = await call("GET", path, { headers, env: { DB, ...limits } })
  return [status, calls()]
}

describe("requests with unknown credentials and D1", () => {
  it.each([
    ["an API key that is too short", `${API}/account/`, { "X-API-KEY": "bpa_short" }, 401],
    ["an API key with a wrong checksum", `${API}/account/`, { "X-API-KEY": `bpa_${"a".repeat(49)}` }, 401],
    ["a session cookie of a wrong form", "/settings/", { Cookie: "session=short" }, 401],
    ["a sign-in link of a wrong form", "/sign-in/short/", {}, 410],
  ])("a request with %s is refused without a call to D1", async (_, path, headers, refused) => {
    const [status, calls] = await ask(path, headers)
    expect([status, calls]).toEqual([refused, 0])
  })
})

/** Makes a well-formed request that names something unknown. @returns its path and headers */
type Unknown = () => [path: string, headers?: Record<string, string>]
const UNKNOWN: [what: string, make: Unknown, answer: [status: number, calls: number], again: number][] = [
  ["API key", () => [`${API}/account/`, { "X-API-KEY": mintKey() }], [401, 1], 0],
  ["author's session", () => ["/settings/", { Cookie: `session=${randomText(SECRET_CHARS)}` }], [401, 1], 0],
  ["operator's session", () => ["/operator/", { Cookie: `operator_session=${randomText(SECRET_CHARS)}` }], [401, 1], 0],
  ["sign-in link", () => [`/sign-in/${randomText(SECRET_CHARS)}/`], [410, 1], 0],
  ["preview link", () => [`/preview/${randomText(PREVIEW_TOKEN_CHARS)}/`], [404, 1], 0],
  // A copy of the database answers that the image has expired, then the primary.
  [
    "image that has expired",
    () => [`/media/${author.username}/blog_img/${ulid(Date.now() - 3_600_000)}.webp`],
    [410, 2],
    1,
  ],
]

let author: Author
beforeAll(async () => {
  author = await newAuthor()
})

describe.each(UNKNOWN)("an unknown %s", (_, make, answer, again) => {
  it("is looked up at the primary at most once a minute", async () => {
    const [path, headers = {}] = make()
    expect([await ask(path, headers), await ask(path, headers)]).toEqual([answer, [answer[0], again]])
    passSeconds(UNKNOWN_KEY_SECONDS)
    expect(await ask(path, headers)).toEqual(answer)
  })

  it("is counted by network: beyond the limits it gets 429, then without a lookup at the primary, and others are served", async () => {
    const network = unique("network")
    const [calls, lookups] = [newLimiter(1).binding, newLimiter(2).binding]
    const send = async (from: string): Promise<[number, number]> => {
      const [path, headers] = make()
      const limits = { UNKNOWN_KEY_LIMITER: calls, UNKNOWN_KEY_LOOKUP_LIMITER: lookups }
      return ask(path, { ...headers, "CF-Connecting-IP": from }, limits)
    }
    const [status, trips] = answer
    const limited = [429, trips]
    expect([await send(network), await send(network), await send(network)]).toEqual([answer, limited, limited])
    expect(await send(network)).toEqual([429, again])
    expect((await send(unique("network")))[0]).toBe(status)
    // Calls without an address are of no network.
    expect([await send(""), await send(""), await send("")]).toEqual([answer, answer, answer])
    passSeconds(RATE_WINDOW_SECONDS)
    expect(await send(network)).toEqual(answer)
  })
})

it("after far too many unknown sessions from one network its seen sessions and new sign-ins work, and unseen ones get 429", async () => {
  const network = { "CF-Connecting-IP": "2001:db8:abcd::1" }
  const [seen, unseen] = [await signIn(), await signIn()]
  const lookups = { UNKNOWN_KEY_LOOKUP_LIMITER: newLimiter(0).binding }
  const open = async ({ browser }: typeof seen) => (await browser.get("/settings/", network)).status
  expect(await open(seen)).toBe(200)
  const unknown = { Cookie: `session=${randomText(SECRET_CHARS)}`, ...network }
  expect(await ask("/settings/", unknown, lookups)).toEqual([401, 1])
  expect([await open(seen), await open(unseen)]).toEqual([200, 429])
  const link = await newLink(unseen.username)
  expect(whereTo(await unseen.browser.post(link, {}, network))).toEqual([303, "/settings/"])
})

const from = (key: string, address = "2001:db8:7::1") => ({ "X-API-KEY": key, "CF-Connecting-IP": address })

it("after 60 unknown API keys from one network further unknown ones get 429, and a valid key that was not seen is accepted", async () => {
  const { key } = await newAuthor()
  // The limiter's window may end in between, so two windows allow 120.
  for (let i = 0; i < 2 * MAX_UNKNOWN_KEY_CALLS + 1; i++) await ask(`${API}/account/`, from(mintKey()))
  const refused = await call("GET", `${API}/account/`, { headers: from(mintKey()) })
  expect([refused.status, refused.json.code, refused.headers.get("Retry-After")]).toEqual([429, "rate_limited", "60"])
  expect((await ask(`${API}/account/`, from(key)))[0]).toBe(200)
})

it("after far too many unknown API keys from one network its unseen keys get 429 without D1, and a key seen valid is accepted", async () => {
  const [{ key: seen }, { key: unseen }] = [await newAuthor(), await newAuthor()]
  const address = "2001:db8:9::1"
  expect((await ask(`${API}/account/`, from(seen, address)))[0]).toBe(200)
  // The platform counts in minutes of its own, which a busy machine may need for as many requests.
  const lookups = { UNKNOWN_KEY_LOOKUP_LIMITER: newLimiter(1).binding }
  for (let i = 0; i < 2; i++) await call("GET", `${API}/account/`, { headers: from(mintKey(), address), env: lookups })
  expect(await ask(`${API}/account/`, from(unseen, address))).toEqual([429, 0])
  expect((await ask(`${API}/account/`, from(seen, "2001:db8:9::2")))[0]).toBe(200)
  expect((await ask(`${API}/account/`, from(unseen, "2001:db8:8::1")))[0]).toBe(200)
  passSeconds(RATE_WINDOW_SECONDS)
  const [, calls] = await ask(`${API}/account/`, from(mintKey(), address))
  expect(calls).toBe(1)
})
