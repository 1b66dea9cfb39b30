import type { PhrasingContent, Text } from "mdast"

import { count, isBlank, LINE_ENDING } from "../posts/characters.ts"
import { spanOf } from "../posts/mdast.ts"

// YAML or TOML at the beginning of a document. The service shows it as what CommonMark makes of it; no translation changes it.

interface Form {
  /** All of it, with the lines that it stands between; those inside as a group. */
  whole: RegExp
  /** How a line begins that names a value. */
  key: RegExp
  /** As `key`, of some words, as prose may begin, too. */
  words: RegExp
  /** What may hold lines of any kind. */
  text: RegExp | null
  /** Whether what brackets open goes on over lines, wherever these begin. */
  hasBrackets: boolean
}

const between = (opening: string, closing: string): RegExp =>
  new RegExp(String.raw`^${opening}([^]*?)(?<=[\r\n])(?:${closing})[ \t]*(?:\r\n?|\n|$)`)

const WORD = String.raw`[\p{L}\p{N}_.-]+`
const QUOTED = String.raw`"[^"]*"|'[^']*'`
/** Markup of Markdown begins none. */
const YAML_KEY = String.raw`[^\s"'[\]{}#*>|!&\\\x60]\S*`
const TOML_KEY = new RegExp(String.raw`^(?:(?:${QUOTED}|${WORD})[ \t]*=|\[[^\]]*\])`, "u")

const FORMS: Record<string, Form> = {
  "---": {
    // Behind a rule and a blank line stands prose.
    whole: between(String.raw`---[ \t]*(?:\r\n?|\n)(?![ \t]*[\r\n])`, String.raw`---|\.\.\.`),
    key: new RegExp(String.raw`^(?:${QUOTED}|${YAML_KEY})[ \t]*:(?:[ \t]|$)`, "u"),
    words: new RegExp(String.raw`^${WORD}(?:[ \t]+${WORD}){0,3}[ \t]*:(?:[ \t]|$)`, "u"),
    text: null,
    hasBrackets: false,
  },
  "+++": {
    whole: between(String.raw`\+\+\+[ \t]*(?:\r\n?|\n)`, String.raw`\+\+\+`),
    key: TOML_KEY,
    words: TOML_KEY,
    // One that nothing closes goes on to the end: to look for that again behind each would take too long.
    text: /=[ \t]*(?:"""(?:\\[^]|[^\\])*?(?:"""|$)|'''[^]*?(?:'''|$))/g,
    hasBrackets: true,
  },
}

/** Blank, indented, a comment, an item or the end of a list: what else stands there. */
const BESIDE_KEYS = /^(?:$|[ \t#\]}]|-(?:[ \t]|$))/

const STRINGS_AND_COMMENTS = /"(?:\\.?|[^"\\])*(?:"|$)|'[^']*(?:'|$)|#.*/g

/** Without those that stand in brackets that another one opens. */
const outsideBrackets = (lines: string[]): string[] => {
  let open = 0
  const outside = lines.filter((line) => {
    const rest = line.replaceAll(STRINGS_AND_COMMENTS, "")
    const before = open
    open = Math.max(0, open + count(rest, /[[{]/g) - count(rest, /[\]}]/g))
    return before === 0
  })
  // One that nothing closes may be prose.
  return open > 0 ? lines : outside
}

const holdsValues = (inside: string, { key, words, text, hasBrackets }: Form): boolean => {
  const all = (text ? inside.replaceAll(text, "=") : inside).split(LINE_ENDING).slice(0, -1)
  const lines = hasBrackets ? outsideBrackets(all) : all
  const hasBlanks = lines.some(isBlank)
  const isKey = (line: string): boolean => key.test(line) || (!hasBlanks && words.test(line))
  return lines.every((line) => isKey(line) || BESIDE_KEYS.test(line)) && lines.some(isKey)
}

/** Where the front matter ends, behind its last line; 0 where there is none: a rule may begin prose, too. */
export const frontMatterEnd = (markdown: string): number => {
  const form = FORMS[markdown.slice(0, 3)]
  const [whole = "", inside = ""] = form?.whole.exec(markdown) ?? []
  return form && holdsValues(inside, form) ? whole.length : 0
}

const cut = (text: Text, value: string, offset: number): Text[] =>
  text.position && value !== ""
    ? [{ ...text, value, position: { ...text.position, start: { ...text.position.start, offset } } }]
    : []

/** The lines of a text that stand behind a place. */
const linesBehind = (text: Text, place: number, markdown: string): Text[] => {
  const { start, end } = spanOf(text)
  const lines = text.value.split(LINE_ENDING)
  // Some may be references to characters: which is which is not known.
  if (lines.length - 1 !== count(markdown.slice(start, end), LINE_ENDING)) return []
  return cut(text, lines.slice(count(markdown.slice(start, place), LINE_ENDING)).join("\n"), place)
}

/** Without the blanks before it, which part it from what stands before it on the same line. */
const withoutBlanks = (text: Text, markdown: string): Text[] => {
  const { start, end } = spanOf(text)
  const blanks = /^\s*/.exec(markdown.slice(start, end))?.[0].length ?? 0
  return blanks > 0 ? cut(text, text.value.trimStart(), start + blanks) : [text]
}

/** Of a paragraph that begins in front matter, what stands behind that: not each ends one. */
export const contentBehind = (place: number, content: PhrasingContent[], markdown: string): PhrasingContent[] => {
  const [first, ...others] = content.flatMap((node): PhrasingContent[] => {
    const { start, end } = spanOf(node)
    if (start >= place) return [node]
    return node.type === "text" && end > place ? linesBehind(node, place, markdown) : []
  })
  if (!first) return []
  return first.type === "text" ? [...withoutBlanks(first, markdown), ...others] : [first, ...others]
}
