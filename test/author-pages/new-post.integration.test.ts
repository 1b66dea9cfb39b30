import { expect, it } from "vitest"

import { get } from "../calls.ts"
import { call, newPng, newPost, png, postInput, rows, stopClock, unique } from "../support.ts"
import { type Browser, signIn, whereTo } from "./browser.ts"
import { formTo } from "./forms.ts"

const NEW = "/settings/posts/new/"

/** Signs an author in who opens the page of a new post. `save` sends its form with changed fields, as long as it is open. */
const newScene = async (changes: Record<string, unknown> = {}) => {
  const author = await signIn(changes)
  const { browser } = author
  const form = formTo((await browser.get(NEW)).html, NEW)
  const save = (typed: Record<string, string>, path = NEW) => browser.post(path, { ...form, ...typed })
  const read = async (slug: string) => (await get(author, slug)).json.post
  return { author, browser, form, save, read }
}

const pathOf = (slug: string): string => `/settings/posts/${slug}/`

/** Returns the messages of the notice above the text of a page. */
const warningsIn = (html: string): string[] =>
  [...(/<strong id="warnings">[^]*?<\/aside>/.exec(html)?.[0] ?? "").matchAll(/<li>([^<]*)/g)].map(
    ([, text = ""]) => text,
  )

const errorsIn = (html: string): string[] =>
  [...html.matchAll(/class="error"><strong>([^<]*)<\/strong>: ([^<]*)/g)].map(
    ([, label = "", text = ""]) => `${label}: ${text}`,
  )

const setZone = (username: string) =>
  rows("update accounts set timezone = 'Europe/Berlin' where username = ?", username)

it("a new post needs a title and a text: its slug, description and category are made as the command line makes them", async () => {
  const { browser, save, read } = await newScene()
  const title = `Über ${unique("tee")}`
  const answer = await save({ title, body: "Grüner *Tee*.\r\n\r\nMehr." })
  const slug = title.replace("Über ", "ueber-")
  expect(whereTo(answer)).toEqual([303, `${pathOf(slug)}?done=created`])
  expect(await read(slug)).toMatchObject({
    status: "DF",
    title,
    meta_description: "Grüner Tee.",
    categories: ["Blog"],
    tags: [],
    body: "Grüner *Tee*.\n\nMehr.",
  })
  expect((await browser.get(`${pathOf(slug)}?done=created`)).html).toContain("Saved as a draft.")
})

it("a new post takes every field, its languages by their names, its date in the time zone of the account", async () => {
  const { author, browser, save, read } = await newScene()
  await setZone(author.username)
  const { image_id } = JSON.parse((await browser.upload("/settings/images/", filesOf(["a.png", await newPng()]))).html)
  const slug = unique("all")
  const fields = {
    title: "All",
    body: "Text.",
    meta_description: "About.",
    categories: "A, B",
    tags: "C",
    slug,
    cover_image_id: image_id,
    cover_alt: "A boat.",
    cover_caption: "By Bo.",
    author_name: "Ann B.",
    canonical_url: "https://e.example/a",
    published_at: "2026-07-01T09:30",
    primary_language: "German",
    translation_languages: "French, pt-br",
  }
  expect(whereTo(await save({ ...fields, listed: "false", timezone: "Europe/Berlin", action: "publish" }))).toEqual([
    303,
    `${pathOf(slug)}?done=published`,
  ])
  expect(await read(slug)).toMatchObject({
    ...fields,
    status: "PB",
    categories: ["A", "B"],
    tags: ["c"],
    published_at: "2026-07-01T07:30:00.000Z",
    changed_at: "2026-07-01T07:30:00.000Z",
    listed: false,
    primary_language: "de",
    translation_languages: ["fr", "pt-BR"],
  })
  const { html } = await browser.get(pathOf(slug))
  expect(formTo(html, pathOf(slug))).toMatchObject({
    published_at: "2026-07-01T09:30",
    changed_at: "2026-07-01T09:30",
    listed: "false",
    translation_languages: "fr, pt-BR",
  })
  expect(html).toContain("Jul 1, 2026, 9:30 AM GMT+2</time>")
})

it("the form of a new post begins with the categories of the last one", async () => {
  const author = await signIn()
  await newPost(author, { categories: "Tea, Rain" })
  expect(formTo((await author.browser.get(NEW)).html, NEW)["categories"]).toBe("Tea, Rain")
})

it("a slug made of the title gets a number if it is taken, and a typed one is refused with a free one", async () => {
  const { save, author } = await newScene()
  const { slug } = await newPost(author)
  const [title, body] = [slug.replaceAll("-", " "), "Text."]
  const typed = await save({ title, body, slug })
  expect([typed.status, errorsIn(typed.html)]).toEqual([400, [expect.stringContaining(`another at ${slug}-2.`)]])
  expect(whereTo(await save({ title, body }))).toEqual([303, `${pathOf(`${slug}-2`)}?done=created`])
})

it("the form of a new post that is sent twice makes one post", async () => {
  const { author, save, read } = await newScene()
  const title = unique("twice")
  const typed = { title, body: "First." }
  const answers = await Promise.all([save(typed), save(typed)])
  for (const answer of answers)
    expect(whereTo(answer)).toEqual([303, expect.stringContaining(`${pathOf(title)}?done=`)])
  expect([
    (await read(title)).body,
    await rows(
      "select count(*) as n from posts where account_id = (select id from accounts where username = ?)",
      author.username,
    ),
  ]).toEqual(["First.", [{ n: 1 }]])
})

it.each([
  ["schedule", "schedule/"],
  ["images", "images/"],
])("a new post whose button asks for %s is saved as a draft before the page %s", async (action, page) => {
  const { save, read } = await newScene()
  const title = unique(action)
  expect(whereTo(await save({ title, body: "Text.", action }))).toEqual([303, pathOf(title) + page])
  expect(await read(title)).toMatchObject({ status: "DF" })
})

it("a new post with wrong fields keeps what was typed, and marks these fields", async () => {
  const { form, save } = await newScene()
  const typed = { title: " ", body: "Kept.", slug: "A b", published_at: "", tags: "a", canonical_url: "ftp://x" }
  const { status, html } = await save(typed)
  expect([status, formTo(html, NEW)]).toEqual([400, { ...form, ...typed }])
  expect(errorsIn(html).map((text) => text.split(":")[0])).toEqual(["Title", "Slug", "Original address"])
})

const BROKEN = "![a](https://e.example/a.jpg) and ![b](b.jpg)"

it("the preview of a new post shows its text with what the service warns of, and saves nothing", async () => {
  const { save, author } = await newScene()
  const { status, html } = await save({ title: "Preview", body: `*Typed* ${BROKEN}` }, `${NEW}preview/`)
  expect([status, html]).toEqual([200, expect.stringContaining("<em>Typed</em>")])
  expect(html).toContain("images from elsewhere are never fetched")
  expect(
    await rows("select 1 from posts where account_id = (select id from accounts where username = ?)", author.username),
  ).toEqual([])
})

it.each(["", "publish"])("the page after the action %j shows all that the service warns of", async (action) => {
  const { author, browser } = await newScene()
  const { slug } = await newPost(author, { status: "DF" })
  const form = formTo((await browser.get(pathOf(slug))).html, pathOf(slug))
  const { headers } = await browser.post(pathOf(slug), { ...form, body: BROKEN, ...(action && { action }) })
  const { html } = await browser.get(headers.get("Location") ?? "")
  expect(warningsIn(html)).toEqual([
    expect.stringContaining("Text in Markdown: https://e.example/a.jpg:"),
    expect.stringContaining("b.jpg:"),
  ])
  expect(warningsIn((await browser.get(pathOf(slug))).html)).toEqual([])
})

it("a draft gets another slug, and its old one is free", async () => {
  const { author, browser, read } = await newScene()
  const { slug } = await newPost(author, { status: "DF" })
  const to = unique("renamed")
  const save = async (at: string, typed: Record<string, string>) =>
    browser.post(pathOf(at), { ...formTo((await browser.get(pathOf(at))).html, pathOf(at)), ...typed })
  expect(whereTo(await save(slug, { slug: to }))).toEqual([303, `${pathOf(to)}?done=saved`])
  expect([await read(to), (await get(author, slug)).status]).toEqual([
    expect.objectContaining({ slug: to, version: 2 }),
    404,
  ])
  const { slug: taken } = await newPost(author)
  const refused = await save(to, { slug: taken })
  expect([refused.status, errorsIn(refused.html)]).toEqual([400, [expect.stringContaining(`${taken}-2`)]])
  expect((await save(to, { slug: "" })).status).toBe(303)
})

it("a post that readers may know keeps its slug", async () => {
  const { author, browser } = await newScene()
  const { slug } = await newPost(author)
  const form = formTo((await browser.get(pathOf(slug))).html, pathOf(slug))
  expect(form).not.toHaveProperty("slug")
  const { status } = await browser.post(pathOf(slug), { ...form, slug: "other" })
  expect(status).toBe(400)
  expect((await get(author, slug)).status).toBe(200)
})

it("an empty description, category and slug of a draft are made anew, and an empty cover and author are removed", async () => {
  const { author, browser, read } = await newScene()
  const { slug } = await newPost(author, {
    ...postInput(),
    slug: unique("old"),
    status: "DF",
    title: unique("made"),
    author_name: "Ann",
  })
  const form = formTo((await browser.get(pathOf(slug))).html, pathOf(slug))
  const empty = { meta_description: "", categories: " ", slug: "", author_name: "", body: "The first words." }
  const { headers } = await browser.post(pathOf(slug), { ...form, ...empty })
  const made = String(form["title"])
  expect(headers.get("Location")).toBe(`${pathOf(made)}?done=saved`)
  expect(await read(made)).toMatchObject({
    meta_description: "The first words.",
    categories: ["Blog"],
    author_name: null,
  })
})

it("a time to schedule is meant in the time zone of the account, and tomorrow is proposed", async () => {
  stopClock(new Date("2026-11-30T23:30:00Z"))
  const { author, browser, read } = await newScene()
  await setZone(author.username)
  const { slug } = await newPost(author, { status: "DF" })
  const path = `${pathOf(slug)}schedule/`
  const { html } = await browser.get(path)
  expect(formTo(html, path)["published_at"]).toBe("2026-12-02T00:30")
  expect(html).toContain("(Europe/Berlin)")
  await browser.post(path, { ...formTo(html, path), published_at: "2027-01-10T00:30" })
  expect((await read(slug)).published_at).toBe("2027-01-09T23:30:00.000Z")
})

const filesOf = (...files: [name: string, bytes: Uint8Array<ArrayBuffer>][]): FormData => {
  const form = new FormData()
  for (const [name, bytes] of files) form.append("file", new File([bytes], name, { type: "image/png" }))
  return form
}

const openImages = async (browser: Browser, slug: string, files: FormData) =>
  browser.upload(`${pathOf(slug)}images/`, files)

it("the form of images adds several to the end of the text, and they can be the cover", async () => {
  const { author, browser, read } = await newScene()
  const { slug } = await newPost(author, { status: "DF", body: "Text.\n" })
  const answer = await openImages(browser, slug, filesOf(["red-boat.jpg", await newPng()], ["[x].png", await newPng()]))
  expect(whereTo(answer)).toEqual([303, `${pathOf(slug)}?done=images`])
  const { body, images } = await read(slug)
  const [one, two] = images.map(({ image_url }: { image_url: string }) => image_url)
  expect(body).toBe(`Text.\n\n![red boat](${one})\n\n![x](${two})`)
  const { html } = await browser.get(pathOf(slug))
  expect(html.match(/<input type="radio" name="cover_image_id" value="\w+"/g)).toHaveLength(2)
})

it("the form of images adds those that are right, and says at the field why not the others", async () => {
  const { author, browser, read } = await newScene()
  const { slug } = await newPost(author, { status: "DF", body: "Text." })
  const bad = Uint8Array.from("GIF89a", (letter) => letter.charCodeAt(0))
  const files = filesOf(
    ["wide.png", await png(2049, 1)],
    ["empty.png", new Uint8Array()],
    ["a.gif", bad],
    ["good.png", await newPng()],
  )
  const { status, html } = await openImages(browser, slug, files)
  expect(status).toBe(400)
  for (const text of [
    "Added to the text: 1 image. Not added",
    "wide.png: The image is 2049 × 1 pixels",
    "empty.png: The file is empty",
    "a.gif: The format",
  ])
    expect(html).toContain(text)
  expect((await read(slug)).body).toMatch(/^Text\.\n\n!\[good\]/)
})

it.each([
  ["nothing", () => filesOf(["", new Uint8Array()]), "Choose at least one image."],
  ["over 10 MB", () => filesOf(["a.png", new Uint8Array(11 * 2 ** 20)]), "At most 10 MB"],
])("the form of images with %s says what to do", async (_, files, message) => {
  const { author, browser } = await newScene()
  const { slug } = await newPost(author, { status: "DF" })
  const { status, html } = await openImages(browser, slug, files())
  expect([status, html]).toEqual([400, expect.stringContaining(message)])
})

it("an image that the script sends is stored for the account, and refused as the API does", async () => {
  const { browser, author } = await newScene()
  const send = async (bytes: Uint8Array<ArrayBuffer>) => {
    const { status, html } = await browser.upload("/settings/images/", filesOf(["a.png", bytes]), {
      Accept: "application/json",
    })
    return { status, ...JSON.parse(html) }
  }
  const { status, image_url } = await send(await newPng())
  expect([status, (await call("GET", image_url)).status]).toEqual([201, 200])
  expect(await send(await png(2049, 1))).toMatchObject({ status: 400, code: "resolution_too_large" })
  await rows("update accounts set paid_until = null where username = ?", author.username)
  expect(await send(await newPng())).toMatchObject({ status: 403, code: "subscription_required" })
})

it("the preview of a new post shows what was typed, also when its form was saved, and no other account's post", async () => {
  const { author, save } = await newScene()
  const { slug } = await newPost(author)
  const preview = (typed: Record<string, string>) =>
    save({ title: slug.replaceAll("-", " "), ...typed }, `${NEW}preview/`)
  expect((await save({ title: slug.replaceAll("-", " "), body: "First." })).status).toBe(303)
  expect((await preview({ body: "Second." })).html).toContain("<p>Second.</p>")
  const other = await newPost(await signIn(), { status: "DF", body: "Secret." })
  const [row] = await rows("select id from posts where slug = ?", other.slug)
  const stolen = await preview({ id: String(row?.["id"]), body: "Mine." })
  expect(stolen.html).not.toContain("Secret.")
  expect((await save({ id: String(row?.["id"]), title: "a", body: "b" })).status).toBe(403)
})

it("the form of a new post that is sent again publishes its post, and with another text shows both before it changes a word", async () => {
  const { save, read } = await newScene()
  const typed = { title: unique("again"), body: "Text." }
  await save(typed)
  const page = pathOf(typed.title)
  const both = async (changes: Record<string, string>) => {
    const { status, html } = await save({ ...typed, ...changes })
    return [status, formTo(html, page)["body"], html.includes("Saved meanwhile")]
  }
  expect(await both({ body: "Mine." })).toEqual([412, "Mine.", true])
  expect(whereTo(await save({ ...typed, action: "publish" }))).toEqual([303, `${page}?done=published`])
  // What readers see is not changed by a form that says "Save as a draft".
  expect(await both({ body: "Mine." })).toEqual([412, "Mine.", true])
  expect(await read(typed.title)).toMatchObject({ status: "PB", version: 2, body: "Text." })
})

it("a description that was made of the text is made again of a later text, until its author writes one", async () => {
  const { author, save, read } = await newScene()
  const title = unique("made")
  await save({ title, body: "Dear" })
  const page = pathOf(title)
  const form = async () => formTo((await author.browser.get(page)).html, page)
  const change = async (typed: Record<string, string>) => author.browser.post(page, { ...(await form()), ...typed })
  expect((await form())["meta_description"]).toBe("")
  await change({ body: "A whole letter." })
  expect((await read(title)).meta_description).toBe("A whole letter.")
  await change({ meta_description: "Written." })
  await change({ body: "Another one." })
  expect((await read(title)).meta_description).toBe("Written.")
})

it("a save without a change leaves a made description as it is, also of a text with many lines", async () => {
  const { author, save, read } = await newScene()
  const title = unique("lines")
  const code = Array.from({ length: 57 }, (_, i) => `line ${10 + i} of code`).join("\n")
  const sentences = "A sentence that may be the description. ".repeat(20)
  await save({ title, body: `~~~\n${code}\n~~~\n\n${sentences}` })
  const page = pathOf(title)
  const before = await read(title)
  const form = formTo((await author.browser.get(page)).html, page)
  await author.browser.post(page, form)
  expect(await read(title)).toEqual(before)
})

it("a page of a new post with an id in its address has the form of that post", async () => {
  const { browser } = await signIn()
  const { id = "" } = formTo((await browser.get(NEW)).html, NEW)
  expect(formTo((await browser.get(`${NEW}?id=${id}`)).html, NEW)["id"]).toBe(id)
})

it("a description is made of the beginning of a text, however deep its lists are", async () => {
  const { save } = await newScene()
  const { status, html } = await save({ title: "Deep", body: `${"- ".repeat(20_000)}a` })
  expect([status, errorsIn(html)[0]]).toEqual([400, expect.stringContaining("Text in Markdown")])
})

const AHEAD = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 16)
it.each([
  [
    "a draft that is published with a date ahead",
    { status: "DF" },
    { published_at: AHEAD, action: "publish" },
    "Choose Schedule",
  ],
  ["a published post whose date is moved ahead", {}, { published_at: AHEAD }, "Readers see this post already"],
  ["a scheduled post whose date is cleared", { published_at: `${AHEAD}:00Z` }, { published_at: "" }, "needs its date"],
])("%s is refused at the date, and stays as it is", async (_, changes, typed, told) => {
  const { author, browser, read } = await newScene()
  const { slug } = await newPost(author, changes)
  const before = await read(slug)
  const form = formTo((await browser.get(pathOf(slug))).html, pathOf(slug))
  const { status, html } = await browser.post(pathOf(slug), { ...form, ...typed })
  expect([status, errorsIn(html)]).toEqual([400, [expect.stringContaining(told)]])
  expect(await read(slug)).toEqual(before)
})

it("a new post that is published with a date ahead is refused at the date", async () => {
  const { save } = await newScene()
  const { status, html } = await save({ title: "a", body: "b", published_at: AHEAD, action: "publish" })
  expect([status, errorsIn(html)]).toEqual([400, [expect.stringContaining("Choose Schedule")]])
})

it("a form keeps the time zone that it has shown, so that a later change of the zone moves no date", async () => {
  const { author, browser, read } = await newScene()
  const { slug } = await newPost(author, { published_at: "2026-01-02T03:04:00Z" })
  const form = formTo((await browser.get(pathOf(slug))).html, pathOf(slug))
  await setZone(author.username)
  expect((await browser.post(pathOf(slug), { ...form, title: "New" })).status).toBe(303)
  expect(await read(slug)).toMatchObject({ title: "New", published_at: "2026-01-02T03:04:00.000Z" })
})

it("a chosen cover that is not attached yet is kept when the form is refused", async () => {
  const { browser, save } = await newScene()
  const { image_id } = JSON.parse((await browser.upload("/settings/images/", filesOf(["a.png", await newPng()]))).html)
  const { status, html } = await save({ title: " ", body: "b", cover_image_id: image_id })
  expect(status).toBe(400)
  expect(html).toMatch(new RegExp(`value="${image_id}" checked`))
})

it("the form of images says if the text has no room for them", async () => {
  const { author, browser } = await newScene()
  const { slug } = await newPost(author, { status: "DF", body: "x".repeat(256 * 1024) })
  const { status, html } = await openImages(browser, slug, filesOf(["a.png", await newPng()]))
  expect([status, errorsIn(html)]).toEqual([400, [expect.stringContaining("At most 262144 bytes")]])
})

it("a post called New gets another slug than the page of new posts, and one with that slug is only looked at", async () => {
  const { author, browser, save } = await newScene()
  await rows("delete from posts where slug in ('new', 'post-new')")
  expect((await save({ title: "New", body: "b", slug: "new" })).status).toBe(400)
  expect(whereTo(await save({ title: "New", body: "b" }))).toEqual([303, `${pathOf("post-new")}?done=created`])
  await newPost(author, { slug: "new", title: "By the API" })
  const { html } = await browser.get("/settings/posts/")
  expect(html).toContain("By the API")
  expect(html).not.toContain(`href="${NEW}">By the API`)
})
