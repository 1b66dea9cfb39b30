import { describe, expect, it } from "vitest"

import { MAX_SESSIONS } from "../../src/limits.ts"
import { Browser, newLink, type Page, signIn } from "../author-pages/browser.ts"
import { accountId } from "../calls.ts"
import { API, call, newAuthor, newPost, OPERATOR, passSeconds, rows, stopClock } from "../support.ts"
import { seedSessions } from "./seed.ts"

const DAY = 24 * 60 * 60
const whereTo = ({ status, headers }: Page) => [status, headers.get("Location")]
const SETTINGS = [303, "/settings/"]
const SIGN_IN = [303, "/sign-in/"]

/** Returns a browser with this session cookie. */
const withCookie = (value = "", name = "session"): Browser => {
  const browser = new Browser()
  browser.cookies.set(name, value)
  return browser
}
const isIn = async (browser: Browser) => (await browser.get("/settings/")).status === 200
const sessionsOf = async (author: { username: string; key: string }) =>
  (await rows("select hash from sessions where account_id = ?", await accountId(author))).map(({ hash }) =>
    String(hash),
  )

describe("a sign-in link", () => {
  it("a sign-in link signs its author in", async () => {
    const { browser, username } = await signIn()
    expect((await browser.get("/settings/")).html).toContain(username)
  })

  it("a sign-in link works once and then answers 410", async () => {
    const path = await newLink((await newAuthor()).username)
    expect(whereTo(await new Browser().post(path))).toEqual(SETTINGS)
    const again = new Browser()
    expect((await again.post(path)).status).toBe(410)
    expect(again.cookies.size).toBe(0)
    expect((await again.get(path)).status).toBe(410)
  })

  it("of two concurrent uses of a sign-in link, one succeeds and one answers 410", async () => {
    const path = await newLink((await newAuthor()).username)
    const answers = await Promise.all([new Browser().post(path), new Browser().post(path)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410])
  })

  it("opening a sign-in link without confirming does not use it up", async () => {
    const path = await newLink((await newAuthor()).username)
    for (let i = 0; i < 3; i++) expect((await new Browser().get(path)).status).toBe(200)
    expect(whereTo(await new Browser().post(path))).toEqual(SETTINGS)
  })

  it("opening a sign-in link sets no cookie", async () => {
    const browser = new Browser()
    await browser.get(await newLink((await newAuthor()).username))
    expect(browser.cookies.size).toBe(0)
  })

  it("a sign-in link expires after 15 minutes", async () => {
    stopClock()
    const path = await newLink((await newAuthor()).username)
    passSeconds(15 * 60 - 1)
    expect((await new Browser().get(path)).status).toBe(200)
    passSeconds(1)
    expect((await new Browser().get(path)).status).toBe(410)
    expect((await new Browser().post(path)).status).toBe(410)
  })

  it("a new sign-in link revokes the older ones of its account and no other account's", async () => {
    const [{ username }, other] = [await newAuthor(), await newAuthor()]
    const [older, others] = [await newLink(username), await newLink(other.username)]
    const newer = await newLink(username)
    expect((await new Browser().get(older)).status).toBe(410)
    expect((await new Browser().post(older)).status).toBe(410)
    expect((await new Browser().get(others)).status).toBe(200)
    expect(whereTo(await new Browser().post(newer))).toEqual(SETTINGS)
  })

  it("a sign-in link of an erased account answers 410", async () => {
    const { username } = await newAuthor()
    const path = await newLink(username)
    await call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR })
    expect((await new Browser().get(path)).status).toBe(410)
    expect((await new Browser().post(path)).status).toBe(410)
  })

  it("an unknown sign-in link answers 410", async () => {
    expect((await new Browser().post(`/sign-in/${"x".repeat(43)}/`)).status).toBe(410)
  })

  it("a sign-in link is stored only as a hash", async () => {
    const [, secret = ""] = /^\/sign-in\/(\w+)\/$/.exec(await newLink((await newAuthor()).username)) ?? []
    expect(secret).toHaveLength(43)
    expect(JSON.stringify(await rows("select * from sign_in_links"))).not.toContain(secret)
  })

  it("signing out everywhere revokes unused sign-in links", async () => {
    const { browser, username } = await signIn()
    const path = await newLink(username)
    await browser.post("/settings/sessions/end-all/")
    expect((await new Browser().post(path)).status).toBe(410)
  })
})

describe("a session", () => {
  it("a sign-in never adopts a session cookie that the browser sends", async () => {
    const planted = "planted".padEnd(43, "0")
    const browser = withCookie(planted)
    await browser.post(await newLink((await newAuthor()).username))
    expect(browser.cookies.get("session")).toMatch(/^\w{43}$/)
    expect(browser.cookies.get("session")).not.toBe(planted)
    expect(await isIn(withCookie(planted))).toBe(false)
  })

  it("a sign-in ends another author's session in the same browser", async () => {
    const attacker = await signIn()
    const browser = withCookie(attacker.browser.cookies.get("session"))
    const victim = await newAuthor()
    await browser.post(await newLink(victim.username))
    expect((await browser.get("/settings/")).html).toContain(victim.username)
    expect(await isIn(attacker.browser)).toBe(false)
  })

  it("the secret of a session is stored only as a hash", async () => {
    const { browser } = await signIn()
    expect(JSON.stringify(await rows("select * from sessions"))).not.toContain(browser.cookies.get("session"))
  })

  it("a session ends on signing out, even for a copy of its cookie", async () => {
    const { browser } = await signIn()
    const kept = withCookie(browser.cookies.get("session"))
    expect(whereTo(await browser.post("/sign-out/"))).toEqual(SIGN_IN)
    expect(browser.cookies.size).toBe(0)
    expect(whereTo(await kept.get("/settings/"))).toEqual(SIGN_IN)
    expect((await kept.post("/settings/keys/", { replaced: "" })).status).toBe(303)
  })

  it("a session ends when its account is erased", async () => {
    const { browser, username } = await signIn()
    await call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR })
    expect(whereTo(await browser.get("/settings/"))).toEqual(SIGN_IN)
  })

  it("a session lasts 30 days from its last use", async () => {
    stopClock()
    const { browser } = await signIn()
    for (let i = 0; i < 3; i++) {
      passSeconds(29 * DAY)
      const page = await browser.get("/settings/")
      expect(page.status).toBe(200)
      expect(page.headers.get("Set-Cookie")).toContain(`Max-Age=${30 * DAY}`)
    }
    passSeconds(30 * DAY)
    expect(whereTo(await browser.get("/settings/"))).toEqual(SIGN_IN)
  })

  it("a session ends 90 days after it began, however often it is used", async () => {
    stopClock()
    const { browser } = await signIn()
    for (let day = 0; day < 80; day += 20) {
      passSeconds(20 * DAY)
      expect((await browser.get("/settings/")).status).toBe(200)
    }
    passSeconds(10 * DAY - 1)
    expect((await browser.get("/settings/")).status).toBe(200)
    passSeconds(1)
    expect(whereTo(await browser.get("/settings/"))).toEqual(SIGN_IN)
  })

  it("a sign-in beyond the session limit ends the account's least recently used session", async () => {
    stopClock()
    const [{ browser, ...author }, other] = [await signIn(), await signIn()]
    // Each session was used a second after the previous one; the browser's own was used first.
    const account = await accountId(author)
    await seedSessions(account, MAX_SESSIONS - 1)
    passSeconds(60)
    const device = new Browser()
    await device.post(await newLink(author.username))
    const left = await sessionsOf(author)
    expect([left.length, left.includes(`${account}-1`)]).toEqual([MAX_SESSIONS, true])
    expect([await isIn(device), await isIn(browser), await isIn(other.browser)]).toEqual([true, false, true])
    await new Browser().post(await newLink(author.username))
    const then = await sessionsOf(author)
    expect([then.includes(`${account}-1`), then.includes(`${account}-2`)]).toEqual([false, true])
    expect(await isIn(device)).toBe(true)
  })

  it("a sign-in beyond the session limit stays signed in even if other sessions have later times", async () => {
    stopClock()
    const author = await newAuthor()
    await seedSessions(await accountId(author), MAX_SESSIONS)
    const device = new Browser()
    await device.post(await newLink(author.username))
    expect([await isIn(device), (await sessionsOf(author)).length]).toEqual([true, MAX_SESSIONS])
  })

  it("a form that ends another author's session changes nothing", async () => {
    const [mine, other] = [await signIn(), await signIn()]
    const [session = ""] = await sessionsOf(other)
    expect(whereTo(await mine.browser.post("/settings/sessions/end/", { session }))).toEqual([
      303,
      "/settings/?saved=1",
    ])
    expect(await isIn(other.browser)).toBe(true)
  })

  it("the settings form ends a session on another device", async () => {
    const { browser, username, key } = await signIn()
    const [own = ""] = await sessionsOf({ username, key })
    const device = new Browser()
    await device.post(await newLink(username))
    const session = (await sessionsOf({ username, key })).find((hash) => hash !== own) ?? ""
    await browser.post("/settings/sessions/end/", { session })
    expect([await isIn(device), await isIn(browser)]).toEqual([false, true])
  })

  it.each(["", "x", "' or 1=1 --", "0".repeat(63)])(
    "the settings form with the invalid session id %j ends no session",
    async (session) => {
      const { browser } = await signIn()
      expect((await browser.post("/settings/sessions/end/", { session })).status).toBe(400)
      expect(await isIn(browser)).toBe(true)
    },
  )

  it("signing out everywhere ends all of the author's sessions and no other author's", async () => {
    const [{ browser, username }, other] = [await signIn(), await signIn()]
    const device = new Browser()
    await device.post(await newLink(username))
    expect(whereTo(await browser.post("/settings/sessions/end-all/"))).toEqual(SIGN_IN)
    expect([await isIn(browser), await isIn(device), await isIn(other.browser)]).toEqual([false, false, true])
  })

  it("a session cookie is not an API key, and an API key is not a session", async () => {
    const { browser, key } = await signIn()
    const cookie = `session=${browser.cookies.get("session")}`
    expect((await call("GET", `${API}/account/`, { headers: { Cookie: cookie } })).status).toBe(401)
    expect(await isIn(withCookie(key))).toBe(false)
    expect(whereTo(await new Browser().get("/settings/", { "X-API-KEY": key }))).toEqual(SIGN_IN)
  })
})

describe("the session cookie", () => {
  const env = {
    PUBLIC_ORIGIN: "https://blog.example",
    TRANSLATOR: "apertium" as const,
    APERTIUM_URL: "http://localhost:1",
  }

  it("the session cookie over https is Secure and has the __Host- prefix", async () => {
    const browser = new Browser(env)
    const { headers } = await browser.post(await newLink((await newAuthor()).username))
    expect(headers.get("Set-Cookie")).toMatch(
      /^__Host-session=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await browser.get("/settings/")).status).toBe(200)
  })

  it("the session cookie on loopback has neither Secure nor prefix", async () => {
    const { headers } = await new Browser().post(await newLink((await newAuthor()).username))
    expect(headers.get("Set-Cookie")).toMatch(/^session=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  it("a session cookie without the __Host- prefix is ignored over https", async () => {
    const { browser } = await signIn({}, env)
    const planted = new Browser(env)
    planted.cookies.set("session", browser.cookies.get("__Host-session") ?? "")
    expect(whereTo(await planted.get("/settings/"))).toEqual(SIGN_IN)
  })
})

it("a form sent from another site is answered with an HTML error page, and does not sign out", async () => {
  const { browser } = await signIn()
  const page = await browser.post("/sign-out/", {}, { Origin: "https://evil.example" })
  expect([page.status, page.headers.get("Content-Type")]).toEqual([403, "text/html; charset=UTF-8"])
  expect(await isIn(browser)).toBe(true)
})

describe("pages that need a session", () => {
  it.each(["/settings/", "/settings/posts/"])(
    "the settings page %s without a session redirects to the sign-in page",
    async (path) => {
      expect(whereTo(await new Browser().get(path))).toEqual(SIGN_IN)
    },
  )

  it("a settings page without a session answers 401 sign_in_required to a client that wants JSON", async () => {
    const { status, json } = await call("GET", "/settings/")
    expect([status, json.code]).toEqual([401, "sign_in_required"])
  })
})

describe("markup in user input", () => {
  const MARKUP = `<img src=x onerror=alert(1)>"'&`
  const ESCAPED = "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"

  it("markup in a post title is escaped on the author's list of posts", async () => {
    const author = await signIn()
    await newPost(author, { title: MARKUP })
    const { html } = await author.browser.get("/settings/posts/")
    expect(html).toContain(ESCAPED)
    expect(html).not.toContain("<img")
  })

  it("markup in the User-Agent of a sign-in is not stored", async () => {
    const { username } = await newAuthor()
    const browser = new Browser()
    await browser.post(await newLink(username), {}, { "User-Agent": `Firefox/1 ${MARKUP}` })
    const { html } = await browser.get("/settings/")
    expect(html).toContain("<strong>Firefox</strong>")
    expect(html).not.toContain("<img")
  })

  it("markup sent as a language in the settings is escaped on the error page", async () => {
    const { browser } = await signIn()
    const { status, html } = await browser.post("/settings/languages/", {
      primary_language: MARKUP,
      translation_languages: MARKUP,
    })
    expect([status, html.includes("<img")]).toEqual([400, false])
  })

  // Usernames need no escaping; this row is written directly to bypass their validation.
  it("markup in a username is escaped on the settings and sign-in pages", async () => {
    const { browser, username } = await signIn()
    const link = await newLink(username)
    await rows("update accounts set username = ? where username = ?", MARKUP, username)
    for (const path of ["/settings/", "/settings/posts/", link]) {
      const { html } = await browser.get(path)
      expect(html, path).toContain(ESCAPED)
      expect(html, path).not.toContain("<img")
    }
  })

  it("markup in an unknown path is escaped on the error page", async () => {
    const { html } = await new Browser().get(`/${encodeURIComponent(MARKUP)}/`)
    expect(html).not.toContain("<img")
  })
})
