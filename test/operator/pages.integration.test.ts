import { describe, expect, it } from "vitest"

import { Browser, fieldOf, type Page } from "../author-pages/browser.ts"
import { formsIn, formTo } from "../author-pages/forms.ts"
import { get, statusOf } from "../calls.ts"
import { API, type Author, call, env, newAuthor, newPost, OPERATOR, rows, stopClock, unique } from "../support.ts"
import { pathOf, seenOf, signInOperator, auditLogOf } from "./operator.ts"

const accountOf = async (username: string) => {
  const { status, json } = await call("GET", `/operator/api/accounts/${username}/`, { headers: OPERATOR })
  return status === 200 ? json.account : null
}

const apiStatus = ({ key }: Author): Promise<number> => statusOf(call("GET", `${API}/account/`, { key }))
/** Returns the accounts that a page lists. */
const listed = (html: string) => [...html.matchAll(/accounts\/([\w-]+)\/"/g)].map(([, name]) => name)
/** Returns the audit log entries made by pages. */
const byPage = async (username: string): Promise<string[]> =>
  (await auditLogOf(username)).filter((entry) => entry.startsWith("page"))
const UNCHANGED = "Nothing was changed."
const linkIn = (html: string): string | undefined => /http[^"]*\/sign-in\/[0-9A-Za-z]+\//.exec(html)?.[0]

describe("the operator's page of accounts", () => {
  it("the operator's list of accounts can be searched by username prefix and has pages of 50", async () => {
    const browser = await signInOperator()
    const names = Array.from({ length: 52 }, (_, i) => `many-${String(i).padStart(2, "0")}`)
    for (const username of [...names, "manx", "man"])
      await browser.post("/operator/accounts/", { username, paid_until: "" })
    const first = await browser.get("/operator/?prefix=MANY-")
    expect(listed(first.html)).toEqual(names.slice(0, 50))
    const next = /href="(\/operator\/\?[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const second = await browser.get(next)
    expect(listed(second.html)).toEqual(names.slice(50))
    expect(second.html).not.toContain("More accounts")
    expect(listed((await browser.get("/operator/?prefix=man")).html)).toContain("manx")
    expect(listed((await browser.get("/operator/?prefix=manz")).html)).toEqual([])
  })

  it("the operator's list of accounts shows paid time and restrictions", async () => {
    const browser = await signInOperator()
    const { username } = await newAuthor({ paid_until: "2031-05-06T00:00:00Z", restricted: true, hidden: true })
    const { html } = await browser.get(`/operator/?prefix=${username}`)
    for (const words of ["May 6, 2031", "Restricted", "Hidden"]) expect(html).toContain(words)
  })

  it("creating the same account twice on the operator's page makes one account", async () => {
    const browser = await signInOperator()
    const username = unique("made")
    const made = await browser.post("/operator/accounts/", { username, paid_until: "2040-02-03" })
    expect([made.status, made.headers.get("Location")]).toEqual([303, `${pathOf(username)}?saved=1`])
    expect(await accountOf(username)).toMatchObject({
      paid_until: "2040-02-03T23:59:59.000Z",
      paid_source: "operator",
      restricted: false,
    })
    const again = await browser.post("/operator/accounts/", { username, paid_until: "" })
    expect([again.status, again.html]).toEqual([400, expect.stringContaining("already")])
    expect(await accountOf(username)).toMatchObject({ paid_until: "2040-02-03T23:59:59.000Z" })
    expect(await auditLogOf(username)).toEqual(["page make_account paid_until: 2040-02-03T23:59:59.000Z"])
    for (const bad of ["", "A", "-x", "a b", "<b>"])
      expect((await browser.post("/operator/accounts/", { username: bad })).status, bad).toBe(400)
  })

  it("the operator's page marks an invalid username and keeps everything that was typed", async () => {
    const browser = await signInOperator()
    const { html } = await browser.post("/operator/accounts/", { username: "a b", paid_until: "2040-02-03" })
    expect(html).toMatch(/<input id="username"[^>]*value="a b"[^>]*aria-invalid="true"/)
    expect(html).toMatch(/<input id="paid-until"[^>]*value="2040-02-03"/)
    expect(html).toContain('id="username-error" class="error"><strong>Username</strong>: ')
  })

  it("the operator's page of an unknown account answers 404", async () => {
    const browser = await signInOperator()
    expect((await browser.get(pathOf("nobody"))).status).toBe(404)
    expect((await browser.post(`${pathOf("nobody")}restricted/`, { value: "true" })).status).toBe(404)
  })
})

describe("the operator's page of one account", () => {
  it("restricting or unrestricting an account on the operator's page takes effect on the next request", async () => {
    const browser = await signInOperator()
    const author = await newAuthor()
    const send = (value: string) => browser.post(`${pathOf(author.username)}restricted/`, { value })
    expect((await send("true")).headers.get("Location")).toBe(`${pathOf(author.username)}?saved=1`)
    expect(await apiStatus(author)).toBe(403)
    await send("true")
    expect((await send("false")).status).toBe(303)
    expect(await apiStatus(author)).toBe(200)
    expect((await send("maybe")).status).toBe(400)
    expect(await byPage(author.username)).toEqual(["page set_restricted true", "page set_restricted false"])
  })

  it("hiding or showing an account on the operator's page takes effect on the next request", async () => {
    const browser = await signInOperator()
    const author = await newAuthor()
    const { slug } = await newPost(author)
    const page = `/@${author.username}/${slug}/`
    await browser.post(`${pathOf(author.username)}hidden/`, { value: "true" })
    expect(await statusOf(call("GET", page))).toBe(404)
    await browser.post(`${pathOf(author.username)}hidden/`, { value: "false" })
    expect(await statusOf(call("GET", page))).toBe(200)
    expect(await byPage(author.username)).toEqual(["page set_hidden true", "page set_hidden false"])
  })

  it("the operator's form sets and extends an account's paid time, and sending it twice counts once", async () => {
    stopClock(new Date("2026-01-31T10:00:00Z"))
    const browser = await signInOperator()
    const author = await newAuthor({ paid_until: null })
    const { username } = author
    const send = (form: Record<string, string>) => browser.post(`${pathOf(username)}paid-until/`, form)
    const paidUntil = async () => (await accountOf(username)).paid_until
    expect(await apiStatus({ ...author, key: author.key ?? "" })).toBe(401)
    expect(await seenOf(browser, username)).toBe("")
    for (let sent = 0; sent < 2; sent++) expect((await send({ seen: "", months: "1" })).status).toBe(303)
    expect(await paidUntil()).toBe("2026-02-28T10:00:00.000Z")
    // The state that a Stripe subscription's end finds.
    const given = await rows("select paid_source, operator_paid_until from accounts where username = ?", username)
    expect(given).toEqual([{ paid_source: "operator", operator_paid_until: Date.parse("2026-02-28T10:00:00Z") }])
    const seen = await seenOf(browser, username)
    for (let sent = 0; sent < 2; sent++) await send({ seen, months: "12" })
    expect(await paidUntil()).toBe("2027-02-28T10:00:00.000Z")
    await send({ seen: await seenOf(browser, username), paid_until: "2026-01-30" })
    expect(await paidUntil()).toBe("2026-01-30T23:59:59.000Z")
    await send({ seen: await seenOf(browser, username), months: "12" })
    expect(await paidUntil()).toBe("2027-01-31T10:00:00.000Z")
    for (const form of [
      {},
      { seen: "" },
      { seen: "", months: "2" },
      { seen: "", paid_until: "soon" },
      { seen: "x", months: "1" },
    ])
      expect((await send(form as Record<string, string>)).status, JSON.stringify(form)).toBe(400)
    expect((await send({ seen: "", months: "1", paid_until: "2030-01-01" })).status).toBe(400)
    expect(await byPage(username)).toEqual([
      "page set_paid_until 2026-02-28T10:00:00.000Z",
      "page set_paid_until 2027-02-28T10:00:00.000Z",
      "page set_paid_until 2026-01-30T23:59:59.000Z",
      "page set_paid_until 2027-01-31T10:00:00.000Z",
    ])
  })

  it.each(["restricted/", "hidden/"])(
    "an outdated form sent to the operator's page %s changes nothing and says so",
    async (form) => {
      const browser = await signInOperator()
      const { username } = await newAuthor()
      const send = () => browser.post(`${pathOf(username)}${form}`, { value: "true" })
      const follow = async (sent: Page) => (await browser.get(sent.headers.get("Location") ?? "")).html
      expect(await follow(await send())).not.toContain(UNCHANGED)
      const before = await accountOf(username)
      const again = await send()
      expect(again.status).toBe(303)
      expect(await follow(again)).toContain(UNCHANGED)
      expect(await accountOf(username)).toEqual(before)
    },
  )

  it("the operator's outdated form for an account's paid time changes nothing and says so", async () => {
    const browser = await signInOperator()
    const { username } = await newAuthor()
    const seen = await seenOf(browser, username)
    const json = { paid_until: "2031-05-06T00:00:00Z" }
    await call("PATCH", `/operator/api/accounts/${username}/`, { headers: OPERATOR, json })
    const { status, headers } = await browser.post(`${pathOf(username)}paid-until/`, { seen, months: "1" })
    expect(status).toBe(303)
    const { html } = await browser.get(headers.get("Location") ?? "")
    expect(html).toContain(UNCHANGED)
    expect(html).toContain("May 6, 2031")
    expect((await browser.get(pathOf(username))).html).not.toContain(UNCHANGED)
    expect(await byPage(username)).toEqual([])
  })

  it("ending an account's paid time on the operator's page refuses its API key on the next request", async () => {
    const browser = await signInOperator()
    const author = await newAuthor()
    const seen = await seenOf(browser, author.username)
    await browser.post(`${pathOf(author.username)}paid-until/`, { seen, paid_until: "2020-01-01" })
    expect(await apiStatus(author)).toBe(403)
  })

  it("the operator's form makes a sign-in link and shows it once; sending it again makes none", async () => {
    const browser = await signInOperator()
    const { username } = await newAuthor()
    const path = `${pathOf(username)}sign-in-links/`
    const seen = fieldOf((await browser.get(pathOf(username))).html, "seen") ?? ""
    const made = await browser.post(path, { seen })
    const link = linkIn(made.html) ?? ""
    expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"])
    const again = await browser.post(path, { seen })
    expect([again.status, again.headers.get("Location")]).toEqual([303, `${pathOf(username)}?unchanged=1`])
    expect(linkIn((await browser.get(pathOf(username))).html)).toBeUndefined()
    expect(await rows("select count(*) as n from sign_in_links where session_hash is null")).toEqual([{ n: 1 }])
    const author = new Browser()
    expect((await author.post(new URL(link).pathname)).headers.get("Location")).toBe("/settings/")
    expect((await author.get("/settings/")).html).toContain(username)
    const next = await browser.post(path, { seen: fieldOf((await browser.get(pathOf(username))).html, "seen") ?? "" })
    expect(linkIn(next.html)).not.toBe(link)
    expect((await browser.post(path, { seen: "<" })).status).toBe(400)
    expect(await byPage(username)).toEqual(["page make_sign_in_link", "page make_sign_in_link"])
  })

  it("unpublishing a post on the operator's page raises its version and takes its public page down", async () => {
    const browser = await signInOperator()
    const author = await newAuthor()
    const post = await newPost(author)
    const send = (slug: string) => browser.post(`${pathOf(author.username)}unpublish/`, { slug })
    expect((await send(post.slug)).status).toBe(303)
    expect(await statusOf(call("GET", `/@${author.username}/${post.slug}/`))).toBe(404)
    const { json, headers } = await get(author, post.slug)
    expect([json.post.status, json.post.version, json.post.published_at]).toEqual(["DF", 2, post.published_at])
    expect(headers.get("ETag")).toMatch(/^"2\.\d+"$/)
    expect((await send(post.slug)).headers.get("Location")).toContain("unchanged")
    expect((await get(author, post.slug)).json.post.version).toBe(2)
    expect((await send("no-such-post")).status).toBe(404)
    const others = await newPost(await newAuthor())
    expect((await send(others.slug)).status).toBe(403)
    expect(await statusOf(call("GET", new URL(others.url).pathname))).toBe(200)
    expect(await byPage(author.username)).toEqual([`page unpublish_post ${post.slug}`])
  })

  it("the operator's list of an account's posts can be searched, and turns a published post into a draft", async () => {
    const browser = await signInOperator()
    const author = await newAuthor()
    const { slug } = await newPost(author, { title: "Bad <words>" })
    await newPost(author, { title: "Good words", status: "DF" })
    const path = `${pathOf(author.username)}posts/`
    expect((await browser.get(path)).html).toContain("Good words")
    const { html } = await browser.get(`${path}?q=bad&state=published`)
    expect(html).toContain("Bad &lt;words&gt;")
    expect(html).not.toContain("Good words")
    const form = `${path}unpublish/?q=bad&state=published`
    expect(formTo(html, form)).toEqual({ slug })
    const { headers } = await browser.post(form, { slug })
    expect(headers.get("Location")).toBe(`${path}?q=bad&state=published&done=draft`)
    expect((await browser.get(headers.get("Location") ?? "")).html).toContain("Turned into a draft.")
    expect((await get(author, slug)).json.post.status).toBe("DF")
    const again = (await browser.post(form, { slug })).headers.get("Location") ?? ""
    expect(again).toBe(`${path}?q=bad&state=published&done=unchanged`)
    expect((await browser.get(again)).html).toContain("Nothing was changed")
    expect(formsIn((await browser.get(path)).html).map(({ action }) => action)).toEqual(["/operator/sign-out/", path])
  })

  it("the operator's page of an account shows its posts, its images and the last four characters of its API key", async () => {
    const browser = await signInOperator()
    const author = await newAuthor()
    const post = await newPost(author, { title: "Its only post" })
    await newPost(author, { status: "DF" })
    const { html } = await browser.get(pathOf(author.username))
    for (const words of [author.key.slice(-4), "Its only post", post.slug, "1 published post, 1 draft, 0 images"])
      expect(html).toContain(words)
    expect(html).toContain(`DELETE /operator/api/accounts/${author.username}/`)
    expect(html).not.toContain(author.key)
  })

  it("markup in user input is escaped on the operator's pages", async () => {
    const browser = await signInOperator()
    const markup = '"><script>alert(1)</script>'
    const author = await newAuthor()
    const { slug } = await newPost(author, { title: markup })
    await env.DB.batch([
      env.DB.prepare("update posts set slug = ? where slug = ?").bind(markup, slug),
      env.DB.prepare("update accounts set username = ? where username = ?").bind(markup, author.username),
      env.DB.prepare("insert into operator_actions values ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 1, ?, ?, ?, 'api')").bind(
        markup,
        markup,
        markup,
      ),
      env.DB.prepare("insert into abuse_counts select id, ?, ?, 1 from accounts where username = ?").bind(
        markup,
        markup,
        markup,
      ),
    ])
    const name = encodeURIComponent(markup)
    for (const path of [
      `/operator/?prefix=${name}`,
      pathOf(name),
      `/operator/audit-log/?username=${name}`,
      "/operator/audit-log/",
    ]) {
      const { status, html, headers } = await browser.get(path)
      expect(status, path).toBe(200)
      expect(html, path).toContain("&lt;script&gt;alert(1)")
      expect(html, path).not.toContain("<script>alert")
      expect(headers.get("Content-Security-Policy")).toContain("script-src 'self'")
    }
    const told = await browser.get(`/operator/audit-log/?cursor=${name}`)
    expect([told.status, told.html.includes("<script>alert")]).toEqual([400, false])
    await env.DB.prepare("delete from operator_actions where action = ?").bind(markup).run()
  })
})
