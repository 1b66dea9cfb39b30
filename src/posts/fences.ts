import { LINE_ENDING } from "./characters.ts"

// Where fenced code begins and ends, told from the lines alone (CommonMark section 4.5).

/** No info string behind backticks has one. */
export const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
/** Nothing else than code can end or begin there. */
export const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

const AT_MARGIN = /^[`~]/
/** HTML, and fences that are indented or in a container: how far they go depends on what stands before them. */
const DOUBTFUL = /^[\s>+*\-\d.)]*(?:`{3}|~{3}|<)/

/** What is left open at the end of a text. */
export type End = "closed" | "open" | "doubtful"

/**
 * Follows fenced code at the margin through texts that go on with one another, from a line on where nothing is open.
 * @returns for each text whether a fence is open at its end, or whether something doubtful has come until there
 */
export const followFences = (): ((text: string) => End) => {
  let fence = ""
  let isDoubtful = false
  return (text) => {
    for (const line of text.split(LINE_ENDING))
      if (fence) fence = CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) ? "" : fence
      else if (AT_MARGIN.test(line)) fence = FENCE.exec(line)?.[1] ?? ""
      else isDoubtful ||= DOUBTFUL.test(line)
    if (isDoubtful) return "doubtful"
    return fence ? "open" : "closed"
  }
}
