import { describe, expect, it, vi } from "vitest"

import { tapD1 } from "../faults.ts"
import { API, call, newAuthor } from "../support.ts"

const path = `${API}/account/`
const statusOf = async (headers: Record<string, string>, query = "") =>
  (await call("GET", path + query, { headers })).status

describe("an API key is accepted", () => {
  it.each(["Api-Key", "api-key", "API-KEY", "aPi-kEy"])(
    "an API key is accepted in the Authorization header with the scheme %s",
    async (scheme) => {
      const { key, username } = await newAuthor()
      const { status, json } = await call("GET", path, { headers: { Authorization: `${scheme} ${key}` } })
      expect([status, json.account.username]).toEqual([200, username])
    },
  )

  it("an API key is accepted in the headers Authorization and X-API-KEY if both hold the same key", async () => {
    const { key } = await newAuthor()
    expect(await statusOf({ Authorization: `Api-Key ${key}`, "X-API-KEY": key })).toBe(200)
  })

  it.each<[string, (key: string) => Record<string, string>]>([
    ["Api-Key and the key in X-API-KEY", (key) => ({ "X-API-KEY": `Api-Key ${key}` })],
    ["both in X-API-KEY, in lower case and with blanks", (key) => ({ "X-API-KEY": ` api-key   ${key} ` })],
    ["the same in both headers", (key) => ({ Authorization: `Api-Key ${key}`, "X-API-KEY": `Api-Key ${key}` })],
    ["the key alone in both headers", (key) => ({ Authorization: key, "X-API-KEY": key })],
    ["the key alone in Authorization", (key) => ({ Authorization: key, "X-API-KEY": `Api-Key ${key}` })],
  ])("an API key is accepted as generated clients send it: %s", async (_, headersOf) => {
    const { key } = await newAuthor()
    expect(await statusOf(headersOf(key))).toBe(200)
  })

  it.each(["Bearer x", "Basic dXNlcjpwYXNz", "Digest username=x", "x"])(
    'an API key in the X-API-KEY header is accepted even if the Authorization header is "%s"',
    async (Authorization) => {
      const { key } = await newAuthor()
      expect(await statusOf({ Authorization, "X-API-KEY": key })).toBe(200)
    },
  )
})

describe("an API key is not accepted", () => {
  it.each(["key", "api_key", "apikey", "api-key", "X-API-KEY", "Authorization", "access_token", "token"])(
    "an API key in the query parameter %s is refused with 401",
    async (name) => {
      const { key } = await newAuthor()
      expect(await statusOf({}, `?${name}=${key}`)).toBe(401)
      expect(await statusOf({}, `?${name}=${encodeURIComponent(`Api-Key ${key}`)}`)).toBe(401)
    },
  )

  it.each(["Bearer", "Basic", "ApiKey", "Api-Key:", "Token", ""])(
    'an API key in the Authorization header with the scheme "%s" is refused with 401',
    async (scheme) => {
      const { key } = await newAuthor()
      expect(await statusOf({ Authorization: `${scheme} ${key}` })).toBe(401)
    },
  )

  it("an API key in a cookie is refused with 401", async () => {
    const { key } = await newAuthor()
    expect(await statusOf({ Cookie: `X-API-KEY=${key}; api_key=${key}` })).toBe(401)
  })
})

describe("a malformed API key", () => {
  it.each([
    ["nothing after the scheme", () => ({ Authorization: "Api-Key" })],
    ["an empty header", () => ({ "X-API-KEY": "" })],
    ["two keys in one header", (key: string) => ({ Authorization: `Api-Key ${key} ${key}` })],
    ["two keys with a comma", (key: string) => ({ "X-API-KEY": `${key}, ${key}` })],
    ["a key in quotes", (key: string) => ({ "X-API-KEY": `"${key}"` })],
    ["a key in another case", (key: string) => ({ "X-API-KEY": key.toLowerCase() })],
    ["a key without its prefix", (key: string) => ({ "X-API-KEY": key.slice(4) })],
    ["a key and more", (key: string) => ({ "X-API-KEY": `${key}0` })],
    ["8 KiB of text", () => ({ "X-API-KEY": "bpa_".repeat(2048) })],
    ["Latin-1", () => ({ "X-API-KEY": "bpa_é" })],
    ["SQL", () => ({ "X-API-KEY": "' or 1=1 --" })],
  ] satisfies [string, (key: string) => Record<string, string>][])(
    "a request with a malformed API key answers 401: %s",
    async (_, headersOf) => {
      const { key } = await newAuthor()
      expect(await statusOf(headersOf(key))).toBe(401)
    },
  )
})

describe("two API keys", () => {
  it("a request with a valid API key in one header and an unknown key in the other answers 401", async () => {
    const { key } = await newAuthor()
    expect(await statusOf({ Authorization: "Api-Key bpa_x", "X-API-KEY": key })).toBe(401)
    expect(await statusOf({ Authorization: `Api-Key ${key}`, "X-API-KEY": "bpa_x" })).toBe(401)
  })
})

it("GET of the account never returns the API key", async () => {
  const { key } = await newAuthor()
  expect((await call("GET", path, { key })).text).not.toContain(key)
})

it("if storing an API key's last use fails, the request succeeds and the log omits the key's hash", async () => {
  const { key } = await newAuthor()
  const warned = vi.spyOn(console, "warn").mockReturnValue()
  const DB = tapD1({
    before: ([statement]) => {
      if (statement?.sql.startsWith('update "api_keys" set "last_used_at"')) throw new Error("Network connection lost.")
    },
  })
  expect((await call("GET", path, { key, env: { DB } })).status).toBe(200)
  const said = warned.mock.calls.join()
  expect(said).toContain("api_key.last_used_failed")
  expect(said).not.toMatch(/[0-9a-f]{64}/)
})
