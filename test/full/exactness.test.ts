import { toHtml } from "hast-util-to-html"
import { describe, expect, it } from "vitest"

import { parse } from "../../src/markdown/parse.ts"
import { toHast } from "../../src/markdown/to-hast.ts"
import { EXAMPLES } from "../markdown/commonmark.ts"
import {
  compileAutolinks,
  compileMetered,
  differences,
  makeOrders,
  readWhole,
  withoutDifferences,
  writeOurs,
  writePlain,
} from "../markdown/exact.ts"
import { makeDocument, makeInline, makeLines, makeRuns } from "../markdown/generate.ts"
import { compilePlain, compileUnsafe, isUnchanged } from "../markdown/plain.ts"
import { randomFrom } from "../random.ts"

// test:soak checks more documents.
const DOCUMENTS = 250
/** These documents are ten times as long. */
const DOCUMENTS_OF_LINES = 50
const TREES = 100
const ORDERS = 24
const INLINE_TEXTS = 2000
const RUNS = 1000

const random = randomFrom(20_260_727)
const generate = (length: number, make: (random: () => number) => string): string[] =>
  Array.from({ length }, () => make(random))

const examples = EXAMPLES.map(({ markdown }) => markdown)
const documents = generate(DOCUMENTS, makeDocument)
const ofLines = generate(DOCUMENTS_OF_LINES, makeLines)
const orders = makeOrders(ORDERS, random)
const inlineTexts = generate(INLINE_TEXTS, makeInline)
const runs = generate(RUNS, makeRuns)

/** Returns all sequences of a length that consist of the given lines. */
const ordersOf = (lines: string[], length: number): string[][] =>
  length === 0 ? [[]] : lines.flatMap((first) => ordersOf(lines, length - 1).map((rest) => [first, ...rest]))

/** Returns all texts of at most a length that consist of characters of a delimiter row. */
const rowsOf = (length: number): string[] =>
  length === 0 ? [""] : ["", ...["-", ":", "|", " "].flatMap((first) => rowsOf(length - 1).map((rest) => first + rest))]

it("the tests have all 652 examples of the CommonMark 0.31.2 specification", () => {
  expect(examples).toHaveLength(652)
})

it("the test helper compilePlain uses micromark as published and puts the patched micromark back", () => {
  expect(isUnchanged()).toBe(false)
  compilePlain("|a|\n|-|")
  expect(isUnchanged()).toBe(false)
})

describe("the metered parser", () => {
  it.each([
    ["the examples of CommonMark", examples],
    ["the examples of CommonMark in random orders", orders],
    ["generated documents", documents],
    ["generated fences, HTML and footnotes that go on over blank lines", ofLines],
    ["random short texts of addresses and delimiters", inlineTexts],
    ["random delimiter runs", runs],
  ])("%s give the same HTML in edgepost's Markdown parser as in micromark with GFM", (_, all) => {
    expect(differences(all, compileMetered, compilePlain)).toEqual([])
  })

  it.each([
    ["the examples of CommonMark", examples],
    ["generated documents", documents.slice(0, TREES)],
    ["random short texts of addresses and delimiters", inlineTexts],
  ])("%s give the same HTML in micromark with edgepost's autolinks as with GFM's", (_, all) => {
    expect(differences(all, compileAutolinks, compilePlain)).toEqual([])
  })

  it.each([
    ["spaces", " "],
    ["tabs", "\t"],
  ])("all table delimiter rows of up to five characters, with %s, give the same HTML as in micromark", (_, blank) => {
    const rows = rowsOf(5).map((row) => `a\n${row.replaceAll(" ", blank)}`)
    expect(rows).toHaveLength(1365)
    expect(differences(rows, compileMetered, compilePlain)).toEqual([])
  })

  it("all sequences of four Markdown lines of eight kinds give the same HTML as in micromark", () => {
    const lines = ["", "a", "# b", "- c", "```", "   ~~~", "<!--", "-->"]
    const all = ordersOf(lines, 4).map((order) => order.join("\n"))
    expect(all).toHaveLength(4096)
    expect(differences(all, compileMetered, compilePlain)).toEqual([])
  })

  it("all sequences of up to four inline marks, words and spaces give the same HTML as in micromark", () => {
    const all = [1, 2, 3, 4].flatMap((length) => ordersOf(["`", "a", " ", "\\", "*", "\n"], length))
    expect(all).toHaveLength(1554)
    const texts = all.map((order) => `b${order.join("")}c`)
    expect(differences(texts, compileMetered, compilePlain)).toEqual([])
  })

  it("all sequences of up to five stars, words, spaces and periods give the same HTML as in micromark", () => {
    const all = [1, 2, 3, 4, 5].flatMap((length) => ordersOf(["*", "**", "a", " ", "."], length))
    const texts = all.map((order) => order.join(""))
    expect(differences(texts, compileMetered, compilePlain)).toEqual([])
  })

  it.each([
    ["a byte order mark before a list", "\uFEFF- a"],
    ["a byte order mark before a quote", "\uFEFF> a"],
    ["a byte order mark before a footnote", "\uFEFF[^1]: a\n\nb[^1]"],
    ["a first line ending that pads code", "`\r`` `\n> a"],
    ["a blank first line", "\r\nWords.\n\n> a"],
    ["a footnote on the first line", "[^1]: a\n\n    b\n\nc[^1]"],
    ["a list on the first line", "- a\n\n  b\n- c"],
    ["code that looks like a definition, and a footnote call", "f[^a]\n```\n[b]: /x\n\nc\n\n  ```\n\nd\n\n[^a]: e"],
    ["a list that continues after a fence inside of a comment", "<!--\n\n~~~~\n-->\n- a\n  ~~~\n\n  ~~~~\n\n- b"],
    ["two tables, the second in a quote", "|a|\n|-|\n|b|\n\n> |c|d|\n> |-|-|\n> |e\n\nf"],
    ["an image whose brackets look like a footnote call", "![^a](b)\n\n[^a]: c"],
  ])("%s gives the same HTML in edgepost's Markdown parser as in micromark with GFM", (_, markdown) => {
    expect(compileMetered(markdown)).toBe(compilePlain(markdown))
  })
})

/** The examples whose tree differs intentionally. */
const DIFFERENT = [{ reason: "two rules with nothing between them are front matter", numbers: [98] }]

describe("the tree before it is sanitized", () => {
  it("each CommonMark example not listed in DIFFERENT gives the same elements and text as in micromark", () => {
    const different = EXAMPLES.filter(({ markdown }) => writeOurs(markdown) !== writePlain(markdown))
    expect(different.map(({ number }) => number)).toEqual(DIFFERENT.flatMap(({ numbers }) => numbers))
  })

  it("two thematic breaks after a word give the same elements as in micromark with GFM", () => {
    expect(differences(["a\n\n---\n---"], writeOurs, writePlain)).toEqual([])
  })

  it.each([
    ["generated documents", documents.slice(0, TREES)],
    ["generated lines that continue over blank lines", ofLines.slice(0, 60)],
    // Every sixth order holds all examples, and its unclosed raw text cannot be compared.
    ["some examples of CommonMark in random orders", orders.filter((_, i) => i % 6 !== 0)],
    ["random delimiter runs", runs.slice(0, 600)],
    ["random short texts of addresses and delimiters", inlineTexts.slice(0, 600)],
  ])("%s give the same elements, attributes and text as in micromark with GFM", (_, all) => {
    expect(differences(all.map(withoutDifferences), writeOurs, writePlain)).toEqual([])
  })

  it.each([
    "_support@example.com to contact support_",
    "__a@b.example is bold__",
    "*a@b.example*",
    "_www.a.example_",
    "(www.a.example/b_c_)",
  ])(
    "an address beside a Markdown delimiter gives the same elements as in micromark, with its bugs: %s",
    (markdown) => {
      expect(differences([markdown], writeOurs, writePlain)).toEqual([])
    },
  )

  it.each([
    "a[^1]\n\n[^1]: b",
    "a[^1] b[^1] c[^note]\n\n[^1]: d\n\n[^note]: e\n\n    f",
    "# a[^1]\n\n- b[^2]\n\n[^2]: c\n[^1]: - d\n    - e",
    "a[^1]\n\n[^1]: b[^2]\n\n[^2]: c",
    "a[^A b]\n\n[^1]: c\n\nd[^1]",
    "[a[^1]](/u)\n\n[^1]: b",
  ])("Markdown footnotes give the same ids, labels and links as in micromark with GFM: %j", (markdown) => {
    expect(readWhole(toHtml(toHast(parse(markdown))))).toEqual(readWhole(compileUnsafe(markdown)))
  })
})

describe("intentional differences from micromark with GFM", () => {
  it.each([
    ["emphasis beside CJK punctuation works", "**注意：**请看", "<p><strong>注意：</strong>请看</p>"],
    ["a single tilde is plain text", "10~20~30", "<p>10~20~30</p>"],
    [
      "a bare address ends before CJK punctuation",
      "https://a.example。请",
      '<p><a href="https://a.example">https://a.example</a>。请</p>',
    ],
    ["text between dollars is math", "$a$", '<p><code class="language-math math-inline">a</code></p>'],
    ["front matter is not shown", "---\na: b\n---\n\nc", "<p>c</p>"],
  ])("edgepost's Markdown differs intentionally from micromark with GFM: %s", (_, markdown, html) => {
    expect(toHtml(toHast(parse(markdown)))).toBe(html)
    expect(compilePlain(markdown)).not.toBe(html)
  })
})
