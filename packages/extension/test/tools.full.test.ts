import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { origin } from "../../../test/e2e/support.ts"
import { htmlOf, textOf, treeOf } from "../../../test/markdown/html.ts"
import { newAuthor, notesOf, openForm, setUp, valueOf } from "./clip.ts"
import type { Driver } from "./driver.ts"
import { BROWSERS, useExtension } from "./set-up.ts"

// Pages that real tools made, in the folder TOOL_PAGES of `npm run tool-pages`: what their templates mark as the article, arrives.

interface ToolPage {
  path: string
  /** Selects the elements that hold the article. */
  root: string
}

const FOLDER = process.env["TOOL_PAGES"] ?? ""
const LIST = join(FOLDER, "pages.json")
const PAGES = FOLDER !== "" && existsSync(LIST) ? (JSON.parse(readFileSync(LIST, "utf8")) as ToolPage[]) : []

/** Lists the headings, paragraphs, items, code and notes of an article, each by its letters up to its first block. */
const PARTS = `(root) => {
  const unseen = "nav, [role=navigation], .toc, #toc, .contents, .menu, .nosearch, script, style, button, .headerlink, a.anchor, .linenos, .gutter, .lineno, noscript, template, sup, svg, math, select, .sr-only, .screen-reader-text, .navheader, .navfooter, .reply"
  const block = "p, div, section, ul, ol, dl, dt, dd, li, pre, table, blockquote, aside, figure, h1, h2, h3, h4, h5, h6, tr, td, th, details, summary, hr, form"
  const letters = (text) => text.replace(/[^\\p{L}]+/gu, "")
  const isShown = (node) => !node.closest(unseen) && node.checkVisibility()
  const textOf = (top) => {
    let text = ""
    const read = (node) => [...node.childNodes].some((child) => {
      if (child.nodeType === 3) text += child.nodeValue
      if (child.nodeType !== 1) return false
      return child.matches(block) ? letters(text) !== "" || read(child) : isShown(child) && read(child)
    })
    if (top.matches("pre")) text = top.innerText
    else read(top)
    return letters(text)
  }
  const titles = [document.title, document.querySelector("h1")?.textContent ?? ""].map(letters)
  return [...document.querySelectorAll(root)]
    .flatMap((each) => [...each.querySelectorAll("h1, h2, h3, h4, h5, h6, p, li, dt, dd, pre, aside, .footnote")])
    .filter(isShown)
    .map(textOf)
    .filter((text) => text !== "" && !titles.some((title) => title.includes(text)))
}`

const letters = (text: string): string => text.replaceAll(/[^\p{L}]+/gu, "")

const shared = useExtension()

describe.skipIf(PAGES.length === 0).each(BROWSERS)("a draft by %s", (name, start) => {
  const server = createServer((request, answer) => {
    const file = join(FOLDER, decodeURIComponent((request.url ?? "").replace(/[?#].*/, "")))
    const type = { html: "text/html", css: "text/css" }[file.split(".").at(-1) ?? ""]
    if (!existsSync(file)) answer.writeHead(404).end()
    else answer.writeHead(200, type ? { "Content-Type": type } : {}).end(readFileSync(file))
  })
  let driver: Driver
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    driver = await start(shared.extension)
    const { draftKey } = await newAuthor(`tools-${name.toLowerCase()}`)
    await setUp(driver, { address: origin, key: draftKey, category: "Clips" })
  })
  afterAll(async () => {
    await driver.stop()
    server.close()
  })

  test.each(PAGES)("of $path has all parts of the article, or names them", async ({ path, root }) => {
    await driver.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`)
    const parts: string[] = await driver.page.evaluate(`(${PARTS})(${JSON.stringify(root)})`)
    const popup = await openForm(driver.openPopup)
    const html = htmlOf(await valueOf(popup, "body"))
    const draft = letters(textOf(treeOf(html)) + (await notesOf(popup)))
    await popup.close()
    expect(parts.length).toBeGreaterThan(0)
    expect(parts.filter((part) => !draft.includes(part))).toEqual([])
  })
})
