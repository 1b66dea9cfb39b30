import type { DialectText } from "./dialect-text.ts"
import { type Edit, matchesIn } from "./edits.ts"
import type { Span } from "./tree.ts"

// Separates Markdown in HTML from tags by blank lines, without which the service takes it for HTML.

/** Matches a tag, with `/`, name and attributes: `<div markdown="1">`, `</p>`. Does not match `<!-- a -->`. */
const TAG = /<(\/?)([a-z][a-z\d]*)(\s[^<>]{0,2000})?>/gi
/** Matches attributes that say how an element is read, with their value: ` markdown="0"`, ` markdown`. Does not match ` class="markdown"`. */
const ATTRIBUTE = /\smarkdown(?:\s*=\s*["']?(\w+)["']?)?(?=[\s/>]|$)/i
/** Matches elements whose content is Markdown if the configuration says so. Does not match `h2`, and `pre`. */
const READ =
  /^(?:address|article|aside|blockquote|dd|details|div|dt|fig(?:ure|caption)|footer|form|header|main|nav|p|section)$/i
/** Matches other elements that are blocks. Does not match `b`. */
const BLOCK = /^(?:caption|center|dl|h[1-6]|legend|li|[ou]l|summary|table|t(?:body|d|foot|h|head|r))$/i
/** Matches what may be Markdown: `*`, `[`. Does not match `a & b`. */
const SIGNS = /[*_`~[]/
/** Matches the start of a text that would be code, or another block than a paragraph in one line: four blanks on the next line, `1. a`. Does not match `a`. */
const OTHER_START = /^\s*\n(?: {4}|\t)|^[ \t]*(?:[#>+-]|\d+[.)])/
const MAX_DEPTH = 100
/** How far the end of an element is looked for. */
const MAX_CHARS = 5000

interface Open extends Span {
  name: string
  hasMarkdown: boolean
}

/** Separates the Markdown of elements that hold some from their tags, and these from what stands around them. */
export const separateHtml = (source: DialectText): Edit[] => {
  const { text, lines, names } = source
  const { markdownInHtml } = names.markup
  if (markdownInHtml === undefined || (markdownInHtml === "marked" && !ATTRIBUTE.test(text))) return []
  const open: Open[] = []
  const edits = new Map<number, Edit>()
  let prefix = ""
  const separate = (at: number): void => {
    const start = at - (/\s*$/.exec(text.slice(Math.max(0, at - 200), at))?.[0].length ?? 0)
    // Matches the blanks after a place, with the last line's. Does not match `a`.
    const [run = "", indent = ""] = /^\s*?([ \t]*)(?=\S|$)/.exec(text.slice(start, start + 400)) ?? []
    const isTag = text[start + run.length] === "<"
    // Lines that are separated already stay, unless the service would take a tag for code.
    const isApart = /\n\s*\n/.test(run) && !(isTag && indent.length > prefix.length + 3)
    if (start === 0 || start + run.length >= text.length || isApart) return
    const kept = run.includes("\n") && !isTag ? indent : prefix
    edits.set(start, { start, end: start + run.length, text: `\n${prefix.trimEnd()}\n${kept}` })
  }
  /** Tells whether an element has Markdown. In a table, a string and an attribute it stays, and so does what would become code or a list. */
  const hasSigns = (name: string, { start, end }: Span): boolean => {
    const content = text.slice(end, end + MAX_CHARS)
    const inner = content.slice(0, Math.max(0, content.indexOf(`</${name}>`)))
    const isWithin = /\||["'`]$/.test(text.slice(lines.start(start), start))
    const quotes = text.slice(start, end).split('"').length
    return SIGNS.test(inner) && !isWithin && quotes % 2 === 1 && !OTHER_START.test(inner)
  }
  for (const { 0: whole, 1: slash, 2: name = "", 3: attributes = "", index: start } of matchesIn(source, TAG)) {
    if (!(READ.test(name) || BLOCK.test(name)) || attributes.endsWith("/")) continue
    const tag = { start, end: start + whole.length }
    const [said, value = "1"] = ATTRIBUTE.exec(attributes) ?? []
    if (open.length === 0) prefix = lines.continuation(start)
    if (slash === "") {
      const isAlways =
        markdownInHtml === "signs"
          ? (READ.test(name) || name === "summary") && hasSigns(name, tag)
          : markdownInHtml === "all" && READ.test(name)
      if (open.length < MAX_DEPTH)
        open.push({ ...tag, name, hasMarkdown: said === undefined ? isAlways : /^(?:1|block|span)$/.test(value) })
      continue
    }
    const at = open.findLastIndex((one) => one.name === name)
    const [one] = at < 0 ? [] : open.splice(at)
    if (!one) continue
    const isWithin = open.at(-1)?.hasMarkdown === true
    if (one.hasMarkdown) for (const place of [one.end, start]) separate(place)
    if (isWithin) separate(one.start)
    if (one.hasMarkdown || isWithin) separate(tag.end)
    // A paragraph cannot hold one of Markdown.
    if (one.hasMarkdown && name === "p")
      for (const place of [one.start + 1, start + 2]) edits.set(place, { start: place, end: place + 1, text: "div" })
  }
  return [...edits.values()]
}
