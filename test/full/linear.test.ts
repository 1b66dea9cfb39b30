import { describe, expect, it } from "vitest"

import { FAMILIES } from "../../bench/markdown/families.ts"
import { Budget } from "../../packages/edgepost/src/parser/budget.ts"
import { parse } from "../../src/markdown/parse.ts"
import { refusalOf } from "../markdown/html.ts"
import { count, fillNumbered, LONG_DOCUMENTS } from "../markdown/ordinary.ts"
import { prose } from "../markdown/prose.ts"
import { excesses, GROWING, inParagraphs, KB, measure, REFUSED_AT } from "../markdown/steps.ts"

const families = Object.entries(FAMILIES)

it("parsing twice as much Markdown prose takes at most 2.2 times the steps", () => {
  const [one = 0, two = 0, four = 0] = [16, 32, 64].map((size) => measure(prose(size * KB)).steps)
  expect(one).toBeGreaterThan(16 * KB)
  expect(one).toBeLessThan(20 * 16 * KB)
  expect(two / one).toBeLessThanOrEqual(2.2)
  expect(four / two).toBeLessThanOrEqual(2.2)
})

// test:soak has all families, and longer texts.
describe("parsing hostile text", () => {
  it.each(families.filter(([name], i) => !GROWING.has(name) && i % 4 === 0))(
    "parsing hostile Markdown takes steps in proportion to its length: %s",
    (_, make) => {
      expect(excesses(make, [4 * KB, 8 * KB])).toEqual([])
    },
  )

  it.each(families.filter(([name]) => GROWING.has(name)).filter((_, i) => i % 6 === 0))(
    "parsing 64 KB of hostile Markdown is refused: %s",
    (_, make) => {
      expect(measure(make(REFUSED_AT)).isRefused).toBe(true)
    },
  )

  it.each(families.filter((_, i) => i % 20 === 0))(
    "parsing hostile Markdown in small paragraphs takes steps in proportion to its length: %s",
    (_, make) => {
      expect(excesses(inParagraphs(make), [4 * KB, 8 * KB])).toEqual([])
    },
  )
})

describe("parsing a long text", () => {
  it.each(LONG_DOCUMENTS)("an ordinary Markdown document of %i KB is accepted: %s", (kb, _, unit) => {
    expect(refusalOf(fillNumbered(unit, kb * KB))).toBeNull()
  })

  it.each([
    ["a table like CSV of 45 KB", `|a|b|c|d|e|\n|-|-|-|-|-|\n${"|2020-01-01|12.5|Some words|x|1|\n".repeat(1400)}`],
    ["1,000 footnotes", count(1000, (i) => `Words[^${i}].\n\n[^${i}]: A note with *words*.\n\n`)],
    ["4,000 calls of a footnote beside HTML", `<b>a</b>\n\n[^1]: x\n\n${"a[^1] ".repeat(4000)}`],
  ])("an ordinary long Markdown document is accepted: %s", (_, markdown) => {
    expect(refusalOf(markdown)).toBeNull()
  })

  it("lines that continue a quote are refused by their name", () => {
    expect(refusalOf(`> a\n${"a\n".repeat(10_000)}`)).toMatch(/lines that continue a quote without >/)
  })

  it.each([
    ["words after an open bracket", `@ [${" h".repeat(20_000)}`],
    ["words after a bracket in code", `@ [ \`]\`${" h".repeat(20_000)}`],
    ["commas after an open bracket", `@[${"a,".repeat(20_000)}`],
    ["underscores", `@ [${"é_".repeat(20_000)}`],
    ["addresses after an open bracket", `@ [${" a@b".repeat(10_000)}`],
  ])("parsing a long Markdown text takes fewer than 40 steps a character: %s", (_, markdown) => {
    const { steps, length, isRefused } = measure(markdown)
    expect(isRefused).toBe(false)
    expect(steps / length).toBeLessThan(40)
  })

  it("a Markdown paragraph may have more nodes than a JavaScript call may have arguments", () => {
    const [paragraph] = parse("`a` ".repeat(20_000), new Budget()).children
    expect(paragraph && "children" in paragraph && paragraph.children.length).toBeGreaterThan(2 ** 15)
  })
})
