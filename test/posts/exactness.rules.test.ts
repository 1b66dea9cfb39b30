import { describe, expect, it } from "vitest"

import { cutBlocks } from "../../src/posts/blocks.ts"
import { compileBlocks } from "../../src/posts/markdown.ts"
import { EXAMPLES } from "./commonmark.ts"
import { compiled, differences, isCut, makeOrders, partsOf, tree, wholeTree } from "./exact.ts"
import { makeDocument, makeLines, randomFrom } from "./generate.ts"
import { compileCommonMark, compileUncorrected, compileWhole } from "./plain.ts"

const DOCUMENTS = 400
/** Ten times as long. */
const DOCUMENTS_OF_LINES = 120
const TREES = 200
const ORDERS = 24

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
      [21, 31, range(148, 191), 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536].flat(),
      [range(613, 617), 623, range(625, 631), 642, 643].flat(),
    ].flat(),
    without: (markdown) => compileCommonMark(markdown, { allowDangerousHtml: true }),
  },
  {
    reason: "links have protocols that are known to be safe",
    numbers: [500, 598, 599, 601],
    without: (markdown) => compileCommonMark(markdown, { allowDangerousProtocol: true }),
  },
  {
    reason: "GFM makes links of addresses in plain text",
    numbers: [602, 608, 611, 612],
    without: (markdown) => compileCommonMark(markdown, {}),
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

const random = randomFrom(20_260_727)
const documents = Array.from({ length: DOCUMENTS }, () => makeDocument(random))
const orders = makeOrders(ORDERS, random)
const ofLines = Array.from({ length: DOCUMENTS_OF_LINES }, () => makeLines(random))

/** Every order of so many of the lines. */
const ordersOf = (lines: string[], length: number): string[][] =>
  length === 0 ? [[]] : lines.flatMap((first) => ordersOf(lines, length - 1).map((rest) => [first, ...rest]))

/** Everything that may stand in a delimiter row, up to so long. */
const rowsOf = (length: number): string[] =>
  length === 0 ? [""] : ["", ...["-", ":", "|", " "].flatMap((first) => rowsOf(length - 1).map((rest) => first + rest))]

describe("byte for byte what micromark makes of the whole document", () => {
  it("documents that are generated; test:soak has twenty times as many", () => {
    expect(differences(documents, compiled, compileWhole)).toEqual([])
  })

  it("the examples of CommonMark, in any order", () => {
    expect(differences(orders, compiled, compileWhole)).toEqual([])
  })

  it("fences, HTML and footnotes that go on over blank lines", () => {
    expect(differences(ofLines, compiled, compileWhole)).toEqual([])
  })

  it.each([
    ["blanks", " "],
    ["tabs", "\t"],
  ])("every row of up to five characters that might make a table of the line above, with %s", (_, blank) => {
    const rows = rowsOf(5).map((row) => `a\n${row.replaceAll(" ", blank)}`)
    expect(rows).toHaveLength(1365)
    expect(differences(rows, compiled, compileWhole)).toEqual([])
  })

  it("every order of four lines of paragraphs, headings, lists, fences and comments", () => {
    const lines = ["", "a", "# b", "- c", "```", "````", "   ~~~", "~~~ d", "<!--", "-->"]
    const all = ordersOf(lines, 4)
    expect(all).toHaveLength(10_000)
    for (const ending of ["\n", "\r\n"]) {
      const joined = all.map((order) => order.join(ending))
      expect(differences(joined, compiled, compileWhole)).toEqual([])
    }
  })

  it("what quotes and footnotes begin with, behind indented code, however much stands before that", () => {
    const starts = ["- a", "2. a", "-", "2.", "-\na", "> 2. a", "- 2. a", "<b>\na", "[^b]: 2. a", "|a|\n|-|", "    a"]
    const code = [
      "    code",
      "\tcode",
      "  \tcode\n    ",
      "a\n\n    code",
      "- a\n\n      code",
      ">     code",
      "- a\n    b",
    ]
    const all = code.flatMap((before) =>
      starts.flatMap((start) => [`> ${start}`, `[^a]: ${start}`].map((begun) => `${before}\n\n${begun}\n\n[^a]`)),
    )
    const behind = all.map((text) => `${"-words of a paragraph. ".repeat(100)}\n\n${text}`)
    expect(differences([...all, ...behind], compiled, compileWhole)).toEqual([])
  })

  it("every order of up to five backticks, words, blanks, escapes, stars and line endings", () => {
    const all = [1, 2, 3, 4, 5].flatMap((length) => ordersOf(["`", "a", " ", "\\", "*", "\n"], length))
    expect(all).toHaveLength(9330)
    const texts = all.map((order) => `b${order.join("")}c`)
    expect(differences(texts, compiled, compileWhole)).toEqual([])
  })

  it.each(["\n", "\r\n", "\r"])("fenced code of any kind, lines ended by %j", (ending) => {
    const openings = [
      "",
      " a",
      "\ta\tb",
      "a b",
      "{r, c}",
      " a&amp;b",
      "a\\*b",
      "\u00A0a",
      "a\0b",
      '"a"',
      " ",
      "a`b",
      "~",
    ]
    const codes = [
      [],
      [""],
      ["", ""],
      ["", "b"],
      ["b", ""],
      [" "],
      ["\tb <&\0", "```", "~~~"],
      ["# b", "", "- c"],
      ["\uFEFF"],
    ]
    const closings = ["", "   ", "    ", "\t", "a"]
    const all = ["```", "~~~~"].flatMap((mark) =>
      openings.flatMap((info) =>
        codes.flatMap((code) =>
          closings.map((around) =>
            ["a", mark + info, ...code, `${around}${mark}${around.trim()} `, "# b \\# c", "d", ""].join(ending),
          ),
        ),
      ),
    )
    expect(differences(all, compiled, compileWhole)).toEqual([])
  })

  it("headings of any kind", () => {
    const texts = [
      "a",
      "a ",
      "a #",
      "a#",
      " a",
      "\ta",
      "a\t",
      "",
      " ",
      "\u00A0",
      "a\u00A0",
      "a|b",
      "a  b",
      "*a* `b`",
      "\\",
      "\0",
      "[a](b",
    ]
    const all = ["#", "######", "#######", " #"].flatMap((mark) =>
      texts.flatMap((text) => ["\n", "\n\n", "\n=\n", "\n:-\n", ""].map((end) => `${mark} ${text}${end}b`)),
    )
    expect(differences(all, compiled, compileWhole)).toEqual([])
  })

  it.each([
    ["a byte order mark before a list", "\uFEFF- a"],
    ["a byte order mark before a quote", "\uFEFF> a"],
    ["a byte order mark before a footnote", "\uFEFF[^1]: a\n\nb[^1]"],
    ["a first line ending that is padding of code", "`\r`` `\n> a"],
    ["a first line ending that is blank", "\r\nWords.\n\n> a"],
    ["code that looks like a definition beside a call", "f[^a]\n```\n[b]: /x\n\nc\n\n  ```\n\nd\n\n[^a]: e"],
    ["a list that goes on behind what a comment makes no code", "<!--\n\n~~~~\n-->\n- a\n  ~~~\n\n  ~~~~\n\n- b"],
  ])("%s", (_, markdown) => {
    expect(compiled(markdown)).toBe(compileWhole(markdown))
  })

  it("documents of which one is cut before another is compiled", () => {
    const markdown = "> [a] `b`\n\n[a]: /x"
    const blocks = cutBlocks(markdown)
    cutBlocks("[c]: /y")
    const parts = compileBlocks(blocks)
    expect(Array.isArray(parts) && parts.join("")).toBe(compileWhole(markdown))
  })

  it.each([
    ["documents", documents],
    ["documents of such lines", ofLines],
    ["examples in any order", orders],
  ])("most %s are cut", (_, all) => {
    const some = all.slice(0, 300)
    expect(some.filter(isCut).length).toBeGreaterThan(0.55 * some.length)
  })

  it.each([
    ["a comment", "<!--", "-->"],
    ["CDATA", "<![CDATA[", "]]>"],
    ["an indented fence", " ```", " ```"],
  ])("what stands behind %s that goes on over blank lines is in blocks of its own", (_, start, end) => {
    const code = `${start}\n\n${`${"a".repeat(2100)}\n\n`.repeat(15)}${end}\n`
    const { blocks } = cutBlocks(`${code}${"a\n=\n\n".repeat(5000)}`)
    expect(blocks[0]?.text).toBe(code)
    expect(Math.max(...blocks.slice(1).map(({ text }) => text.length))).toBeLessThan(2100)
  })

  it("many documents of such lines are compiled in pieces with footnotes", () => {
    const some = ofLines.map(partsOf)
    const inPieces = some.filter((parts) => parts.length > 3 && parts.at(-1)?.includes("data-footnotes"))
    expect(inPieces.length).toBeGreaterThan(0.2 * some.length)
  })

  it.each([
    ["- a\n  ```\n  b\n  c\n  ```", "<ul>\n<li>a\n<pre><code>b\nc\n</code></pre>\n</li>\n</ul>"],
    ["[a]: /x\n\n```\nb\nc\n```", "<pre><code>b\nc\n</code></pre>"],
    ["[a]: /x\n\n    b\n    c", "<pre><code>b\nc\n</code></pre>"],
    ["[a]: /x\n\n<div>\nb\n</div>", "&lt;div&gt;\nb\n&lt;/div&gt;"],
    ["- a\n  # b", "<ul>\n<li>a\n<h1>b</h1>\n</li>\n</ul>"],
    ["- a\n  ***", "<ul>\n<li>a\n<hr />\n</li>\n</ul>"],
  ])("but for line endings that micromark loses: %j", (markdown, html) => {
    expect([compiled(markdown), compileWhole(markdown)]).toEqual([html, html])
    expect(compileUncorrected(markdown)).not.toBe(html)
  })
})

describe("the tree that micromark makes of the whole document", () => {
  it("of documents that are generated", () => {
    expect(differences(documents.slice(0, TREES), tree, wholeTree)).toEqual([])
  })

  it("of the examples of CommonMark, in any order", () => {
    expect(differences([...EXAMPLES.map(({ markdown }) => markdown), ...orders], tree, wholeTree)).toEqual([])
  })
})
