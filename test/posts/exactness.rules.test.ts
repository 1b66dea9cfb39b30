import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { describe, expect, it } from "vitest"

import { cutBlocks } from "../../src/posts/blocks.ts"
import { compileMarkdown } from "../../src/posts/markdown.ts"
import { parseMarkdown } from "../../src/posts/mdast.ts"
import { EXAMPLES } from "./commonmark.ts"
import { makeDocument, randomFrom, shuffle } from "./generate.ts"
import { compileCommonMark, compileUncorrected, compileWhole } from "./plain.ts"

const DOCUMENTS = 20_000
const TREES = 4000
const ORDERS = 300

const compiled = (markdown: string): string => {
  const parts = compileMarkdown(markdown)
  if ("tooComplex" in parts) throw new Error(parts.tooComplex)
  return parts.join("")
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
/** The specification ends every line. */
const ended = (html: string): string => html.replace(/(?<=[^\n])$/, "\n")

interface Group {
  reason: string
  numbers: number[]
  /** Shows that this, and nothing else, is why. */
  without: (markdown: string) => string
}
const DIFFERENT: Group[] = [
  {
    reason: "raw HTML is shown as text",
    numbers: [
      ...[21, 31, ...range(148, 191), 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536],
      ...[...range(613, 617), 623, ...range(625, 631), 642, 643],
    ],
    without: (markdown) => compileWhole(markdown, { allowDangerousHtml: true }),
  },
  {
    reason: "links have protocols that are known to be safe",
    numbers: [500, 598, 599, 601],
    without: (markdown) => compileWhole(markdown, { allowDangerousProtocol: true }),
  },
  {
    reason: "GFM makes links of addresses in plain text",
    numbers: [602, 608, 611, 612],
    without: compileCommonMark,
  },
]

describe("examples of CommonMark 0.31.2", () => {
  it("are all there", () => {
    expect(EXAMPLES).toHaveLength(652)
  })

  it("give the HTML of the specification, but for those listed", () => {
    const different = EXAMPLES.filter(({ markdown, html }) => ended(compiled(markdown)) !== html)
    const listed = DIFFERENT.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)
    expect(different.map(({ number }) => number)).toEqual(listed)
    expect(EXAMPLES.length - different.length).toBeGreaterThanOrEqual(572)
  })

  it.each(DIFFERENT)("differ where $reason", ({ numbers, without }) => {
    const examples = EXAMPLES.filter(({ number }) => numbers.includes(number))
    expect(examples.filter(({ markdown, html }) => ended(without(markdown)) !== html)).toEqual([])
  })
})

/** The first few that differ, and what each has where it begins to. */
const differences = (documents: string[], made: (markdown: string) => string, whole: (markdown: string) => string) =>
  documents
    .map((markdown) => ({ markdown, is: made(markdown), should: whole(markdown) }))
    .filter(({ is, should }) => is !== should)
    .slice(0, 3)
    .map(({ markdown, is, should }) => {
      let at = 0
      while (is[at] === should[at]) at++
      const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80)
      return JSON.stringify([markdown, around(is), around(should)])
    })

const random = randomFrom(20_260_727)
const examples = EXAMPLES.map(({ markdown }) => markdown)
const orders = Array.from({ length: ORDERS }, (_, i) =>
  shuffle(examples, random)
    .slice(0, i < 5 ? examples.length : 30)
    .join("\n\n"),
)

describe("byte for byte what micromark makes of the whole document", () => {
  const isCut = (markdown: string) => cutBlocks(markdown).blocks.length > 1

  it(`${DOCUMENTS} generated documents`, () => {
    const documents = Array.from({ length: DOCUMENTS }, () => makeDocument(random))
    expect(differences(documents, compiled, compileWhole)).toEqual([])
    const cut = documents.filter(isCut)
    console.log(cut.length)
    expect(cut.length).toBeGreaterThan(DOCUMENTS / 2)
  }, 120_000)

  it("the examples of CommonMark, in any order", () => {
    expect(differences(orders, compiled, compileWhole)).toEqual([])
    expect(orders.filter(isCut).length).toBeGreaterThan(ORDERS / 2)
  })

  it.each([
    ["- a\n  ```\n  b\n  c\n  ```", "<ul>\n<li>a\n<pre><code>b\nc\n</code></pre>\n</li>\n</ul>"],
    ["[a]: /x\n\n```\nb\nc\n```", "<pre><code>b\nc\n</code></pre>"],
    ["[a]: /x\n\n    b\n    c", "<pre><code>b\nc\n</code></pre>"],
    ["[a]: /x\n\n<div>\nb\n</div>", "&lt;div&gt;\nb\n&lt;/div&gt;"],
    ["[a]: /x\n# b\n***\nc", "<h1>b</h1>\n<hr />\n<p>c</p>"],
  ])("but for line endings that micromark loses: %j", (markdown, html) => {
    expect([compiled(markdown), compileWhole(markdown)]).toEqual([html, html])
    expect(compileUncorrected(markdown)).not.toBe(html)
  })
})

describe("the tree that micromark makes of the whole document", () => {
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))
  const wholeTree = (markdown: string) =>
    JSON.stringify(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions }).children)
  const tree = (markdown: string) => JSON.stringify(parseMarkdown(markdown).children)

  it(`${TREES} generated documents`, () => {
    const documents = Array.from({ length: TREES }, () => makeDocument(random))
    expect(differences(documents, tree, wholeTree)).toEqual([])
  }, 120_000)

  it("the examples of CommonMark, in any order", () => {
    expect(differences([...examples, ...orders], tree, wholeTree)).toEqual([])
  })
})
