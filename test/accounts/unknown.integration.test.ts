import { beforeEach, describe, expect, it } from "vitest"

import { mintKey } from "../../src/accounts/key.ts"
import { MAX_UNKNOWN_KEY_CALLS, RATE_WINDOW_SECONDS, UNKNOWN_KEY_SECONDS } from "../../src/limits.ts"
import { randomText, SECRET_CHARS } from "../../src/tokens.ts"
import { newLimiter } from "../operator/operator.ts"
import { API, call, countingD1, newAuthor, passSeconds, stopClock } from "../support.ts"

beforeEach(() => stopClock())

/** Sends a request. Returns its status with the number of its D1 calls. */
const ask = async (path: string, headers: Record<string, string>): Promise<[status: number, calls: number]> => {
  const { DB, calls } = countingD1()
  const { status } = await call("GET", path, { headers, env: { DB } })
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

  it("an unknown API key is looked up in D1 at most once a minute", async () => {
    const headers = { "X-API-KEY": mintKey() }
    expect(await ask(`${API}/account/`, headers)).toEqual([401, 1])
    expect(await ask(`${API}/account/`, headers)).toEqual([401, 0])
    passSeconds(UNKNOWN_KEY_SECONDS)
    expect(await ask(`${API}/account/`, headers)).toEqual([401, 1])
  })

  it("a well-formed session cookie is looked up in D1", async () => {
    expect((await ask("/settings/", { Cookie: `session=${randomText(SECRET_CHARS)}` }))[1]).toBe(1)
  })
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
