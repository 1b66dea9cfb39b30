import { Budget, TooComplex } from "../../src/markdown/budget.ts"
import { parse } from "../../src/markdown/parse.ts"

export const KB = 1024

/** The most that a linear family takes: lines of tabs that stand below a hundred list items. */
const STEPS_PER_CHAR = 450
/** For twice the text, once it takes more than a few for each character. */
const GROWTH = 2.5
const FEW = 50

/** Families that micromark takes longer and longer for, as it reads again or looks back over what is open: the budget ends them. */
export const GROWING = new Set([
  "addresses that an underscore ends",
  "backticks",
  "brackets and parentheses",
  "brackets, nested",
  "CDATA sections",
  "code behind escaped backticks",
  "comments",
  "declarations",
  "entities behind a link",
  "entities in a link",
  "images, nested",
  "instructions",
  "links, nested",
  "many tables",
  "paragraphs in quotes",
  "parentheses in a link",
  "quote, lazy",
  "quote, lazy behind no footnote",
  "stars, nested",
  "stops in a link",
  "strong, nested",
  "table, long",
  "table, wide",
  "tables in a list",
  "titles in parentheses, open",
])
/**
 * Returns how many times the steps of a family may grow for twice the text. gfm-table compares every edit of all tables of a
 * document with every other one.
 */
export const growthOf = (name: string): number => (/tables?\b|delimiter rows/.test(name) ? 4.2 : GROWTH)
/** All of these are refused at this length. */
export const REFUSED_AT = 64 * KB

/** Returns what parsing takes, and whether it is refused. @throws all but the two errors of too much work */
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

/** Returns the sizes, each twice the one before, that are accepted though they take more steps than they should. */
export const excesses = (make: (length: number) => string, sizes: number[], growth = GROWTH) => {
  const measured: ReturnType<typeof measure>[] = []
  for (const size of sizes) {
    measured.push(measure(make(size)))
    if (measured.at(-1)?.isRefused) break
  }
  return measured.filter(({ steps, length, isRefused }, i) => {
    const before = measured[i - 1]
    return (
      !isRefused &&
      (steps > STEPS_PER_CHAR * length || (before && steps > Math.max(FEW * length, growth * before.steps)))
    )
  })
}

/** Returns as much of a family in paragraphs of 250 characters: two by two, as a fence that one opens the next one closes. */
export const inParagraphs = (make: (length: number) => string) => (length: number) =>
  `${make(250)}\n\n`.repeat(2 * Math.ceil(length / 504))
