import { fieldOf, splitNote, withProperties } from "./note-fields.ts"
import type { Tool } from "./tool.ts"

// By its export as Markdown and CSV (notion.com/help/export-your-content), and by public exports.

/** Matches what stands before the properties of a page: images, and its title. Does not match `Words`. */
const HEAD = /^((?:[ \t]*\n|!\[.*\)[ \t]*\n)*)(?:#(?:[ \t]+(\S.*)?)?\n(?:[ \t]*\n)*)?/
/** Matches any property: `Assignee: Ann`, `Who, when:`. Does not match `- a: b`, `[a]: b` and `https://e.x`. */
const PROPERTY = /^(?![-*+>|!~`$<]|\[[^\]\n]*\][:([]|#+\s|\d+[.)]\s)([^:\n]{1,100}):(?:[ \t]+(.*))?$/
/** Matches a property that is one also without others: `Review: Ann`. Does not match `He said, then: a` and `Ingredients:`. */
const SHORT = /^(?:[^:.,;!\n]{1,40}|[^:\n]{1,100}\?):[ \t]+\S/
/** Matches a property that says that those around it are some: `Assignee: Ann`. Does not match `Note: a`. */
const SURE =
  /^[^\p{L}\n]{0,5}(?:status|stage|state|tags?|created|last edited|assign|owner|person|publish|categor|slug|author|date)[^:\n]{0,20}:[ \t]+\S/iu
/** Matches a file with the id of a page, which Notion has written. Does not match `Plan 2024.md`. */
const ID = / [0-9a-f]{32}\.md$/
/** Matches the link of a relation to another page, which stands after its name. Does not match `(a)`. */
const RELATION = /\s\((?:https?:\/\/|[^()\s]*\.(?:md|csv)\b)[^()]*\)/g
/** Matches names of dates. Does not match `Tags`. */
const DATE = /\b(?:date|time|created|published|updated)\b/i
/** Matches names of properties that say how far a page is, and values of a page for readers. Do not match `Estate` and `Unpublished`. */
const STATE = /^[^\p{L}]*(?:status|stage|state)[^\p{L}]*$/iu
const DONE = /^[^\p{L}]*(?:done|published|live|completed?|public|posted|released|finished|shipped)[^\p{L}]*$/iu

/** Reads a property as fields of other apps have it. */
const readProperty = (line: string): [name: string, value: string] | null => {
  const [, name, value = ""] = PROPERTY.exec(line) ?? []
  if (name === undefined) return null
  const plain = value.replaceAll(RELATION, "").trim()
  // Other fields may still hide a page that is done.
  if (STATE.test(name)) return DONE.test(plain) || plain === "" ? ["", ""] : ["status", "draft"]
  // A period has an arrow before its end, and parentheses stand around a time zone.
  return [name, DATE.test(name) ? (plain.split("→")[0] ?? "").replaceAll(/[()]/g, "").trim() : plain]
}

const nameIn = (line = ""): string => PROPERTY.exec(line)?.[1] ?? ""
const isUndone = (line: string): boolean => readProperty(line)?.[0] === "status"

/** Returns the lines of properties at the start of a paragraph. @param isPage the file has the id of a page */
const propertiesIn = (paragraph: string[], isPage: boolean): string[] => {
  const lines = paragraph.slice(0, paragraph.findLastIndex((line) => nameIn(line) !== "") + 1)
  const isWhole = paragraph.every((line) => nameIn(line) !== "")
  const isMeant =
    lines.some((line) => SURE.test(line)) || (isPage && isWhole && lines.some((line, i) => i > 0 || SHORT.test(line)))
  if (nameIn(paragraph[0]) === "" || !isMeant) return []
  // A text may stand right below a field. Other properties may have several lines.
  const last = nameIn(lines.at(-1))
  return STATE.test(last) || fieldOf(last) !== undefined ? lines : paragraph
}

export const notion: Tool = {
  name: "Notion",
  isOfNotes: true,
  // The tables of databases.
  unread: () => (file) =>
    / [0-9a-f]{32}(?:_all)?\.csv$/.test(file) ? "a table of a database, which is not read" : null,
  // The title, and the paragraph below it if its lines are as `Tags: a, b`: names that are no fields are told, and not shown.
  splitFields: (text, file) => {
    const front = splitNote(text)
    if (front === null) return null
    const [head = "", images = "", title] = HEAD.exec(front.body) ?? []
    const lines = front.body.slice(head.length).split("\n")
    const end = lines.findIndex((line) => line.trim() === "")
    const properties = propertiesIn(lines.slice(0, end < 0 ? undefined : end), ID.test(file))
    if (!title && properties.length === 0) return null
    const above = head.split("\n").slice(0, -1)
    const line = front.bodyLine + above.findIndex((one) => one.startsWith("#"))
    const titled = title ? { ...front, data: { title, ...front.data }, lines: { title: line, ...front.lines } } : front
    if (properties.length === 0) return titled
    const undone = properties.find(isUndone)
    const read = withProperties(titled, [...above, ...properties], readProperty)
    const bodyLine = read.bodyLine - images.split("\n").length + 1
    return { ...read, body: images + read.body, bodyLine, undone: undone && nameIn(undone) }
  },
  // Names of pages and folders without their ids.
  translationOf: (path) => ({ key: path.replaceAll(/ [0-9a-f]{32}(?=\/|$)/g, ""), lang: null }),
  // None of them.
  comments: [],
}
