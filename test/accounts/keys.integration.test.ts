import { expect, it } from "vitest"

import { API, type Author, call, newAuthor, OPERATOR, rows } from "../support.ts"

const keysPath = ({ username }: Author) => `/operator/api/accounts/${username}/keys/`
const make = (author: Author, json: Record<string, unknown> = {}) =>
  call("POST", keysPath(author), { headers: OPERATOR, json })
const use = async (key: string) => (await call("GET", `${API}/account/`, { key })).status
const listed = async ({ username }: Author) =>
  (await call("GET", `/operator/api/accounts/${username}/`, { headers: OPERATOR })).json.account.keys
const errorsOf = ({ json }: { json: { errors: { field: string }[] } }) => json.errors.map(({ field }) => field)

it("an account has several keys, and rotating one leaves the others", async () => {
  const author = await newAuthor()
  const ci = (await make(author, { name: "ci" })).json.api_key
  const extension = (await make(author, { name: "extension", scope: "draft" })).json.api_key
  const rotated = (await make(author, { name: "ci" })).json.api_key
  expect(await Promise.all([author.key, ci, extension, rotated].map(use))).toEqual([200, 401, 200, 200])
  const keys = await listed(author)
  expect(keys.map(({ name, scope }: { name: string; scope: string }) => [name, scope])).toEqual([
    ["ci", "publish"],
    ["default", "publish"],
    ["extension", "draft"],
  ])
})

it("without a name and scope a key is made as default, with the scope publish", async () => {
  const author = await newAuthor()
  const { status, json } = await call("POST", keysPath(author), { headers: OPERATOR })
  expect([status, json.name, json.scope, json.expires_at]).toEqual([201, "default", "publish", null])
  expect([await use(author.key), await use(json.api_key)]).toEqual([401, 200])
})

it("the account's own view names the key of the request", async () => {
  const author = await newAuthor()
  const expires_at = "2098-01-01T00:00:00.000Z"
  const { api_key: key } = (await make(author, { name: "site", scope: "read", expires_at })).json
  const { json } = await call("GET", `${API}/account/`, { key })
  expect(json.account.key).toEqual({ name: "site", scope: "read", expires_at })
})

it("a key is refused with another scope than the live key of its name, which keeps working", async () => {
  const author = await newAuthor()
  const refused = await make(author, { name: "default", scope: "read" })
  expect([refused.status, errorsOf(refused)]).toEqual([400, ["scope"]])
  expect(await use(author.key)).toBe(200)
})

it("an expired key may be made again with another scope", async () => {
  const author = await newAuthor()
  await make(author, { name: "old", scope: "read" })
  await rows("update api_keys set expires_at = 1 where name = 'old'")
  const { status, json } = await make(author, { name: "old", scope: "draft" })
  expect([status, json.scope, json.expires_at]).toEqual([201, "draft", null])
})

it("keys that were replaced more than a day ago are deleted when the account gets a new one, and stay refused", async () => {
  const author = await newAuthor()
  for (let i = 0; i < 3; i++) await make(author)
  await rows("update api_keys set revoked_at = 1 where last_four = ?", author.key.slice(-4))
  await make(author)
  const [{ kept } = {}] = await rows(
    "select count(*) as kept from api_keys join accounts on accounts.id = account_id where username = ?",
    author.username,
  )
  expect([kept, await use(author.key)]).toEqual([4, 401])
})

it("a rotated key keeps its expiry unless another is sent", async () => {
  const author = await newAuthor()
  const expires_at = "2098-01-01T00:00:00.000Z"
  await make(author, { name: "ci", expires_at })
  expect((await make(author, { name: "ci" })).json.expires_at).toBe(expires_at)
  expect((await make(author, { name: "ci", expires_at: null })).json.expires_at).toBeNull()
})

it.each([
  ["a name with capitals", { name: "CI" }, "name"],
  ["a name of 41 characters", { name: "a".repeat(41) }, "name"],
  ["a name that ends with a hyphen", { name: "ci-" }, "name"],
  ["an unknown scope", { scope: "admin" }, "scope"],
  ["an expiry in the past", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
  ["an expiry without an offset", { expires_at: "2098-01-01T00:00:00" }, "expires_at"],
])("a new key with %s is refused", async (_, json, field) => {
  const author = await newAuthor()
  const refused = await make(author, json)
  expect([refused.status, errorsOf(refused)]).toEqual([400, [field]])
  expect(await use(author.key)).toBe(200)
})

it("a key's name may have 40 characters", async () => {
  expect((await make(await newAuthor(), { name: `a${"-".repeat(38)}z` })).status).toBe(201)
})

it("an account has at most ten live keys, even if two are made at once; expired ones do not count", async () => {
  const author = await newAuthor()
  for (let i = 2; i <= 9; i++) expect((await make(author, { name: `key-${i}` })).status).toBe(201)
  const both = await Promise.all(["a", "b"].map((name) => make(author, { name })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
  expect(both.flatMap(({ status, json }) => (status === 400 ? errorsOf({ json }) : []))).toEqual(["name"])
  expect((await make(author, { name: "key-2" })).status).toBe(201)
  await rows("update api_keys set expires_at = 1 where name = 'key-3'")
  expect((await make(author, { name: "after" })).status).toBe(201)
  expect(await listed(author)).toHaveLength(11)
})

it("a revoked key is refused from the next request on, and the audit log names it", async () => {
  const author = await newAuthor()
  const { api_key: key } = (await make(author, { name: "ci" })).json
  expect(await use(key)).toBe(200)
  const revoke = () => call("DELETE", `${keysPath(author)}ci/`, { headers: OPERATOR })
  expect([(await revoke()).status, await use(key), await use(author.key)]).toEqual([204, 401, 200])
  expect((await revoke()).status).toBe(404)
  const logged = await rows(
    "select action, detail from operator_actions where username = ? order by id",
    author.username,
  )
  expect(logged.slice(-2)).toEqual([
    { action: "make_key", detail: "ci" },
    { action: "revoke_key", detail: "ci" },
  ])
})
