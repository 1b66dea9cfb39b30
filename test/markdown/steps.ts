import { Budget, TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { parse } from "../../src/markdown/parse.ts"

export const KB = 1024

/** The most expensive linear family, a line of tabs after many items in small paragraphs, takes 517 to 521 steps a character. */
const STEPS_PER_CHAR = 530
/** The allowed ratio of steps for twice the text, from a few steps per character on. */
const MAX_GROWTH = 2.5

/**
 * Returns how many times the steps of a family may grow when its length doubles. gfm-table compares every edit of all tables
 * of a document with every other one. Many lists in quotes take 64 steps a character at 4 KB and 103 at 64 KB, and 96 KB are
 * refused. Matches `many tables`. Does not match `pipes`.
 */
export const growthOf = (name: string): number =>
  /tables?\b|delimiter rows|^lists in quotes/.test(name) ? 4.2 : MAX_GROWTH
const FEW_STEPS_PER_CHAR = 50

/** Families whose steps grow faster than their length, because micromark rereads text or looks back over open constructs. */
export const GROWING = new Set([
  "addresses that an underscore ends",
  "backticks",
  "brackets and parentheses",
  "brackets after an image's, beside a footnote",
  "brackets, balanced in open ones",
  "brackets, nested",
  "CDATA sections",
  "code after escaped backticks",
  "comments",
  "declarations",
  "entities after a link",
  "entities in a link",
  "images, nested",
  "instructions",
  "links, nested",
  "many tables",
  "paragraphs in quotes",
  "parentheses in a link",
  "quote, lazy",
  "quote, lazy after an invalid footnote",
  "stars, nested",
  "stops in a link",
  "strong, nested",
  "table, long",
  "table, wide",
  "tables in a list",
  "titles in parentheses, open",
])
/** The length at which all growing families are refused, in characters. */
export const REFUSED_AT = 64 * KB

/** Returns the steps of parsing a text, and whether it is refused. @throws errors other than refusals */
export const measure = (markdown: string) => {
  const budget = new Budget()
  const { length } = markdown
  try {
    parse(markdown, budget)
  } catch (error) {
    if (!(error instanceof TooComplex) && !(error instanceof RangeError)) throw error
    return { length, steps: budget.usedSteps, isRefused: true }
  }
  return { length, steps: budget.usedSteps, isRefused: false }
}

/** Measures texts of growing sizes, each twice the one before. Returns those that are accepted and take too many steps. */
export const excesses = (make: (length: number) => string, sizes: number[], growth = MAX_GROWTH) => {
  const measured: ReturnType<typeof measure>[] = []
  for (const size of sizes) {
    measured.push(measure(make(size)))
    if (measured.at(-1)?.isRefused) break
  }
  return measured.filter(({ steps, length, isRefused }, i) => {
    const before = measured[i - 1]
    return (
      !isRefused &&
      (steps > STEPS_PER_CHAR * length ||
        (before && steps > Math.max(FEW_STEPS_PER_CHAR * length, growth * before.steps)))
    )
  })
}

/** Returns a maker of the same family in paragraphs of 250 characters. Their number is even, so that the second closes a fence of the first. */
export const inParagraphs = (make: (length: number) => string) => (length: number) =>
  `${make(250)}\n\n`.repeat(2 * Math.ceil(length / 504))
