import { beforeEach, describe, expect, it } from "vitest"

import { MAX_SESSIONS } from "../../src/limits.ts"
import { Browser, fieldOf, signIn } from "../author-pages/browser.ts"
import { accountId } from "../calls.ts"
import { beforeCall } from "../faults.ts"
import { call, env, OPERATOR, passSeconds, rows, runCron, stopClock } from "../support.ts"
import { Authenticator } from "./authenticator.ts"
import { seedSessions } from "./seed.ts"

type Signed = Awaited<ReturnType<typeof signIn>>

const MADE = "/settings/passkeys/"
const USED = "/sign-in/passkey/"

const optionsOf = async (browser: Browser, path: string) => (await browser.postJson(`${path}options/`)).json

/** Registers a passkey, optionally with an invalid response, and returns the answer. */
const register = async (
  browser: Browser,
  passkey: Authenticator,
  wrong: Parameters<Authenticator["register"]>[1] = {},
) => browser.postJson(`${MADE}verify/`, { response: await passkey.register(await optionsOf(browser, MADE), wrong) })

/** Signs in with a passkey, optionally with an invalid response, and returns the answer. */
const enter = async (
  passkey: Authenticator,
  wrong: Parameters<Authenticator["signIn"]>[1] = {},
  browser = new Browser(),
) => browser.postJson(`${USED}verify/`, { response: await passkey.signIn(await optionsOf(browser, USED), wrong) })

const outcomeOf = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code]
const refusedRegistration = [400, "validation_error"]
const count = async (author: Signed) =>
  (await rows("select id from passkeys where account_id = ?", await accountId(author))).length

let author: Signed
let passkey: Authenticator
beforeEach(async () => {
  author = await signIn()
  passkey = new Authenticator()
})

describe("a passkey", () => {
  it("the options for registering a passkey name this account and this site", async () => {
    const options = await optionsOf(author.browser, MADE)
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      user: { id: btoa(await accountId(author)).replace(/=+$/, ""), name: author.username },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
      excludeCredentials: [],
    })
    const stored = JSON.stringify(await rows("select * from passkey_challenges"))
    expect(stored).not.toContain(options.challenge)
  })

  it("a registered passkey signs its author in", async () => {
    expect((await register(author.browser, passkey)).status).toBe(201)
    const browser = new Browser()
    const answer = await enter(passkey, {}, browser)
    expect([answer.status, answer.json, answer.headers.get("Cache-Control")]).toEqual([
      200,
      { success: true, page: "/settings/" },
      "no-store",
    ])
    expect(answer.headers.get("Set-Cookie")).toMatch(/^session=.*HttpOnly; SameSite=Lax$/)
    const settings = await browser.get("/settings/")
    expect([settings.status, settings.html.includes(author.username)]).toEqual([200, true])
  })

  it("a passkey sign-in beyond the session limit ends the least recently used session", async () => {
    await register(author.browser, passkey)
    await seedSessions(await accountId(author), MAX_SESSIONS)
    const browser = new Browser()
    await enter(passkey, {}, browser)
    expect((await browser.get("/settings/")).status).toBe(200)
    expect((await rows("select hash from sessions where account_id = ?", await accountId(author))).length).toBe(
      MAX_SESSIONS,
    )
  })

  it("the options for a passkey sign-in are the same for every browser and require user verification", async () => {
    const options = await optionsOf(new Browser(), USED)
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" })
    expect(options.allowCredentials ?? []).toEqual([])
  })

  it("a passkey sign-in opens a new session and ends the browser's previous one", async () => {
    await register(author.browser, passkey)
    const before = author.browser.cookies.get("session")
    await enter(passkey, {}, author.browser)
    expect(author.browser.cookies.get("session")).not.toBe(before)
    const old = new Browser()
    old.cookies.set("session", before ?? "")
    expect((await old.get("/settings/")).status).toBe(303)
  })

  it("the settings list a passkey with its name, creation time and last use", async () => {
    stopClock(new Date("2026-05-01T10:00:00Z"))
    const { browser } = author
    const response = await passkey.register(await optionsOf(browser, MADE))
    await browser.postJson(`${MADE}verify/`, { name: "Blue <b>key</b>", response })
    const made = (await browser.get("/settings/")).html
    expect(made).toContain("Blue &lt;b&gt;key&lt;/b&gt;")
    expect(made).toMatch(/Made <time datetime="2026-05-01T10:00:00.000Z">[^]*?not used yet/)
    passSeconds(3600)
    await enter(passkey)
    expect((await browser.get("/settings/")).html).toMatch(/last used <time datetime="2026-05-01T11:00:00.000Z">/)
  })

  it("a passkey registered without a name is named after the browser", async () => {
    await register(author.browser, passkey)
    expect((await author.browser.get("/settings/")).html).toContain("<strong>Chrome on Linux</strong>")
  })

  it("the options for registering a passkey exclude the account's existing passkeys", async () => {
    await register(author.browser, passkey)
    const { excludeCredentials } = await optionsOf(author.browser, MADE)
    expect(excludeCredentials).toEqual([{ id: passkey.id, type: "public-key", transports: ["internal"] }])
  })

  it("a passkey without a signature counter can sign in repeatedly", async () => {
    await register(author.browser, passkey, { counter: 0 })
    expect((await enter(passkey, { counter: 0 })).status).toBe(200)
    expect((await enter(passkey, { counter: 0 })).status).toBe(200)
  })

  it("the settings form removes a passkey from the account", async () => {
    await register(author.browser, passkey)
    const id = fieldOf((await author.browser.get("/settings/")).html, "passkey") ?? ""
    expect((await author.browser.post(`${MADE}remove/`, { passkey: id })).status).toBe(303)
    expect(await count(author)).toBe(0)
  })
})

describe("a passkey registration is refused", () => {
  const refused: Record<string, [Parameters<Authenticator["register"]>[1]]> = {
    "of another origin": [{ origin: "https://evil.example" }],
    "of another rp id": [{ rpId: "evil.example" }],
    "without user verification": [{ isVerified: false }],
    "with the client data of a sign-in": [{ clientData: { type: "webauthn.get" } }],
    // {fmt: "packed", attStmt: {x5c: []}}
    "with an attestation that has certificates": [
      {
        attestation: [
          0x63,
          0x66,
          0x6d,
          0x74,
          0x66,
          ...new TextEncoder().encode("packed"),
          0x67,
          ...new TextEncoder().encode("attStmt"),
          0xa1,
          0x63,
          0x78,
          0x35,
          0x63,
          0x81,
          0x41,
          0,
        ],
      },
    ],
    // {fmt: "apple", attStmt: {}}
    "in the format of a vendor": [
      {
        attestation: [
          0x63,
          0x66,
          0x6d,
          0x74,
          0x65,
          ...new TextEncoder().encode("apple"),
          0x67,
          ...new TextEncoder().encode("attStmt"),
          0xa0,
        ],
      },
    ],
  }
  it.each(Object.entries(refused))("a passkey registration %s is refused", async (_, [wrong]) => {
    expect(outcomeOf(await register(author.browser, passkey, wrong))).toEqual(refusedRegistration)
    expect(await count(author)).toBe(0)
  })

  it("a passkey registration with a used challenge is refused", async () => {
    const response = await passkey.register(await optionsOf(author.browser, MADE))
    expect((await author.browser.postJson(`${MADE}verify/`, { response })).status).toBe(201)
    const again = await author.browser.postJson(`${MADE}verify/`, { response })
    expect(outcomeOf(again)).toEqual([410, "passkey_challenge_used"])
  })

  it("a passkey registration whose challenge was used in a failed attempt is refused", async () => {
    const options = await optionsOf(author.browser, MADE)
    const wrong = await passkey.register(options, { rpId: "evil.example" })
    expect((await author.browser.postJson(`${MADE}verify/`, { response: wrong })).status).toBe(400)
    const response = await passkey.register(options)
    expect(outcomeOf(await author.browser.postJson(`${MADE}verify/`, { response }))).toEqual([
      410,
      "passkey_challenge_used",
    ])
  })

  it("a passkey registration with an expired challenge is refused", async () => {
    stopClock()
    const response = await passkey.register(await optionsOf(author.browser, MADE))
    passSeconds(300)
    expect(outcomeOf(await author.browser.postJson(`${MADE}verify/`, { response }))).toEqual([
      410,
      "passkey_challenge_used",
    ])
  })

  it("a passkey registration with another author's challenge is refused", async () => {
    const other = await signIn()
    const response = await passkey.register(await optionsOf(author.browser, MADE))
    expect(outcomeOf(await other.browser.postJson(`${MADE}verify/`, { response }))).toEqual([
      410,
      "passkey_challenge_used",
    ])
    expect(await count(other)).toBe(0)
  })

  it("a passkey registration with a challenge for sign-in is refused", async () => {
    const { challenge } = await optionsOf(new Browser(), USED)
    const response = await passkey.register({ challenge, user: { id: "eA" } })
    expect(outcomeOf(await author.browser.postJson(`${MADE}verify/`, { response }))).toEqual([
      410,
      "passkey_challenge_used",
    ])
  })

  it("a passkey registration with an unknown challenge is refused", async () => {
    const response = await passkey.register({ challenge: "bWFkZS11cA", user: { id: "eA" } })
    expect(outcomeOf(await author.browser.postJson(`${MADE}verify/`, { response }))).toEqual([
      410,
      "passkey_challenge_used",
    ])
  })

  it("a registration of another author's passkey is refused", async () => {
    await register(author.browser, passkey)
    const other = await signIn()
    expect(outcomeOf(await register(other.browser, passkey))).toEqual(refusedRegistration)
    expect([await count(author), await count(other)]).toEqual([1, 0])
  })

  it("an account with ten passkeys gets no options for an eleventh", async () => {
    for (let i = 0; i < 10; i++) expect((await register(author.browser, new Authenticator())).status).toBe(201)
    expect(outcomeOf(await author.browser.postJson(`${MADE}options/`))).toEqual([400, "too_many_passkeys"])
    expect((await author.browser.get("/settings/")).html).not.toContain("Add a passkey")
    expect(await count(author)).toBe(10)
  })

  it("an eleventh passkey of an account is refused even if its options were issued before the tenth", async () => {
    const response = await passkey.register(await optionsOf(author.browser, MADE))
    for (let i = 0; i < 10; i++) expect((await register(author.browser, new Authenticator())).status).toBe(201)
    expect(outcomeOf(await author.browser.postJson(`${MADE}verify/`, { response }))).toEqual([400, "too_many_passkeys"])
    expect(await count(author)).toBe(10)
  })

  it("a passkey registration whose session ends meanwhile is refused", async () => {
    const DB = beforeCall(/^insert into "passkeys"/, () => env.DB.prepare("delete from sessions").run())
    const browser = new Browser({ DB })
    browser.cookies.set("session", author.browser.cookies.get("session") ?? "")
    expect(outcomeOf(await register(browser, passkey))).toEqual([401, "sign_in_required"])
    expect(await count(author)).toBe(0)
  })

  it.each(["options/", "verify/"])("a passkey registration without a session answers 401 (%s)", async (path) => {
    expect(outcomeOf(await new Browser().postJson(`${MADE}${path}`))).toEqual([401, "sign_in_required"])
  })

  it("a passkey registration whose body is longer than the limit is refused", async () => {
    const response = await passkey.register(await optionsOf(author.browser, MADE))
    const answer = await author.browser.postJson(`${MADE}verify/`, { response, more: "x".repeat(64 * 1024) })
    expect(outcomeOf(answer)).toEqual([400, "invalid_json"])
  })

  it.each([{}, { response: 1 }, { response: { id: "x" } }])(
    "a malformed passkey registration is refused: %j",
    async (json) => {
      expect(outcomeOf(await author.browser.postJson(`${MADE}verify/`, json))).toEqual(refusedRegistration)
    },
  )

  it("a passkey registration of invalid bytes is refused", async () => {
    const { challenge } = await optionsOf(author.browser, MADE)
    const response = await passkey.register({ challenge, user: { id: "eA" } })
    for (const attestationObject of ["AAAA", "oA", "_w"]) {
      const options = await optionsOf(author.browser, MADE)
      const made = await passkey.register(options)
      const answer = await author.browser.postJson(`${MADE}verify/`, {
        response: { ...made, response: { ...made.response, attestationObject } },
      })
      expect(outcomeOf(answer)).toEqual(refusedRegistration)
    }
    const unreadable = { ...response, response: { ...response.response, clientDataJSON: "AAAA" } }
    expect(outcomeOf(await author.browser.postJson(`${MADE}verify/`, { response: unreadable }))).toEqual(
      refusedRegistration,
    )
  })
})

describe("a passkey sign-in is refused", () => {
  beforeEach(async () => {
    expect((await register(author.browser, passkey)).status).toBe(201)
  })
  const refused: Record<string, [Parameters<Authenticator["signIn"]>[1]]> = {
    "on another origin": [{ origin: "https://evil.example" }],
    "for another rp id": [{ rpId: "evil.example" }],
    "without user verification": [{ isVerified: false }],
    "with a registration": [{ clientData: { type: "webauthn.create" } }],
    "inside another site's page": [{ clientData: { crossOrigin: true, topOrigin: "https://evil.example" } }],
    "when the counter stands still": [{ counter: 1 }],
    "when the counter goes back": [{ counter: 0 }],
    "for another account than its own": [{ userHandle: btoa("01ARZ3NDEKTSV4RRFFQ69G5FAV").replace(/=+$/, "") }],
  }
  it.each(Object.entries(refused))("a passkey sign-in %s answers 401", async (_, [wrong]) => {
    const before = await rows("select counter, last_used_at from passkeys where id = ?", passkey.id)
    const browser = new Browser()
    expect(outcomeOf(await enter(passkey, wrong, browser))).toEqual([401, "passkey_refused"])
    expect(browser.cookies.size).toBe(0)
    expect(await rows("select counter, last_used_at from passkeys where id = ?", passkey.id)).toEqual(before)
  })

  it("a passkey sign-in with a changed signature is refused", async () => {
    const browser = new Browser()
    const response = await passkey.signIn(await optionsOf(browser, USED))
    const last = Uint8Array.fromBase64(response.response.signature, { alphabet: "base64url" })
    last[last.length - 1] = (last.at(-1) ?? 0) ^ 1
    response.response.signature = last.toBase64({ alphabet: "base64url", omitPadding: true })
    expect(outcomeOf(await browser.postJson(`${USED}verify/`, { response }))).toEqual([401, "passkey_refused"])
    expect(browser.cookies.size).toBe(0)
  })

  it("a passkey sign-in with another passkey's signature is refused", async () => {
    const browser = new Browser()
    const other = new Authenticator()
    other.userHandle = passkey.userHandle
    const response = { ...(await other.signIn(await optionsOf(browser, USED))), id: passkey.id, rawId: passkey.id }
    expect(outcomeOf(await browser.postJson(`${USED}verify/`, { response }))).toEqual([401, "passkey_refused"])
  })

  it("a sign-in with an unknown passkey is refused", async () => {
    const unknown = new Authenticator()
    unknown.userHandle = passkey.userHandle
    expect(outcomeOf(await enter(unknown))).toEqual([401, "passkey_unknown"])
  })

  it("a passkey sign-in with a used challenge is refused", async () => {
    const browser = new Browser()
    const response = await passkey.signIn(await optionsOf(browser, USED))
    expect((await browser.postJson(`${USED}verify/`, { response })).status).toBe(200)
    const again = await new Browser().postJson(`${USED}verify/`, { response })
    expect(outcomeOf(again)).toEqual([410, "passkey_challenge_used"])
  })

  it("a passkey sign-in with an expired challenge is refused", async () => {
    stopClock()
    const browser = new Browser()
    const response = await passkey.signIn(await optionsOf(browser, USED))
    passSeconds(300)
    expect(outcomeOf(await browser.postJson(`${USED}verify/`, { response }))).toEqual([410, "passkey_challenge_used"])
  })

  it("a passkey sign-in with a challenge for registration is refused", async () => {
    const response = await passkey.signIn(await optionsOf(author.browser, MADE))
    expect(outcomeOf(await new Browser().postJson(`${USED}verify/`, { response }))).toEqual([
      410,
      "passkey_challenge_used",
    ])
  })

  it("a sign-in with a passkey that was removed is refused", async () => {
    await author.browser.post(`${MADE}remove/`, { passkey: passkey.id })
    expect(outcomeOf(await enter(passkey))).toEqual([401, "passkey_unknown"])
  })

  it("a sign-in with a passkey that is removed during the request is refused", async () => {
    const DB = beforeCall(/^update "passkeys"/, () => env.DB.prepare("delete from passkeys").run())
    const browser = new Browser({ DB })
    expect(outcomeOf(await enter(passkey, {}, browser))).toEqual([401, "passkey_refused"])
    expect(browser.cookies.size).toBe(0)
  })

  it("a passkey sign-in is refused if another sign-in reached its counter meanwhile", async () => {
    const DB = beforeCall(/^update "passkeys"/, () => env.DB.prepare("update passkeys set counter = 2").run())
    expect(outcomeOf(await enter(passkey, {}, new Browser({ DB })))).toEqual([401, "passkey_refused"])
  })

  it("a passkey sign-in to an erased account is refused", async () => {
    await call("DELETE", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR })
    expect(outcomeOf(await enter(passkey))).toEqual([401, "passkey_unknown"])
    expect(await rows("select id from passkeys where id = ?", passkey.id)).toEqual([])
  })

  it("a passkey sign-in to an account that is erased during the request is refused", async () => {
    const path = `/operator/api/accounts/${author.username}/`
    const DB = beforeCall(/^insert into "sessions"/, () => call("DELETE", path, { headers: OPERATOR }))
    const browser = new Browser({ DB })
    expect(outcomeOf(await enter(passkey, {}, browser))).toEqual([401, "passkey_unknown"])
    expect(browser.cookies.size).toBe(0)
  })
})

it("a form that removes another author's passkey changes nothing", async () => {
  await register(author.browser, passkey)
  const other = await signIn()
  expect((await other.browser.post(`${MADE}remove/`, { passkey: passkey.id })).status).toBe(303)
  expect(await count(author)).toBe(1)
})

const left = async () => (await rows("select hash from passkey_challenges")).length

it("the cleanup deletes unused passkey challenges once they have expired", async () => {
  stopClock()
  await optionsOf(author.browser, MADE)
  await optionsOf(new Browser(), USED)
  const before = await left()
  await runCron()
  expect(await left()).toBe(before)
  passSeconds(300)
  await runCron()
  expect(await left()).toBe(0)
})

it("the sign-in page hides its passkey button until a script shows it", async () => {
  const { html } = await new Browser().get("/sign-in/")
  expect(html).toMatch(/<button[^>]*data-passkey="sign-in"[^>]* hidden/)
})
