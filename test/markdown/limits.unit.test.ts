import { describe, expect, it } from "vitest"

import { Budget, TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import {
  MAX_BODY_LINES,
  MAX_CONTAINERS,
  MAX_HTML_BYTES,
  MAX_PARSER_EVENTS,
  MAX_PARSER_STEPS,
} from "../../src/limits.ts"
import { parse } from "../../src/markdown/parse.ts"
import { render } from "../../src/markdown/render.ts"
import { refusalOf } from "./html.ts"
import { count, fillNumbered, LONG_DOCUMENTS } from "./ordinary.ts"
import { KB } from "./steps.ts"

const fill = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length))

const row = (columns: number) => `|${"a|".repeat(columns)}`
const table = (columns: number, rows: number) =>
  [row(columns), `|${"-|".repeat(columns)}`, ...Array<string>(rows - 1).fill(row(columns))].join("\n")

/** Counts what `parse` takes of its budget. */
class CountingBudget extends Budget {
  usedEvents = 0
  override spendEvents(events: number): void {
    super.spendEvents(events)
    this.usedEvents += events
  }
}

describe("an ordinary document", () => {
  it.each([
    ["text in Chinese of 250 KB", fill("「**はい**、そうです」と彼女は答えた。*本当*に？\n", (250 * KB) / 3)],
    ["HTML of 100 KB", fill('<p>Words <b>in</b> a <a href="https://e.x">paragraph</a></p>\n\n', 100 * KB)],
    ["1,000 formulas", count(1000, (i) => `Let $x_{${i}}$ be.\n\n`)],
    ["a long line of data", `[a]: data:image/png;base64,${"A".repeat(240 * KB)}\n\n|a|\n|-|`],
  ])("an ordinary long Markdown document is accepted: %s", (_, markdown) => {
    expect(refusalOf(markdown)).toBeNull()
  })

  // test/full/linear.test.ts renders the whole ones, which take seconds.
  it.each(LONG_DOCUMENTS)(
    "the tenth part of an ordinary document of %i KB takes a tenth of the budget at most: %s",
    (kb, _, unit) => {
      const budget = new CountingBudget()
      parse(fillNumbered(unit, (kb / 10) * KB), budget)
      expect(10 * budget.usedSteps).toBeLessThan(MAX_PARSER_STEPS)
      expect(10 * budget.usedEvents).toBeLessThan(MAX_PARSER_EVENTS)
    },
  )
})

describe("a limit", () => {
  const LINES = `The text has more than ${MAX_BODY_LINES} lines. Split it into two posts.`
  const NESTED = "The text has more than 100 nested quotes and lists. Nest fewer of them."
  it.each<[string, (count: number) => string, number, string]>([
    ["lines", (n) => "a\n".repeat(n - 1), MAX_BODY_LINES, LINES],
    ["lines of CRLF", (n) => "a\r\n".repeat(n - 1), MAX_BODY_LINES, LINES],
    ["nested quotes", (n) => `${">".repeat(n)} a`, 100, NESTED],
    ["nested lists", (n) => `${"- ".repeat(n)}a`, 100, NESTED],
  ])("Markdown with %s is accepted up to the limit and refused above it with a message", (_, make, most, message) => {
    expect(refusalOf(make(most))).toBeNull()
    expect(refusalOf(make(most + 1))).toBe(message)
  })

  it("Markdown whose HTML is longer than 1 MiB is refused with a message, and shorter HTML is accepted", () => {
    const definition = `[a]: /${"b".repeat(1000)}\n\n`
    const link = '<p><a rel="nofollow ugc noopener" href="">a</a></p>\n'.length + 1001
    const most = Math.floor((MAX_HTML_BYTES - 100) / link)
    expect(refusalOf(definition + "[a]\n\n".repeat(most))).toBeNull()
    expect(refusalOf(definition + "[a]\n\n".repeat(most + 5))).toBe(
      "The rendered HTML is longer than 1048576 bytes. Split it into two posts.",
    )
  })
})

describe("a document that takes too much work", () => {
  const LONG = "b".repeat(10 * KB)
  it.each([
    ["8,000 nested strong emphasis markers", "**a ".repeat(8000) + "a** ".repeat(8000), /nested emphasis markers/],
    ["8,000 nested links", "[a".repeat(8000) + "](b)".repeat(8000), /brackets/],
    ["200,000 brackets after an image's, beside a footnote", `[^a]: b\n\n![${"]".repeat(200_000)}`, /brackets/],
    ["balanced brackets after open ones", "[".repeat(40_000) + "[x]]".repeat(40_000), /brackets/],
    ["cells of a wide table", table(9000, 2), /cells in (?:a table|tables)/],
    ["lines in 90 quotes", `${">".repeat(90)} a\n`.repeat(2000), /lines in nested quotes and lists|elements of markup/],
    ["64,000 elements of markup", "*a* ".repeat(64_000), /elements of markup/],
    ["references that repeat 10 KB", `[a]: /${LONG}\n\n${"[a]\n\n".repeat(2000)}`, /references of the text repeat/],
    ["images that repeat 10 KB", `[a]: /${LONG}\n\n${"![a]\n\n".repeat(2000)}`, /references of the text repeat/],
    ["references with a title", `[a]: /b "${LONG}"\n\n${"[a][] ".repeat(2000)}`, /references of the text repeat/],
    ["10,000 unclosed tags", count(10_000, (i) => `<b id=n${i}><p>`), /elements/],
    ["1,000 copies of 40 KB", `<p><b title="${LONG.repeat(4)}">${"<p>x\n".repeat(1000)}`, /attributes/],
    ["10,000 nested tags", "<div>".repeat(10_000), /nested elements/],
    ["10,000 nested tags in a paragraph", `x ${"<u>".repeat(10_000)}`, /nested/],
    ["1,000 nested tables", "<table><tr><td>".repeat(1000), /nested elements/],
  ])(
    "Markdown that takes too much work is refused with a message that names the construct: %s",
    (_, markdown, message) => {
      const refusal = refusalOf(markdown)
      expect(refusal).toMatch(message)
      expect(refusal).toMatch(/^[A-Z][^\n]*\. [A-Z][a-z ]*\.$/)
    },
  )

  it("render returns TooComplex for Markdown with a quote more than may be nested, and parse throws it", () => {
    const markdown = ">".repeat(MAX_CONTAINERS + 1)
    expect(render(markdown)).toBeInstanceOf(TooComplex)
    expect(() => parse(markdown)).toThrow(TooComplex)
  })
})

describe("a document of many elements", () => {
  it.each([
    ["nested tables that are closed", "<table><tr><td>".repeat(1000) + "</table>".repeat(1000)],
    ["unclosed tables", "<table>".repeat(10_000)],
    ["misplaced texts in tables", `<table>${"x<tr>".repeat(10_000)}`],
    ["misnested formatting tags", "<b><i><p></b></i>".repeat(1300)],
    ["unclosed formatting tags before paragraphs", `<p>${count(500, (i) => `<b id=n${i}>`)}${"<p>x".repeat(5000)}`],
    ["links nested in links", '<a href="/a">x'.repeat(10_000)],
    ["nested templates", "<template>".repeat(10_000)],
    ["nested svg elements", "<svg>".repeat(10_000)],
    ["math elements in svg elements", "<math><mi><svg><title>".repeat(3000)],
    ["unclosed selects", "<select><option>".repeat(10_000)],
    ["unclosed comments", "<!-- ".repeat(10_000)],
    ["20,000 attributes of one element", `<p ${count(20_000, (i) => `a${i}=1 `)}>x</p>`],
    ["nested details around Markdown", "<details>\n\n".repeat(1000)],
    ["footnotes with unclosed HTML", count(1000, (i) => `a[^${i}]\n\n[^${i}]: <b>x\n\n`)],
    ["nested footnotes", count(500, (i) => `[^${i}]: a[^${i + 1}]\n\n`) + "[^0]"],
    ["nested braces in a formula", `$${"{".repeat(1000)}${"}".repeat(1000)}$`],
    ["nested fractions", `$$${"\\frac{1}{".repeat(200)}1${"}".repeat(200)}$$`],
    ["macros that call themselves", "$\\def\\a{\\a\\a}\\a$"],
    ["nested images", `${"![a".repeat(1000)}${"](b)".repeat(1000)}`],
    ["nested emphasis markers", `${"*a ".repeat(400)}${"a* ".repeat(400)}`],
    ["headings with strong emphasis", "# **a** *b*\n".repeat(10_000)],
  ])("Markdown with very many elements is rendered or refused without an exception: %s", (_, markdown) => {
    expect(refusalOf(markdown) ?? "").toMatch(/^(?:[A-Z][^\n]*\.)?$/)
  })
})
