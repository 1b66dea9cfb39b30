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

/** A browser with this cookie, whoever made it. */
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
  it("lets its author in", async () => {
    const { browser, username } = await signIn()
    expect((await browser.get("/settings/")).html).toContain(username)
  })

  it("works once", async () => {
    const path = await newLink((await newAuthor()).username)
    expect(whereTo(await new Browser().post(path))).toEqual(SETTINGS)
    const again = new Browser()
    expect((await again.post(path)).status).toBe(410)
    expect(again.cookies.size).toBe(0)
    expect((await again.get(path)).status).toBe(410)
  })

  it("works once of two that come together", async () => {
    const path = await newLink((await newAuthor()).username)
    const answers = await Promise.all([new Browser().post(path), new Browser().post(path)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410])
  })

  it("is not used up by looking at it", async () => {
    const path = await newLink((await newAuthor()).username)
    for (let i = 0; i < 3; i++) expect((await new Browser().get(path)).status).toBe(200)
    expect(whereTo(await new Browser().post(path))).toEqual(SETTINGS)
  })

  it("sets no cookie when it is looked at", async () => {
    const browser = new Browser()
    await browser.get(await newLink((await newAuthor()).username))
    expect(browser.cookies.size).toBe(0)
  })

  it("expires", async () => {
    stopClock()
    const path = await newLink((await newAuthor()).username)
    passSeconds(15 * 60 - 1)
    expect((await new Browser().get(path)).status).toBe(200)
    passSeconds(1)
    expect((await new Browser().get(path)).status).toBe(410)
    expect((await new Browser().post(path)).status).toBe(410)
  })

  it("of an account that was erased lets nobody in", async () => {
    const { username } = await newAuthor()
    const path = await newLink(username)
    await call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR })
    expect((await new Browser().get(path)).status).toBe(410)
    expect((await new Browser().post(path)).status).toBe(410)
  })

  it("that nobody made lets nobody in", async () => {
    expect((await new Browser().post(`/sign-in/${"x".repeat(43)}/`)).status).toBe(410)
  })

  it("is stored as a hash alone", async () => {
    const [, secret = ""] = /^\/sign-in\/(\w+)\/$/.exec(await newLink((await newAuthor()).username)) ?? []
    expect(secret).toHaveLength(43)
    expect(JSON.stringify(await rows("select * from sign_in_links"))).not.toContain(secret)
  })

  it("that waits still is ended by signing out everywhere", async () => {
    const { browser, username } = await signIn()
    const path = await newLink(username)
    await browser.post("/settings/sessions/end-all/")
    expect((await new Browser().post(path)).status).toBe(410)
  })
})

describe("a session", () => {
  it("is never one that the browser came with", async () => {
    const planted = "planted".padEnd(43, "0")
    const browser = withCookie(planted)
    await browser.post(await newLink((await newAuthor()).username))
    expect(browser.cookies.get("session")).toMatch(/^\w{43}$/)
    expect(browser.cookies.get("session")).not.toBe(planted)
    expect(await isIn(withCookie(planted))).toBe(false)
  })

  it("of another author that the browser came with is ended, not taken over", async () => {
    const attacker = await signIn()
    const browser = withCookie(attacker.browser.cookies.get("session"))
    const victim = await newAuthor()
    await browser.post(await newLink(victim.username))
    expect((await browser.get("/settings/")).html).toContain(victim.username)
    expect(await isIn(attacker.browser)).toBe(false)
  })

  it("is stored as a hash alone", async () => {
    const { browser } = await signIn()
    expect(JSON.stringify(await rows("select * from sessions"))).not.toContain(browser.cookies.get("session"))
  })

  it("is over when it was signed out, whoever has its cookie", async () => {
    const { browser } = await signIn()
    const kept = withCookie(browser.cookies.get("session"))
    expect(whereTo(await browser.post("/sign-out/"))).toEqual(SIGN_IN)
    expect(browser.cookies.size).toBe(0)
    expect(whereTo(await kept.get("/settings/"))).toEqual(SIGN_IN)
    expect((await kept.post("/settings/key/", { replaced: "" })).status).toBe(303)
  })

  it("is over with its account", async () => {
    const { browser, username } = await signIn()
    await call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR })
    expect(whereTo(await browser.get("/settings/"))).toEqual(SIGN_IN)
  })

  it("lasts 30 days from its last use on", async () => {
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

  it("beyond the most ends the one that was not used for longest", async () => {
    stopClock()
    const [{ browser, ...author }, other] = [await signIn(), await signIn()]
    // Each was used a second after the one before, and the browser's own before all of them.
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

  it("beyond the most that is new stays, whatever the clock says of the others", async () => {
    stopClock()
    const author = await newAuthor()
    await seedSessions(await accountId(author), MAX_SESSIONS)
    const device = new Browser()
    await device.post(await newLink(author.username))
    expect([await isIn(device), (await sessionsOf(author)).length]).toEqual([true, MAX_SESSIONS])
  })

  it("of another author is not ended", async () => {
    const [mine, other] = [await signIn(), await signIn()]
    const [session = ""] = await sessionsOf(other)
    expect(whereTo(await mine.browser.post("/settings/sessions/end/", { session }))).toEqual(SETTINGS)
    expect(await isIn(other.browser)).toBe(true)
  })

  it("on another device is ended by its form", async () => {
    const { browser, username, key } = await signIn()
    const [own = ""] = await sessionsOf({ username, key })
    const device = new Browser()
    await device.post(await newLink(username))
    const session = (await sessionsOf({ username, key })).find((hash) => hash !== own) ?? ""
    await browser.post("/settings/sessions/end/", { session })
    expect([await isIn(device), await isIn(browser)]).toEqual([false, true])
  })

  it.each(["", "x", "' or 1=1 --", "0".repeat(63)])("is not ended by what is no session: %j", async (session) => {
    const { browser } = await signIn()
    expect((await browser.post("/settings/sessions/end/", { session })).status).toBe(400)
    expect(await isIn(browser)).toBe(true)
  })

  it("and every other one ends by signing out everywhere, of nobody else", async () => {
    const [{ browser, username }, other] = [await signIn(), await signIn()]
    const device = new Browser()
    await device.post(await newLink(username))
    expect(whereTo(await browser.post("/settings/sessions/end-all/"))).toEqual(SIGN_IN)
    expect([await isIn(browser), await isIn(device), await isIn(other.browser)]).toEqual([false, false, true])
  })

  it("is no key of the API, and a key is no session", async () => {
    const { browser, key } = await signIn()
    const cookie = `session=${browser.cookies.get("session")}`
    expect((await call("GET", `${API}/account/`, { headers: { Cookie: cookie } })).status).toBe(401)
    expect(await isIn(withCookie(key))).toBe(false)
    expect(whereTo(await new Browser().get("/settings/", { "X-API-KEY": key }))).toEqual(SIGN_IN)
  })
})

describe("the cookie", () => {
  const env = {
    PUBLIC_ORIGIN: "https://blog.example",
    TRANSLATOR: "apertium" as const,
    APERTIUM_URL: "http://localhost:1",
  }

  it("is bound to the host and to https where the service is on https", async () => {
    const browser = new Browser(env)
    const { headers } = await browser.post(await newLink((await newAuthor()).username))
    expect(headers.get("Set-Cookie")).toMatch(
      /^__Host-session=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await browser.get("/settings/")).status).toBe(200)
  })

  it("is plain on loopback, where browsers disagree on Secure", async () => {
    const { headers } = await new Browser().post(await newLink((await newAuthor()).username))
    expect(headers.get("Set-Cookie")).toMatch(/^session=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  it("of the plain name counts for nothing on https: another host of the site could set it", async () => {
    const { browser } = await signIn({}, env)
    const planted = new Browser(env)
    planted.cookies.set("session", browser.cookies.get("__Host-session") ?? "")
    expect(whereTo(await planted.get("/settings/"))).toEqual(SIGN_IN)
  })
})

describe("a form of another site", () => {
  const foreign: Record<string, Record<string, string>> = {
    "with its origin": { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    "with the origin null": { Origin: "null", "Sec-Fetch-Site": "cross-site" },
    "of a host beside this one": { Origin: "http://evil.localhost:8787", "Sec-Fetch-Site": "same-site" },
    "from a browser that says no more than its origin": { Origin: "https://evil.example", "Sec-Fetch-Site": "" },
    "that says nothing of where it comes from": { Origin: "", "Sec-Fetch-Site": "" },
  }
  const paths = [
    "/settings/key/",
    "/settings/languages/",
    "/settings/sessions/end/",
    "/settings/sessions/end-all/",
    "/settings/passkeys/remove/",
    "/settings/posts/slug/fr/",
    "/sign-out/",
  ]
  describe.each(Object.entries(foreign))("%s", (_, headers) => {
    it.each(paths)("does nothing at %s", async (path) => {
      const { browser, key } = await signIn()
      const { status, html } = await browser.post(path, { replaced: "" }, { ...headers, Accept: "*/*" })
      expect([status, JSON.parse(html).code]).toEqual([403, "cross_site"])
      expect(await isIn(browser)).toBe(true)
      expect((await call("GET", `${API}/account/`, { key })).status).toBe(200)
    })

    it("uses no sign-in link up", async () => {
      const path = await newLink((await newAuthor()).username)
      expect((await new Browser().post(path, {}, headers)).status).toBe(403)
      expect(whereTo(await new Browser().post(path))).toEqual(SETTINGS)
    })
  })

  it("is told so on a page", async () => {
    const { browser } = await signIn()
    const page = await browser.post("/sign-out/", {}, foreign["with its origin"])
    expect([page.status, page.headers.get("Content-Type")]).toEqual([403, "text/html; charset=UTF-8"])
  })
})

describe("every page", () => {
  it.each(["/settings/", "/settings/posts/"])("%s sends who is not signed in to where one does", async (path) => {
    expect(whereTo(await new Browser().get(path))).toEqual(SIGN_IN)
  })

  it("answers a program 401 with a code, not a page", async () => {
    const { status, json } = await call("GET", "/settings/")
    expect([status, json.code]).toEqual([401, "sign_in_required"])
  })
})

describe("markup", () => {
  const MARKUP = `<img src=x onerror=alert(1)>"'&`
  const ESCAPED = "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"

  it("in a title stays text on the board", async () => {
    const author = await signIn()
    await newPost(author, { title: MARKUP })
    const { html } = await author.browser.get("/settings/posts/")
    expect(html).toContain(ESCAPED)
    expect(html).not.toContain("<img")
  })

  it("in a User-Agent is not even kept", async () => {
    const { username } = await newAuthor()
    const browser = new Browser()
    await browser.post(await newLink(username), {}, { "User-Agent": `Firefox/1 ${MARKUP}` })
    const { html } = await browser.get("/settings/")
    expect(html).toContain("<strong>Firefox</strong>")
    expect(html).not.toContain("<img")
  })

  it("in a language stays text on the page of the error", async () => {
    const { browser } = await signIn()
    const { status, html } = await browser.post("/settings/languages/", {
      primary_language: MARKUP,
      translation_languages: MARKUP,
    })
    expect([status, html.includes("<img")]).toEqual([400, false])
  })

  // A username is of letters that need no escaping; the row is written past that rule.
  it("in a username stays text on every page", async () => {
    const { browser, username } = await signIn()
    const link = await newLink(username)
    await rows("update accounts set username = ? where username = ?", MARKUP, username)
    for (const path of ["/settings/", "/settings/posts/", link]) {
      const { html } = await browser.get(path)
      expect(html, path).toContain(ESCAPED)
      expect(html, path).not.toContain("<img")
    }
  })

  it("in an address stays text on the page of the error", async () => {
    const { html } = await new Browser().get(`/${encodeURIComponent(MARKUP)}/`)
    expect(html).not.toContain("<img")
  })
})
