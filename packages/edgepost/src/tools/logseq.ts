import { readDocument } from "../markdown/document.ts"
import { type Edit, lastUpTo } from "../markdown/edits.ts"
import { splitNote, withProperties } from "./note-fields.ts"
import type { Tool } from "./tool.ts"

// By its documentation, docs.logseq.com, and by the graph of its own documentation.

/** Matches lines of properties at the start of a page: `public:: true`, `- tags:: a`. Does not match `a::b`, and `a:: b` further below. */
const PROPERTIES = /^(?:[ \t]*\n)*(?:[ \t]*(?:[-*][ \t]+)?[\p{L}\p{N}_./-]+::(?:[ \t].*)?(?:\n|$))+/u
/** Matches the name and the value of such a line. */
const PROPERTY = /([\p{L}\p{N}_./-]+)::[ \t]*(.*)$/u
/** Matches properties of a block that are not shown: `id:: 65ed…`, `collapsed:: true`. Does not match `source:: a` and `id:: words`. */
const HIDDEN =
  /^(?:id::[ \t]+[0-9a-f-]{36}[ \t]*$|(?:collapsed|created-at|updated-at|heading|background-color|template(?:-[\w-]+)?|query-[\w-]+|logseq\.[\w.-]+|hl-[\w-]+|ls-type|card-[\w-]+)::(?:[ \t]|$))/
/** Matches the start of a drawer of the app, or the end of one. Does not match `:smile:`. */
const DRAWER = /^:(logbook|properties|end):[ \t]*$/i
/** Matches a reference to a block, also as the address of a link, whose text is kept. Does not match `((a))`. */
const REFERENCE = /(?:\[([^[\]\n]{0,500})\]\()?\(\([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\)\)\)?/gi

/** Leaves out what only the app knows: drawers, properties of blocks that it hides, and references to blocks. */
const hide = (body: string): Edit[] => {
  // Matches what may be such. Does not match `a: b`.
  if (!/::[ \t]|:(?:logbook|properties):|\(\([0-9a-f]{8}-/i.test(body)) return []
  const { code } = readDocument(body)
  const starts = code.map(({ start }) => start)
  const isCode = (at: number): boolean => at < (code[lastUpTo(starts, at)]?.end ?? 0)
  const lines = Array.from(
    body.matchAll(/^([ \t>]*)((?:[-*][ \t]+)?)(.*)\n?/gm),
    ({ 0: { length }, 1: blanks = "", 2: bullet = "", 3: text = "", index: start }) => {
      const at = start + blanks.length + bullet.length
      const mark = isCode(at) ? undefined : DRAWER.exec(text)?.[1]?.toLowerCase()
      return { start, at, end: start + length, isBelow: blanks !== "", bullet, text, mark }
    },
  )
  const marks = lines.filter(({ mark }) => mark !== undefined)
  const closed = new Set(marks.filter((_, i) => marks[i + 1]?.mark === "end"))
  // A drawer without an end goes as far as its block.
  let drawer: "closed" | "open" | null = null
  return lines.flatMap((line): Edit[] => {
    const { start, at, end, isBelow, bullet, text, mark } = line
    if (drawer === "open" && (bullet !== "" || text.trim() === "" || isCode(at))) drawer = null
    const wasIn = drawer !== null
    const isStart = mark !== undefined && mark !== "end"
    if (isStart) drawer = closed.has(line) ? "closed" : "open"
    const isHidden = drawer !== null || (!isCode(at) && (isBelow || bullet !== "") && HIDDEN.test(text))
    if (mark === "end") drawer = null
    // The sign of a list stays, for what stands below it.
    if (isHidden && bullet !== "" && !wasIn) return [{ start: at, end: at + text.length, text: "" }]
    if (isHidden) return [{ start, end, text: "" }]
    return Array.from(text.matchAll(REFERENCE), ({ 0: whole, 1: label, index: place }) => ({
      start: at + place,
      end: at + place + whole.length,
      text: label ?? "…",
    })).filter((edit) => !isCode(edit.start))
  })
}

export const logseq: Tool = {
  name: "Logseq",
  isOfNotes: true,
  // Lines such as `tags:: a` at the start of a page.
  splitFields: (text) => {
    const front = splitNote(text)
    const [head] = (front && PROPERTIES.exec(front.body)) ?? []
    if (front === null || head === undefined) return null
    return withProperties(front, head.replace(/\n$/, "").split("\n"), (line) => {
      const [, name, value = ""] = PROPERTY.exec(line) ?? []
      // Matches the signs of links and tags: `[[a]], #b`.
      return name === undefined ? null : [name, value.replaceAll(/\[\[|\]\]|#/g, "").trim()]
    })
  },
  // A page of nothing but signs of lists.
  skipsPost: ({ body, bodyLine }) => (/^[\s*-]*$/.test(body) ? { reason: "no text", line: bodyLine } : null),
  // Its own files.
  skipsFile: () => (file) => (/(?:^|\/)logseq\//.test(file) ? "a file of Logseq" : null),
  // Days in `journals`, if not all notes are for readers.
  skipsNote: (_, file, publishesAll) =>
    !publishesAll && /(?:^|\/)journals\//.test(file) ? "a day of the journal" : null,
  // `journals/2024_03_10.md`.
  dateOfPath: (file) => /(?:^|\/)journals\/(\d{4})_(\d\d)_(\d\d)\.\w+$/.exec(file)?.slice(1).join("-") ?? null,
  // No: a day of a journal is a post if all notes are for readers.
  hasDailyNotes: false,
  // `journals`.
  roots: ["journals"],
  // Drawers such as `:LOGBOOK:`, and `id::` and its kin, are not shown; a reference to a block is `…`, or its text.
  blocks: hide,
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
}
