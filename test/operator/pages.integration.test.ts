import { expect, it } from "vitest"

import { Browser, fieldOf, whereTo } from "../author-pages/browser.ts"
import { formsIn, formTo } from "../author-pages/forms.ts"
import { get, setAccount, statusOf } from "../calls.ts"
import { API, type Author, call, newAuthor, newPost, OPERATOR, rows, stopClock, unique } from "../support.ts"
import { auditLogOf, pathOf, seenOf, signInOperator } from "./operator.ts"

const accountOf = async (username: string) =>
  (await call("GET", `/operator/api/accounts/${username}/`, { headers: OPERATOR })).json.account

const apiStatus = ({ key }: Author): Promise<number> => statusOf(call("GET", `${API}/account/`, { key }))
/** Returns the accounts that a page lists. */
const listed = (html: string) => [...html.matchAll(/accounts\/([\w-]+)\/"/g)].map(([, name]) => name)
const UNCHANGED = "The form was sent twice"
const linkIn = (html: string): string | undefined => /http[^"]*\/sign-in\/[0-9A-Za-z]+\//.exec(html)?.[0]

/** Makes an author, and a browser in which the operator is signed in. */
const newScene = async () => {
  const [browser, author] = [await signInOperator(), await newAuthor()]
  const path = pathOf(author.username)
  return {
    browser,
    author,
    username: author.username,
    path,
    page: async () => (await browser.get(path)).html,
    send: (form: string, fields: Record<string, string>) => browser.post(`${path}${form}/`, fields),
    /** Returns the audit log entries made by pages. */
    log: async () => (await auditLogOf(author.username)).filter((entry) => entry.startsWith("page")),
  }
}

it("the operator's list of accounts can be searched by username prefix and has pages of 50", async () => {
  const browser = await signInOperator()
  const names = Array.from({ length: 52 }, (_, i) => `many-${String(i).padStart(2, "0")}`)
  for (const username of [...names, "manx", "man"])
    await browser.post("/operator/accounts/", { username, paid_until: "" })
  const see = async (query: string) => (await browser.get(`/operator/${query}`)).html
  const first = await see("?prefix=MANY-")
  expect(listed(first)).toEqual(names.slice(0, 50))
  const next = /href="\/operator\/(\?[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const second = await see(next)
  expect(listed(second)).toEqual(names.slice(50))
  expect(second).not.toContain("More accounts")
  expect(listed(await see("?prefix=man"))).toContain("manx")
  expect(listed(await see("?prefix=manz"))).toEqual([])
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
  const create = (fields: Record<string, string>) => browser.post("/operator/accounts/", fields)
  const made = await create({ username, paid_until: "2040-02-03" })
  expect(whereTo(made)).toEqual([303, `${pathOf(username)}?saved=1`])
  const again = await create({ username, paid_until: "" })
  expect([again.status, again.html]).toEqual([400, expect.stringContaining("already")])
  const paid_until = "2040-02-03T23:59:59.000Z"
  expect(await accountOf(username)).toMatchObject({ paid_until, paid_source: "operator", restricted: false })
  expect(await auditLogOf(username)).toEqual([`page make_account paid_until: ${paid_until}`])
  for (const bad of ["", "A", "-x", "a b", "<b>"]) expect((await create({ username: bad })).status, bad).toBe(400)
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

it.each([
  ["restricted", "the API", 403],
  ["hidden", "the public page", 404],
])(
  "the operator's form %s changes the next answer of %s to %i and back, and says so if it changes nothing",
  async (form, _, refused) => {
    const { browser, author, username, path, send, log } = await newScene()
    const { slug } = await newPost(author)
    const status = () => (form === "hidden" ? statusOf(call("GET", `/@${username}/${slug}/`)) : apiStatus(author))
    for (const [value, query, expected] of [
      ["true", "?saved=1", refused],
      ["true", "?unchanged=1", refused],
      ["false", "?saved=1", 200],
    ] as const) {
      expect(whereTo(await send(form, { value }))).toEqual([303, `${path}${query}`])
      expect((await browser.get(`${path}${query}`)).html.includes(UNCHANGED)).toBe(query === "?unchanged=1")
      expect(await status()).toBe(expected)
    }
    expect((await send(form, { value: "maybe" })).status).toBe(400)
    expect(await log()).toEqual([`page set_${form} true`, `page set_${form} false`])
  },
)

it("the operator's form sets and extends an account's paid time, and sending it twice counts once", async () => {
  stopClock(new Date("2026-01-31T10:00:00Z"))
  const { browser, author, username, send, log } = await newScene()
  await setAccount(author, { paid_until: null })
  expect([await apiStatus(author), await seenOf(browser, username)]).toEqual([403, ""])
  const steps: [Record<string, string>, string, number][] = [
    [{ months: "1" }, "2026-02-28T10:00:00.000Z", 200],
    [{ months: "12" }, "2027-02-28T10:00:00.000Z", 200],
    [{ paid_until: "2026-01-30" }, "2026-01-30T23:59:59.000Z", 403],
    [{ months: "12" }, "2027-01-31T10:00:00.000Z", 200],
  ]
  for (const [form, paidUntil, status] of steps) {
    const seen = await seenOf(browser, username)
    for (let sent = 0; sent < 2; sent++) expect((await send("paid-until", { seen, ...form })).status).toBe(303)
    expect([(await accountOf(username)).paid_until, await apiStatus(author)]).toEqual([paidUntil, status])
    // The state that a Stripe subscription's end finds.
    const given = await rows("select paid_source, operator_paid_until from accounts where username = ?", username)
    expect(given).toEqual([{ paid_source: "operator", operator_paid_until: Date.parse(paidUntil) }])
  }
  const wrong: Record<string, string>[] = [
    {},
    { seen: "" },
    { seen: "", months: "2" },
    { seen: "", paid_until: "soon" },
    { seen: "x", months: "1" },
    { seen: "", months: "1", paid_until: "2030-01-01" },
  ]
  for (const form of wrong) expect((await send("paid-until", form)).status, JSON.stringify(form)).toBe(400)
  expect(await log()).toEqual(steps.map(([, paidUntil]) => `page set_paid_until ${paidUntil}`))
})

it("the operator's outdated form for an account's paid time changes nothing and says so", async () => {
  const { browser, author, username, path, page, send, log } = await newScene()
  const seen = await seenOf(browser, username)
  await setAccount(author, { paid_until: "2031-05-06T00:00:00Z" })
  const [status, to] = whereTo(await send("paid-until", { seen, months: "1" }))
  expect([status, to]).toEqual([303, expect.stringContaining(path)])
  const { html } = await browser.get(to ?? "")
  for (const words of [UNCHANGED, "May 6, 2031"]) expect(html).toContain(words)
  expect(await page()).not.toContain(UNCHANGED)
  expect(await log()).toEqual([])
})

it("the operator's form makes a sign-in link and shows it once; sending it again makes none", async () => {
  const { username, path, page, send, log } = await newScene()
  const seen = fieldOf(await page(), "seen") ?? ""
  const made = await send("sign-in-links", { seen })
  const link = linkIn(made.html) ?? ""
  expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"])
  expect(whereTo(await send("sign-in-links", { seen }))).toEqual([303, `${path}?unchanged=1`])
  expect(linkIn(await page())).toBeUndefined()
  expect(await rows("select count(*) as n from sign_in_links where session_hash is null")).toEqual([{ n: 1 }])
  const author = new Browser()
  expect(whereTo(await author.post(new URL(link).pathname))).toEqual([303, "/settings/"])
  expect((await author.get("/settings/")).html).toContain(username)
  const next = await send("sign-in-links", { seen: fieldOf(await page(), "seen") ?? "" })
  expect(linkIn(next.html)).not.toBe(link)
  expect((await send("sign-in-links", { seen: "<" })).status).toBe(400)
  expect(await log()).toEqual(["page make_sign_in_link", "page make_sign_in_link"])
})

it("unpublishing a post on the operator's page raises its version and takes its public page down", async () => {
  const { author, path, send, log } = await newScene()
  const { slug, url, published_at } = await newPost(author)
  const read = () => statusOf(call("GET", new URL(url).pathname))
  expect([await read(), (await send("unpublish", { slug })).status, await read()]).toEqual([200, 303, 404])
  const { json, headers } = await get(author, slug)
  expect(json.post).toMatchObject({ status: "DF", version: 2, published_at })
  expect(headers.get("ETag")).toMatch(/^"2\.\d+"$/)
  expect(whereTo(await send("unpublish", { slug }))).toEqual([303, `${path}?unchanged=1`])
  expect((await get(author, slug)).json.post.version).toBe(2)
  expect((await send("unpublish", { slug: "no-such-post" })).status).toBe(404)
  const others = await newPost(await newAuthor())
  expect((await send("unpublish", { slug: others.slug })).status).toBe(403)
  expect(await statusOf(call("GET", new URL(others.url).pathname))).toBe(200)
  expect(await log()).toEqual([`page unpublish_post ${slug}`])
})

it("the operator's list of an account's posts can be searched, and turns a published post into a draft", async () => {
  const { browser, author, path: account } = await newScene()
  const { slug } = await newPost(author, { title: "Bad <words>" })
  await newPost(author, { title: "Good words", status: "DF" })
  const path = `${account}posts/`
  const see = async (query: string) => (await browser.get(`${path}${query}`)).html
  expect(await see("")).toContain("Good words")
  const query = "?q=bad&state=published"
  const found = await see(query)
  expect(found).toContain("Bad &lt;words&gt;")
  expect(found).not.toContain("Good words")
  const form = `${path}unpublish/${query}`
  expect(formTo(found, form)).toEqual({ slug })
  for (const [done, words] of [
    ["draft", "Turned into a draft."],
    ["unchanged", "Nothing was changed"],
  ]) {
    expect(whereTo(await browser.post(form, { slug }))).toEqual([303, `${path}${query}&done=${done}`])
    expect(await see(`${query}&done=${done}`)).toContain(words)
    expect((await get(author, slug)).json.post.status).toBe("DF")
  }
  expect(formsIn(await see("")).map(({ action }) => action)).toEqual(["/operator/sign-out/", path])
})

it("the operator's page of an account shows its posts, its images and the last four characters of its API key", async () => {
  const { author, username, page } = await newScene()
  const { slug } = await newPost(author, { title: "Its only post" })
  await newPost(author, { status: "DF" })
  const html = await page()
  for (const words of [author.key.slice(-4), "Its only post", slug, "1 published post, 1 draft, 0 images"])
    expect(html).toContain(words)
  expect(html).toContain(`DELETE /operator/api/accounts/${username}/`)
  expect(html).not.toContain(author.key)
})

it("markup in user input is escaped on the operator's pages", async () => {
  const { browser, author, username } = await newScene()
  const markup = '"><script>alert(1)</script>'
  const { slug } = await newPost(author, { title: markup })
  await rows("update posts set slug = ? where slug = ?", markup, slug)
  await rows("update accounts set username = ? where username = ?", markup, username)
  await rows("insert into operator_actions values ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 1, ?1, ?1, ?1, 'api')", markup)
  await rows("insert into abuse_counts select id, ?1, ?1, 1 from accounts where username = ?1", markup)
  const name = encodeURIComponent(markup)
  const log = "/operator/audit-log/"
  for (const path of [`/operator/?prefix=${name}`, pathOf(name), `${log}?username=${name}`, log]) {
    const { status, html, headers } = await browser.get(path)
    expect([status, html], path).toEqual([200, expect.stringContaining("&lt;script&gt;alert(1)")])
    expect(html, path).not.toContain("<script>alert")
    expect(headers.get("Content-Security-Policy")).toContain("script-src 'self'")
  }
  const told = await browser.get(`${log}?cursor=${name}`)
  expect([told.status, told.html.includes("<script>alert")]).toEqual([400, false])
})
