import { afterEach, expect, it, vi } from "vitest"

import { hashSecret } from "../../src/tokens.ts"
import { accountId } from "../calls.ts"
import { dumpStorage } from "../storage.ts"
import { API, call, OPERATOR, rotateKey, rows } from "../support.ts"
import { type Browser, fieldOf, signIn } from "./browser.ts"

afterEach(() => vi.restoreAllMocks())

const keyIn = (html: string): string | undefined => /bpa_[0-9A-Za-z]+/.exec(html)?.[0]
const pay = (username: string, paid_until: string) =>
  call("PATCH", `/operator/api/accounts/${username}/`, { headers: OPERATOR, json: { paid_until } })
const PAGE = "/settings/keys/"
const keyForm = (replaced: string) => ({ name: "default", scope: "publish", replaced })
/** Submits the form that makes the key `default` or replaces it. @returns the key */
const makeKey = async (browser: Browser): Promise<string> => {
  const replaced = fieldOf((await browser.get(PAGE)).html, "replaced") ?? "none"
  return keyIn((await browser.post(PAGE, keyForm(replaced))).html) ?? ""
}
const use = async (key: string) => (await call("GET", `${API}/account/`, { key })).status

/** Makes a paid author without a key. */
const signInWithoutKey = async () => {
  const author = await signIn({ paid_until: null })
  await pay(author.username, "2099-01-01T00:00:00Z")
  return author
}

it("the form of the key page makes the first API key of an account", async () => {
  const { browser } = await signInWithoutKey()
  const { html } = await browser.get(PAGE)
  expect(html).toContain("There is no key yet")
  expect([fieldOf(html, "name"), html.includes("Replace default")]).toEqual(["default", false])
  expect(fieldOf(html, "replaced")).toBe("")
  const made = await browser.post(PAGE, keyForm(""))
  expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"])
  // The answer offers to replace the new key.
  expect(made.html).toContain("Replace default")
  const [first = "", second] = [keyIn(made.html), await makeKey(browser)]
  expect([await use(first), await use(second)]).toEqual([401, 200])
})

it("of two concurrent forms for an account's first API key, one makes it, and the other says that it exists", async () => {
  const { browser, ...author } = await signInWithoutKey()
  const send = () => browser.post(PAGE, keyForm(""))
  const answers = await Promise.all([send(), send()])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  const [key = ""] = answers.flatMap(({ html }) => keyIn(html) ?? [])
  expect(await use(key)).toBe(200)
  const kept = await rows("select hash from api_keys where account_id = ?", await accountId(author))
  expect(kept).toEqual([{ hash: await hashSecret(key) }])
})

/** Records everything written to the console. */
const listen = (): string[] => {
  const lines: string[] = []
  for (const level of ["debug", "info", "log", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...parts) => void lines.push(parts.map(String).join(" ")))
  return lines
}

it("an API key is stored only as a hash and never logged, whether the author or the operator made it", async () => {
  const lines = listen()
  const { browser, username, key: first } = await signIn()
  const keys = [first, await makeKey(browser), await rotateKey(username)]
  for (const key of keys) await use(key)
  const next = await makeKey(browser)
  expect(await use(next)).toBe(200)
  const stored = JSON.stringify(await dumpStorage())
  expect(lines.filter((line) => line.includes("/settings/keys"))).not.toEqual([])
  for (const key of [...keys, next]) {
    expect(stored.split(await hashSecret(key))).toHaveLength(2)
    // The secret without its prefix and checksum.
    const secret = key.slice(4, -6)
    expect(secret).toMatch(/^\w{43}$/)
    expect([stored, ...lines].filter((text) => text.includes(secret))).toEqual([])
  }
})

it("the key page shows a new API key once, and the previous key is refused on the next request", async () => {
  const { browser, key: before } = await signIn()
  const settings = await browser.get(PAGE)
  expect(settings.status).toBe(200)
  expect(settings.html).not.toContain("bpa_")
  const replaced = fieldOf(settings.html, "replaced") ?? ""
  const made = await browser.post(PAGE, keyForm(replaced))
  const key = keyIn(made.html) ?? ""
  expect(made.status).toBe(200)
  expect(made.headers.get("Cache-Control")).toBe("no-store")
  expect((await call("GET", `${API}/account/`, { key })).status).toBe(200)
  expect((await call("GET", `${API}/account/`, { key: before })).status).toBe(401)
  const after = await browser.get(PAGE)
  expect(after.html).not.toContain("bpa_")
  expect(after.html).toContain(`<code>${key.slice(-4)}</code>`)
  expect(JSON.stringify(await rows("select * from api_keys"))).not.toContain(key)
})

it("resending the form that replaces the API key replaces no key and shows none", async () => {
  const { browser } = await signIn()
  const replaced = fieldOf((await browser.get(PAGE)).html, "replaced") ?? ""
  const key = keyIn((await browser.post(PAGE, keyForm(replaced))).html) ?? ""
  const again = await browser.post(PAGE, keyForm(replaced))
  expect([again.status, again.headers.get("Location"), again.html]).toEqual([303, `${PAGE}?unchanged=1`, ""])
  expect((await browser.get(`${PAGE}?unchanged=1`)).html).toContain("Nothing was changed.")
  const first = await browser.post(PAGE, keyForm(""))
  expect([first.status, first.html.includes("There is a key default already")]).toEqual([400, true])
  expect((await call("GET", `${API}/account/`, { key })).status).toBe(200)
})

it("an unpaid account gets no new API key, and its key page says why", async () => {
  const { browser, username, key } = await signIn()
  await pay(username, "2020-01-01T00:00:00Z")
  expect((await browser.get("/settings/")).html).toContain("The paid time ended on")
  const { html } = await browser.get(PAGE)
  expect([html.includes("Only a paid account can make a key"), html.includes("Make a key")]).toEqual([true, false])
  const made = await browser.post(PAGE, keyForm(""))
  expect(made.status).toBe(403)
  expect(made.headers.get("Content-Type")).toContain("text/html")
  expect((await call("GET", `${API}/account/`, { key })).status).toBe(403)
})

it("the settings page shows the payment link unless a subscription of the account continues", async () => {
  const { browser, username } = await signIn(
    { paid_until: null },
    { STRIPE_PAYMENT_LINK: "https://buy.stripe.example/abc?a=b" },
  )
  const link = `href="https://buy.stripe.example/abc?a=b&amp;client_reference_id=${username}"`
  const subscribe = (status: string) =>
    rows(
      `insert into subscriptions (id, account_id, status, revision, updated_at) select 'sub_1', id, ?, 1, 0 from accounts where username = ?
       on conflict do update set status = excluded.status`,
      status,
      username,
    )
  const isLed = async () => (await browser.get("/settings/")).html.includes(link)
  expect(await isLed()).toBe(true)
  await subscribe("past_due")
  expect(await isLed()).toBe(false)
  expect((await browser.get("/settings/")).html).toContain("a subscription of this account that is not paid for now")
  await subscribe("canceled")
  expect(await isLed()).toBe(true)
})

it("the key page makes keys with scopes and an expiry, and revokes one by its name", async () => {
  const { browser } = await signIn()
  const fields = { name: "extension", scope: "draft", expires_at: "2098-12-31", replaced: "" }
  const key = keyIn((await browser.post(PAGE, fields)).html) ?? ""
  const { json } = await call("GET", `${API}/account/`, { key })
  expect(json.account.key).toEqual({ name: "extension", scope: "draft", expires_at: "2098-12-31T23:59:59.000Z" })
  expect((await browser.get("/settings/")).html).toContain("<strong>extension</strong> (draft)")
  expect((await browser.post(`${PAGE}revoke/`, { name: "extension" })).status).toBe(303)
  expect(await use(key)).toBe(401)
})

it("the key page keeps what was typed if the name of a key is wrong", async () => {
  const { browser } = await signIn()
  const sent = { name: "My Key", scope: "read", expires_at: "2098-12-31", replaced: "" }
  const { status, html } = await browser.post(PAGE, sent)
  expect([status, fieldOf(html, "expires_at")]).toEqual([400, "2098-12-31"])
  expect(html).toContain('value="My Key"')
  expect(html).toMatch(/value="read" selected/)
})

it("the key page makes a key again whose name has expired, also with another scope", async () => {
  const { browser, username } = await signIn()
  await rows(
    "update api_keys set expires_at = 1 where account_id = (select id from accounts where username = ?)",
    username,
  )
  const made = await browser.post(PAGE, { name: "default", scope: "read", replaced: "" })
  expect([made.status, await use(keyIn(made.html) ?? "")]).toEqual([200, 200])
})
