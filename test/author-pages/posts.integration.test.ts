import { afterEach, beforeEach, expect, it, vi } from "vitest"

import { get, patch, setAccount } from "../calls.ts"
import { signInOperator } from "../operator/operator.ts"
import { READER_POLICY } from "../reader/policy.ts"
import { dumpStorage } from "../storage.ts"
import { API, call, env, newAuthor, newPost, ORIGIN, rows, stopClock, unique, upload } from "../support.ts"
import { newDesk } from "../translations/author.ts"
import { Browser, newLink, type Page, signIn, whereTo } from "./browser.ts"
import { formTo, formsIn } from "./forms.ts"

const NOW = new Date("2026-11-26T12:00:00Z")
const TOMORROW = "2026-11-27T12:00"

beforeEach(() => stopClock(NOW))
afterEach(() => vi.restoreAllMocks())

const PATH = "/settings/posts/"
type Changes = Record<string, string>

/** Returns what an author does with the pages of a post. */
const pagesOf = (browser: Browser, key: string, slug: string) => {
  const path = `${PATH}${slug}/`
  /** Opens the page of the post. @returns its form, and functions that send the form with changes */
  const open = async (query = "") => {
    const { status, html } = await browser.get(`${path}${query}`)
    expect(status).toBe(200)
    const form = formTo(html, path)
    const sendTo = (address: string, changes: Changes) => browser.post(address, { ...form, ...changes })
    return {
      form,
      save: (changes: Changes = {}) => sendTo(path, changes),
      preview: (changes: Changes) => sendTo(`${path}preview/`, changes),
      press: (action: string, changes: Changes = {}) => sendTo(path, { ...changes, action }),
    }
  }
  return {
    path,
    open,
    save: async (changes: Changes) => (await open()).save(changes),
    press: async (action: string, changes?: Changes) => (await open()).press(action, changes),
    /** Opens the page that asks for the post's time. @returns a function that sends its form */
    openSchedule: async (query = "") => {
      const address = `${path}schedule/`
      const form = formTo((await browser.get(`${address}${query}`)).html, address)
      return (published_at: string) => browser.post(address, { ...form, published_at })
    },
    read: async (lang?: string) =>
      (await call("GET", `${API}/posts/${slug}/${lang ? `?lang_code=${lang}` : ""}`, { key })).json.post,
  }
}

/** Makes a signed-in author with a post. */
const newScene = async (changes: Record<string, unknown> = {}) => {
  const author = await signIn()
  const { slug }: { slug: string } = await newPost(author, changes)
  const readersSee = async () => (await call("GET", `/@${author.username}/${slug}/`)).status === 200
  return { author, browser: author.browser, slug, readersSee, ...pagesOf(author.browser, author.key, slug) }
}

/** Makes a signed-in author with a post that an engine has translated into French. */
const translated = async () => {
  const desk = await newDesk({ translation_languages: ["fr"] })
  const browser = new Browser(desk.env)
  await browser.post(await newLink(desk.username))
  const { slug }: { slug: string } = await desk.create()
  await desk.run()
  const { read, ...pages } = pagesOf(browser, desk.key, slug)
  return { desk, browser, slug, ...pages, french: () => read("fr") }
}

/** Makes a signed-in author with three posts: one published, one draft, one scheduled. */
const withThreePosts = async () => {
  const author = await signIn()
  await newPost(author, { title: "Alder bark", status: "PB" })
  await newPost(author, { title: "Birch 100% pure", status: "DF" })
  await newPost(author, { title: "Cherry", slug: unique("alder-cherry"), published_at: "2027-01-01T00:00:00Z" })
  return author
}

/** Returns the stored values that the page of a conflict shows. */
const storedIn = (html: string): Changes =>
  Object.fromEntries(
    [...html.matchAll(/<textarea [^>]*name="(stored_\w+)"[^>]*>\n([^<]*)</g)].map(([, name = "", text = ""]) => [
      name,
      text.replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    ]),
  )

const titlesIn = (html: string): string[] =>
  [...html.matchAll(/<h2 lang="en" dir="ltr"><a href="[^"]*">([^<]*)</g)].map(([, title = ""]) => title)

/** Lets something happen once, after this many further batches of D1. */
const afterBatch = (number: number, act: () => Promise<unknown>): void => {
  const send = env.DB.batch.bind(env.DB)
  let sent = 0
  vi.spyOn(env.DB, "batch").mockImplementation(async <T>(statements: D1PreparedStatement[]) => {
    const answers = await send<T>(statements)
    sent += 1
    if (sent === number) await act()
    return answers
  })
}

it.each([
  ["", ["Cherry", "Birch 100% pure", "Alder bark"]],
  ["?q=ALDER", ["Cherry", "Alder bark"]],
  ["?q=0%25%20p", ["Birch 100% pure"]],
  ["?q=%25", ["Birch 100% pure"]],
  ["?q=_&state=", []],
  ["?state=draft", ["Birch 100% pure"]],
  ["?state=scheduled", ["Cherry"]],
  ["?state=published&q=", ["Alder bark"]],
  ["?q=alder&state=published", ["Alder bark"]],
])("the author's list of posts with the query %j shows the posts that match", async (query, titles) => {
  const { browser } = await withThreePosts()
  const { status, html } = await browser.get(`${PATH}${query}`)
  // Posts of one moment have no order.
  expect([status, titlesIn(html).toSorted()]).toEqual([200, titles.toSorted()])
})

const LETTERS = [1, 48, 49, 200].map((length) => "a".repeat(length))
it.each([...LETTERS, "é".repeat(200), "%".repeat(30), "_'\\", "🌊".repeat(200), "潮汐"])(
  "the author's list of posts is searched for %j, as the operator's list is",
  async (text) => {
    const author = await withThreePosts()
    await newPost(author, { title: `Holds ${text}` })
    const operator = await signInOperator()
    const query = `?q=${encodeURIComponent(text)}`
    for (const { status, html } of [
      await author.browser.get(`${PATH}${query}`),
      await operator.get(`/operator/accounts/${author.username}/posts/${query}`),
    ])
      expect([status, html]).toEqual([200, expect.stringContaining("Holds ")])
  },
)

it.each([201, 300])(
  "the author's list of posts refuses a search of %i characters with 400 and the limit",
  async (length) => {
    const { browser } = await signIn()
    const { status, html } = await browser.get(`${PATH}?q=${"a".repeat(length)}`)
    expect([status, html]).toEqual([400, expect.stringContaining("At most 200 characters.")])
  },
)

it("the author's list of posts keeps its filters from page to page", async () => {
  const { browser } = await withThreePosts()
  const { html } = await browser.get(`${PATH}?q=alder&limit=1`)
  const [, older = ""] = /href="([^"]*)">Older posts/.exec(html) ?? []
  expect(older).toContain("q=alder")
  const next = (await browser.get(older.replaceAll("&amp;", "&"))).html
  expect([...titlesIn(html), ...titlesIn(next)].toSorted()).toEqual(["Alder bark", "Cherry"])
  expect(formsIn(html)[1]?.fields).toEqual({ q: "alder", state: "" })
})

it.each([
  ["with \\n", "One.\n\nTwo."],
  ["with \\r\\n", "One.\r\n\r\nTwo.\r\n"],
  ["with \\r, \\n and \\r\\n", "One.\rTwo.\n\nThree.\r\n"],
  ["that begins with empty lines", "\n\n    code\n"],
  ["with characters of HTML", "</textarea><script>alert(1)</script> &amp; &lt; \u{1F30A}"],
])("the form of a post's text sent without a change, keeps a body %s and the version", async (_, body) => {
  const texts = { title: " A\ntitle", meta_description: "Line\r\nline", categories: ["a b", "C"], tags: ["t", "ü"] }
  const { path, read, save } = await newScene({ ...texts, body })
  const before = await read()
  expect(whereTo(await save({}))).toEqual([303, `${path}?done=saved`])
  expect(await read()).toEqual(before)
  expect(before.body).toBe(body)
})

it.each(["\n", "\r\n"])("the form of a post's text keeps the line ends %j of a body that is changed", async (end) => {
  const { read, open } = await newScene({ body: `One.${end}${end}Two.${end}` })
  const { form, save } = await open()
  await save({ body: (form["body"] ?? "").replace("Two", "Three") })
  expect((await read()).body).toBe(`One.${end}${end}Three.${end}`)
})

it("the form of a post's text changes title, description, categories and tags, and only these", async () => {
  const others = { canonical_url: "https://a.example/b", author_name: "Ann" }
  const { browser, path, read, save } = await newScene({ tags: ["old"], ...others })
  const texts = { title: "New", meta_description: "About." }
  await save({ ...texts, categories: "x, y", tags: "Sea , salt" })
  const labels = { categories: ["x", "y"], tags: ["sea", "salt"] }
  expect(await read()).toMatchObject({ ...texts, ...labels, ...others, version: 2 })
  expect((await browser.get(`${path}?done=saved`)).html).toContain("<strong>Saved.</strong>")
})

it("the form of a post's text edits a translation by hand in its own language", async () => {
  const { path, read, open } = await newScene({ translation_languages: ["fr"] })
  const { form, save } = await open("?lang=fr")
  expect(form).toMatchObject({ lang_code: "fr", title: "", meta_description: "", body: "" })
  expect(form).not.toHaveProperty("tags")
  const sent = { title: "Bonjour", meta_description: "À propos.", body: "Des mots.\r\n" }
  expect(whereTo(await save(sent))).toEqual([303, `${path}?done=saved&lang=fr`])
  expect(await read("fr")).toMatchObject({ title: "Bonjour", body: "Des mots.\n" })
  const { title, translations } = await read()
  expect([title, translations[0].edited]).toEqual(["A title", ["title", "meta_description", "body"]])
})

it("a title alone in the form of a missing translation leaves its description and body to the engine", async () => {
  const { read, open } = await newScene({ translation_languages: ["fr"] })
  const { save } = await open("?lang=fr")
  await save({ title: "Bonjour" })
  expect((await read()).translations[0].edited).toEqual(["title"])
})

it("a title and a body in the form of a missing translation are a whole text: its description is made", async () => {
  const { read, open } = await newScene({ translation_languages: ["fr"] })
  const { save } = await open("?lang=fr")
  await save({ title: "Bonjour", body: "Des mots." })
  expect(await read("fr")).toMatchObject({ title: "Bonjour", meta_description: "Des mots.", body: "Des mots." })
})

it.each(["", "publish"])(
  "the form of a post's text with wrong fields and the action %j keeps what was typed and marks these fields, and changes nothing",
  async (action) => {
    const { path, read, open } = await newScene({ status: "DF" })
    const { form, save } = await open()
    const before = await read()
    const typed = { title: "t".repeat(256), categories: "c".repeat(65), tags: "a", body: "My <words>\r\n" }
    const { status, html } = await save({ ...typed, ...(action && { action }) })
    expect([status, formTo(html, path)]).toEqual([400, { ...form, ...typed }])
    const marked = [...html.matchAll(/class="error"><strong>([^<]*)/g)].map(([, label]) => label)
    expect(marked).toEqual(["Title", "Categories"])
    expect(await read()).toEqual(before)
  },
)

it.each(["", "publish"])(
  "the form of a post's text with the action %j never replaces a version that the author has not seen: it shows all differences side by side",
  async (action) => {
    const { browser, path, read, open } = await newScene({ body: "First.", tags: "old", status: "DF" })
    const [mine, theirs] = [await open(), await open()]
    await theirs.save({ body: "Their <b>words</b>.", categories: "news, theirs", tags: "" })
    const { status, html } = await mine.save({ body: "My words.", ...(action && { action }) })
    const stored = { stored_categories: "news, theirs", stored_tags: "", stored_body: "Their <b>words</b>." }
    expect([status, storedIn(html)]).toEqual([412, stored])
    const form = formTo(html, path)
    expect(form).toMatchObject({ body: "My words.", tags: "old" })
    const kept = { body: stored.stored_body, categories: ["news", "theirs"], status: "DF" }
    expect(await read()).toMatchObject(kept)
    const corrected = { ...form, categories: "news, theirs", tags: "both" }
    expect(whereTo(await browser.post(path, corrected))).toEqual([303, `${path}?done=saved`])
    expect(await read()).toMatchObject({ body: "My words.", tags: ["both"], version: 3 })
  },
)

it("the form of a post's text says so if a post has changed elsewhere than in its text", async () => {
  const { open, press } = await newScene()
  const { save } = await open()
  await press("draft")
  const { status, html } = await save()
  expect([status, storedIn(html)]).toEqual([412, {}])
  expect(html).toContain("its values are the same as yours")
})

it("the form of a post's text never replaces a translation that an engine has made since the form was opened", async () => {
  const { desk, browser, slug, path, french, open } = await translated()
  await desk.patch(slug, { translation_languages: ["fr"], title: "Another title" })
  const { save } = await open("?lang=fr")
  await desk.run()
  const made = await french()
  expect(made.title).toBe("Another·fr title·fr")
  const { status, html } = await save({ body: "Mes mots." })
  expect([status, storedIn(html)["stored_title"]]).toEqual([412, made.title])
  const form = formTo(html, path)
  expect(form).toMatchObject({ title: "A·fr title·fr", body: "Mes mots." })
  expect(await french()).toEqual(made)
  expect((await browser.post(path, { ...form, title: made.title })).status).toBe(303)
  const { translations, ...text } = await french()
  expect(text).toMatchObject({ title: made.title, body: "Mes mots." })
  expect(translations[0].edited).toEqual(["body"])
})

it("the form of a post's text never replaces a translation that an engine makes while the form is saved", async () => {
  const { slug, french, open } = await translated()
  const { save } = await open("?lang=fr")
  // The first batch finds the session, the second one reads the post for the form, the third one to change it.
  afterBatch(2, async () => {
    await rows("update texts set title = 'Made now' where lang_code = 'fr'")
    await rows("update posts set revision = revision + 1 where slug = ?", slug)
  })
  expect((await save({ title: "Typed" })).status).toBe(412)
  expect((await french()).title).toBe("Made now")
})

it("the form of a post's text previews the text as typed, without scripts, and saves nothing", async () => {
  const { path, open } = await newScene()
  const before = await dumpStorage()
  const { preview } = await open()
  const body = "## Big\n\n<script>x()</script>\n\n**bold**"
  const { status, html, headers } = await preview({ title: "Typed", body })
  expect([status, headers.get("Content-Security-Policy")]).toEqual([200, READER_POLICY])
  expect(html).toMatch(/<h1 class="p-name">Typed<\/h1>[^]*<strong>bold<\/strong>/)
  expect(html).not.toContain("x()</script>")
  expect(await dumpStorage()).toEqual(before)
  const refused = await preview({ title: "", body: "kept" })
  expect([refused.status, formTo(refused.html, path)["body"]]).toEqual([400, "kept"])
})

it("the form of a post's text takes the longest body that the API takes, although a browser escapes each byte of it", async () => {
  const { path, read, save } = await newScene()
  const line = "é".repeat(511)
  const body = Array.from({ length: 256 }, () => line).join("\r\n")
  expect(whereTo(await save({ body }))).toEqual([303, `${path}?done=saved`])
  expect((await read()).body).toBe(body.replaceAll("\r\n", "\n"))
})

it("the page of a post publishes, withdraws and schedules a post with the text as typed, and says which", async () => {
  const { browser, path, read, readersSee, press, openSchedule } = await newScene({ status: "DF" })
  const expectNotice = async ({ status, headers }: Page, words: string) => {
    expect(status).toBe(303)
    expect((await browser.get(headers.get("Location") ?? "")).html).toContain(`<strong>${words}</strong>`)
  }
  await expectNotice(await press("publish", { title: "One", body: "One." }), "Published.")
  expect(await read()).toMatchObject({ status: "PB", title: "One", body: "One." })
  expect(await readersSee()).toBe(true)
  await expectNotice(await press("draft", { title: "Two", tags: "two" }), "Turned into a draft.")
  expect(await read()).toMatchObject({ status: "DF", title: "Two", tags: ["two"] })
  expect(await readersSee()).toBe(false)
  const [status, to] = whereTo(await press("schedule", { title: "Three" }))
  expect([status, to]).toEqual([303, expect.stringContaining(`${path}schedule/?etag=`)])
  expect(await read()).toMatchObject({ status: "DF", title: "Three" })
  const send = await openSchedule(new URL(to ?? "", ORIGIN).search)
  await expectNotice(await send("2026-12-24T18:00"), "Scheduled.")
  const published_at = "2026-12-24T18:00:00.000Z"
  expect(await read()).toMatchObject({ status: "PB", scheduled: true, published_at })
  vi.setSystemTime(new Date(published_at))
  expect(await readersSee()).toBe(true)
})

const SEEN = "2020-01-02T03:04:05.000Z"
it.each([
  ["at once if it was scheduled", { published_at: "2026-12-24T18:00:00Z" }, NOW.toISOString()],
  ["with its time if readers have seen it", { status: "DF", published_at: SEEN }, SEEN],
])("the button Publish publishes a post %s", async (_, changes, published_at) => {
  const { read, press } = await newScene(changes)
  await press("publish")
  expect(await read()).toMatchObject({ status: "PB", published_at })
})

const UNREADABLE = "Choose a day and a time (UTC)."
const PAST = "This time is past. Choose a later one, or go back to the post and choose Publish now."
it.each([
  ["", UNREADABLE],
  ["soon", UNREADABLE],
  ["2027-02-30T00:00", UNREADABLE],
  ["2026-11-26T12:00", PAST],
  ["1969-01-01T00:00:00Z", PAST],
  ["2099-01-01T00:00", "At most 366 days ahead."],
])("the page of a post refuses to schedule a post for the time %j, and says why", async (time, message) => {
  const { path, read, openSchedule } = await newScene({ status: "DF" })
  const { status, html } = await (await openSchedule())(time)
  expect([status, formTo(html, `${path}schedule/`)["published_at"]]).toEqual([400, time])
  expect(html).toContain(`<strong>Readers see it from (UTC)</strong>: ${message}</p>`)
  expect((await read()).status).toBe("DF")
})

it("the page of a post schedules no post that readers see since its time has passed, and says so", async () => {
  const { browser, path, read, readersSee, open, openSchedule } = await newScene({ published_at: `${TOMORROW}:00Z` })
  const [{ press }, send] = [await open(), await openSchedule()]
  vi.setSystemTime(new Date(`${TOMORROW}:00Z`))
  const notice = "Readers see this post already. Turn it into a draft first."
  const refused = await press("schedule", { title: "Typed" })
  expect([refused.status, formTo(refused.html, path)["title"]]).toEqual([412, "Typed"])
  expect(refused.html).toContain(notice)
  const visiblePage = `${path}?done=visible`
  expect(whereTo(await send("2026-12-24T18:00"))).toEqual([303, visiblePage])
  expect(whereTo(await browser.get(`${path}schedule/`))).toEqual([303, visiblePage])
  expect((await browser.get(visiblePage)).html).toContain(notice)
  expect([await readersSee(), (await read()).title]).toEqual([true, "A title"])
})

it("the page of a post schedules only the version that the button Schedule has saved", async () => {
  const { read, save, press, openSchedule } = await newScene({ status: "DF" })
  const [, to] = whereTo(await press("schedule", { title: "Saved" }))
  await save({ title: "Changed" })
  expect((await (await openSchedule(new URL(to ?? "", ORIGIN).search))(TOMORROW)).status).toBe(412)
  expect(await read()).toMatchObject({ status: "DF", title: "Changed" })
})

it.each(["preview/", "translations/fr/"])("a form's address %s that is opened leads to the post", async (address) => {
  const { browser, path } = await newScene()
  expect(whereTo(await browser.get(`${path}${address}`))).toEqual([303, path])
})

it("the page for deleting a post asks once, names what goes, and deletes only the version that the author has seen", async () => {
  const author = await signIn()
  const { browser } = author
  const cover = { cover_image_id: (await upload(author)).image_id }
  const { slug } = await newPost(author, { title: "To <go>", translation_languages: ["fr", "de"], ...cover })
  const address = `${PATH}${slug}/delete/`
  const { html } = await browser.get(address)
  for (const words of ['Delete “<bdi lang="en">To &lt;go&gt;</bdi>”?', "2 translations", "1 image with the cover"])
    expect(html).toContain(words)
  const unseen = formTo(html, address)
  await patch(author, slug, { title: "Changed" })
  expect(whereTo(await browser.post(address, unseen))).toEqual([303, `${PATH}${slug}/?done=outdated`])
  expect((await get(author, slug)).json.post.title).toBe("Changed")
  const form = formTo((await browser.get(address)).html, address)
  expect(whereTo(await browser.post(address, form))).toEqual([303, `${PATH}?done=deleted`])
  expect((await get(author, slug)).status).toBe(404)
  const { html: list } = await browser.get(`${PATH}?done=deleted`)
  expect(list).toContain("<strong>Deleted.</strong>")
  expect(list).toContain(`<a href="${PATH}">Refresh</a>`)
  expect((await browser.post(address, form)).status).toBe(404)
})

const FORM = { etag: "*", lang_code: "en", title: "x", meta_description: "x", body: "x", published_at: TOMORROW }
const WRITES = ["", "preview/", "schedule/", "delete/"]

it("the pages of a post are refused for another author's post and for one that is not there", async () => {
  const { browser } = await signIn()
  const { slug } = await newPost(await newAuthor())
  for (const path of WRITES) {
    const answers = [
      await browser.post(`${PATH}${slug}/${path}`, FORM),
      await browser.post(`${PATH}nothing/${path}`, FORM),
      await browser.get(`${PATH}${slug}/${path}`),
    ]
    // The address of the preview leads to the page of the post.
    expect(answers.map(({ status }) => status)).toEqual([403, 404, path === "preview/" ? 303 : 403])
  }
})

it.each([{ paid_until: null }, { restricted: true }])(
  "the pages of a post are refused for an account with %j, which can look at them",
  async (changes) => {
    const { author, browser, path, slug, open } = await newScene()
    const { form } = await open()
    await setAccount(author, changes)
    const version = () => rows("select version, status from posts where slug = ?", slug)
    const before = await version()
    for (const write of WRITES)
      expect([write, (await browser.post(`${path}${write}`, { ...FORM, ...form })).status]).toEqual([write, 403])
    expect((await browser.get(path)).status).toBe(200)
    expect(await version()).toEqual(before)
  },
)

type Author = Awaited<ReturnType<typeof signIn>>

const refuseOnce = (limiter: RateLimit) => vi.spyOn(limiter, "limit").mockResolvedValueOnce({ success: false })

/** Causes that make the next form fail. test/http/form-races.integration.test.ts has other changes while a form arrives. */
const CAUSES: [string, number, (author: Author) => unknown][] = [
  ["without paid time", 403, (author) => setAccount(author, { paid_until: null })],
  ["while the account is restricted", 403, (author) => setAccount(author, { restricted: true })],
  ["after too many writes", 429, () => refuseOnce(env.WRITE_LIMITER)],
  ["after too many writes over 64 KB", 429, () => refuseOnce(env.LARGE_WRITE_LIMITER)],
  [
    "while the database does not answer",
    503,
    () => vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("D1_ERROR: D1 DB is overloaded.")),
  ],
  ["after the end of the session", 401, () => rows("delete from sessions")],
  [
    "if the paid time ends while the form arrives",
    403,
    // The next batch would write.
    ({ username }) => afterBatch(3, () => rows("update accounts set paid_until = 1 where username = ?", username)),
  ],
]

const TITLES = "select title from texts where post_id = (select id from posts where slug = ?)"

it.each(CAUSES)(
  "a text that cannot be saved %s, stays on the page in a form that sends it again",
  async (_, expected, cause) => {
    const { author, browser, slug, path, read, open } = await newScene()
    const { form, press } = await open()
    const typed = { title: "Late", body: `</textarea>\r\n\r\n${"Typed. ".repeat(10_000)}` }
    await cause(author)
    const { status, html } = await press("draft", typed)
    expect([status, await rows(TITLES, slug)]).toEqual([expected, [{ title: "A title" }]])
    expect(html).toContain(`Your text ${expected === 503 ? "may not be" : "is not"} saved`)
    expect(html).toContain('<button class="primary">Turn into a draft</button>')
    const kept = formTo(html, path)
    expect(kept).toEqual({ ...form, ...typed, action: "draft" })
    await setAccount(author, { paid_until: "2099-01-01T00:00:00Z", restricted: false })
    if (status === 401) await browser.post(await newLink(author.username))
    expect(whereTo(await browser.post(path, kept))).toEqual([303, `${path}?done=draft`])
    expect(await read()).toMatchObject({ title: "Late", status: "DF", body: typed.body.replaceAll("\r\n", "\n") })
  },
)

it.each([
  ["of a post", `${PATH}any/`, 403],
  ["that is not there", "/settings/nothing/", 404],
  ["that takes no form", PATH, 405],
])(
  "a text that cannot be saved is not shown again to a form of another site for an address %s",
  async (_, path, expected) => {
    const { browser } = await signIn()
    const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }
    const { status, html } = await browser.post(path, { title: "Spoofed" }, headers)
    expect([status, html.includes("Spoofed")]).toEqual([expected, false])
  },
)

it("a text that cannot be saved is not read without a session once its network has sent too many forms", async () => {
  refuseOnce(env.ATTEMPT_LIMITER)
  const browser = new Browser()
  const send = () => browser.post(`${PATH}any/`, { title: "Typed" })
  expect(whereTo(await send())).toEqual([303, "/sign-in/"])
  expect((await send()).html).toContain("Typed")
})
