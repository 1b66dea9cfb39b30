import { beforeEach, describe, expect, it } from "vitest"

import { MAX_SESSIONS } from "../../src/limits.ts"
import { Browser, fieldOf, signIn } from "../author-pages/browser.ts"
import { accountId, eraseAccount } from "../calls.ts"
import { beforeCall } from "../faults.ts"
import { again } from "../faults/pages.ts"
import { env, passSeconds, rows, runCron, stopClock } from "../support.ts"
import { Authenticator, cborText, type CreationOptions } from "./authenticator.ts"
import { seedSessions } from "./seed.ts"

type Signed = Awaited<ReturnType<typeof signIn>>
type RegistrationFaults = Parameters<Authenticator["register"]>[1]
type SignInFaults = Parameters<Authenticator["signIn"]>[1]

const MADE = "/settings/passkeys/"
const USED = "/sign-in/passkey/"

let author: Signed
let passkey: Authenticator
beforeEach(async () => {
  stopClock(new Date("2026-05-01T10:00:00Z"))
  author = await signIn()
  passkey = new Authenticator()
})

const optionsOf = async (browser: Browser, path: string) => (await browser.postJson(`${path}options/`)).json
const signInOptions = (browser = new Browser()) => optionsOf(browser, USED)
const registrationOptions = (): Promise<CreationOptions> => optionsOf(author.browser, MADE)

const sendRegistration = (response: unknown, browser = author.browser) =>
  browser.postJson(`${MADE}verify/`, { response })
const sendSignIn = (response: unknown, browser = new Browser()) => browser.postJson(`${USED}verify/`, { response })

/** Registers a passkey, optionally with an invalid response, and returns the answer. */
const register = async (made = passkey, wrong: RegistrationFaults = {}, browser = author.browser) =>
  sendRegistration(await made.register(await optionsOf(browser, MADE), wrong), browser)

/** Signs in with a passkey, optionally with an invalid response, and returns the answer. */
const enter = async (wrong: SignInFaults = {}, browser = new Browser()) =>
  sendSignIn(await passkey.signIn(await signInOptions(browser), wrong), browser)

/** Registers the passkey, or tries to, with new options and returns these. */
const useToRegister = async (wrong: RegistrationFaults = {}) => {
  const options = await registrationOptions()
  await sendRegistration(await passkey.register(options, wrong))
  return options
}

/** Signs in with new options and returns these. */
const useToSignIn = async () => {
  const options = await signInOptions()
  expect((await sendSignIn(await passkey.signIn(options))).status).toBe(200)
  return options
}

/** Lets the challenge of options expire. */
const expire = async (options: Promise<CreationOptions>) => {
  const expired = await options
  passSeconds(300)
  return expired
}

const usesOf = ({ id }: Authenticator) => rows("select counter, last_used_at from passkeys where id = ?", id)
const outcomeOf = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code]
const REFUSED = [400, "validation_error"]
const CHALLENGE_USED = [410, "passkey_challenge_used"]
const count = async (owner = author) =>
  (await rows("select id from passkeys where account_id = ?", await accountId(owner))).length

it("the options for registering a passkey name this account, this site and the account's passkeys", async () => {
  const options = await registrationOptions()
  expect(options).toMatchObject({
    rp: { id: "localhost" },
    user: { id: btoa(await accountId(author)).replace(/=+$/, ""), name: author.username },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    excludeCredentials: [],
  })
  expect(JSON.stringify(await rows("select * from passkey_challenges"))).not.toContain(options.challenge)
  await register()
  const excludeCredentials = [{ id: passkey.id, type: "public-key", transports: ["internal"] }]
  expect(await registrationOptions()).toMatchObject({ excludeCredentials })
})

it("a registered passkey signs its author in, with options that name no passkey and require user verification", async () => {
  expect((await register()).status).toBe(201)
  const browser = new Browser()
  const { allowCredentials = [], ...options } = await signInOptions(browser)
  expect([allowCredentials, options]).toMatchObject([[], { rpId: "localhost", userVerification: "required" }])
  const { status, json, headers } = await sendSignIn(await passkey.signIn(options), browser)
  expect([status, json]).toEqual([200, { success: true, page: "/settings/" }])
  expect(headers.get("Cache-Control")).toBe("no-store")
  expect(headers.get("Set-Cookie")).toMatch(/^session=.*HttpOnly; SameSite=Lax$/)
  expect((await browser.get("/settings/")).html).toContain(author.username)
})

it("a passkey sign-in beyond the session limit ends the least recently used session", async () => {
  await register()
  await seedSessions(await accountId(author), MAX_SESSIONS)
  const browser = new Browser()
  await enter({}, browser)
  expect((await browser.get("/settings/")).status).toBe(200)
  const left = await rows("select hash from sessions where account_id = ?", await accountId(author))
  expect(left).toHaveLength(MAX_SESSIONS)
})

it("a passkey sign-in opens a new session and ends the browser's previous one", async () => {
  await register()
  const before = again(author.browser, {})
  await enter({}, author.browser)
  expect(author.browser.cookies.get("session")).not.toBe(before.cookies.get("session"))
  expect((await before.get("/settings/")).status).toBe(303)
})

it("the settings list a passkey with its name or its browser, its creation time and its last use", async () => {
  const { browser } = author
  const response = await passkey.register(await registrationOptions())
  await browser.postJson(`${MADE}verify/`, { name: "Blue <b>key</b>", response })
  const made = (await browser.get("/settings/")).html
  expect(made).toContain("Blue &lt;b&gt;key&lt;/b&gt;")
  expect(made).toMatch(/Made <time datetime="2026-05-01T10:00:00.000Z">[^]*?not used yet/)
  await register(new Authenticator())
  passSeconds(3600)
  await enter()
  const { html } = await browser.get("/settings/")
  expect(html).toMatch(/last used <time datetime="2026-05-01T11:00:00.000Z">/)
  expect(html).toContain("<strong>Chrome on Linux</strong>")
})

it("a passkey without a signature counter can sign in repeatedly", async () => {
  await register(passkey, { counter: 0 })
  for (let i = 0; i < 2; i++) expect((await enter({ counter: 0 })).status).toBe(200)
})

it("the settings form removes a passkey of its author, and none of another author", async () => {
  await register()
  const id = fieldOf((await author.browser.get("/settings/")).html, "passkey") ?? ""
  for (const [{ browser }, left] of [[await signIn(), 1] as const, [author, 0] as const]) {
    expect((await browser.post(`${MADE}remove/`, { passkey: id })).status).toBe(303)
    expect(await count()).toBe(left)
  }
})

it.each<[string, RegistrationFaults]>([
  ["of another origin", { origin: "https://evil.example" }],
  ["of another rp id", { rpId: "evil.example" }],
  ["without user verification", { isVerified: false }],
  ["with the client data of a sign-in", { clientData: { type: "webauthn.get" } }],
  // {x5c: ["\0"]}
  ["with certificates", { attestation: ["packed", [0xa1, ...cborText("x5c"), 0x81, 0x41, 0]] }],
  ["in the format of a vendor", { attestation: ["apple", [0xa0]] }],
])("a passkey registration %s is refused", async (_, wrong) => {
  expect(outcomeOf(await register(passkey, wrong))).toEqual(REFUSED)
  expect(await count()).toBe(0)
})

it.each<[string, () => CreationOptions | Promise<CreationOptions>, number]>([
  ["a used challenge", () => useToRegister(), 1],
  ["a challenge that was used in a failed attempt", () => useToRegister({ rpId: "evil.example" }), 0],
  ["an expired challenge", () => expire(registrationOptions()), 0],
  ["another author's challenge", async () => optionsOf((await signIn()).browser, MADE), 0],
  ["a challenge for sign-in", async () => ({ ...(await signInOptions()), user: { id: "eA" } }), 0],
  ["an unknown challenge", () => ({ challenge: "bWFkZS11cA", user: { id: "eA" } }), 0],
])("a passkey registration with %s is refused", async (_, options, left) => {
  const response = await passkey.register(await options())
  expect(outcomeOf(await sendRegistration(response))).toEqual(CHALLENGE_USED)
  expect(await count()).toBe(left)
})

it("a registration of another author's passkey is refused", async () => {
  await register()
  const other = await signIn()
  expect(outcomeOf(await register(passkey, {}, other.browser))).toEqual(REFUSED)
  expect([await count(), await count(other)]).toEqual([1, 0])
})

it("an account with ten passkeys gets no options for an eleventh, and none with options from before", async () => {
  const response = await passkey.register(await registrationOptions())
  for (let i = 0; i < 10; i++) expect((await register(new Authenticator())).status).toBe(201)
  for (const answer of [await author.browser.postJson(`${MADE}options/`), await sendRegistration(response)])
    expect(outcomeOf(answer)).toEqual([400, "too_many_passkeys"])
  expect((await author.browser.get("/settings/")).html).not.toContain("Add a passkey")
  expect(await count()).toBe(10)
})

it("a passkey registration whose session ends meanwhile is refused", async () => {
  const DB = beforeCall(/^insert into "passkeys"/, () => env.DB.prepare("delete from sessions").run())
  const answer = await register(passkey, {}, again(author.browser, { DB }))
  expect([...outcomeOf(answer), await count()]).toEqual([401, "sign_in_required", 0])
})

it("a passkey registration whose body is longer than the limit is refused", async () => {
  const response = await passkey.register(await registrationOptions())
  const answer = await author.browser.postJson(`${MADE}verify/`, { response, more: "x".repeat(64 * 1024) })
  expect(outcomeOf(answer)).toEqual([400, "invalid_json"])
})

it.each([undefined, 1, { id: "x" }])("a malformed passkey registration is refused: %j", async (response) => {
  expect(outcomeOf(await sendRegistration(response))).toEqual(REFUSED)
})

it.each([
  { attestationObject: "AAAA" },
  { attestationObject: "oA" },
  { attestationObject: "_w" },
  { clientDataJSON: "AAAA" },
])("a passkey registration with the invalid bytes %j is refused", async (wrong) => {
  const made = await passkey.register(await registrationOptions())
  const response = { ...made, response: { ...made.response, ...wrong } }
  expect(outcomeOf(await sendRegistration(response))).toEqual(REFUSED)
})

describe("a passkey sign-in is refused", () => {
  beforeEach(async () => {
    expect((await register()).status).toBe(201)
  })

  it.each<[string, SignInFaults]>([
    ["on another origin", { origin: "https://evil.example" }],
    ["for another rp id", { rpId: "evil.example" }],
    ["without user verification", { isVerified: false }],
    ["with a registration", { clientData: { type: "webauthn.create" } }],
    ["inside another site's page", { clientData: { crossOrigin: true, topOrigin: "https://evil.example" } }],
    ["when the counter stands still", { counter: 1 }],
    ["when the counter goes back", { counter: 0 }],
    ["for another account than its own", { userHandle: btoa("01ARZ3NDEKTSV4RRFFQ69G5FAV").replace(/=+$/, "") }],
  ])("a passkey sign-in %s answers 401", async (_, wrong) => {
    const before = await usesOf(passkey)
    const browser = new Browser()
    expect(outcomeOf(await enter(wrong, browser))).toEqual([401, "passkey_refused"])
    expect([browser.cookies.size, await usesOf(passkey)]).toEqual([0, before])
  })

  it("a passkey sign-in with another passkey's signature is refused", async () => {
    const browser = new Browser()
    const other = Object.assign(new Authenticator(), { userHandle: passkey.userHandle })
    const response = { ...(await other.signIn(await signInOptions(browser))), id: passkey.id, rawId: passkey.id }
    expect(outcomeOf(await sendSignIn(response, browser))).toEqual([401, "passkey_refused"])
    expect(browser.cookies.size).toBe(0)
  })

  it.each([
    ["a used challenge", useToSignIn],
    ["an expired challenge", () => expire(signInOptions())],
    ["a challenge for registration", registrationOptions],
  ])("a passkey sign-in with %s is refused", async (_, options) => {
    const response = await passkey.signIn(await options())
    expect(outcomeOf(await sendSignIn(response))).toEqual(CHALLENGE_USED)
  })

  it.each<[string, () => unknown]>([
    ["is unknown", () => (passkey = Object.assign(new Authenticator(), { userHandle: passkey.userHandle }))],
    ["was removed", () => author.browser.post(`${MADE}remove/`, { passkey: passkey.id })],
    ["is of an erased account", () => eraseAccount(author)],
  ])("a sign-in with a passkey that %s is refused", async (_, change) => {
    await change()
    expect(outcomeOf(await enter())).toEqual([401, "passkey_unknown"])
    expect(await rows("select id from passkeys where id = ?", passkey.id)).toEqual([])
  })

  it.each<[string, RegExp, () => unknown, string]>([
    ["the passkey is removed", /^update "passkeys"/, () => rows("delete from passkeys"), "refused"],
    ["another one reaches its counter", /^update "passkeys"/, () => rows("update passkeys set counter = 2"), "refused"],
    ["the account is erased", /^insert into "sessions"/, () => eraseAccount(author), "unknown"],
  ])("a passkey sign-in is refused if %s during the request", async (_, statement, meanwhile, code) => {
    const browser = new Browser({ DB: beforeCall(statement, meanwhile) })
    expect(outcomeOf(await enter({}, browser))).toEqual([401, `passkey_${code}`])
    expect(browser.cookies.size).toBe(0)
  })
})

const challenges = () => rows("select hash from passkey_challenges")

it("the cleanup deletes unused passkey challenges once they have expired", async () => {
  await registrationOptions()
  await signInOptions()
  const before = await challenges()
  await runCron()
  expect(await challenges()).toEqual(before)
  passSeconds(300)
  await runCron()
  expect(await challenges()).toEqual([])
})
