import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { newKey, origin } from "../../../test/e2e/support.ts"
import { find, textOf, treeOf } from "../../../test/markdown/html.ts"
import { startChromium } from "./chromium.ts"
import { fill, makeKey, notesOf, openForm, postOf, postsOf, setUp, submit, valueOf } from "./clip.ts"
import type { Driver, Frame } from "./driver.ts"
import { startFirefox } from "./firefox.ts"
import { htmlOfPage, PAGES, SIGN_IN, type TestPage } from "./pages.ts"
import { useExtension } from "./set-up.ts"

// The draft of each page is compared with what a reader of the page would keep.

const shared = useExtension()

/** Returns a text without blanks: elements of blocks have none between them. */
const solid = (text: string): string => text.replaceAll(/\s+/g, "")

const UNSEEN = /<div class="promo">.*?<\/div>|<a class="anchor".*?<\/a>|<td class="gutter">.*?<\/td>/gs
const LINKED = /<img data-link [^>]*alt="([^"]*)">/g

const keptBy = ({ article }: TestPage): string =>
  solid(textOf(treeOf(article.replaceAll(UNSEEN, "").replaceAll(LINKED, "$1"))))

const textsOf = (html: string, name: string): string[] => find(html, name).map((element) => textOf(element))

const hrefsOf = (html: string): string[] =>
  find(html, "a").map(({ properties }) =>
    decodeURI(String(properties["href"])).replaceAll("%28", "(").replaceAll("%29", ")"),
  )

const place = (link: string): string => link.replace("SITE", shared.site.origin).replace("OTHER", shared.other.origin)

const addressOf = async (page: TestPage): Promise<string> => {
  if (page.name !== "file") return `${shared.site.origin}/${page.name}`
  const path = join(shared.folder, "page.html")
  await writeFile(path, htmlOfPage(page))
  return pathToFileURL(path).href
}

describe.each([
  ["Chromium", startChromium],
  ["Firefox", startFirefox],
])("a draft by %s", (name, start) => {
  const username = `clip-${name.toLowerCase()}`
  let driver: Driver
  let key: string
  beforeAll(async () => {
    key = await newKey(username, { translation_languages: [], primary_language: "en" })
    driver = await start(shared.extension)
    const draft = await makeKey(username, "draft")
    const outcome = await setUp(driver, { address: origin, key: draft, category: "Clips" })
    expect(outcome).toContain(`Drafts go to the blog of ${username}`)
  })
  afterAll(() => driver.stop())

  const openPage = async (page: TestPage): Promise<Frame> => {
    await driver.goto(await addressOf(page))
    await driver.page.evaluate(page.script ?? "")
    return openForm(driver.openPopup)
  }

  test.each(PAGES.map((page) => [page.name, page] as const))(
    "of the page %s has what a reader keeps",
    async (_, page) => {
      const popup = await openPage(page)
      const description = await valueOf(popup, "description")
      // A slug is unique in the whole service.
      await fill(popup, { slug: `${username}-${page.name}` })
      const outcome = await submit(popup)
      expect(outcome.trim()).toBe(["The draft is saved.", page.said].filter(Boolean).join("\n"))
      const [preview = "", posts = ""] = await popup.evaluate<string[]>(
        `[...document.querySelectorAll("#result a")].map(({ href }) => href)`,
      )
      await popup.close()
      expect((await fetch(preview)).status).toBe(200)
      expect(posts).toBe(`${origin}/settings/posts/`)

      const [{ slug }] = await postsOf(key)
      const post = await postOf(key, slug)
      const [html = "", quote = ""] = post.html.split("<blockquote>\n<p>Source: ")
      const address: string = await driver.page.evaluate("location.href")
      expect({
        status: post.status,
        categories: post.categories,
        tags: post.tags,
        language: post.primary_language,
        title: post.title,
        description: post.meta_description,
        text: solid(textOf(treeOf(html))),
        links: hrefsOf(html),
        cells: textsOf(html, "td"),
        code: textsOf(html, "pre"),
        images: find(html, "img")
          .map(({ properties: { width, height } }) => `${String(width)}x${String(height)}`)
          .toSorted(),
        quoted: hrefsOf(quote),
      }).toEqual({
        status: "DF",
        categories: ["Clips"],
        tags: page.tags ?? [],
        language: page.language,
        title: page.title,
        description: page.description ?? description,
        text: keptBy(page),
        links: (page.links ?? []).map(place),
        cells: page.cells ?? [],
        code: page.code ?? [],
        images: page.images ?? [],
        quoted: address.startsWith("file:") ? [] : [address],
      })
    },
  )

  test("of a page without an article is empty, and the reason is said", async () => {
    const popup = await openPage(SIGN_IN)
    expect(await notesOf(popup)).toContain("This page has no article that can be read")
    expect(await valueOf(popup, "body")).toBe("")
    await popup.close()
  })

  test("reads images with the rights of the page", () => {
    expect(shared.site.cookies.get("/image/640x480/quay.png")).toContain("session=reader")
  })

  test("publishes nothing", async () => {
    const posts = await postsOf(key)
    expect(posts.length).toBe(PAGES.length)
    expect(posts.filter(({ status }) => status !== "DF")).toEqual([])
  })
})
