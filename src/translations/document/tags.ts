import { decodeNamedCharacterReference } from "decode-named-character-reference"

// Writes and reads the text that an engine gets: numbered tags as in XLIFF 1.2. `<g id="1">…</g>` surrounds marked up text,
// `<x id="2"/>` replaces content that stays unchanged.

/** Text or a tag. */
export type Inline<T extends Tag = Tag> = string | T

/** A tag around or in place of inline content. */
export interface Tag {
  /** Unique in its segment, from 1. */
  id: number
  /** True if an engine sees the children. */
  isGroup: boolean
  children: Inline[]
}

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** Writes inline content for an engine: `<g id="1">words</g>` for markup, `<x id="2"/>` for unchanged content, `&amp;` for `&`. */
export const writeTags = (inlines: Inline[]): string =>
  inlines
    .map((inline) => {
      if (typeof inline === "string") return escapeText(inline)
      return inline.isGroup ? `<g id="${inline.id}">${writeTags(inline.children)}</g>` : `<x id="${inline.id}"/>`
    })
    .join("")

/** Matches tags as engines return them: `<g id="1">`, `<X ID='2' />`, `</g>`; not `<b>`. */
const TAG = /<(\/?)([gx])(?:\s+id\s*=\s*["']?(\d{1,9})["']?)?\s*(\/?)>/gi
/** Matches `<g id=`; not `<graph>`. */
const BROKEN_TAG = /<\/?[gx]\b/i
/** Matches `&#38;`, `&#x26;`, `&eacute;`; not `& a;`. */
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z\d]{1,30}));/gi
const MAX_CODE_POINT = 0x10ffff

const decode = (whole: string, decimal?: string, hex?: string, name?: string): string => {
  // Some engines write names in capitals.
  if (name) return decodeNamedCharacterReference(name) || decodeNamedCharacterReference(name.toLowerCase()) || whole
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "0", 16)
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole
}

/** Decodes character references, and replaces line endings and other control characters by spaces. */
const readText = (text: string): string =>
  text
    .replaceAll(REFERENCE, decode)
    // A tab or line ending matches, a space does not.
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed()

/** Parses tagged text, as `writeTags` writes it, from an engine's answer. @returns null where its tags are not well-formed */
export const readTags = (text: string): Inline[] | null => {
  const root: Inline[] = []
  const open: Tag[] = []
  let done = 0
  const add = (inline: Inline): void => {
    if (inline !== "") (open.at(-1)?.children ?? root).push(inline)
  }
  for (const { 0: tag, 1: slash, 2: name = "", 3: id, 4: end, index } of text.matchAll(TAG)) {
    const before = text.slice(done, index)
    if (BROKEN_TAG.test(before)) return null
    add(readText(before))
    done = index + tag.length
    const isGroup = name.toLowerCase() === "g"
    if (slash) {
      if (isGroup && !open.pop()) return null
    } else {
      if (!id) return null
      const opened: Tag = { id: Number(id), isGroup, children: [] }
      add(opened)
      if (isGroup && !end) open.push(opened)
    }
  }
  const rest = text.slice(done)
  if (open.length > 0 || BROKEN_TAG.test(rest)) return null
  add(readText(rest))
  return root
}

/** Returns the words of inline content, without its tags and the content that they replace. */
export const textOf = (inlines: Inline[]): string =>
  inlines
    .map((inline) => (typeof inline === "string" ? inline : inline.isGroup ? textOf(inline.children) : ""))
    .join("")

/** Matches whitespace; not a byte order mark, which Markdown treats as text. */
const BLANK = /[^\S\uFEFF]/

/**
 * Splits off the whitespace at the edges of a text. For a text of only whitespace, `before` and `after` are the whole text.
 * Takes linear time, where a regular expression would take quadratic time.
 */
export const splitBlanks = (text: string): { before: string; inside: string; after: string } => {
  let [start, end] = [0, text.length]
  while (start < end && BLANK.test(text.charAt(start))) start++
  while (end > start && BLANK.test(text.charAt(end - 1))) end--
  return { before: text.slice(0, start), inside: text.slice(start, end), after: start === end ? text : text.slice(end) }
}
