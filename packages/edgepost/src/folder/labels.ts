import { fitLabels, readLabels } from "../labels.ts"
import { plainText, writePlain } from "./description.ts"
import { asList, asText, textIn } from "./values.ts"

/** Matches what may begin a comment, an element or a link between notes. Does not match `a_b`, `C#`. */
const UNSEEN = /[<{%]|\[\[/
/** Matches the folders of a link between notes without a text: `a/b/` of `[[a/b/c]]`. Does not match `[[a/b|c]]`. */
const FOLDERS = /(?<=\[\[)[^[\]|]*\/(?=[^[\]|/]+\]\])/g
/** Tells whether a text is of tags with signs: `#tea #green`, not `tea #green`. */
const isHashed = (text: string): boolean =>
  text
    .trim()
    .split(/\s+/)
    .every((word) => /^#./.test(word))

/** Puts commas between the names of a text: for line ends, and for blanks where these separate, also between tags with `#`. */
const withCommas = (text: string, isSpaced: boolean): string => {
  // A list of JSON has its own.
  if (text.trimStart().startsWith("[")) return text
  return text.replaceAll(isHashed(text) || (isSpaced && !text.includes(",")) ? /\s+/g : /\n/g, ",")
}

/** Tells whether a value is a link between notes without quotes, which is a list of `a|b` alone in a list. */
const isLink = (one: unknown): one is [string] => Array.isArray(one) && one.length === 1 && String(one[0]).includes("|")

/**
 * Reads the names of a field of tags or categories: one of each item of a list, each once.
 * @param options `isSpaced` if blanks separate the names of a text, `isStored` if `edgepost pull` wrote the file
 */
export const labelsOf = (
  value: unknown,
  { isSpaced, isStored }: { isSpaced: boolean; isStored: boolean },
  warn: (code: string, message: string) => void,
): string[] => {
  // Some tools nest lists, or have objects.
  const texts = asList(value)
    .map((one) => (isLink(one) ? `[[${one[0]}]]` : one))
    .flat(3)
    .filter((one) => one !== null && one !== undefined)
    .map((one) => (typeof one === "string" ? one : (asText(one) ?? textIn(one, ["label", "name", "title"]))))
  if (texts.includes(null)) warn("wrong_type", "values that are no names.")
  const toSeen = (text: string) =>
    isStored || !UNSEEN.test(text) ? text : plainText(text.replaceAll("\n", ", ").replaceAll(FOLDERS, ""))
  const known = texts.filter((text) => text !== null).map(toSeen)
  const sent = readLabels(typeof value === "string" ? withCommas(known[0] ?? "", isSpaced) : known)
  const { labels, losses } = fitLabels(
    sent,
    isStored && typeof value !== "string" ? sent.labels.map((label) => label.sent) : [],
  )
  for (const { code, message } of losses) warn(code, `${message}.`)
  return labels
}

/** Writes a label so that `labelsOf` reads it. */
export const writeLabel = (label: string): string =>
  writePlain(label, (written) => labelsOf([written], { isSpaced: false, isStored: false }, () => {})[0])
