import { MAX_LABEL_CHARS } from "../limits.ts"
import { plainText } from "./description.ts"
import { asList, asText, clean, textIn, toLabel } from "./values.ts"

/** Returns a label as it is unless it is too long. */
const toStoredLabel = (text: string): string =>
  [...text.trim()].length > MAX_LABEL_CHARS ? toLabel(text) : text.trim()

/** Matches what may begin a comment or an element. Does not match `a_b`, `C#`. */
const UNSEEN = /[<{%]/
/** Matches a text of tags such as `#tea #green`. Does not match `tea #green`. */
const HASHED = /^(?:#\S+\s*)+$/

/** Splits a text of several names: at commas and line ends, or at blanks where these separate, and between tags with `#`. */
const split = (text: string, isSpaced: boolean): string[] =>
  text.split(HASHED.test(text.trim()) || (isSpaced && !text.includes(",")) ? /\s+/ : /[,\n]/)

/**
 * Reads the names of a field of tags or categories: one of each item of a list, each once.
 * @param options `isSpaced` if blanks separate the names of a text, `isStored` if `edgepost pull` wrote the file
 */
export const readLabels = (
  value: unknown,
  { isSpaced, isStored, max }: { isSpaced: boolean; isStored: boolean; max: number },
  warn: (code: string, message: string) => void,
): string[] => {
  // Some tools nest lists, or have objects.
  const texts = asList(value)
    .flat(3)
    .filter((one) => one !== null && one !== undefined)
    .map((one) => (typeof one === "string" ? one : (asText(one) ?? textIn(one, ["label", "name", "title"]))))
  if (texts.includes(null)) warn("wrong_type", "values that are no names.")
  const toSeen = (text: string) => (isStored || !UNSEEN.test(text) ? text : plainText(text.replaceAll("\n", ", ")))
  const known = texts.filter((text) => text !== null).map(toSeen)
  const names = (typeof value === "string" ? known.flatMap((text) => split(text, isSpaced)) : known).map((text) =>
    isStored ? text : clean(text).replace(/^#(?=\S)/, ""),
  )
  if (names.some((each) => each.includes(",")))
    warn("comma_in_label", "names with a comma, which the service does not take: it becomes a blank.")
  const spaced = names.map((each) => each.replaceAll(",", " "))
  if (spaced.some((each) => toLabel(each) !== clean(each)))
    warn("too_long", `names over ${MAX_LABEL_CHARS} characters, which are cut.`)
  const labels = [...new Set(spaced.map(isStored ? toStoredLabel : toLabel))].filter((label) => label !== "")
  if (labels.length > max) warn("too_many", `${labels.length} names: the first ${max} are taken.`)
  return labels
}
