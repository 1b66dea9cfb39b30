import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { origin } from "../../../test/e2e/support.ts"
import { find, textOf, treeOf } from "../../../test/markdown/html.ts"
import { ask, fill, newAuthor, notesOf, openForm, postOf, setUp, submit, valueOf } from "./clip.ts"
import type { Driver, Frame } from "./driver.ts"
import { htmlOfPage, PAGES, SAMPLES, SIGN_IN, type TestPage } from "./pages.ts"
import { BROWSERS, useExtension } from "./set-up.ts"

// The draft of each page is compared with what a reader of the page would keep.

const shared = useExtension()

/** Returns a text without blanks: elements of blocks have none between them. */
const solid = (text: string): string => text.replaceAll(/\s+/g, "")

const UNSEEN =
  /<div class="promo">.*?<\/div>|<a class="anchor".*?<\/a>|<td class="gutter">.*?<\/td>|<span class="(?:lnt|linenos)">.*?<\/span>/gs
/** Elements that become links, with the texts of these. */
const LINKED = /<img data-link [^>]*alt="([^"]*)">|<(?:iframe|video) [^>]*title="([^"]*)"/g

/** Returns the HTML of what a reader of the page would keep. */
const keptBy = ({ article, kept = article }: TestPage): string =>
  kept.replaceAll(UNSEEN, "").replaceAll(LINKED, (found, alt?: string, title?: string) => alt ?? `${title}${found}`)

const MARKUP = /^(?:h[1-6]|ul|ol|li|blockquote|strong|em|code|del|s(?:up|ub)|kbd|ruby)$/
const SAME: Record<string, string> = { b: "strong", i: "em" }

/** Returns the headings, lists, quotes and emphasis of HTML in their order, each with its text. */
const markupOf = (html: string): string[] =>
  find(html).flatMap((element) => {
    const name = SAME[element.tagName] ?? element.tagName
    const { start = 1 } = element.properties
    const text = solid(textOf(element))
    return MARKUP.test(name) && text !== "" ? [`${name} ${String(start)} ${text}`] : []
  })

const bodyOf = (popup: Frame) => valueOf(popup, "body")

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

describe.each(BROWSERS)("a draft by %s", (name, start) => {
  const username = `clip-${name.toLowerCase()}`
  let driver: Driver
  let key: string
  beforeAll(async () => {
    const author = await newAuthor(username)
    ;({ key } = author)
    driver = await start(shared.extension)
    const outcome = await setUp(driver, { address: origin, key: author.draftKey, category: "Clips" })
    expect(outcome).toContain(`Drafts go to the blog of ${username}`)
  })
  afterAll(() => driver.stop())

  const openPage = async (page: TestPage): Promise<Frame> => {
    await driver.goto(await addressOf(page))
    await driver.page.evaluate(page.script ?? "")
    return openForm(driver.openPopup)
  }

  test.each(PAGES)("of the page $name has what a reader keeps", async (page) => {
    const popup = await openPage(page)
    const description = await valueOf(popup, "description")
    expect(await notesOf(popup)).toBe(page.notes ?? "")
    // A slug is unique in the whole service.
    const slug = `${username}-${page.name}`
    await fill(popup, { slug })
    const outcome = await submit(popup)
    expect(outcome.trim()).toBe(["The draft is saved.", page.said].filter(Boolean).join("\n"))
    const links = `[...document.querySelectorAll("#result a")].map(({ href }) => href)`
    const [preview = "", posts = ""] = await popup.evaluate<string[]>(links)
    await popup.close()
    expect((await fetch(preview)).status).toBe(200)
    expect(posts).toBe(`${origin}/settings/posts/`)

    const post = await postOf(key, slug)
    const [html = "", quote = ""] = post.html.split("<blockquote>\n<p>Source: ")
    const address: string = await driver.page.evaluate("location.href")
    expect(post).toMatchObject({
      status: "DF",
      categories: ["Clips"],
      tags: page.tags ?? [],
      primary_language: page.language,
      title: page.title,
      meta_description: page.description ?? description,
    })
    expect({
      text: solid(textOf(treeOf(html))),
      markup: markupOf(html),
      links: hrefsOf(html),
      cells: textsOf(html, "td"),
      code: textsOf(html, "pre"),
      images: find(html, "img")
        .map(({ properties: { width, height } }) => `${String(width)}x${String(height)}`)
        .toSorted(),
      quoted: hrefsOf(quote),
    }).toEqual({
      text: solid(textOf(treeOf(keptBy(page)))),
      markup: markupOf(keptBy(page)),
      links: (page.links ?? []).map(place),
      cells: page.cells ?? [],
      code: page.code ?? [],
      images: page.images ?? [],
      quoted: address.startsWith("file:") ? [] : [address],
    })
  })

  test.each(SAMPLES)("of the sample %s is the golden file", async (file) => {
    await driver.goto(`${shared.site.origin}/samples/${file}`)
    const popup = await openForm(driver.openPopup)
    const draft = `${await notesOf(popup)}\n\n${await bodyOf(popup)}`.trim().replaceAll(shared.site.origin, "SITE")
    await popup.close()
    await expect(draft).toMatchFileSnapshot(`samples/${file.replace(".html", ".txt")}`)
  })

  test.each([
    ["of 2 MB has its beginning", `<h2>a</h2><p>${"words of a page ".repeat(20)}</p>`.repeat(6000), "## a"],
    [
      "of 10,000 nested elements is read",
      `${"<blockquote><b>".repeat(5000)}deep${"</b></blockquote>".repeat(5000)}`,
      "deep",
    ],
  ])("of a page %s", async (_, html, words) => {
    await driver.goto(`${shared.site.origin}/news?large`)
    await driver.page.evaluate(
      `document.querySelector("article").insertAdjacentHTML("beforeend", ${JSON.stringify(html)})`,
    )
    expect(await ask(driver.openPopup, bodyOf)).toContain(words)
  })

  test("of a page without an article is empty, and the reason is said", async () => {
    const popup = await openPage(SIGN_IN)
    expect(await notesOf(popup)).toContain("This page has no article that can be read")
    expect(await valueOf(popup, "body")).toBe("")
    await popup.close()
  })

  test("reads images with the rights of the page", async () => {
    const [page] = PAGES
    if (!page) throw new Error("There are no pages.")
    shared.site.cookies.clear()
    const popup = await openPage({ ...page, name: "news?rights" })
    await fill(popup, { slug: `${username}-rights` })
    await submit(popup)
    await popup.close()
    expect(shared.site.cookies.get("/image/640x480/quay.png")).toContain("session=reader")
  })

  test("is read again when the popup opens again, if its author has changed nothing", async () => {
    await driver.goto(`${shared.site.origin}/app?early`)
    expect(await ask(driver.openPopup, bodyOf)).toBe("")
    await driver.page.evaluate("show()")
    expect(await ask(driver.openPopup, bodyOf)).toContain("Written by a script.")
  })

  // Chromium has one range only.
  test.runIf(name === "Firefox")("of several selected parts has each as a block", async () => {
    await driver.goto(`${shared.site.origin}/news?parts`)
    await driver.page.evaluate(`for (const paragraph of [...document.querySelectorAll("article p")].slice(0, 2)) {
      const range = document.createRange()
      range.setStart(paragraph.firstChild, 4)
      range.setEnd(paragraph.firstChild, 11)
      getSelection().addRange(range)
    }`)
    expect(await ask(driver.openPopup, bodyOf)).toBe("ferry t\n\ncaptain")
  })

  test("has the beginning of a title that is too long, and this is said", async () => {
    await driver.goto(`${shared.site.origin}/news?long`)
    await driver.page.evaluate(`document.title = document.querySelector("h1").textContent = "Ferry ".repeat(60)`)
    const popup = await openForm(driver.openPopup)
    expect(await notesOf(popup)).toBe("The title is longer than 255 characters, so its end is left out.")
    expect(await valueOf(popup, "title")).toMatch(/^(?:Ferry ){42}Fer$/)
    await popup.close()
  })
})
