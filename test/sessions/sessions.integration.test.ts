import { beforeEach, expect, it } from "vitest"

import { MAX_SESSIONS } from "../../src/limits.ts"
import { Browser, newLink, signIn, whereTo } from "../author-pages/browser.ts"
import { accountId, eraseAccount } from "../calls.ts"
import { again } from "../faults/pages.ts"
import { dumpStorage } from "../storage.ts"
import { API, type Author, call, newAuthor, newPost, passSeconds, rows, stopClock } from "../support.ts"
import { seedSessions } from "./seed.ts"

beforeEach(() => stopClock())

type Signed = Author & { browser: Browser }
const DAY = 24 * 60 * 60
const SETTINGS = [303, "/settings/"]
const SIGN_IN = [303, "/sign-in/"]
const END = "/settings/sessions/end/"
const END_ALL = "/settings/sessions/end-all/"

const newLinkOfAny = async () => newLink((await newAuthor()).username)
/** Opens a link and confirms it, each in a new browser. @returns the statuses */
const statusesOf = async (path: string) => [
  (await new Browser().get(path)).status,
  (await new Browser().post(path)).status,
]

/** Signs an author in on another browser. */
const newDevice = async ({ username }: Author, env: Partial<Env> = {}) => {
  const device = new Browser(env)
  await device.post(await newLink(username))
  return device
}

/** Returns a browser with this session cookie. */
const withCookie = (value = "", env: Partial<Env> = {}): Browser => {
  const browser = new Browser(env)
  browser.cookies.set("session", value)
  return browser
}
const isIn = async (browser: Browser) => (await browser.get("/settings/")).status === 200
/** Returns the sessions of an author, the oldest first. */
const sessionsOf = async (author: Author) =>
  (
    await rows("select hash from sessions where account_id = ? order by created_at, rowid", await accountId(author))
  ).map(({ hash }) => String(hash))

/** Ends the oldest session of an author with the form of a browser. */
const end = async (browser: Browser, author: Author) => {
  const [first] = await sessionsOf(author)
  return browser.post(END, { session: first ?? "" })
}

/** Ends the oldest session of an author on another device, which stays signed in. */
const endOnDevice = async (author: Author) => {
  const device = await newDevice(author)
  await end(device, author)
  expect(await isIn(device)).toBe(true)
}

it("opening a sign-in link sets no cookie; confirming it signs in once and then answers 410", async () => {
  const [path, browser, second] = [await newLinkOfAny(), new Browser(), new Browser()]
  for (let i = 0; i < 3; i++) expect((await browser.get(path)).status).toBe(200)
  expect(browser.cookies.size).toBe(0)
  expect(whereTo(await browser.post(path))).toEqual(SETTINGS)
  expect([(await second.post(path)).status, (await second.get(path)).status]).toEqual([410, 410])
  expect(second.cookies.size).toBe(0)
})

it("of two concurrent uses of a sign-in link, one succeeds and one answers 410", async () => {
  const path = await newLinkOfAny()
  const answers = await Promise.all([new Browser().post(path), new Browser().post(path)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410])
})

it("a sign-in link expires after 15 minutes", async () => {
  const path = await newLinkOfAny()
  passSeconds(15 * 60 - 1)
  expect((await new Browser().get(path)).status).toBe(200)
  passSeconds(1)
  expect(await statusesOf(path)).toEqual([410, 410])
})

it.each<[string, (author: Signed) => unknown]>([
  ["a newer one of its account", ({ username }) => newLink(username)],
  ["its account is erased", eraseAccount],
  ["its author signs out everywhere", ({ browser }) => browser.post(END_ALL)],
])("a sign-in link answers 410 after %s, and another account's link works", async (_, change) => {
  const author = await signIn()
  const [path, others] = [await newLink(author.username), await newLinkOfAny()]
  await change(author)
  expect(await statusesOf(path)).toEqual([410, 410])
  expect(await statusesOf(others)).toEqual([200, 303])
})

it("an unknown sign-in link answers 410", async () => {
  expect(await statusesOf(`/sign-in/${"x".repeat(43)}/`)).toEqual([410, 410])
})

it("the secrets of sign-in links and sessions are stored only as hashes", async () => {
  const { browser, username } = await signIn()
  const [, secret = ""] = /^\/sign-in\/(\w+)\/$/.exec(await newLink(username)) ?? []
  expect(secret).toHaveLength(43)
  const stored = JSON.stringify(await dumpStorage())
  for (const text of [secret, browser.cookies.get("session")]) expect(stored).not.toContain(text)
})

it("a sign-in never adopts a session cookie that the browser sends", async () => {
  const planted = "planted".padEnd(43, "0")
  const browser = withCookie(planted)
  await browser.post(await newLinkOfAny())
  expect(browser.cookies.get("session")).toMatch(/^(?!planted)\w{43}$/)
  expect(await isIn(withCookie(planted))).toBe(false)
})

it.each<[string, (author: Signed) => unknown]>([
  ["its author signs out", ({ browser }) => browser.post("/sign-out/")],
  ["its author signs out everywhere on another device", async (author) => (await newDevice(author)).post(END_ALL)],
  ["its author ends it, and only it, on another device", endOnDevice],
  ["another author signs in in the same browser", async ({ browser }) => browser.post(await newLinkOfAny())],
  ["its account is erased", eraseAccount],
])("a session ends when %s, even for a copy of its cookie, and another author's goes on", async (_, change) => {
  const [author, other] = [await signIn(), await signIn()]
  const copy = again(author.browser, {})
  await change(author)
  expect(whereTo(await copy.get("/settings/"))).toEqual(SIGN_IN)
  expect(await isIn(other.browser)).toBe(true)
})

it("a session lasts 30 days from its last use", async () => {
  const { browser } = await signIn()
  for (let i = 0; i < 3; i++) {
    passSeconds(29 * DAY)
    const { status, headers } = await browser.get("/settings/")
    expect([status, headers.get("Set-Cookie")]).toEqual([200, expect.stringContaining(`Max-Age=${30 * DAY}`)])
  }
  passSeconds(30 * DAY)
  expect(whereTo(await browser.get("/settings/"))).toEqual(SIGN_IN)
})

it("a session ends 90 days after it began, however often it is used", async () => {
  const { browser } = await signIn()
  for (const seconds of [20 * DAY, 20 * DAY, 20 * DAY, 20 * DAY, 10 * DAY - 1]) {
    passSeconds(seconds)
    expect(await isIn(browser)).toBe(true)
  }
  passSeconds(1)
  expect(whereTo(await browser.get("/settings/"))).toEqual(SIGN_IN)
})

it("a sign-in beyond the session limit ends the account's least recently used session", async () => {
  const [author, other] = [await signIn(), await signIn()]
  // Each session was used a second after the previous one; the browser's own was used first.
  const account = await accountId(author)
  await seedSessions(account, MAX_SESSIONS - 1)
  passSeconds(60)
  const device = await newDevice(author)
  const left = await sessionsOf(author)
  expect([left.length, left.includes(`${account}-1`)]).toEqual([MAX_SESSIONS, true])
  expect([await isIn(device), await isIn(author.browser), await isIn(other.browser)]).toEqual([true, false, true])
  await newDevice(author)
  const then = await sessionsOf(author)
  expect([then.includes(`${account}-1`), then.includes(`${account}-2`)]).toEqual([false, true])
  expect(await isIn(device)).toBe(true)
})

it("a sign-in beyond the session limit stays signed in even if other sessions have later times", async () => {
  const author = await newAuthor()
  await seedSessions(await accountId(author), MAX_SESSIONS)
  const device = await newDevice(author)
  expect([await isIn(device), (await sessionsOf(author)).length]).toEqual([true, MAX_SESSIONS])
})

it("the settings form with the session of another author ends no session", async () => {
  const [author, { browser }] = [await signIn(), await signIn()]
  expect(whereTo(await end(browser, author))).toEqual([303, "/settings/?saved=1"])
  expect([await isIn(browser), await isIn(author.browser)]).toEqual([true, true])
})

it.each(["", "x", "' or 1=1 --", "0".repeat(63)])(
  "the settings form with the invalid session id %j ends no session",
  async (session) => {
    const { browser } = await signIn()
    expect((await browser.post(END, { session })).status).toBe(400)
    expect(await isIn(browser)).toBe(true)
  },
)

it("a session cookie is not an API key, and an API key is not a session", async () => {
  const { browser, key } = await signIn()
  const headers = { Cookie: `session=${browser.cookies.get("session")}` }
  expect((await call("GET", `${API}/account/`, { headers })).status).toBe(401)
  expect(await isIn(withCookie(key))).toBe(false)
  expect(whereTo(await new Browser().get("/settings/", { "X-API-KEY": key }))).toEqual(SIGN_IN)
})

const HTTPS: Partial<Env> = {
  PUBLIC_ORIGIN: "https://blog.example",
  TRANSLATOR: "apertium",
  APERTIUM_URL: "http://localhost:1",
}

it.each([
  ["over https is Secure and has the __Host- prefix", HTTPS, "__Host-session", "Secure; "],
  ["on loopback has neither Secure nor prefix", {}, "session", ""],
])("the session cookie %s", async (_, env, name, secure) => {
  const browser = new Browser(env)
  const { headers } = await browser.post(await newLinkOfAny())
  const attributes = `Max-Age=2592000; Path=/; HttpOnly; ${secure}SameSite=Lax`
  expect(headers.get("Set-Cookie")).toMatch(new RegExp(`^${name}=\\w{43}; ${attributes}$`))
  expect(await isIn(browser)).toBe(true)
})

it("a session cookie without the __Host- prefix is ignored over https", async () => {
  const { browser } = await signIn({}, HTTPS)
  const planted = withCookie(browser.cookies.get("__Host-session"), HTTPS)
  expect(whereTo(await planted.get("/settings/"))).toEqual(SIGN_IN)
})

it("the form for signing out deletes the cookie; sent from another site, it gets an error page and signs nobody out", async () => {
  const { browser } = await signIn()
  const page = await browser.post("/sign-out/", {}, { Origin: "https://evil.example" })
  expect([page.status, page.headers.get("Content-Type")]).toEqual([403, "text/html; charset=UTF-8"])
  expect(await isIn(browser)).toBe(true)
  expect([...whereTo(await browser.post("/sign-out/")), browser.cookies.size]).toEqual([...SIGN_IN, 0])
})

const MARKUP = `<img src=x onerror=alert(1)>"'&`
const ESCAPED = "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"

// Usernames need no escaping; this row is written directly to bypass their validation.
it("markup in a username or a post title is escaped on the settings and sign-in pages", async () => {
  const author = await signIn()
  await newPost(author, { title: MARKUP })
  const posts = (await author.browser.get("/settings/posts/")).html
  const link = await newLink(author.username)
  await rows("update accounts set username = ? where username = ?", MARKUP, author.username)
  const pages = await Promise.all(["/settings/", "/settings/posts/", link].map((path) => author.browser.get(path)))
  for (const html of [posts, ...pages.map((page) => page.html)]) {
    expect(html).toContain(ESCAPED)
    expect(html).not.toContain("<img")
  }
})

it("markup in the User-Agent of a sign-in is not stored", async () => {
  const browser = new Browser()
  await browser.post(await newLinkOfAny(), {}, { "User-Agent": `Firefox/1 ${MARKUP}` })
  const { html } = await browser.get("/settings/")
  expect(html).toContain("<strong>Firefox</strong>")
  expect(html).not.toContain("<img")
})

it("markup in a language or a path is escaped on the error page", async () => {
  const { browser } = await signIn()
  const languages = { primary_language: MARKUP, translation_languages: MARKUP }
  const pages = [
    await browser.post("/settings/languages/", languages),
    await browser.get(`/${encodeURIComponent(MARKUP)}/`),
  ]
  expect(pages.map(({ status, html }) => [status, html.includes("<img")])).toEqual([
    [400, false],
    [404, false],
  ])
})
