import { writeFile } from "node:fs/promises"
import { join } from "node:path"

import { HtmlValidate } from "html-validate"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, test } from "vitest"

import { MAX_FEED_BYTES } from "../../src/limits.ts"
import { newFolder } from "../after-file.ts"
import { origin } from "../e2e/support.ts"
import { run, upload } from "./blog.ts"
import { look } from "./browser.ts"
import { JsonFeed } from "./json-feed.ts"
import { drawing, FEED_POSTS, feedPost, newBlog, writeAbroad, writeAlmanac, writeFeedBlog } from "./reader.ts"
import { findFlaws } from "./watch.ts"

const folder = await newFolder()

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

/** Leaves out what an item of RSS does not have: its language, and the time of its change. */
const withoutBoth = (entries: object[]) => entries.map((entry) => ({ ...entry, lang: "", updated: "" }))

// Matches ` href="/a"` and ` src="#a"`. Does not match ` href="https://a"`.
const RELATIVE = / (?:href|src|cite)="(?!https?:\/\/)[^"]*"/g
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/

describe("feeds and sitemaps of a blog with 31 posts of 100 KB in five scripts, with control characters", () => {
  const blog = `${origin}/@feeder/`
  const shown = Array.from({ length: 30 }, (_, i) => feedPost(FEED_POSTS - 1 - i))
  beforeAll(async () => {
    const texts = { blog_title: "المد & <Tide>", blog_description: '潮汐 of "all" seas', primary_language: "ar" }
    await writeFeedBlog(await newBlog("feeder", texts))
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
      links: Object.entries({ self: `${blog}feed.atom`, alternate: blog }),
    })
    expect(entries).toHaveLength(30)
    const times: string[] = entries.map((entry: { updated: string }) => entry.updated)
    expect(updated).toBe(times.toSorted().at(-1))
    for (const [i, { content, updated: changed, ...entry }] of entries.entries()) {
      const { slug, primary_language: lang, title, meta_description, categories, tags, published_at } = shown[i] ?? {}
      const url = `${blog}${slug}/`
      const author = i === 0 ? "Ann & Ben" : "@feeder"
      const terms = [...(categories ?? []), ...(tags ?? [])]
      const summary = meta_description
      expect(entry).toEqual({ id: url, link: url, lang, title, summary, author, tags: terms, published: published_at })
      expect(Date.parse(changed)).toBe(Date.parse(published_at ?? ""))
      // Ten bodies of 100 KB become less than 1 MiB of HTML, eleven more.
      expect(content, slug).toHaveLength(i < 10 ? 1 : 0)
    }
  })

  test("feed.rss is XML for xmllint, and feedparser reads the same of it as of feed.atom", async () => {
    await readXml("/@feeder/feed.rss")
    const [rss, atom] = await Promise.all(
      ["feed.rss", "feed.atom"].map(async (name) =>
        JSON.parse(await run("/usr/bin/python3", "test/full/feed.py", `${blog}${name}`)),
      ),
    )
    const { id: _id, links: _links, entries, ...about } = atom
    expect(rss).toMatchObject({
      ...about,
      version: "rss20",
      links: [
        ["alternate", blog],
        ["self", `${blog}feed.rss`],
      ],
    })
    expect(withoutBoth(rss.entries)).toEqual(withoutBoth(entries))
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
    const expected = shown.map(({ slug, primary_language, published_at }) => ({
      id: `${blog}${slug}/`,
      language: primary_language,
      image: expect.stringMatching(`^${origin}/media/`),
      date_published: expect.toSatisfy((time: string) => Date.parse(time) === Date.parse(published_at)),
    }))
    expect(items).toMatchObject(expected)
    expect(items.map(({ content_html, content_text }) => [typeof content_html, typeof content_text])).toEqual(
      shown.map((_, i) => (i < 10 ? ["string", "undefined"] : ["undefined", "string"])),
    )
  })

  test("the sitemap of the blog is XML with an address and a time for each page", async () => {
    const xml = await readXml("/@feeder/sitemap.xml")
    expect(xml).toContain('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
    const urls = Array.from({ length: FEED_POSTS }, (_, i) => `${blog}${feedPost(i).slug}/`)
    expect(await find("//*[local-name()='loc']/text()")).toEqual([blog, ...urls])
    expect(await find("count(/*/*)")).toEqual([String(FEED_POSTS + 1)])
    const known = ["urlset", "url", "loc", "lastmod"].map((name) => `local-name()='${name}'`).join(" or ")
    expect(await find(`count(//*[not(${known})])`)).toEqual(["0"])
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

/** The rules of the HTML standard, and of accessibility. */
const htmlValidate = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:document", "html-validate:a11y"],
  // The style sheet is our own file, which changes with the page.
  rules: { "require-sri": ["error", { target: "crossorigin" }] },
})

/** Returns the status of a page, and what is wrong with its HTML. */
const findFaults = async (path: string): Promise<{ status: number; faults: string[] }> => {
  const answer = await fetch(`${origin}${path}`, { headers: { Accept: "text/html" } })
  const { results } = await htmlValidate.validateString(await answer.text())
  const messages = results.flatMap(({ messages: all }) => all)
  const faults = messages.map(({ ruleId, message, line, selector }) => `${line} ${ruleId}: ${message} ${selector}`)
  return { status: answer.status, faults }
}

/** The pages of readers by the names of their screenshots; the preview is added once it exists. */
const PAGES: Record<string, string> = {
  home: "/",
  blog: "/@almanac/",
  "blog-2": "/@almanac/?page=2",
  "blog-in-arabic": "/@almanac/?lang=ar",
  "blog-empty": "/@nothing-yet/",
  tag: "/@almanac/tags/tide/",
  category: "/@almanac/categories/Sea%20%26%20shore/",
  post: "/@almanac/almanac-rich/",
  "post-translated": "/@almanac/almanac-rich/ar/",
  "post-long": "/@almanac/almanac-long/",
  "post-plain": "/@almanac/almanac-1/",
  preview: "",
  "preview-translated": "",
  "blog-rtl": "/@bahr/",
  "post-rtl": "/@bahr/bahr-rich/",
  "blog-cjk": "/@umi/",
  "post-cjk": "/@umi/umi-rich/",
}

// Matches `post-rtl` and `post-translated`. Does not match `post`.
const ARABIC = /-(?:rtl|in-arabic|translated)$/

/** Returns the name of the focused element with the style of its outline; `body` after the last one. */
const FOCUSED = `(({ activeElement: one }) =>
  one === document.body ? "body" : one.localName + " " + getComputedStyle(one).outlineStyle)(document)`

/** Returns the colour scheme of the page's background, and the direction of its heading. */
const SHOWN = `((styleOf) => [
  styleOf("html").backgroundColor.match(/\\d+/)[0] > 128 ? "light" : "dark",
  styleOf("h1").direction
])((selector) => getComputedStyle(document.querySelector(selector)))`

/** Presses Tab until the end of the page. @returns what it reached */
const tabThrough = async (page: Page): Promise<string[]> => {
  const reached: string[] = []
  for (let one = ""; one !== "body";) {
    if (one !== "") reached.push(one)
    await page.keyboard.press("Tab")
    one = await page.evaluate<string>(FOCUSED)
  }
  return [...new Set(reached)].toSorted()
}

describe("pages of readers", () => {
  beforeAll(async () => {
    const almanac = await newBlog("almanac", {
      blog_title: "The Tide Almanac",
      blog_description: "Letters from the coast about the moon, the sea and the people between the two.",
      author_name: "Ann Shore",
    })
    const preview = await writeAlmanac(almanac)
    PAGES["preview"] = new URL(preview).pathname
    PAGES["preview-translated"] = `${PAGES["preview"]}ar/`
    const bahr = { blog_title: "البحر", blog_description: "رسائل من الساحل", primary_language: "ar" }
    await writeAbroad(await newBlog("bahr", bahr), "ar", "bahr")
    const umi = { blog_title: "海", blog_description: "海岸からの手紙", primary_language: "ja" }
    await writeAbroad(await newBlog("umi", umi), "ja", "umi")
    await newBlog("nothing-yet")
  })

  test.each(Object.keys(PAGES))("the page %s is valid HTML", async (name) => {
    expect(await findFaults(PAGES[name] ?? "")).toEqual({ status: 200, faults: [] })
  })

  test.each(["@almanac", "preview"])("the page of the missing /%s/nothing-here/ is valid HTML", async (parent) => {
    expect(await findFaults(`/${parent}/nothing-here/`)).toEqual({ status: 404, faults: [] })
  })

  test.each(Object.keys(PAGES))(
    "the page %s has no accessibility error, no sideways overflow, no script and a way home, in any look",
    async (name) => {
      const path = PAGES[name] ?? ""
      const author = name.startsWith("preview") ? "@almanac" : path.split("/")[1]
      const home = name === "home" ? "/docs/" : `${origin}/${author}/`
      const check = async (page: Page) => {
        // JSON-LD is data, which does not run.
        expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0)
        const flaws = await findFlaws(page, `reader-${name}`, async (colorScheme) => {
          expect(await page.locator(`a[href="${home}"]:visible`).count()).toBeGreaterThan(0)
          expect(await page.evaluate(SHOWN)).toEqual([colorScheme, ARABIC.test(name) ? "rtl" : "ltr"])
        })
        expect(flaws).toEqual([])
      }
      // A page's policy allows no script, but axe is one.
      await look(path, check, { bypassCSP: true })
    },
  )

  test("links, code and tables of a post show a visible focus, and a printed post has no navigation", async () => {
    const shown = ["a solid", "div solid", "math solid", "pre solid", "summary solid"]
    const check = async (page: Page) => {
      expect(await tabThrough(page)).toEqual(shown)
      expect(await page.evaluate("document.querySelector('article img').naturalWidth")).toBeGreaterThan(0)
      await page.emulateMedia({ media: "print" })
      expect(await page.locator("nav:visible, header.site:visible, footer.site:visible").count()).toBe(0)
      await page.emulateMedia({ media: "screen" })
    }
    await look("/@almanac/almanac-rich/", check, { viewport: { width: 800, height: 900 } })
  })
})

const HOSTILE = `</script><script>window.attacked = 1</script> <!-- "quotes" & 'more' &amp; <img src=x> \\u003c`
const BLOG_TITLE = 'Blog </title><script>1</script> "'
const LONG_AGO = "2026-01-02T03:04:05.000Z"

/** Reads the tags of a page for other sites, each name with all its contents. */
const META = `Object.fromEntries([...document.querySelectorAll("head meta[property], head meta[name]")].map(
  (one, _, all) => {
    const name = one.getAttribute("property") ?? one.name
    return [name, all.filter((other) => (other.getAttribute("property") ?? other.name) === name).map(({ content }) => content)]
  }))`

describe("a post whose texts try to be markup", () => {
  const blog = `${origin}/@hostile/`
  const url = `${blog}hostile/`
  const post = {
    slug: "hostile",
    status: "PB",
    title: `Title ${HOSTILE}`,
    meta_description: `Description ${HOSTILE}`,
    author_name: 'Ann </script><!-- "B"',
    categories: ['</script><b title="c">', "News & co"],
    tags: ["<!--<script>", "a'b\"c"],
    published_at: LONG_AGO,
    primary_language: "pt-BR",
    translation_languages: [],
    body: HOSTILE,
  }
  let image: string
  beforeAll(async () => {
    const client = await newBlog("hostile", { blog_title: BLOG_TITLE, author_name: "</script><b>" })
    const { image_id, image_url } = await upload(client, drawing(640, 360))
    image = `${origin}${image_url}`
    await client("POST", "posts/", { ...post, cover_image_id: image_id })
  })

  test("the social tags and the JSON-LD of its page equal its fields in a browser, and nothing becomes an element", async () => {
    const { items } = JsonFeed.parse(await (await fetch(`${blog}feed.json`)).json())
    const changed = items[0]?.date_modified
    expect(Date.parse(changed ?? "")).toBe(Date.parse(LONG_AGO))
    const check = async (page: Page) => {
      const meta = await page.evaluate<Record<string, string[]>>(META)
      expect(meta).toEqual({
        viewport: ["width=device-width, initial-scale=1"],
        "color-scheme": ["light dark"],
        description: [post.meta_description],
        author: [post.author_name],
        "og:type": ["article"],
        "og:title": [post.title],
        "og:description": [post.meta_description],
        "og:url": [url],
        "og:site_name": [BLOG_TITLE],
        "og:locale": ["pt_BR"],
        "og:image": [image],
        "og:image:width": ["640"],
        "og:image:height": ["360"],
        "article:published_time": [LONG_AGO],
        "article:modified_time": [changed],
        "article:tag": post.tags,
        "twitter:card": ["summary_large_image"],
      })
      const [data = "", ...others] = await page.locator("script").allTextContents()
      expect(others).toEqual([])
      expect(JSON.parse(data)).toEqual({
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        headline: post.title,
        description: post.meta_description,
        inLanguage: "pt-BR",
        url,
        mainEntityOfPage: url,
        datePublished: LONG_AGO,
        dateModified: changed,
        author: { "@type": "Person", name: post.author_name, url: blog },
        image,
        keywords: post.tags,
        articleSection: post.categories,
      })
      expect(await page.title()).toBe(post.title)
      expect(await page.locator("h1").textContent()).toBe(post.title)
      expect(await page.locator("b, img:not(.cover)").count()).toBe(0)
      expect(await page.evaluate("window.attacked")).toBe(undefined)
    }
    // With its policy bypassed, a script would run.
    await look("/@hostile/hostile/", check, { bypassCSP: true })
  })

  test("the social tags of the blog and its lists equal the blog's texts", async () => {
    for (const [path, title] of [
      ["", BLOG_TITLE],
      [`tags/${encodeURIComponent("a'b\"c")}/`, "#a'b\"c"],
      [`categories/${encodeURIComponent('</script><b title="c">')}/`, '</script><b title="c">'],
    ]) {
      const check = async (page: Page) => {
        const meta = await page.evaluate<Record<string, string[]>>(META)
        expect([meta["og:type"], meta["og:title"], meta["og:url"]]).toEqual([["website"], [title], [page.url()]])
        expect(await page.locator("h1").textContent()).toBe(title)
        expect(await page.locator("script, b").count()).toBe(0)
      }
      await look(`/@hostile/${path}`, check)
    }
  })
})
