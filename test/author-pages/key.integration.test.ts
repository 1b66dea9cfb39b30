import { afterEach, expect, it, vi } from "vitest"

import { hashSecret } from "../../src/tokens.ts"
import { accountId, setAccount } from "../calls.ts"
import { dumpStorage } from "../storage.ts"
import { API, call, rotateKey, rows } from "../support.ts"
import { type Browser, fieldOf, signIn, whereTo } from "./browser.ts"

afterEach(() => vi.restoreAllMocks())

const PAGE = "/settings/keys/"
const keyIn = (html: string): string => /bpa_[0-9A-Za-z]+/.exec(html)?.[0] ?? ""
/** Submits the form that makes the key `default` or replaces the one whose hash `replaced` is. */
const send = (browser: Browser, replaced: string) => browser.post(PAGE, { name: "default", scope: "publish", replaced })
const replacedIn = async (browser: Browser) => fieldOf((await browser.get(PAGE)).html, "replaced") ?? "none"
const makeKey = async (browser: Browser) => keyIn((await send(browser, await replacedIn(browser))).html)
const use = async (key: string) => (await call("GET", `${API}/account/`, { key })).status

/** Makes a paid author without a key. */
const signInWithoutKey = async () => {
  const author = await signIn({ paid_until: null })
  await setAccount(author, { paid_until: "2099-01-01T00:00:00Z" })
  return author
}

it("the form of the key page makes the first API key of an account", async () => {
  const { browser } = await signInWithoutKey()
  const { html } = await browser.get(PAGE)
  expect(html).toContain("There is no key yet")
  expect(html).not.toContain("Replace default")
  expect([fieldOf(html, "name"), fieldOf(html, "replaced")]).toEqual(["default", ""])
  const made = await send(browser, "")
  expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"])
  // The answer offers to replace the new key.
  expect(made.html).toContain("Replace default")
  const [first, second] = [keyIn(made.html), await makeKey(browser)]
  expect([await use(first), await use(second)]).toEqual([401, 200])
})

it("of two concurrent forms for an account's first API key, one makes it, and the other says that it exists", async () => {
  const { browser, ...author } = await signInWithoutKey()
  const answers = await Promise.all([send(browser, ""), send(browser, "")])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  const key = keyIn(answers.map(({ html }) => html).join(""))
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

it("the key page shows a new API key once and revokes the previous one; resending its form replaces none", async () => {
  const { browser, key: before } = await signIn()
  const replaced = await replacedIn(browser)
  const made = await send(browser, replaced)
  expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"])
  const key = keyIn(made.html)
  expect([await use(key), await use(before)]).toEqual([200, 401])
  const { html } = await browser.get(PAGE)
  expect(html).not.toContain("bpa_")
  expect(html).toContain(`<code>${key.slice(-4)}</code>`)
  const again = await send(browser, replaced)
  expect([...whereTo(again), again.html]).toEqual([303, `${PAGE}?unchanged=1`, ""])
  expect((await browser.get(`${PAGE}?unchanged=1`)).html).toContain("The form was sent twice")
  const first = await send(browser, "")
  expect([first.status, first.html]).toEqual([400, expect.stringContaining("There is a key default already")])
  expect(await use(key)).toBe(200)
})

it("an unpaid account gets no new API key, and its key page says why", async () => {
  const { browser, username, key } = await signIn()
  await setAccount({ username }, { paid_until: "2020-01-01T00:00:00Z" })
  expect((await browser.get("/settings/")).html).toContain("The paid time ended on")
  const { html } = await browser.get(PAGE)
  expect(html).toContain("Only a paid account can make a key")
  expect(html).not.toContain("Make a key")
  const made = await send(browser, "")
  expect([made.status, made.headers.get("Content-Type")]).toEqual([403, expect.stringContaining("text/html")])
  expect(await use(key)).toBe(403)
})

it("the key page makes keys with scopes and an expiry, and revokes one by its name", async () => {
  const { browser } = await signIn()
  const fields = { name: "extension", scope: "draft", expires_at: "2098-12-31", replaced: "" }
  const key = keyIn((await browser.post(PAGE, fields)).html)
  const { json } = await call("GET", `${API}/account/`, { key })
  expect(json.account.key).toEqual({ name: "extension", scope: "draft", expires_at: "2098-12-31T23:59:59.000Z" })
  expect((await browser.get("/settings/")).html).toContain("<strong>extension</strong> (draft)")
  expect((await browser.post(`${PAGE}revoke/`, { name: "extension" })).status).toBe(303)
  expect(await use(key)).toBe(401)
})

it("the key page keeps what was typed if the name of a key is wrong", async () => {
  const { browser } = await signIn()
  const sent = { name: "!?", scope: "read", expires_at: "2098-12-31", replaced: "" }
  const { status, html } = await browser.post(PAGE, sent)
  expect([status, fieldOf(html, "expires_at")]).toEqual([400, "2098-12-31"])
  expect(html).toContain('value="!?"')
  expect(html).toMatch(/value="read" selected/)
})

it("the key page makes a key again whose name has expired, also with another scope", async () => {
  const { browser, ...author } = await signIn()
  await rows("update api_keys set expires_at = 1 where account_id = ?", await accountId(author))
  const { status, html } = await browser.post(PAGE, { name: "default", scope: "read", replaced: "" })
  expect([status, await use(keyIn(html))]).toEqual([200, 200])
})
