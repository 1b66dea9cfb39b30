import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { MAX_FEED_BYTES } from "../../src/limits.ts"
import { origin } from "../e2e/support.ts"
import { JsonFeed } from "./json-feed.ts"
import { FEED_POSTS, feedPost, newBlog, run, writeFeedBlog } from "./reader.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-reader-"))
})
afterAll(() => rm(folder, { recursive: true }))

/** Checks with libxml2 that a file is XML, and returns it. */
const readXml = async (path: string): Promise<string> => {
  const answer = await fetch(`${origin}${path}`)
  expect(answer.status).toBe(200)
  const file = join(folder, "file.xml")
  const text = await answer.text()
  await writeFile(file, text)
  await run("xmllint", "--noout", file)
  return text
}

/** Returns what libxml2 finds by an XPath without namespaces, one text a line. */
const find = async (xpath: string): Promise<string[]> =>
  (await run("xmllint", "--xpath", xpath, join(folder, "file.xml"))).trim().split("\n")

// Matches ` href="/a"` and ` src="#a"`. Does not match ` href="https://a"`.
const RELATIVE = / (?:href|src|cite)="(?!https?:\/\/)[^"]*"/g
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/

describe("feeds and sitemaps of a blog with 31 posts of 100 KB in five scripts, with control characters", () => {
  const blog = `${origin}/@feeder/`
  const shown = Array.from({ length: 30 }, (_, i) => feedPost(FEED_POSTS - 1 - i))
  beforeAll(async () => {
    const client = await newBlog("feeder", {
      blog_title: "المد & <Tide>",
      blog_description: '潮汐 of "all" seas',
      primary_language: "ar",
    })
    await writeFeedBlog(client)
  })

  test("feed.atom is XML for xmllint, and feedparser reads all fields of its 30 entries", async () => {
    await readXml("/@feeder/feed.atom")
    const feed = JSON.parse(await run("/usr/bin/python3", "test/full/feed.py", `${blog}feed.atom`))
    const { entries, updated, ...about } = feed
    expect(about).toEqual({
      bozo: 0,
      error: "",
      version: "atom10",
      id: `${blog}feed.atom`,
      lang: "ar",
      title: "المد & <Tide>",
      subtitle: '潮汐 of "all" seas',
      links: [
        ["self", `${blog}feed.atom`],
        ["alternate", blog],
      ],
    })
    expect(entries).toHaveLength(30)
    expect(updated).toBe(
      entries
        .map((entry: { updated: string }) => entry.updated)
        .toSorted()
        .at(-1),
    )
    for (const [i, { content, updated: changed, ...entry }] of entries.entries()) {
      const { slug, primary_language: lang, title, meta_description, categories, tags, published_at } = shown[i] ?? {}
      const url = `${blog}${slug}/`
      const author = i === 0 ? "Ann & Ben" : "@feeder"
      const terms = [...(categories ?? []), ...(tags ?? [])]
      const summary = meta_description
      expect(entry).toEqual({ id: url, link: url, lang, title, summary, author, tags: terms, published: published_at })
      expect(Date.parse(changed)).toBeGreaterThan(Date.now() - 3_600_000)
      // Ten bodies of 100 KB become less than 1 MiB of HTML, eleven more.
      expect(content, slug).toHaveLength(i < 10 ? 1 : 0)
    }
  })

  test("the content in feed.atom and feed.json is the same, within 1 MiB, with absolute addresses", async () => {
    const atom = JSON.parse(await run("/usr/bin/python3", "test/full/feed.py", `${blog}feed.atom`))
    const { items } = JsonFeed.parse(await (await fetch(`${blog}feed.json`)).json())
    const contents: string[] = atom.entries.flatMap(({ content }: { content: string[] }) => content)
    const size = contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0)
    expect(size).toBeLessThanOrEqual(MAX_FEED_BYTES * 1.01)
    expect(size).toBeGreaterThan(MAX_FEED_BYTES * 0.9)
    for (const [i, content] of contents.entries()) {
      expect(content.match(RELATIVE)).toBe(null)
      const addresses = [...content.matchAll(/ (?:href|src|cite)="([^"]*)"/g)].map(([, address]) => address)
      const url = `${blog}${shown[i]?.slug}/`
      expect(addresses).toEqual([
        blog,
        "http://example.org/a?b=1&amp;c=2#d",
        `${url}#part`,
        "https://example.net/",
        blog,
        expect.stringMatching(`^${origin}/media/feeder/`),
        expect.stringMatching(`^${url}#fn`),
        expect.stringMatching(`^${url}#fnref`),
      ])
      // oxlint-disable-next-line no-control-regex
      expect(items[i]?.content_html?.replaceAll(/[\u0001-\u0008\v\f\u000E-\u001F\uFFFE\uFFFF]/g, "")).toBe(content)
    }
  })

  test("feed.json follows JSON Feed 1.1 and has the same entries as feed.atom", async () => {
    const answer = await fetch(`${blog}feed.json`)
    expect(answer.headers.get("Content-Type")).toMatch(/^application\/feed\+json\b/)
    const { items, ...feed } = JsonFeed.parse(await answer.json())
    expect(feed).toEqual({
      version: "https://jsonfeed.org/version/1.1",
      title: "المد & <Tide>",
      description: '潮汐 of "all" seas',
      home_page_url: blog,
      feed_url: `${blog}feed.json`,
      language: "ar",
      authors: [{ name: "@feeder", url: blog }],
    })
    expect(items.map(({ id, language, image }) => [id, language, image?.startsWith(`${origin}/media/`)])).toEqual(
      shown.map(({ slug, primary_language }) => [`${blog}${slug}/`, primary_language, true]),
    )
    expect(
      items.map(({ content_html, content_text }) => [content_html === undefined, content_text === undefined]),
    ).toEqual(shown.map((_, i) => [i >= 10, i < 10]))
    expect(items.map(({ date_published }) => Date.parse(date_published ?? ""))).toEqual(
      shown.map(({ published_at }) => Date.parse(published_at)),
    )
  })

  test("the sitemap of the blog is XML with an address and a time for each page", async () => {
    const xml = await readXml("/@feeder/sitemap.xml")
    expect(xml).toContain('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
    const urls = Array.from({ length: FEED_POSTS }, (_, i) => `${blog}${feedPost(FEED_POSTS - 1 - i).slug}/`)
    expect(await find("//*[local-name()='loc']/text()")).toEqual([blog, ...urls])
    expect(await find("count(/*/*)")).toEqual([String(FEED_POSTS + 1)])
    expect(
      await find(
        "count(//*[not(self::*[local-name()='urlset' or local-name()='url' or local-name()='loc' or local-name()='lastmod'])])",
      ),
    ).toEqual(["0"])
    const times = await find("//*[local-name()='url']/*[local-name()='lastmod']/text()")
    expect(times).toHaveLength(FEED_POSTS)
    for (const time of times) expect(time).toMatch(TIME)
  })

  test("the sitemap index is XML that names the blog's sitemap, and robots.txt names the index", async () => {
    const xml = await readXml("/sitemap.xml")
    expect(xml).toContain('<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
    const maps = await find("/*/*[local-name()='sitemap']/*[local-name()='loc']/text()")
    expect(maps).toContain(`${blog}sitemap.xml`)
    expect(await (await fetch(`${origin}/robots.txt`)).text()).toContain(`Sitemap: ${origin}/sitemap.xml`)
  })
})
