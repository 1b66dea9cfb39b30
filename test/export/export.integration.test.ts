import { createExecutionContext } from "cloudflare:test"
import { expect, it } from "vitest"

import worker from "../../src/index.ts"
import { EXPORT_PARTS_PAGE_SIZE, MAX_EXPORT_POSTS } from "../../src/limits.ts"
import { Browser, signIn } from "../author-pages/browser.ts"
import { accountId, idsOf, patch, remove, setAccount } from "../calls.ts"
import { failing, faulty, type Statement, tapD1 } from "../faults.ts"
import { insertPosts } from "../many-posts.ts"
import {
  type Author,
  env,
  fetchWorker,
  META_DESCRIPTION,
  newAuthor,
  newPost,
  ORIGIN,
  png,
  stopClock,
  upload,
  rows,
} from "../support.ts"
import { newDesk } from "../translations/author.ts"
import { browserOf, download, exportRequest, readFile } from "./download.ts"

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

it("a blog export holds every post in every language with its edits and images", async () => {
  stopClock(new Date("2026-11-21T12:00:00Z"))
  const desk = await newDesk({ translation_languages: ["fr"] })
  const image = await upload(desk, await png(3, 5))
  const body = `Words and\n\n![an image](${image.image_url})`
  const post = await desk.create({ body, image_ids: [image.image_id], tags: "a, b", translation_languages: ["fr"] })
  await desk.run()
  await desk.patch(post.slug, { lang_code: "fr", translation_languages: ["fr"], title: "Un titre", body: "Des mots." })
  await desk.patch(post.slug, { translation_languages: ["fr"], title: "Another title" })
  await desk.run()
  const draft = await desk.create({ status: "DF", translation_languages: [] })
  const { response, files, manifest, names } = await download(await browserOf(desk.username))
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="edgepost-${desk.username}-2026-11-21.zip"`,
    "cache-control": "no-store",
  })
  const posts = [post, post, draft].map(({ slug }, i) => `posts/${slug}/${i === 1 ? "fr" : "en"}.md`)
  const [en, fr, other] = posts.map((name) => readFile(files.get(name)))
  const media = `media/${image.image_id}.webp`
  expect(names).toEqual([...posts.slice(0, 2), media, ...posts.slice(2), "manifest.json"])
  const labels = { slug: post.slug, status: "PB", categories: ["news"], tags: ["a", "b"], image_ids: [image.image_id] }
  const languages = { primary_language: "en", translation_languages: ["fr"] }
  const text = { title: "Another title", meta_description: META_DESCRIPTION, edited: [], stale: [] }
  const made = { lang_code: "en", own_language: true, engine: null, version: 3 }
  const cover = { cover_image_id: null, cover_alt: null, cover_caption: null }
  const extras = {
    ...cover,
    listed: true,
    translation_review: null,
    canonical_url: null,
    author_name: null,
    source: null,
  }
  const noon = "2026-11-21T12:00:00.000Z"
  const later = expect.stringMatching(/^2026-11-21T12:00:\d\d\.000Z$/)
  const dates = { created_at: noon, updated_at: later, published_at: noon, changed_at: later, text_updated_at: later }
  const fields = { ...labels, ...languages, ...text, ...made, ...extras, ...dates }
  expect(en).toEqual({ begin: "---\n", body, fields })
  const { meta_description } = (await desk.get(post.slug, "fr")).json.post
  expect(meta_description).toContain("·fr")
  const edit = { title: "Un titre", meta_description, edited: ["title", "body"], stale: ["title"] }
  expect(fr).toMatchObject({
    body: "Des mots.",
    fields: { lang_code: "fr", own_language: false, engine: "pseudo", ...edit },
  })
  expect(other?.fields).toMatchObject({ status: "DF", published_at: null })
  const shown = await fetchWorker(new Request(`${ORIGIN}${image.image_url}`))
  expect(files.get(media)).toEqual(new Uint8Array(await shown.arrayBuffer()))
  const format = { format: "edgepost-export", format_version: 1, exported_at: expect.stringMatching(/^2026-11-21T12:/) }
  const counts = { posts: 2, texts: 3, pictures: 1, missing_pictures: 0, next_cursor: null }
  expect(manifest).toMatchObject({ ...format, ...languages, ...counts, username: desk.username })
})

const BODIES = {
  "that begins like front matter": "---\ntitle: no\n---\nWords",
  "that ends like front matter": "Words\n---\n",
  "with CRLF": "One\r\n\r\nTwo\r\n",
  "with single CR": "One\rTwo",
  "that begins with a byte order mark": "\uFEFFWords",
  "that begins with blank lines": "\n\n  Words",
  "without an end of line": "Words",
  "with blanks at its end": "Words  \n\n \t\n",
  "beyond the BMP": "𝒲ords 👩‍👩‍👧 \u2028\u0085\u200f",
}

it.each(Object.entries(BODIES))("a blog export keeps the body of a post %s byte for byte", async (_, body) => {
  const { browser, ...author } = await signIn()
  const { slug } = await newPost(author, { body })
  const { files } = await download(browser)
  const file = files.get(`posts/${slug}/en.md`)
  const wanted = new TextEncoder().encode(body)
  expect(file?.slice(-wanted.length)).toEqual(wanted)
  expect(readFile(file).body).toBe(body)
})

it("the front matter of an exported post is read back unchanged by YAML 1.1 and 1.2", async () => {
  const { browser, ...author } = await signIn()
  const title = `yes: # "it's" \\ 'x' \u2028\u2029\u0085\u007F\u009F\uFEFF\uFFFE 👩‍👧 --- \u{10FFFE} 010`
  const tags = "no, 1:20, 0x1f, ~, null, - a, {b, *c, !d"
  const input = { title, meta_description: "2026-11-21", tags, categories: ["\u0085Ü\u2028x"] }
  const { slug } = await newPost(author, input)
  // An older version has stored it.
  await rows(
    "update texts set title = ? where post_id = (select id from posts where slug = ?)",
    title.normalize("NFC"),
    slug,
  )
  const { files } = await download(browser)
  const file = files.get(`posts/${slug}/en.md`)
  for (const version of ["1.1", "1.2"] as const) {
    const { fields } = readFile(file, version)
    const read = ["no", "1:20", "0x1f", "~", "null", "- a", "{b", "*c", "!d"]
    expect(fields).toMatchObject({ ...input, title: title.normalize("NFC"), tags: read, categories: expect.anything() })
  }
  expect(decode(file)).not.toMatch(/[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE]/)
})

it("a blog export without posts holds only the manifest", async () => {
  const { browser } = await signIn()
  const { names, manifest } = await download(browser)
  expect(names).toEqual(["manifest.json"])
  expect(manifest).toMatchObject({ posts: 0, texts: 0, pictures: 0 })
})

/** Returns the archives listed in the settings, page by page. */
const partsOf = async (browser: Browser) => {
  const settings = await browser.get("/settings/")
  expect(settings.html).not.toContain("Download everything (zip)")
  const parts: { query: string; text: string }[] = []
  let path: string | undefined = /href="(\/settings\/export\/parts\/)"/.exec(settings.html)?.[1]
  while (path) {
    const { html } = await browser.get(path)
    for (const [, query = "", text = ""] of html.matchAll(/href="\/settings\/export\/(\?[^"]*)"[^>]*>([^<]*)/g))
      parts.push({ query: query.replaceAll("&amp;", "&"), text })
    path = /href="(\/settings\/export\/parts\/\?[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&")
  }
  return parts
}

type Part = Awaited<ReturnType<typeof download>>

const slugsOf = ({ files }: Part): string[] =>
  [...files.keys()].flatMap((name) => /^posts\/(.+)\/en\.md$/.exec(name)?.[1] ?? [])

const downloadAll = async (browser: Browser, links: { query: string }[]): Promise<Part[]> => {
  const parts = []
  for (const { query } of links) parts.push(await download(browser, query))
  return parts
}

it("a blog with more posts than one archive holds is exported in parts that the settings list", async () => {
  const { browser, ...author } = await signIn()
  const posts = MAX_EXPORT_POSTS + 1
  await insertPosts(author, "bulk-", posts)
  const links = await partsOf(browser)
  expect(links.map(({ text }) => text)).toEqual(["Download part 1 (zip)", "Download part 2 (zip)"])
  const parts = await downloadAll(browser, links)
  const slugs = parts.map(slugsOf)
  expect(slugs.map(({ length }) => length)).toEqual([MAX_EXPORT_POSTS, 1])
  expect(new Set(slugs.flat()).size).toBe(posts)
  expect(parts.map(({ manifest }) => `?cursor=${String(manifest["next_cursor"])}&part=2`)).toEqual([
    links[1]?.query,
    "?cursor=null&part=2",
  ])
  const names = parts.map(({ response }) => response.headers.get("Content-Disposition"))
  expect(names).toEqual([1, 2].map((part) => expect.stringMatching(`-part-${part}\\.zip"$`)))
  for (const query of ["cursor=x", "until=x", "part=0", "part=x"]) {
    const wrong = await browser.get(`/settings/export/?${query}`)
    expect([wrong.status, wrong.headers.get("Content-Disposition")], query).toEqual([400, null])
  }
  for (const query of ["cursor=x", "part=-1"])
    expect((await browser.get(`/settings/export/parts/?${query}`)).status, query).toBe(400)
})

/** Inserts rows of images, without files, for inserted posts. */
const insertImages = async (author: Author, images: [post: number, bytes: number][]) => {
  const account = await accountId(author)
  const image = env.DB.prepare(`insert into images (id, account_id, bytes, width, height, created_at, expires_at)
    values (?, ?, ?, 1, 1, 0, 0)`)
  const link = env.DB.prepare("insert into post_images (post_id, image_id, position) values (?, ?, 0)")
  const statements = images.map(([post, bytes]) => {
    const id = `${account}-${post}`
    return [image.bind(id, account, bytes), link.bind(`01M${String(post).padStart(23, "0")}`, id)]
  })
  await env.DB.batch(statements.flat())
}

const GIB = 1024 ** 3

it("a part of a blog export ends before its images exceed the size limit, and no post is split", async () => {
  const { browser, ...author } = await signIn()
  await insertPosts(author, "heavy-", 7)
  await insertImages(author, [
    [1, GIB],
    [2, GIB],
    [3, 1],
    [5, 3 * GIB],
  ])
  const parts = [[1, 2], [3, 4], [5], [6, 7]].map((numbers) => numbers.map((n) => `heavy-${n}`))
  expect((await downloadAll(browser, await partsOf(browser))).map(slugsOf)).toEqual(parts)
  // The manifests' cursors lead through the same parts.
  const chain = []
  for (let query = ""; chain.length <= parts.length;) {
    const part = await download(browser, query)
    chain.push(slugsOf(part))
    const { next_cursor } = part.manifest
    if (typeof next_cursor !== "string") break
    query = `?cursor=${next_cursor}`
  }
  expect(chain).toEqual(parts)
})

it("the linked parts of a blog export do not overlap or lose posts that change between downloads", async () => {
  const { browser, ...author } = await signIn()
  await insertPosts(author, "kept-", 6)
  await insertImages(author, [
    [2, 2 * GIB],
    [3, GIB],
    [4, 2 * GIB],
  ])
  const links = await partsOf(browser)
  const before = await downloadAll(browser, links)
  expect(before.map(slugsOf)).toEqual([["kept-1", "kept-2"], ["kept-3"], ["kept-4", "kept-5", "kept-6"]])
  await insertImages(author, [[1, 2 * GIB]])
  await env.DB.prepare("delete from posts where slug = 'kept-3'").run()
  await newPost(author, { slug: "newest" })
  const after = await downloadAll(browser, links)
  expect(after.map(slugsOf)).toEqual([["kept-1", "kept-2"], [], ["kept-4", "kept-5", "kept-6", "newest"]])
})

/** Counts the rows that a request's select statements read. */
const rowsRead = async (ask: (DB: D1Database) => Promise<unknown>): Promise<number> => {
  const heard: Statement[] = []
  await ask(tapD1({ before: (statements) => void heard.push(...statements) }))
  let read = 0
  for (const { sql, values } of heard.filter((statement) => /^select/i.test(statement.sql))) {
    const { meta } = await env.DB.prepare(sql)
      .bind(...values)
      .all()
    read += meta.rows_read
  }
  return read
}

it("the settings page reads as many D1 rows for thousands of posts as for one part of an export", async () => {
  const vars: Partial<Env> = {}
  const { browser, ...author } = await signIn({}, vars)
  const viewed = async () =>
    rowsRead(async (DB) => {
      vars.DB = DB
      expect((await browser.get("/settings/")).status).toBe(200)
      delete vars.DB
    })
  await insertPosts(author, "crowd-", MAX_EXPORT_POSTS + 1)
  const some = await viewed()
  expect(some).toBeGreaterThan(MAX_EXPORT_POSTS)
  await insertPosts(author, "crowd-", 10 * MAX_EXPORT_POSTS)
  expect(await viewed()).toBeLessThan(some + 50)
})

it("the settings page lists all parts of a very large blog export across several pages", async () => {
  const { browser, ...author } = await signIn()
  await insertPosts(author, "pages-", EXPORT_PARTS_PAGE_SIZE * MAX_EXPORT_POSTS + 1)
  const links = await partsOf(browser)
  expect(links.map(({ text }) => text)).toEqual(
    Array.from({ length: EXPORT_PARTS_PAGE_SIZE + 1 }, (_, i) => `Download part ${i + 1} (zip)`),
  )
  const last = await download(browser, links.at(-1)?.query)
  expect(slugsOf(last)).toEqual([`pages-${EXPORT_PARTS_PAGE_SIZE * MAX_EXPORT_POSTS + 1}`])
  expect(last.manifest["next_cursor"]).toBeNull()
})

it("a blog that fills exactly one part of an export has no second part", async () => {
  const { browser, ...author } = await signIn()
  await insertPosts(author, "whole-", MAX_EXPORT_POSTS)
  expect((await browser.get("/settings/")).html).toContain("Download everything (zip)")
  expect((await download(browser)).manifest).toMatchObject({ posts: MAX_EXPORT_POSTS, next_cursor: null })
})

it("a blog export lists an image whose file is missing in warnings.txt and holds everything else", async () => {
  const { browser, ...author } = await signIn()
  const uploads = [await upload(author), await upload(author), await upload(author)]
  const { images, slug } = await newPost(author, { image_ids: uploads.map(({ image_id }) => image_id) })
  const [first, gone, last] = idsOf({ images })
  await env.MEDIA.delete(`${await accountId(author)}/${gone}.webp`)
  const { names, files, manifest } = await download(browser)
  expect(names).toEqual([
    `posts/${slug}/en.md`,
    `media/${first}.webp`,
    `media/${last}.webp`,
    "warnings.txt",
    "manifest.json",
  ])
  expect(decode(files.get("warnings.txt"))).toContain(`\nmedia/${gone}.webp\n`)
  expect(manifest).toMatchObject({ pictures: 2, missing_pictures: 1 })
})

it("a blog export holds an image that two posts show only once", async () => {
  const { browser, ...author } = await signIn()
  const { image_id } = await upload(author)
  await newPost(author, { image_ids: [image_id] })
  await newPost(author, { image_ids: [image_id] })
  const { names, manifest } = await download(browser)
  expect(names.filter((name) => name.startsWith("media/"))).toEqual([`media/${image_id}.webp`])
  expect(manifest).toMatchObject({ posts: 2, pictures: 1 })
})

it("a blog export holds nothing of another author, whatever cursor is sent", async () => {
  const { browser, ...author } = await signIn()
  const other = await newAuthor()
  const { image_id } = await upload(other)
  await newPost(other, { image_ids: [image_id] })
  const { slug } = await newPost(author)
  await newPost(other)
  const cursor = btoa("00000000000000000000000000").replaceAll("=", "")
  for (const query of ["", `?cursor=${cursor}`])
    expect((await download(browser, query)).names).toEqual([`posts/${slug}/en.md`, "manifest.json"])
})

it.each([{ paid_until: null }, { restricted: true }, { hidden: true }])(
  "an author whose account has %o can export its posts",
  async (changes) => {
    const { browser, ...author } = await signIn()
    const { slug } = await newPost(author)
    await setAccount(author, changes)
    expect((await download(browser)).names).toContain(`posts/${slug}/en.md`)
  },
)

it("a blog export without a session redirects to the sign-in page, even with an API key", async () => {
  const { key } = await newAuthor()
  const { status, headers } = await new Browser().get("/settings/export/", { "X-API-KEY": key })
  expect([status, headers.get("Location")]).toEqual([303, "/sign-in/"])
})

/** Reads an answer by chunks until it contains a text, or to its end. */
const readerOf = ({ body }: Response) => {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let text = ""
  const readUntil = async (wanted: string | null): Promise<string> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += decode(next.value)
      if (wanted !== null && text.includes(wanted)) break
    }
    return text
  }
  return { readUntil }
}

it("a blog export reads posts and images from storage one by one while it is downloaded", async () => {
  const { browser, ...author } = await signIn()
  const slugs = []
  for (let i = 0; i < 3; i += 1) {
    const { image_id } = await upload(author)
    slugs.push((await newPost(author, { image_ids: [image_id] })).slug)
  }
  const read: string[] = []
  const get = (key: string) => {
    read.push(key)
    return env.MEDIA.get(key)
  }
  const MEDIA = faulty(env.MEDIA, { get })
  const response = await worker.fetch(exportRequest(browser), { ...env, MEDIA }, createExecutionContext())
  const chunks = readerOf(response)
  const first = await chunks.readUntil("posts/")
  expect(read).toEqual([])
  await chunks.readUntil("media/")
  expect(read.length).toBe(1)
  // Posts deleted before the archive reaches them are skipped.
  await remove(author, slugs[2] ?? "")
  const whole = await chunks.readUntil(null)
  expect(read.length).toBe(2)
  expect(first.length).toBeLessThan(whole.length)
  expect(whole).toContain(`posts/${slugs[1]}/en.md`)
  expect(whole).not.toContain(slugs[2])
})

it("a blog export breaks off if image storage fails, so that no truncated archive looks complete", async () => {
  const { browser, ...author } = await signIn()
  await newPost(author, { image_ids: [(await upload(author)).image_id] })
  const MEDIA = faulty(env.MEDIA, { get: failing })
  const response = await worker.fetch(exportRequest(browser), { ...env, MEDIA }, createExecutionContext())
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow("A fault that a test made.")
})

it("a blog export has no file for a language in which the post has no text", async () => {
  const { browser, ...author } = await signIn()
  const { slug } = await newPost(author, { translation_languages: ["fr", "es"] })
  await patch(author, slug, { lang_code: "es", translation_languages: ["fr", "es"], title: "Un título" })
  const { names, files } = await download(browser)
  expect(names).toEqual([`posts/${slug}/en.md`, `posts/${slug}/es.md`, "manifest.json"])
  const fields = { title: "Un título", meta_description: null, edited: ["title"] }
  expect(readFile(files.get(`posts/${slug}/es.md`))).toMatchObject({ fields, body: "" })
})
