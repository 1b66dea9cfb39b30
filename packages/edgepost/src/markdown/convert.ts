import type { Finding } from "../finding.ts"
import type { LocalText } from "../folder/post.ts"
import { Budget } from "../parser/budget.ts"
import {
  continueLines,
  unescapeShortcodes,
  writeAlert,
  writeCode,
  writeDetails,
  writeShortAlert,
  writeTitle,
  writeTemplate,
  withoutTags,
  writeHeading,
  writeLabels,
} from "./blocks.ts"
import { MAX_TIMES_AGAIN, writeDialect } from "./dialect.ts"
import { type Document, readEdited, readText } from "./document.ts"
import { applyEdits, type Edit, type Edited, Lines } from "./edits.ts"
import { isCodeGroup, titleOfTab } from "./elements.ts"
import { removeTitle } from "./headings.ts"
import { removeUnseen, shownStart } from "./hidden.ts"
import { findLineEnds } from "./line-ends.ts"
import { findMerge, MERGE_MARKS } from "./merge.ts"
import { commentRemoved, EMBEDDED, leftOutMessage, messageOf, RAW_IN_CODE } from "./messages.ts"
import { moveNotes } from "./notes.ts"
import { prepare } from "./prepare.ts"
import { type Foreign, Reader, type Tag } from "./reader.ts"
import { scan } from "./scan.ts"
import { shortName } from "./shortcodes.ts"
import { Names, type Theme } from "./theme.ts"
import type { Span } from "./tree.ts"

// Turns what only other tools know into Markdown.

export interface Converted {
  body: string
  /** The parts of `body`. */
  document: Document
  /** Returns the line of the file, from 1, on which a place of `body` stands. */
  lineOf: (offset: number) => number
  findings: Finding[]
  /** Each use of syntax that only its own tool knows, in the order of the text. */
  foreign: ForeignUse[]
  /** The edits that make line breaks of the single line ends of `body`; none if neither the configuration nor the tool knows such. */
  lineEnds: Edit[]
  /** The body is as the service stores it: only its images get new addresses. */
  isStored: boolean
}

/** Syntax that only its own tool knows, at a line of a file. */
export interface ForeignUse extends Pick<Foreign, "name" | "field"> {
  file: string
  line: number
  /** As the file has it. */
  text: string
}

/** The limit of alerts within each other. */
const MAX_DEPTH = 8

/** An opening tag that waits for its end, and the number of edits before it. */
interface Open {
  tag: Tag
  edits: number
}

/** Pairs tags, and collects the edits that convert them. */
class Converter {
  readonly #reader: Reader
  readonly #open: Open[] = []
  /** Number of open tags by name. Most closing tags have none, and need no search. */
  readonly #count = new Map<string, number>()
  edits: Edit[] = []
  /** Syntax that only its own tool knows. */
  foreign: Foreign[] = []
  /** Foreign tags as reports show them. */
  readonly #noted = new Set<string>()

  constructor(reader: Reader) {
    this.#reader = reader
  }

  #noteTag({ start, end, name, shown, isClose }: Tag): void {
    // A pair is one use.
    if (isClose && this.#noted.has(shown)) return
    this.#noted.add(shown)
    this.foreign.push({ start, end, name: shortName(name), shown, field: name === "" ? null : "shortcodes" })
  }

  add(tag: Tag): void {
    const { conversion, content, start, end } = tag
    if (tag.isClose) this.#close(tag)
    else if (conversion?.as === "text") {
      const text = conversion.write(tag.arguments, tag.syntax === "liquid", this.#reader.before(start))
      if (text === null) this.#noteTag(tag)
      else this.push([{ start, end, text: continueLines(this.#reader, tag, text) }])
    } else if (conversion?.as === "template" && !tag.hasEnd) this.push(writeTemplate(this.#reader, tag, null, []))
    else if (!content) this.#wait(tag)
    else if (conversion?.as === "code")
      this.push([
        ...writeCode(this.#reader, tag, conversion.language(tag.arguments)),
        ...unescapeShortcodes(this.#reader, tag),
      ])
    else if (conversion?.as === "comment") this.push([{ start, end: content.closeEnd, text: "" }])
    else this.push(withoutTags(tag, { start: content.end, end: content.closeEnd }, []))
  }

  push(edits: Edit[]): void {
    for (const edit of edits) this.edits.push(edit)
  }

  /** Reports the tags that nothing closed. */
  finish(): void {
    while (this.#open.length > 0) this.#drop()
  }

  #wait(tag: Tag): void {
    const isPair = ["alert", "details", "section", "content", "template"].includes(tag.conversion?.as ?? "")
    // Directives have one closing tag for all names, so foreign ones wait for theirs.
    if (tag.syntax !== "directive" && !isPair) return this.#noteTag(tag)
    const isTooDeep = this.#open.length >= MAX_DEPTH
    this.#open.push({ tag: isTooDeep ? { ...tag, conversion: undefined } : tag, edits: this.edits.length })
    this.#count.set(keyOf(tag), (this.#count.get(keyOf(tag)) ?? 0) + 1)
  }

  #pop(): Open | undefined {
    const open = this.#open.pop()
    if (open) this.#count.set(keyOf(open.tag), (this.#count.get(keyOf(open.tag)) ?? 1) - 1)
    return open
  }

  /** Takes the last open tag, which nothing closed. */
  #drop(): void {
    const open = this.#pop()
    if (!open) return
    if (open.tag.conversion?.as === "template") return this.push(writeTemplate(this.#reader, open.tag, null, []))
    const text = writeShortAlert(this.#reader, open.tag)
    if (text === null) this.#noteTag(open.tag)
    else this.push([{ start: open.tag.start, end: open.tag.end, text }])
  }

  #close(tag: Tag): void {
    const key = keyOf(tag)
    if ((this.#count.get(key) ?? 0) === 0) return this.#noteTag(tag)
    let last = this.#open.at(-1)
    for (; last && keyOf(last.tag) !== key; last = this.#open.at(-1)) this.#drop()
    // Colons of an inner directive do not close the outer one.
    if (!last || (last.tag.colons ?? 0) > (tag.colons ?? 0)) return
    this.#pop()
    const inner = this.edits.splice(last.edits)
    this.push(this.#pair(last.tag, { start: tag.start, end: tag.end }, inner))
  }

  #pair(open: Tag, close: Span, inner: Edit[]): Edit[] {
    const as = open.conversion?.as
    if (as === "alert") return writeAlert(this.#reader, { open, close }, inner)
    if (as === "details") return writeDetails(this.#reader, { open, close }, inner)
    const title = as === "section" ? titleOfTab(open.arguments) : ""
    if (title !== "") return withoutTags(open, close, inner, writeHeading(this.#reader, open, title))
    if (as === "content") {
      const labels = isCodeGroup(open.name) ? writeLabels(this.#reader, open.end, close.start) : []
      return withoutTags(open, close, [...inner, ...labels], writeTitle(this.#reader, open))
    }
    if (as === "template" || as === "comment") {
      const edits = writeTemplate(this.#reader, open, close, inner)
      // Readers do not see what the template drops.
      if (edits.length === 1) this.foreign = this.foreign.filter(({ start }) => start < open.start)
      return edits
    }
    this.#noteTag(open)
    return inner
  }
}

const keyOf = ({ syntax, name }: Tag): string => (syntax === "directive" ? ":::" : `${syntax} ${name}`)

/** Matches the tag that Liquid needs in code with braces: `{% raw %}`. Does not match `{% rawhtml %}`. */
const RAW = /\{%-?\s*raw\s*-?%\}/

/** Matches a note that is shown within another one: `![[Note]]`, `![[a.md#b]]`. Does not match `![[a.png]]`. */
const EMBED = /^!\[\[(?![^[\]|#\n]*\.(?!md[\]|#])[a-z]\w{1,4}[\]|#])/i

/** Makes a function that returns the line of the file on which a place of an edited body stands. @param edits the last first */
const lineFinder =
  (lineOf: Converted["lineOf"], ...edits: Edited["oldOffset"][]): Converted["lineOf"] =>
  (offset) =>
    lineOf(edits.reduce((at, oldOffset) => oldOffset(at), offset))

/** Reads a text. @returns its parts, the edits that convert it, and the syntax that only its own tool knows, both in order */
const scanText = (text: LocalText, theme: Theme) => {
  const names = new Names(theme, text.data, text.file.endsWith(".mdx"))
  const prepared = prepare(text, theme.settings)
  const written = readText(prepared.text)
  const isRead = !text.isStored && written.document.problem === null
  const { body, parsed, oldOffset } = isRead
    ? writeDialect(prepared.text, written, names)
    : { body: prepared.text, parsed: written, oldOffset: (at: number) => at }
  const { document } = parsed
  const reader = new Reader(body, names, document.html, document.destinations)
  const lines = new Lines(text.body, text.ownLines)
  const lineAt = (at: number): number => text.bodyLine + lines.numberOf(at) - 1
  const lineOf = lineFinder(lineAt, oldOffset, prepared.oldOffset)
  const left = prepared.leftOut.map(({ at, shown }) => ({ shown, line: lineAt(at) }))
  const lacks = prepared.lacks.map(({ at, ...lack }) => ({ ...lack, line: lineAt(at) }))
  const found = { reader, parsed, lineOf, left, lacks }
  if (!isRead || document.problem !== null) return { ...found, edits: [], foreign: [] }
  const converter = new Converter(reader)
  const budget = new Budget(MAX_TIMES_AGAIN)
  const inlineNotes: Span[] = []
  const heading = removeTitle({ ...text, body }, document)
  const code = document.code.filter(({ start }) => !heading || start < heading.start || heading.end <= start)
  const skipped = [...code, ...(heading ? [heading] : [])].toSorted((a, b) => a.start - b.start)
  for (const item of scan(reader, skipped, document.definitions, text.file.endsWith(".mdx"), budget)) {
    if ("tag" in item) converter.add(item.tag)
    else if ("edits" in item) {
      converter.push(item.edits)
      if (item.leftOut) left.push({ shown: item.leftOut.shown, line: lineOf(item.leftOut.at) })
    } else if ("note" in item) inlineNotes.push(item.note)
    else converter.foreign.push(item.foreign)
  }
  converter.finish()
  const edits = moveNotes(reader, converter.edits, inlineNotes)
  const isFree = heading && edits.every(({ start, end }) => end <= heading.start || heading.end <= start)
  // Tags that close wait for the whole text, so the first in order is not the first in the text.
  const foreign = converter.foreign.toSorted((a, b) => a.start - b.start)
  return { ...found, edits: isFree ? [heading, ...edits] : edits, foreign }
}

const usesOf = ({ file }: LocalText, { foreign, reader, lineOf }: ReturnType<typeof scanText>): ForeignUse[] =>
  foreign.map(({ name, field, start, end }) => ({
    name,
    field,
    file,
    line: lineOf(start),
    text: reader.text.slice(start, end),
  }))

/** Lists each use of syntax that only its own tool knows, in the order of the text. */
export const listForeign = (text: LocalText, theme: Theme): ForeignUse[] => usesOf(text, scanText(text, theme))

/** Turns what only other tools know into Markdown, and removes a first heading that repeats the title. Leaves a stored body as it is. */
export const convert = (text: LocalText, theme: Theme): Converted => {
  const { file, bodyLine, isStored } = text
  const scanned = scanText(text, theme)
  const { reader, parsed, edits, foreign, lineOf, left, lacks } = scanned
  const { text: body } = reader
  const { document } = parsed
  const report = (level: Finding["level"], code: string, message: string, at: number): Finding => ({
    level,
    code,
    message,
    file,
    line: lineOf(at),
  })
  const unchanged = { body: text.body, document, lineOf, findings: [], foreign: [], lineEnds: [], isStored }
  if (isStored) return unchanged
  const { problem } = document
  if (problem !== null) {
    const finding = report("error", "too_complex", problem.messageAt(bodyLine - 1), 0)
    return { ...unchanged, findings: [{ ...finding, line: bodyLine - 1 + (problem.line ?? 1) }] }
  }
  const kinds = [...Map.groupBy(foreign, messageOf)]
  const findings = kinds.map(([message, [first]]) => report("error", "foreign_syntax", message, first?.start ?? 0))
  const removed = Map.groupBy(edits, ({ start, text: written }) => (written === "" ? shownStart(reader, start) : null))
  for (const [sign, [first]] of removed)
    if (sign !== null) findings.push(report("warning", "comment_removed", commentRemoved(sign), first?.start ?? 0))
  findings.push(...lacks.map((lack) => ({ ...lack, code: "unsupported_syntax", file })))
  const embed = edits.find(({ start }) => body.startsWith("![[", start) && EMBED.test(body.slice(start, start + 1000)))
  if (embed) findings.push(report("warning", "embedded_note", EMBEDDED, embed.start))
  for (const [shown, [first]] of Map.groupBy(left, (one) => one.shown))
    findings.push({ level: "warning", code: "left_out", message: leftOutMessage(shown), file, line: first?.line ?? 0 })
  const raw = document.code.find(({ start, end }) => RAW.test(body.slice(start, end)))
  if (raw) findings.push(report("warning", "raw_in_code", RAW_IN_CODE, raw.start))
  for (const at of findMerge(body, document)) findings.push(report("error", "merge_marks", MERGE_MARKS, at))
  const edited = applyEdits(body, edits)
  const budget = new Budget(MAX_TIMES_AGAIN)
  const parsedAgain = readEdited(parsed, body, edits, edited.text, budget)
  const unseen = removeUnseen(edited.text, parsedAgain.document)
  const shown = applyEdits(edited.text, unseen)
  const read = readEdited(parsedAgain, edited.text, unseen, shown.text, budget)
  return {
    body: shown.text,
    document: read.document,
    lineEnds: findLineEnds(shown.text, read, file, theme),
    lineOf: lineFinder(lineOf, shown.oldOffset, edited.oldOffset),
    findings: findings.toSorted((a, b) => a.line - b.line),
    foreign: usesOf(text, scanned),
    isStored,
  }
}
