// Writes and reads inline content as an engine sees it: text with numbered tags, as in XLIFF 1.2. `<g id="1">…</g>` stands
// around text that is marked up, `<x id="2"/>` for what stays as it is.

export type Inline<T extends Tag = Tag> = string | T

export interface Tag {
  /** Counts from 1; each stands once in a segment. */
  id: number
  /** Whether an engine sees what is inside. */
  isGroup: boolean
  children: Inline[]
}

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

export const writeTags = (inlines: Inline[]): string =>
  inlines
    .map((inline) => {
      if (typeof inline === "string") return escapeText(inline)
      return inline.isGroup ? `<g id="${inline.id}">${writeTags(inline.children)}</g>` : `<x id="${inline.id}"/>`
    })
    .join("")

/** Tags as engines give them back: `<g id="1">`, `<X ID='2' />`, `</g>`; not `<b>`. */
const TAG = /<(\/?)([gx])(?:\s+id\s*=\s*["']?(\d{1,9})["']?)?\s*(\/?)>/gi
/** `<g id=`; not `<graph>`. */
const BROKEN_TAG = /<\/?[gx]\b/i
/** `&#38;`, `&#x26;`, `&amp;`; not `&copy;`. */
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00A0" }
const MAX_CODE_POINT = 0x10ffff

const decode = (whole: string, decimal?: string, hex?: string, name?: string): string => {
  if (name) return NAMED[name.toLowerCase()] ?? whole
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "0", 16)
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole
}

/** Decodes character references, and makes one line of well-formed text. */
const readText = (text: string): string =>
  text
    .replaceAll(REFERENCE, decode)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed()

/** Reads tagged text. @returns null where its tags are not well-formed */
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

/** Reads the text of inline content, without what an engine does not see. */
export const textOf = (inlines: Inline[]): string =>
  inlines
    .map((inline) => (typeof inline === "string" ? inline : inline.isGroup ? textOf(inline.children) : ""))
    .join("")

/** A blank; not a byte order mark, which keeps what follows it from beginning a line. */
const BLANK = /[^\S\uFEFF]/

/**
 * Splits the blanks at the edges of a text off; a text of blanks is both. It looks at each character once, where a regular
 * expression would look at each again and again.
 */
export const splitBlanks = (text: string): { before: string; inside: string; after: string } => {
  let [start, end] = [0, text.length]
  while (start < end && BLANK.test(text.charAt(start))) start++
  while (end > start && BLANK.test(text.charAt(end - 1))) end--
  return { before: text.slice(0, start), inside: text.slice(start, end), after: start === end ? text : text.slice(end) }
}
