import { micromark } from "micromark"

import { escapeText } from "../escape.ts"
import type { Edit } from "./edits.ts"
import type { Reader, Tag } from "./reader.ts"
import { alertKind } from "./shortcodes.ts"
import type { Span } from "./tree.ts"
import { writeInHtml } from "./write.ts"

// Edits that turn a pair of tags into an alert, hidden text, or code.

interface Pair {
  open: Tag
  close: Span
}

/** Returns what separates a block from text before it on the same line. */
const gapBefore = (reader: Reader, at: number): string => {
  const { lines } = reader
  return lines.markersBefore(at) === null || reader.isInHtml(at) ? `\n\n${lines.continuation(at)}` : ""
}

/** Returns what separates a block from the text after it: the next line would continue a quote or HTML. */
const gapAfter = (reader: Reader, { start, end }: Span, closesAlone: boolean): string => {
  const { lines } = reader
  const prefix = lines.continuation(start)
  if (!lines.isBlankAfter(end) || reader.isInHtml(start)) return `\n\n${prefix}`
  const next = lines.next(end)
  return closesAlone || next === null || lines.isBlankAfter(next) ? "" : `\n${prefix}`
}

/** Matches an image or a link in Markdown: `![a](b)`, `<https://a>`. Does not match `<figure>`. */
const IN_LINE = /^!?\[|^<https?:/

/** Continues the list or quote around a tag in all lines of the text that replaces it. Separates HTML from the lines around it, and writes images and links in HTML as such. */
export const continueLines = (reader: Reader, tag: Tag, text: string): string => {
  if (IN_LINE.test(text) && reader.isInHtml(tag.start))
    return micromark(text, { allowDangerousProtocol: true }).replaceAll(/^<p>|<\/p>$/g, "")
  const continued = text.replaceAll("\n", `\n${reader.lines.continuation(tag.start)}`)
  return text.startsWith("<figure>")
    ? gapBefore(reader, tag.start) + continued + gapAfter(reader, tag, false)
    : continued
}

/** Removes two tags, and keeps what is between them. @param title what stands instead of the first */
export const withoutTags = ({ start, end }: Span, close: Span, inner: Edit[], title = ""): Edit[] => [
  { start, end, text: title },
  ...inner,
  { ...close, text: "" },
]

/** Writes the author's template instead of a tag, and nothing instead of a comment. @param close null if nothing closes it @returns one edit if it has no place for the content */
export const writeTemplate = (reader: Reader, open: Tag, close: Span | null, inner: Edit[]): Edit[] => {
  const { conversion, start, end } = open
  if (conversion?.as !== "template") return [{ start, end: (close ?? open).end, text: "" }]
  const [before, after] = conversion.write(open.arguments).map((text) => text && continueLines(reader, open, text))
  return close && typeof after === "string"
    ? [{ start, end, text: before ?? "" }, ...inner, { ...close, text: after }]
    : [{ start, end: (close ?? open).end, text: (before ?? "") + (after ?? "") }]
}

/** Quotes the lines between two tags, and all new lines of the edits between them. */
const quoteLines = ({ text, lines }: Reader, { open, close }: Pair, inner: Edit[]): Edit[] => {
  const prefix = lines.continuation(open.start)
  const quoted = inner.map((edit) => ({ ...edit, text: edit.text.replaceAll(`\n${prefix}`, `\n${prefix}> `) }))
  const spans = inner.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)
  let next = 0
  const added: Edit[] = []
  for (let line = lines.next(open.end); line !== null && line < close.start; line = lines.next(line)) {
    // Matches blanks and quote markers. Does not match `a`.
    const indent = /^[ \t>]*/.exec(text.slice(line, Math.min(line + prefix.length, lines.end(line))))?.[0].length ?? 0
    const start = line + indent
    while ((spans[next]?.end ?? Infinity) <= start) next++
    const isReplaced = (spans[next]?.start ?? Infinity) < start
    const isClose = lines.end(line) >= close.start && text.slice(line, close.start).trim() === ""
    if (!isReplaced && !isClose)
      added.push({ start, end: start, text: lines.isBlankAfter(start) ? `${prefix.slice(indent)}>` : "> " })
  }
  return [...quoted, ...added]
}

/** Turns a pair into an alert, or into a quote if its kind is "". */
export const writeAlert = (reader: Reader, pair: Pair, inner: Edit[]): Edit[] => {
  const { open, close } = pair
  const { lines } = reader
  if (open.conversion?.as !== "alert") return inner
  const { kind, title } = open.conversion.read(open.arguments)
  const prefix = lines.continuation(open.start)
  const isEmpty = lines.isBlankAfter(open.end)
  const head = [
    ...(kind === "" ? [] : [`> [!${kind}]`]),
    // A title that only repeats the kind is left out: readers' pages show the kind.
    ...(title === "" || alertKind(title) === kind ? [] : [`> **${title}**`, ">"]),
    ...(isEmpty ? [] : ["> "]),
  ]
  const written = gapBefore(reader, open.start) + (head.length === 0 ? ">" : head.join(`\n${prefix}`))
  const end = isEmpty ? lines.end(open.end) : open.end
  const closesAlone = lines.markersBefore(close.start) !== null
  return [
    { start: open.start, end, text: written },
    ...quoteLines(reader, pair, inner),
    { ...close, text: gapAfter(reader, close, closesAlone) },
  ]
}

/** Writes an alert of a tag without an end, whose text is an argument; null if it has none. */
export const writeShortAlert = (reader: Reader, tag: Tag): string | null => {
  const { conversion, syntax, start } = tag
  if (conversion?.as !== "alert" || syntax === "directive" || syntax === "jsx") return null
  const { kind, title } = conversion.read(tag.arguments)
  const text = tag.arguments.named.get("text") ?? tag.arguments.named.get("content") ?? title
  if (text === "" || kind === "") return null
  const alert = `> [!${kind}]\n> ${text.trim().replaceAll("\n", "\n> ")}`
  return gapBefore(reader, start) + continueLines(reader, tag, alert) + gapAfter(reader, tag, false)
}

/** Turns a pair into `<details>`. */
export const writeDetails = (reader: Reader, { open, close }: Pair, inner: Edit[]): Edit[] => {
  const { lines } = reader
  const { positional, named } = open.arguments
  const title = named.get("title") ?? named.get("summary") ?? positional.join(" ")
  const prefix = lines.continuation(open.start)
  const summary = title === "" ? "" : `<summary>${writeInHtml(title).replaceAll("\n", `\n${prefix}`)}</summary>`
  const after = `\n${lines.isBlankAfter(open.end) ? "" : "\n"}${prefix}`
  const before = `\n${lines.markersBefore(close.start) === null ? "\n" : ""}${prefix}`
  return [
    { start: open.start, end: open.end, text: `${gapBefore(reader, open.start)}<details>${summary}${after}` },
    ...inner,
    { ...close, text: `${before}</details>${gapAfter(reader, close, false)}` },
  ]
}

/** Writes the title of a container that no conversion knows; "" without one. Matches arguments, `2` and `three-columns`. Does not match `Pythagoras`. */
export const writeTitle = ({ lines }: Reader, { syntax, start, arguments: { named } }: Tag): string => {
  const title = (syntax === "directive" && named.get("title")) || ""
  return /^[a-z\d\s=.%-]*$/.test(title) ? "" : `**${title}**\n${lines.continuation(start)}`
}

/** Matches the label of code in the line that begins it, with the label: "```sh [npm]". Does not match "```sh". */
const LABEL = /^[`~]{3,}[^\n[{]*(?:\{[^}\n]*\}[^\n[{]*)?\[([^\]\n]+)\]/

/** Writes the labels of code, which a group shows as tabs, above it. */
export const writeLabels = (reader: Reader, from: number, to: number): Edit[] =>
  reader.codeBetween(from, to).flatMap(({ start, end }) => {
    const [, label] = LABEL.exec(reader.text.slice(start, end)) ?? []
    const next = `\n${reader.lines.continuation(start)}`
    const sign = reader.text.slice(start, start + 1)
    // It takes the place of the first sign, so that quote marks before it stay there.
    return label === undefined ? [] : [{ start, end: start + 1, text: `**${escapeText(label)}**${next}${next}${sign}` }]
  })

/** Writes the title of a tab as a heading below the one before it. */
export const writeHeading = (reader: Reader, { start, end }: Span, title: string): string => {
  const { text, lines } = reader
  const prefix = lines.continuation(start)
  const last = text.lastIndexOf("\n#", start)
  // Matches the signs of `## A`. Does not match `##A`.
  const [, signs = "#"] = /^\n?(#{1,5})[ \t]/.exec(text.slice(Math.max(last, 0), last + 9)) ?? []
  const after = lines.isBlankAfter(end) ? "\n" : `\n\n${prefix}`
  return `${gapBefore(reader, start)}${signs}# ${title}${after}`
}

/** Matches code that is in a fence already: "```js\na\n```". Does not match `a`. */
const FENCED = /^\s*(```|~~~)[^]*\n[ \t>]*\1[`~]*\s*$/

/** Turns a pair around code into a fence; on a line with other text, into code in the line. */
export const writeCode = (reader: Reader, open: Tag, language: string): Edit[] => {
  const { text, lines } = reader
  const { start, end, content } = open
  if (!content) return []
  const code = text.slice(content.start, content.end)
  const close = { start: content.end, end: content.closeEnd }
  if (FENCED.test(code)) return withoutTags(open, close, [])
  // Matches backquotes.
  const run = [...code.matchAll(/`+/g)].reduce((longest, [ticks]) => Math.max(longest, ticks.length), 0)
  const isLeading = lines.markersBefore(start) !== null
  if (!code.includes("\n") && !(isLeading && lines.isBlankAfter(close.end))) {
    const ticks = "`".repeat(run + 1)
    const blank = code.startsWith("`") || code.endsWith("`") ? " " : ""
    return [
      { start, end, text: ticks + blank },
      { ...close, text: blank + ticks },
    ]
  }
  const fence = "`".repeat(Math.max(3, run + 1))
  const prefix = lines.continuation(start)
  const hasLineAfter = lines.isBlankAfter(end) && code.includes("\n")
  const closesAlone = lines.markersBefore(close.start) !== null && code.includes("\n")
  const after = reader.isInHtml(start) ? `\n\n${prefix}` : lines.isBlankAfter(close.end) ? "" : `\n${prefix}`
  return [
    { start, end, text: `${gapBefore(reader, start)}${fence}${language}${hasLineAfter ? "" : `\n${prefix}`}` },
    { ...close, text: `${closesAlone ? "" : `\n${prefix}`}${fence}${after}` },
  ]
}

// Matches literal shortcodes: `{{</* a */>}}`. Does not match `{{< a >}}`.
const LITERAL = /\{\{([<%])\/\*([^]*?)\*\/([>%]\}\})/g

/** Writes literal shortcodes in the content of a tag as readers see them. */
export const unescapeShortcodes = ({ text }: Reader, { syntax, content }: Tag): Edit[] =>
  syntax === "shortcode" && content
    ? Array.from(
        text.slice(content.start, content.end).matchAll(LITERAL),
        ({ 0: whole, 1: sign, 2: inner, 3: end, index }) => ({
          start: content.start + index,
          end: content.start + index + whole.length,
          text: `{{${sign}${inner}${end}`,
        }),
      )
    : []
