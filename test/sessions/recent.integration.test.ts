import { beforeEach, expect, it } from "vitest"

import { RECENT_SIGN_IN_SECONDS } from "../../src/limits.ts"
import { routes } from "../../src/routes.ts"
import { type Browser, newLink, signIn, whereTo } from "../author-pages/browser.ts"
import { ORIGIN, passSeconds, rows, stopClock, unique } from "../support.ts"

beforeEach(() => stopClock())

const protectedRoutes = routes.map(({ operation }) => operation).filter(({ access }) => access === "recent-author")
const pages = protectedRoutes.filter(({ method, contentType }) => method === "GET" || contentType !== undefined)
const FORM = { scope: "publish", replaced: "", username: "", id: "none", seen: "0" }

const visit = (browser: Browser, { method, path }: { method: string; path: string }) =>
  method === "GET"
    ? browser.get(path)
    : browser.post(path, { ...FORM, name: unique("key") }, { Referer: `${ORIGIN}/settings/keys/?a=1` })

const signInOld = async () => {
  const author = await signIn()
  passSeconds(RECENT_SIGN_IN_SECONDS)
  return author
}

it("a recent sign-in is required to make keys and secrets of webhooks, add passkeys, export and erase", () => {
  expect(protectedRoutes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    "GET /settings/erase/",
    "GET /settings/export/",
    "GET /settings/keys/again/",
    "GET /settings/webhooks/again/",
    "POST /settings/erase/",
    "POST /settings/keys/",
    "POST /settings/passkeys/options/",
    "POST /settings/passkeys/verify/",
    "POST /settings/webhooks/rotate/",
  ])
})

it.each(pages.map((page) => [`${page.method} ${page.path}`, page] as const))(
  "%s with a session of ten minutes asks to sign in again, changes nothing, and a sign-in leads back",
  async (_, page) => {
    const { browser, username } = await signIn()
    const isAsked = async () => whereTo(await visit(browser, page))[1] === "/sign-in/?again=1"
    passSeconds(RECENT_SIGN_IN_SECONDS - 1)
    expect(await isAsked(), "a second before").toBe(false)
    passSeconds(1)
    const before = await rows("select hash from api_keys")
    expect(await isAsked()).toBe(true)
    expect((await browser.get("/sign-in/?again=1")).html).toContain("Sign in again to go on")
    expect(await rows("select hash from api_keys")).toEqual(before)
    const expected = page.method === "GET" ? page.path : "/settings/keys/?a=1"
    expect(whereTo(await browser.post(await newLink(username)))).toEqual([303, expected])
    expect(await isAsked()).toBe(false)
  },
)

it("a script that adds a passkey with a session of ten minutes gets 401 recent_sign_in_required", async () => {
  const { browser } = await signInOld()
  for (const path of ["options", "verify"]) {
    const { status, json } = await browser.postJson(`/settings/passkeys/${path}/`)
    expect([status, json.code]).toEqual([401, "recent_sign_in_required"])
  }
})

it("the key page with a session of ten minutes revokes keys, and leads to a sign-in instead of making one", async () => {
  const { browser, username } = await signInOld()
  const { html } = await browser.get("/settings/keys/")
  expect([html.includes("Replace default"), html.includes('href="/settings/keys/again/"')]).toEqual([false, true])
  expect((await browser.post("/settings/keys/revoke/", { name: "default" })).status).toBe(303)
  expect((await browser.get("/settings/keys/again/")).headers.get("Location")).toBe("/sign-in/?again=1")
  expect(whereTo(await browser.post(await newLink(username)))).toEqual([303, "/settings/keys/again/"])
  expect((await browser.get("/settings/keys/")).html).toContain("Make a key")
})

it.each(["https://evil.example/", "//evil.example/", "/operator/", ""])(
  "a sign-in with the return cookie %j leads to the settings",
  async (page) => {
    const { browser, username } = await signIn()
    browser.cookies.set("return_to", encodeURIComponent(page))
    expect((await browser.post(await newLink(username))).headers.get("Location")).toBe("/settings/")
  },
)

it("the page to sign out everywhere names every key and passkey, and revokes only those that are chosen", async () => {
  const { browser, username } = await signIn()
  for (const name of ["ci", "site"]) await browser.post("/settings/keys/", { ...FORM, name })
  const { html } = await browser.get("/settings/sessions/end-all/")
  for (const name of ["default", "ci", "site"]) expect(html).toContain(`name="key" value="${name}"`)
  const chosen = ["ci", "site"].map((name): [string, string] => ["key", name])
  expect(whereTo(await browser.post("/settings/sessions/end-all/", chosen))).toEqual([303, "/sign-in/"])
  const live = await rows(
    "select name from api_keys join accounts on id = account_id where username = ? and revoked_at is null",
    username,
  )
  expect(live).toEqual([{ name: "default" }])
  expect(whereTo(await browser.get("/settings/"))).toEqual([303, "/sign-in/"])
})
