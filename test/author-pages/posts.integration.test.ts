import { beforeEach, describe, expect, it, vi } from "vitest"

import { API, call, env, newAuthor, newPost, OPERATOR, rows, stopClock, unique, upload } from "../support.ts"
import { type Browser, signIn } from "./browser.ts"
import { formTo, formsIn } from "./forms.ts"

beforeEach(() => stopClock())

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
    press: (action: string, published_at = "") =>
      browser.post(`${pathOf(slug)}status/`, { etag, action, published_at }),
  }
}

const whereTo = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("Location")]

const read = async (key: string, slug: string, lang?: string) =>
  (await call("GET", `${API}/posts/${slug}/${lang ? `?lang_code=${lang}` : ""}`, { key })).json.post

const titlesIn = (html: string): string[] =>
  [...html.matchAll(/<h2><a href="[^"]*">([^<]*)</g)].map(([, title = ""]) => title)

/** Makes a signed-in author with three posts: one published, one draft, one scheduled. */
const scene = async () => {
  const author = await signIn()
  await newPost(author, { title: "Alder bark", status: "PB" })
  await newPost(author, { title: "Birch 100% pure", status: "DF" })
  await newPost(author, { title: "Cherry", slug: unique("alder-cherry"), published_at: "2027-01-01T00:00:00Z" })
  return author
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
    expect(whereTo(await save())).toEqual([303, `${pathOf(slug)}?saved=1`])
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
    expect((await author.browser.get(`${pathOf(slug)}?saved=1`)).html).toContain("<strong>Saved.</strong>")
  })

  it("edits a translation by hand in its own language", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { translation_languages: ["fr"] })
    const { form, save } = await open(author.browser, slug, "?lang=fr")
    expect(form).toEqual({ etag: expect.any(String), lang_code: "fr", title: "", meta_description: "", body: "" })
    const sent = { title: "Bonjour", meta_description: "À propos.", body: "Des mots.\r\n" }
    expect(whereTo(await save(sent))).toEqual([303, `${pathOf(slug)}?saved=1&lang=fr`])
    expect(await read(author.key, slug, "fr")).toMatchObject({ title: "Bonjour", body: "Des mots.\n" })
    expect((await read(author.key, slug)).title).toBe("A title")
    const [{ edited }] = (await read(author.key, slug)).translations
    expect(edited).toEqual(["title", "meta_description", "body"])
  })

  it("keeps what was typed and marks the wrong fields, and the version that it is for", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const { save, etag } = await open(author.browser, slug)
    await call("PATCH", `${API}/posts/${slug}/`, {
      key: author.key,
      json: { lang_code: "en", primary_language: "en", translation_languages: [], title: "Theirs" },
    })
    const typed = { title: "t".repeat(256), categories: " ", tags: "a", body: "My <words>\r\n" }
    const { status, html } = await save(typed)
    expect(status).toBe(400)
    expect(formTo(html, pathOf(slug))).toMatchObject({ ...typed, etag })
    expect([...html.matchAll(/class="error"><strong>([^<]*)/g)].map(([, label]) => label)).toEqual([
      "Title",
      "Categories",
    ])
  })

  it("never replaces a version that the author has not seen: it shows both side by side", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { body: "First." })
    const [mine, theirs] = [await open(author.browser, slug), await open(author.browser, slug)]
    await theirs.save({ title: "Theirs", body: "Their <b>words</b>." })
    const { status, html } = await mine.save({ title: "Mine", body: "My words." })
    expect(status).toBe(412)
    expect(html).toContain("Their &lt;b&gt;words&lt;/b&gt;.</textarea>")
    const form = formTo(html, pathOf(slug))
    expect(form).toMatchObject({ title: "Mine", body: "My words." })
    expect((await read(author.key, slug)).title).toBe("Theirs")
    expect(whereTo(await author.browser.post(pathOf(slug), form))).toEqual([303, `${pathOf(slug)}?saved=1`])
    expect(await read(author.key, slug)).toMatchObject({ title: "Mine", body: "My words.", version: 3 })
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
    expect(headers.get("Content-Security-Policy")).toContain("sandbox")
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
    expect(whereTo(await save({ body }))).toEqual([303, `${pathOf(slug)}?saved=1`])
    expect((await read(author.key, slug)).body).toBe(body.replaceAll("\r\n", "\n"))
  })
})

describe("the form of a post's publishing", () => {
  it("publishes, withdraws and schedules a post", async () => {
    vi.setSystemTime(new Date("2026-11-26T12:00:00Z"))
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    expect(whereTo(await (await open(author.browser, slug)).press("publish"))).toEqual([303, `${pathOf(slug)}?saved=1`])
    expect(await visible(slug, author.username)).toBe(200)
    await (await open(author.browser, slug)).press("draft")
    expect(await visible(slug, author.username)).toBe(404)
    await (await open(author.browser, slug)).press("schedule", "2026-12-24T18:00")
    expect(await read(author.key, slug)).toMatchObject({
      status: "PB",
      scheduled: true,
      published_at: "2026-12-24T18:00:00.000Z",
    })
    vi.setSystemTime(new Date("2026-12-24T18:00:00Z"))
    expect(await visible(slug, author.username)).toBe(200)
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

  it.each(["", "soon", "2099-01-01T00:00", "2026-02-30T00:00"])("marks the time %j as wrong", async (time) => {
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const { status, html } = await (await open(author.browser, slug)).press("schedule", time)
    expect(status).toBe(400)
    expect(html).toContain('id="published-at-error"')
    expect((await read(author.key, slug)).status).toBe("DF")
  })

  it("does nothing with a post that has changed since its page was opened, and says so", async () => {
    const author = await signIn()
    const { slug } = await newPost(author, { status: "DF" })
    const [first, second] = [await open(author.browser, slug), await open(author.browser, slug)]
    await first.save({ title: "Changed" })
    expect(whereTo(await second.press("publish"))).toEqual([303, `${pathOf(slug)}?outdated=1`])
    expect((await author.browser.get(`${pathOf(slug)}?outdated=1`)).html).toContain("Nothing was done.")
    expect((await read(author.key, slug)).status).toBe("DF")
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
    expect(html).toContain("Delete “To &lt;go&gt;”?")
    expect(html).toContain("2 translations")
    expect(html).toContain("1 image with the cover")
    const form = formTo(html, `${pathOf(slug)}delete/`)
    expect(whereTo(await author.browser.post(`${pathOf(slug)}delete/`, form))).toEqual([303, `${PATH}?deleted=${slug}`])
    expect((await call("GET", `${API}/posts/${slug}/`, { key: author.key })).status).toBe(404)
    expect((await author.browser.get(`${PATH}?deleted=${slug}`)).html).toContain(`<code>${slug}</code>`)
    expect((await author.browser.post(`${pathOf(slug)}delete/`, form)).status).toBe(404)
  })

  it("deletes no version that the author has not seen", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const form = formTo((await author.browser.get(`${pathOf(slug)}delete/`)).html, `${pathOf(slug)}delete/`)
    await (await open(author.browser, slug)).save({ title: "Changed" })
    expect(whereTo(await author.browser.post(`${pathOf(slug)}delete/`, form))).toEqual([
      303,
      `${pathOf(slug)}?outdated=1`,
    ])
    expect((await read(author.key, slug)).title).toBe("Changed")
  })
})

describe("the pages of a post are refused", () => {
  const form = { etag: '"1"', lang_code: "en", title: "x", meta_description: "x", body: "x", action: "publish" }
  const writes = ["", "preview/", "status/", "delete/"]

  it("for another author's post and for one that is not there", async () => {
    const { browser } = await signIn()
    const { slug } = await newPost(await newAuthor())
    for (const path of writes) {
      expect([path, (await browser.post(`${pathOf(slug)}${path}`, form)).status]).toEqual([path, 403])
      expect([path, (await browser.post(`${pathOf("nothing")}${path}`, form)).status]).toEqual([path, 404])
    }
    expect((await browser.get(pathOf(slug))).status).toBe(403)
    expect((await browser.get(`${pathOf(slug)}delete/`)).status).toBe(403)
  })

  it.each([{ paid_until: null }, { restricted: true }])(
    "for an account with %j, which can look at them",
    async (changes) => {
      const author = await signIn()
      const { slug } = await newPost(author)
      await call("PATCH", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, json: changes })
      const before = await rows("select version, status from posts where slug = ?", slug)
      for (const path of writes)
        expect([path, (await author.browser.post(`${pathOf(slug)}${path}`, form)).status]).toEqual([path, 403])
      expect((await author.browser.get(pathOf(slug))).status).toBe(200)
      expect(await rows("select version, status from posts where slug = ?", slug)).toEqual(before)
    },
  )

  it("when the session ends while the form arrives", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const { save, press } = await open(author.browser, slug)
    const batch = vi.spyOn(env.DB, "batch")
    batch.mockImplementationOnce(async (statements) => {
      await env.DB.prepare("delete from sessions").run()
      return env.DB.batch(statements)
    })
    expect((await save({ title: "Late" })).status).toBe(303)
    vi.restoreAllMocks()
    expect((await read(author.key, slug)).title).toBe("A title")
    expect(whereTo(await press("draft"))).toEqual([303, expect.stringMatching(/^\/sign-in\//)])
  })
})
