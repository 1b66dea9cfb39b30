import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { signInOperator } from "../operator/operator.ts"
import { READER_POLICY } from "../reader/policy.ts"
import { API, call, env, newAuthor, newPost, OPERATOR, rows, stopClock, unique, upload } from "../support.ts"
import { newDesk } from "../translations/author.ts"
import { Browser, newLink, type Page, signIn } from "./browser.ts"
import { formTo, formsIn } from "./forms.ts"

beforeEach(() => stopClock())
afterEach(() => vi.restoreAllMocks())

const PATH = "/settings/posts/"
const pathOf = (slug: string): string => `${PATH}${slug}/`

/** Opens the page of a post. @returns its form, and a function that sends the form with changes */
const open = async (browser: Browser, slug: string, query = "") => {
  const { status, html } = await browser.get(`${pathOf(slug)}${query}`)
  expect(status).toBe(200)
  const form = formTo(html, pathOf(slug))
  const { etag = "" } = form
  return {
    html,
    form,
    etag,
    save: (changes: Record<string, string> = {}) => browser.post(pathOf(slug), { ...form, ...changes }),
    preview: (changes: Record<string, string> = {}) => browser.post(`${pathOf(slug)}preview/`, { ...form, ...changes }),
    press: (action: string, changes: Record<string, string> = {}) =>
      browser.post(pathOf(slug), { ...form, ...changes, action }),
  }
}

/** Opens the page that asks for a post's time. @returns a function that sends its form */
const openSchedule = async (browser: Browser, slug: string, query = "") => {
  const path = `${pathOf(slug)}schedule/`
  const form = formTo((await browser.get(`${path}${query}`)).html, path)
  return (published_at: string) => browser.post(path, { ...form, published_at })
}

const whereTo = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("Location")]

const read = async (key: string, slug: string, lang?: string) =>
  (await call("GET", `${API}/posts/${slug}/${lang ? `?lang_code=${lang}` : ""}`, { key })).json.post

/** Returns the stored values that the page of a conflict shows. */
const storedIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<textarea [^>]*name="(stored_\w+)"[^>]*>\n([^<]*)</g)].map(([, name = "", text = ""]) => [
      name,
      text.replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    ]),
  )

const titlesIn = (html: string): string[] =>
  [...html.matchAll(/<h2 lang="en" dir="ltr"><a href="[^"]*">([^<]*)</g)].map(([, title = ""]) => title)

/** Makes a signed-in author with three posts: one published, one draft, one scheduled. */
const scene = async () => {
  const author = await signIn()
  await newPost(author, { title: "Alder bark", status: "PB" })
  await newPost(author, { title: "Birch 100% pure", status: "DF" })
  await newPost(author, { title: "Cherry", slug: unique("alder-cherry"), published_at: "2027-01-01T00:00:00Z" })
  return author
}

/** Makes a signed-in author with a post that an engine has translated into French. */
const translated = async () => {
  const desk = await newDesk({ translation_languages: ["fr"] })
  const browser = new Browser(desk.env)
  await browser.post(await newLink(desk.username))
  const { slug } = await desk.create()
  await desk.run()
  return { desk, browser, slug: String(slug), french: () => read(desk.key, slug, "fr") }
}

/** Lets something happen once, after this many further batches of D1. */
const afterBatch = (number: number, act: () => Promise<void>): void => {
  const send = env.DB.batch.bind(env.DB)
  let sent = 0
  vi.spyOn(env.DB, "batch").mockImplementation(async <T>(statements: D1PreparedStatement[]) => {
    const answers = await send<T>(statements)
    sent += 1
    if (sent === number) await act()
    return answers
  })
}

const visible = async (slug: string, username: string) => (await call("GET", `/@${username}/${slug}/`)).status

describe("the author's list of posts", () => {
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
  ])("with the query %j shows the posts that match", async (query, titles) => {
    vi.setSystemTime(new Date("2026-11-26T12:00:00Z"))
    const { browser } = await scene()
    const { status, html } = await browser.get(`${PATH}${query}`)
    // Posts of one moment have no order.
    expect([status, titlesIn(html).toSorted()]).toEqual([200, titles.toSorted()])
  })

  it.each([
    "a",
    "a".repeat(48),
    "a".repeat(49),
    "a".repeat(200),
    "é".repeat(200),
    "%".repeat(30),
    "_'\\",
    "🌊".repeat(200),
    "潮汐",
  ])("is searched for %j, as the operator's list is", async (text) => {
    const author = await scene()
    await newPost(author, { title: `Holds ${text}` })
    const query = `?q=${encodeURIComponent(text)}`
    const operator = await signInOperator()
    for (const page of [
      await author.browser.get(`${PATH}${query}`),
      await operator.get(`/operator/accounts/${author.username}/posts/${query}`),
    ]) {
      expect(page.status).toBe(200)
      expect(page.html).toContain("Holds ")
    }
  })

  it.each([201, 300])("refuses a search of %i characters with 400 and the limit", async (length) => {
    const { browser } = await scene()
    const { status, html } = await browser.get(`${PATH}?q=${"a".repeat(length)}`)
    expect([status, html.includes("At most 200 characters.")]).toEqual([400, true])
  })

  it("keeps its filters from page to page", async () => {
    const { browser } = await scene()
    const { html } = await browser.get(`${PATH}?q=alder&limit=1`)
    const [, older = ""] = /href="([^"]*)">Older posts/.exec(html) ?? []
    expect(older).toContain("q=alder")
    const next = (await browser.get(older.replaceAll("&amp;", "&"))).html
    expect([...titlesIn(html), ...titlesIn(next)].toSorted()).toEqual(["Alder bark", "Cherry"])
    expect(formsIn(html)[1]?.fields).toEqual({ q: "alder", state: "" })
  })
})

describe("the form of a post's text", () => {
  it.each([
    ["with \\n", "One.\n\nTwo."],
    ["with \\r\\n", "One.\r\n\r\nTwo.\r\n"],
    ["with \\r, \\n and \\r\\n", "One.\rTwo.\n\nThree.\r\n"],
    ["that begins with empty lines", "\n\n    code\n"],
    ["with characters of HTML", "</textarea><script>alert(1)</script> &amp; &lt; \u{1F30A}"],
  ])("sent without a change, keeps a body %s and the version", async (_, body) => {
    const author = await signIn()
    const texts = { title: " A\ntitle", meta_description: "Line\r\nline", categories: ["a b", "C"], tags: ["t", "ü"] }
    const { slug } = await newPost(author, { ...texts, body })
    const before = await read(author.key, slug)
    const { save } = await open(author.browser, slug)
    expect(whereTo(await save())).toEqual([303, `${pathOf(slug)}?done=saved`])
    expect(await read(author.key, slug)).toEqual(before)
    expect(before.body).toBe(body)
  })

  it.each([
    ["\\n", "One.\n\nTwo.\n", "One.\n\nThree.\n"],
    ["\\r\\n", "One.\r\n\r\nTwo.", "One.\r\n\r\nThree."],
  ])("keeps the line ends %s of a body that is changed", async (_, body, expected) => {
    const author = await signIn()
    const { slug } = await newPost(author, { body })
    const { form, save } = await open(author.browser, slug)
    await save({ body: (form["body"] ?? "").replace("Two", "Three") })
    expect((await read(author.key, slug)).body).toBe(expected)
  })

  it("changes title, description, categories and tags, and only these", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { tags: ["old"], canonical_url: "https://a.example/b", author_name: "Ann" })
    const { save } = await open(author.browser, slug)
    const sent = { title: "New", meta_description: "About.", categories: "x, y", tags: "Sea , salt" }
    await save(sent)
    expect(await read(author.key, slug)).toMatchObject({
      title: "New",
      meta_description: "About.",
      categories: ["x", "y"],
      tags: ["sea", "salt"],
      canonical_url: "https://a.example/b",
      author_name: "Ann",
      version: 2,
    })
    expect((await author.browser.get(`${pathOf(slug)}?done=saved`)).html).toContain("<strong>Saved.</strong>")
  })

  it("edits a translation by hand in its own language", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { translation_languages: ["fr"] })
    const { form, save } = await open(author.browser, slug, "?lang=fr")
    expect(form).toMatchObject({ lang_code: "fr", title: "", meta_description: "", body: "" })
    expect(form).not.toHaveProperty("tags")
    const sent = { title: "Bonjour", meta_description: "À propos.", body: "Des mots.\r\n" }
    expect(whereTo(await save(sent))).toEqual([303, `${pathOf(slug)}?done=saved&lang=fr`])
    expect(await read(author.key, slug, "fr")).toMatchObject({ title: "Bonjour", body: "Des mots.\n" })
    expect((await read(author.key, slug)).title).toBe("A title")
    const [{ edited }] = (await read(author.key, slug)).translations
    expect(edited).toEqual(["title", "meta_description", "body"])
  })

  it("keeps what was typed and marks the wrong fields, and the version that it is for", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const { form, save } = await open(author.browser, slug)
    const typed = { title: "t".repeat(256), categories: " ", tags: "a", body: "My <words>\r\n" }
    const { status, html } = await save(typed)
    expect(status).toBe(400)
    expect(formTo(html, pathOf(slug))).toEqual({ ...form, ...typed })
    expect([...html.matchAll(/class="error"><strong>([^<]*)/g)].map(([, label]) => label)).toEqual([
      "Title",
      "Categories",
    ])
  })

  it("never replaces a version that the author has not seen: it shows all differences side by side", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { body: "First.", tags: "old" })
    const [mine, theirs] = [await open(author.browser, slug), await open(author.browser, slug)]
    await theirs.save({ body: "Their <b>words</b>.", categories: "news, theirs", tags: "" })
    const { status, html } = await mine.save({ body: "My words." })
    expect(status).toBe(412)
    expect(storedIn(html)).toEqual({
      stored_categories: "news, theirs",
      stored_tags: "",
      stored_body: "Their <b>words</b>.",
    })
    const form = formTo(html, pathOf(slug))
    expect(form).toMatchObject({ body: "My words.", tags: "old" })
    expect(await read(author.key, slug)).toMatchObject({ body: "Their <b>words</b>.", categories: ["news", "theirs"] })
    const corrected = { ...form, categories: "news, theirs", tags: "both" }
    expect(whereTo(await author.browser.post(pathOf(slug), corrected))).toEqual([303, `${pathOf(slug)}?done=saved`])
    expect(await read(author.key, slug)).toMatchObject({ body: "My words.", tags: ["both"], version: 3 })
  })

  it("says so if a post has changed elsewhere than in its text", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const { save } = await open(author.browser, slug)
    await (await open(author.browser, slug)).press("draft")
    const { status, html } = await save()
    expect([status, storedIn(html)]).toEqual([412, {}])
    expect(html).toContain("its values are the same as yours")
  })

  it("never replaces a translation that an engine has made since the form was opened", async () => {
    const { desk, browser, slug, french } = await translated()
    await desk.patch(slug, { translation_languages: ["fr"], title: "Another title" })
    const { save } = await open(browser, slug, "?lang=fr")
    await desk.run()
    const made = await french()
    expect(made.title).toBe("Another·fr title·fr")
    const { status, html } = await save({ body: "Mes mots." })
    expect(status).toBe(412)
    expect(storedIn(html)["stored_title"]).toBe("Another·fr title·fr")
    const form = formTo(html, pathOf(slug))
    expect(form).toMatchObject({ title: "A·fr title·fr", body: "Mes mots." })
    expect(await french()).toEqual(made)
    expect((await browser.post(pathOf(slug), { ...form, title: made.title })).status).toBe(303)
    const { translations, ...text } = await french()
    expect(text).toMatchObject({ title: made.title, body: "Mes mots." })
    expect(translations[0].edited).toEqual(["body"])
  })

  it("never replaces a translation that an engine makes while the form is saved", async () => {
    const { browser, slug, french } = await translated()
    const { save } = await open(browser, slug, "?lang=fr")
    // The first batch finds the session, the second one reads the post for the form, the third one to change it.
    afterBatch(2, async () => {
      await rows("update texts set title = 'Made now' where lang_code = 'fr'")
      await rows("update posts set revision = revision + 1 where slug = ?", slug)
    })
    expect((await save({ title: "Typed" })).status).toBe(412)
    expect((await french()).title).toBe("Made now")
  })

  it("previews the text as typed, without scripts, and saves nothing", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const before = [await rows("select * from posts"), await rows("select * from texts")]
    const { preview } = await open(author.browser, slug)
    const { status, html, headers } = await preview({
      title: "Typed",
      body: "## Big\n\n<script>x()</script>\n\n**bold**",
    })
    expect(status).toBe(200)
    expect(html).toContain("<h1>Typed</h1>")
    expect(html).toContain("<strong>bold</strong>")
    expect(html).not.toContain("x()</script>")
    expect(headers.get("Content-Security-Policy")).toBe(READER_POLICY)
    expect([await rows("select * from posts"), await rows("select * from texts")]).toEqual(before)
    const refused = await preview({ title: "", body: "kept" })
    expect(refused.status).toBe(400)
    expect(formTo(refused.html, pathOf(slug))["body"]).toBe("kept")
  })

  it("takes the longest body that the API takes, although a browser escapes each byte of it", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const { save } = await open(author.browser, slug)
    const line = "é".repeat(511)
    const body = Array.from({ length: 256 }, () => line).join("\r\n")
    expect(whereTo(await save({ body }))).toEqual([303, `${pathOf(slug)}?done=saved`])
    expect((await read(author.key, slug)).body).toBe(body.replaceAll("\r\n", "\n"))
  })
})

describe("publishing a post in the settings", () => {
  it("publishes, withdraws and schedules a post, and says which", async () => {
    vi.setSystemTime(new Date("2026-11-26T12:00:00Z"))
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const toldAt = async (answer: Page, words: string) => {
      expect(answer.status).toBe(303)
      const { html } = await author.browser.get(answer.headers.get("Location") ?? "")
      expect(html).toContain(`<strong>${words}</strong>`)
    }
    await toldAt(await (await open(author.browser, slug)).press("publish"), "Published.")
    expect(await visible(slug, author.username)).toBe(200)
    await toldAt(await (await open(author.browser, slug)).press("draft"), "Turned into a draft.")
    expect(await visible(slug, author.username)).toBe(404)
    await toldAt(await (await openSchedule(author.browser, slug))("2026-12-24T18:00"), "Scheduled.")
    expect(await read(author.key, slug)).toMatchObject({
      status: "PB",
      scheduled: true,
      published_at: "2026-12-24T18:00:00.000Z",
    })
    vi.setSystemTime(new Date("2026-12-24T18:00:00Z"))
    expect(await visible(slug, author.username)).toBe(200)
  })

  it.each([
    ["publish", "PB", "?done=published"],
    ["draft", "DF", "?done=draft"],
    ["schedule", "DF", "schedule/?etag="],
  ])("the button of the action %s saves the text as typed", async (action, status, to) => {
    const author = await signIn()
    const { slug } = await newPost(author, { status: action === "draft" ? "PB" : "DF" })
    const typed = { title: "Typed", body: "Typed words.", tags: "typed" }
    const answer = await (await open(author.browser, slug)).press(action, typed)
    expect(answer.status).toBe(303)
    expect(answer.headers.get("Location")).toContain(`${pathOf(slug)}${to}`)
    expect(await read(author.key, slug)).toMatchObject({ ...typed, tags: ["typed"], status })
  })

  it("publishes nothing with a text that is refused, and keeps the text", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const { status, html } = await (await open(author.browser, slug)).press("publish", { title: "", body: "Typed." })
    expect([status, formTo(html, pathOf(slug))["body"]]).toEqual([400, "Typed."])
    expect((await read(author.key, slug)).status).toBe("DF")
  })

  it("publishes a scheduled post at once, and keeps the time of one that readers have seen", async () => {
    vi.setSystemTime(new Date("2026-11-26T12:00:00Z"))
    const author = await signIn()
    const scheduled = await newPost(author, { published_at: "2026-12-24T18:00:00Z" })
    await (await open(author.browser, scheduled.slug)).press("publish")
    expect(await read(author.key, scheduled.slug)).toMatchObject({ published_at: "2026-11-26T12:00:00.000Z" })
    const old = await newPost(author, { status: "DF", published_at: "2020-01-02T03:04:05Z" })
    await (await open(author.browser, old.slug)).press("publish")
    expect(await read(author.key, old.slug)).toMatchObject({ published_at: "2020-01-02T03:04:05.000Z" })
  })

  it.each([
    ["", "Choose a day and a time (UTC)."],
    ["soon", "Choose a day and a time (UTC)."],
    ["2027-02-30T00:00", "Choose a day and a time (UTC)."],
    ["2026-11-26T12:00", "This time is past. Choose a later one, or go back to the post and choose Publish now."],
    ["1969-01-01T00:00:00Z", "This time is past. Choose a later one, or go back to the post and choose Publish now."],
    ["2099-01-01T00:00", "At most 366 days ahead."],
  ])("refuses to schedule a post for the time %j, and says why", async (time, message) => {
    vi.setSystemTime(new Date("2026-11-26T12:00:00Z"))
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const { status, html } = await (await openSchedule(author.browser, slug))(time)
    expect(status).toBe(400)
    expect(html).toContain(`<strong>Readers see it from (UTC)</strong>: ${message}</p>`)
    expect(formTo(html, `${pathOf(slug)}schedule/`)["published_at"]).toBe(time)
    expect((await read(author.key, slug)).status).toBe("DF")
  })

  it("schedules no post that readers see since its time has passed, and says so", async () => {
    vi.setSystemTime(new Date("2026-11-26T12:00:00Z"))
    const author = await signIn()
    const { slug } = await newPost(author, { published_at: "2026-11-26T13:00:00Z" })
    const [{ press }, send] = [await open(author.browser, slug), await openSchedule(author.browser, slug)]
    vi.setSystemTime(new Date("2026-11-26T13:00:00Z"))
    const notice = "Readers see this post already. Turn it into a draft first."
    const refused = await press("schedule", { title: "Typed" })
    expect([refused.status, formTo(refused.html, pathOf(slug))["title"]]).toEqual([412, "Typed"])
    expect(refused.html).toContain(notice)
    const visiblePage = `${pathOf(slug)}?done=visible`
    expect(whereTo(await send("2026-12-24T18:00"))).toEqual([303, visiblePage])
    expect(whereTo(await author.browser.get(`${pathOf(slug)}schedule/`))).toEqual([303, visiblePage])
    expect((await author.browser.get(visiblePage)).html).toContain(notice)
    expect(await visible(slug, author.username)).toBe(200)
    expect((await read(author.key, slug)).title).not.toBe("Typed")
  })

  it("schedules no version that the author has not seen, and says so", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const send = await openSchedule(author.browser, slug)
    await (await open(author.browser, slug)).save({ title: "Changed" })
    const later = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
    const { status, html } = await send(later)
    expect([status, html]).toEqual([412, expect.stringContaining("The post was saved meanwhile.")])
    expect(formTo(html, `${pathOf(slug)}schedule/`)["published_at"]).toBe(later)
    expect((await read(author.key, slug)).status).toBe("DF")
  })

  it("schedules only the version that the button Schedule has saved", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const later = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
    const pressSchedule = async (title: string) =>
      new URL(
        (await (await open(author.browser, slug)).press("schedule", { title })).headers.get("Location") ?? "",
        "http://x",
      ).search
    const query = await pressSchedule("Saved")
    await (await open(author.browser, slug)).save({ title: "Changed" })
    const outdated = await openSchedule(author.browser, slug, query)
    expect((await outdated(later)).status).toBe(412)
    const send = await openSchedule(author.browser, slug, await pressSchedule("Saved again"))
    expect(whereTo(await send(later))).toEqual([303, `${pathOf(slug)}?done=scheduled`])
  })

  it("publishes no version that the author has not seen: it shows what differs", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const [first, second] = [await open(author.browser, slug), await open(author.browser, slug)]
    await first.save({ title: "Changed" })
    const { status, html } = await second.press("publish")
    expect([status, storedIn(html)]).toEqual([412, { stored_title: "Changed" }])
    expect((await read(author.key, slug)).status).toBe("DF")
  })

  it.each(["preview/", "translations/fr/"])("a form's address %s that is opened leads to the post", async (path) => {
    const author = await signIn()
    const { slug } = await newPost(author)
    expect(whereTo(await author.browser.get(`${pathOf(slug)}${path}`))).toEqual([303, pathOf(slug)])
  })
})

describe("deleting a post in the settings", () => {
  it("asks once, names what goes, and deletes it", async () => {
    const author = await signIn()
    const { image_id } = await upload(author)
    const { slug } = await newPost(author, {
      title: "To <go>",
      translation_languages: ["fr", "de"],
      cover_image_id: image_id,
    })
    const { html } = await author.browser.get(`${pathOf(slug)}delete/`)
    expect(html).toContain('Delete “<bdi lang="en">To &lt;go&gt;</bdi>”?')
    expect(html).toContain("2 translations")
    expect(html).toContain("1 image with the cover")
    const form = formTo(html, `${pathOf(slug)}delete/`)
    expect(whereTo(await author.browser.post(`${pathOf(slug)}delete/`, form))).toEqual([303, `${PATH}?done=deleted`])
    expect((await call("GET", `${API}/posts/${slug}/`, { key: author.key })).status).toBe(404)
    const { html: list } = await author.browser.get(`${PATH}?done=deleted`)
    expect(list).toContain("<strong>Deleted.</strong>")
    expect(list).toContain(`<a href="${PATH}">Refresh</a>`)
    expect((await author.browser.post(`${pathOf(slug)}delete/`, form)).status).toBe(404)
  })

  it("deletes no version that the author has not seen", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const form = formTo((await author.browser.get(`${pathOf(slug)}delete/`)).html, `${pathOf(slug)}delete/`)
    await (await open(author.browser, slug)).save({ title: "Changed" })
    expect(whereTo(await author.browser.post(`${pathOf(slug)}delete/`, form))).toEqual([
      303,
      `${pathOf(slug)}?done=outdated`,
    ])
    expect((await read(author.key, slug)).title).toBe("Changed")
  })
})

describe("the pages of a post are refused", () => {
  const published_at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
  const form = { etag: "*", lang_code: "en", title: "x", meta_description: "x", body: "x", published_at }
  const writes = ["", "preview/", "schedule/", "delete/"]

  it("for another author's post and for one that is not there", async () => {
    const { browser } = await signIn()
    const { slug } = await newPost(await newAuthor())
    for (const path of writes) {
      expect([path, (await browser.post(`${pathOf(slug)}${path}`, form)).status]).toEqual([path, 403])
      expect([path, (await browser.post(`${pathOf("nothing")}${path}`, form)).status]).toEqual([path, 404])
    }
    for (const path of ["", "schedule/", "delete/"])
      expect([path, (await browser.get(`${pathOf(slug)}${path}`)).status]).toEqual([path, 403])
  })

  it.each([{ paid_until: null }, { restricted: true }])(
    "for an account with %j, which can look at them",
    async (changes) => {
      const author = await signIn()
      const { slug } = await newPost(author)
      const { form: shown } = await open(author.browser, slug)
      await call("PATCH", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, json: changes })
      const before = await rows("select version, status from posts where slug = ?", slug)
      for (const path of writes)
        expect([path, (await author.browser.post(`${pathOf(slug)}${path}`, { ...form, ...shown })).status]).toEqual([
          path,
          403,
        ])
      expect((await author.browser.get(pathOf(slug))).status).toBe(200)
      expect(await rows("select version, status from posts where slug = ?", slug)).toEqual(before)
    },
  )
})

type Author = Awaited<ReturnType<typeof signIn>>

/** Makes the next form fail. @returns what makes the following one succeed */
type Cause = (author: Author) => Promise<() => Promise<unknown>>

const withAccount =
  (changes: Record<string, unknown>): Cause =>
  async ({ username }) => {
    const change = (json: Record<string, unknown>) =>
      call("PATCH", `/operator/api/accounts/${username}/`, { headers: OPERATOR, json })
    await change(changes)
    return () => change({ paid_until: "2099-01-01T00:00:00Z", restricted: false })
  }

/** Changes the account after the form's reads: the next batch would write. */
const whileArriving =
  (change: string, repair: string): Cause =>
  async ({ username }) => {
    const set = (values: string) => rows(`update accounts set ${values} where username = ?`, username)
    afterBatch(3, async () => void (await set(change)))
    return () => set(repair)
  }

const CAUSES: [string, number, Cause][] = [
  ["without paid time", 403, withAccount({ paid_until: null })],
  ["while the account is restricted", 403, withAccount({ restricted: true })],
  [
    "after too many writes",
    429,
    async () => {
      vi.spyOn(env.WRITE_LIMITER, "limit").mockResolvedValueOnce({ success: false })
      return async () => {}
    },
  ],
  [
    "while the database does not answer",
    503,
    async () => {
      vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("D1_ERROR: D1 DB is overloaded. Too many requests."))
      return async () => {}
    },
  ],
  [
    "after the end of the session",
    401,
    async ({ browser, username }) => {
      await rows("delete from sessions")
      return async () => browser.post(await newLink(username))
    },
  ],
  [
    "if the session ends while the form arrives",
    401,
    async ({ browser, username }) => {
      // The next batch would write.
      afterBatch(3, async () => void (await rows("delete from sessions")))
      return async () => browser.post(await newLink(username))
    },
  ],
  ["if the paid time ends while the form arrives", 403, whileArriving("paid_until = 1", "paid_until = 4070908800000")],
  ["if the account is restricted while the form arrives", 403, whileArriving("restricted = 1", "restricted = 0")],
]

const TITLES = "select title from texts where post_id = (select id from posts where slug = ?)"

describe("a text that cannot be saved", () => {
  it.each(CAUSES)("%s, stays on the page in a form that sends it again", async (_, expected, cause) => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const { form, press } = await open(author.browser, slug)
    const typed = { title: "Late", body: "</textarea>\r\n\r\nTyped." }
    const repair = await cause(author)
    const { status, html } = await press("draft", typed)
    expect([status, await rows(TITLES, slug)]).toEqual([expected, [{ title: "A title" }]])
    expect(html).toContain(`Your text ${expected === 503 ? "may not be" : "is not"} saved`)
    expect(html).toContain('<button class="primary">Turn into a draft</button>')
    expect(formTo(html, pathOf(slug))).toEqual({ ...form, ...typed, action: "draft" })
    await repair()
    const kept = formTo(html, pathOf(slug))
    expect(whereTo(await author.browser.post(pathOf(slug), kept))).toEqual([303, `${pathOf(slug)}?done=draft`])
    expect(await read(author.key, slug)).toMatchObject({ title: "Late", status: "DF", body: "</textarea>\n\nTyped." })
  })

  it("after too many writes over 64 KB, stays on the page", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const { save } = await open(author.browser, slug)
    vi.spyOn(env.LARGE_WRITE_LIMITER, "limit").mockResolvedValueOnce({ success: false })
    const typed = { body: "word ".repeat(14_000) }
    const { status, html } = await save(typed)
    expect([status, formTo(html, pathOf(slug))["body"]]).toEqual([429, typed.body])
    expect(whereTo(await save(typed))).toEqual([303, `${pathOf(slug)}?done=saved`])
  })

  it.each([
    ["of a post", pathOf("any"), 403],
    ["that is not there", "/settings/nothing/", 404],
    ["that takes no form", PATH, 405],
  ])("is not shown again to a form of another site for an address %s", async (_, path, expected) => {
    const { browser } = await signIn()
    const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }
    const { status, html } = await browser.post(path, { title: "Spoofed" }, headers)
    expect([status, html.includes("Spoofed")]).toEqual([expected, false])
  })

  it("is not read without a session once its network has sent too many forms", async () => {
    vi.spyOn(env.ATTEMPT_LIMITER, "limit").mockResolvedValueOnce({ success: false })
    const browser = new Browser()
    const send = () => browser.post(pathOf("any"), { title: "Typed" })
    expect(whereTo(await send())).toEqual([303, "/sign-in/"])
    expect((await send()).html).toContain("Typed")
  })
})
