import { readDocument } from "../markdown/document.ts"
import { type Edit, lastUpTo } from "../markdown/edits.ts"
import { splitNote, withProperties } from "./note-fields.ts"
import type { Tool } from "./tool.ts"

// By its documentation, docs.logseq.com, and by the graph of its own documentation.

/** Matches lines of properties at the start of a page: `public:: true`, `- tags:: a`. Does not match `a:: b` further below. */
const PROPERTIES = /^(?:[ \t]*\n)*(?:[ \t]*(?:[-*][ \t]+)?[\w-]+::.*(?:\n|$))+/
/** Matches the name and the value of such a line. */
const PROPERTY = /([\w-]+)::[ \t]*(.*)$/
/** Matches properties of a block that are not shown: `id:: 65ed`, `collapsed:: true`. Does not match `source:: a`. */
const HIDDEN =
  /^(?:[-*][ \t]+)?(?:id|collapsed|created-at|updated-at|heading|background-color|template(?:-[\w-]+)?|query-[\w-]+|logseq\.[\w.-]+|hl-[\w-]+|ls-type|card-[\w-]+)::/
/** Matches the start of a drawer: `:LOGBOOK:`. Does not match `:END:` and `:smile:`. */
const DRAWER = /^:(?!END:)[A-Z][A-Z_-]+:[ \t]*$/
/** Matches a reference to a block, also as the address of a link, whose text is kept. Does not match `((a))`. */
const REFERENCE = /(?:\[([^[\]\n]{0,500})\]\()?\(\([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\)\)\)?/gi

/** Leaves out what only the app knows: drawers, properties of blocks that it hides, and references to blocks. */
const hide = (body: string): Edit[] => {
  // Matches what may be such. Does not match `a: b`.
  if (!/::[ \t]|^[ \t]*:[A-Z]+:|\(\([0-9a-f]{8}-/m.test(body)) return []
  const { code } = readDocument(body)
  const starts = code.map(({ start }) => start)
  const isCode = (at: number): boolean => at < (code[lastUpTo(starts, at)]?.end ?? 0)
  let isInDrawer = false
  return Array.from(body.matchAll(/^([ \t]*)(.*)\n?/gm)).flatMap(
    ({ 0: line, 1: blanks = "", 2: text = "", index }): Edit[] => {
      const at = index + blanks.length
      // A drawer without an end goes as far as its block.
      if (isCode(at) || /^[-*](?:\s|$)/.test(text) || text.trim() === "") isInDrawer = false
      const isDrawer = !isCode(at) && DRAWER.test(text)
      const isHidden = isInDrawer || isDrawer || (!isCode(at) && HIDDEN.test(text))
      isInDrawer = isDrawer || (isInDrawer && !text.startsWith(":END:"))
      // The sign of a list stays, for what stands below it.
      if (isHidden && /^[-*]\s/.test(text)) return [{ start: at + 2, end: at + text.length, text: "" }]
      if (isHidden) return [{ start: index, end: index + line.length, text: "" }]
      return Array.from(text.matchAll(REFERENCE), ({ 0: whole, 1: label, index: place }) => ({
        start: at + place,
        end: at + place + whole.length,
        text: label ?? "…",
      })).filter(({ start }) => !isCode(start))
    },
  )
}

export const logseq: Tool = {
  name: "Logseq",
  isOfNotes: true,
  // Lines such as `tags:: a` at the start of a page.
  splitFields: (text) => {
    const front = splitNote(text)
    const [head] = (front && PROPERTIES.exec(front.body)) ?? []
    if (front === null || head === undefined) return null
    const fields = withProperties(front, head.replace(/\n$/, "").split("\n"), (line) => {
      const [, name, value = ""] = PROPERTY.exec(line) ?? []
      // Matches the signs of links and tags: `[[a]], #b`.
      return name === undefined ? null : [name, value.replaceAll(/\[\[|\]\]|#/g, "").trim()]
    })
    return { ...fields, unread: [] }
  },
  // A page of nothing but signs of lists.
  skipsPost: ({ body, bodyLine }) => (/^[\s*-]*$/.test(body) ? { reason: "no text", line: bodyLine } : null),
  // Its own files, and days in `journals` if not all notes are for readers.
  skipsNote: (_, file, publishesAll) =>
    /(?:^|\/)logseq\//.test(file) || (!publishesAll && /(?:^|\/)journals\//.test(file)) ? "a file of Logseq" : null,
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
