import type { PhrasingContent, Text } from "mdast"

import { count, LINE_ENDING } from "../posts/characters.ts"
import { spanOf } from "../posts/mdast.ts"

// YAML or TOML at the beginning of a document. The service shows it as what CommonMark makes of it; no translation changes it.

/** What it stands between, and how a line begins that names a value. */
const KEYS: Record<string, RegExp> = {
  "---": /^(?:"[^"]*"|'[^']*'|[\p{L}\p{N}_.-]+)[ \t]*:(?:[ \t]|$)/u,
  "+++": /^(?:(?:"[^"]*"|'[^']*'|[\p{L}\p{N}_.-]+)[ \t]*=|\[[^\]]*\])/u,
}

/** Blank, indented, a comment, an item or the end of a list: what else stands there. */
const BESIDE_KEYS = /^(?:$|[ \t#\]}]|-[ \t])/

/** Where the front matter ends, behind its last line; 0 where there is none: a rule may begin prose, too. */
export const frontMatterEnd = (markdown: string): number => {
  const fence = markdown.slice(0, 3)
  const key = KEYS[fence]
  if (!key) return 0
  let [start, keys] = [0, 0]
  for (const ending of markdown.matchAll(LINE_ENDING)) {
    const line = markdown.slice(start, ending.index)
    if (start > 0 && line === fence) return keys > 0 ? ending.index + ending[0].length : 0
    if (key.test(line)) keys++
    else if (start === 0 ? line !== fence : !BESIDE_KEYS.test(line)) return 0
    start = ending.index + ending[0].length
  }
  return keys > 0 && markdown.slice(start) === fence ? markdown.length : 0
}

/** The lines of a text that stand behind a place. */
const linesBehind = (text: Text, place: number, markdown: string): Text[] => {
  const { start, end } = spanOf(text)
  const lines = text.value.split(LINE_ENDING)
  // Some may be references to characters: which is which is not known.
  if (!text.position || lines.length - 1 !== count(markdown.slice(start, end), LINE_ENDING)) return []
  const value = lines.slice(count(markdown.slice(start, place), LINE_ENDING)).join("\n")
  return [{ ...text, value, position: { ...text.position, start: { ...text.position.start, offset: place } } }]
}

/** Of a paragraph that begins in front matter, what stands behind that: TOML ends none. */
export const contentBehind = (place: number, content: PhrasingContent[], markdown: string): PhrasingContent[] =>
  content.flatMap((node): PhrasingContent[] => {
    const { start, end } = spanOf(node)
    if (start >= place) return [node]
    return node.type === "text" && end > place ? linesBehind(node, place, markdown) : []
  })
