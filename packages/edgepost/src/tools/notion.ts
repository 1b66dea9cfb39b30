import { splitNote, withProperties } from "./note-fields.ts"
import type { Tool } from "./tool.ts"

// By its export as Markdown and CSV (notion.com/help/export-your-content), and by public exports.

/** Matches what stands before the properties of a page, with its title. Does not match `Words`. */
const TITLE = /^\s*# +(\S.*)\n(?:[ \t]*\n)*/
/** Matches what begins properties: `Created time: March 10, 2024`. Does not match `- a: b`, `He said, then: a` and `Ingredients:`. */
const START = /^(?![-*+>|!~`$<[]|#+\s|\d+[.)]\s)[^:.,;!\n]{1,40}:[ \t]+\S/
/** Matches a property that is one wherever it stands in a paragraph: `Assignee: Ann`. Does not match `Note: a`. */
const SURE =
  /^(?:status|tags?|created|last edited|assign|owner|person|publish|categor|slug|author|date)[^:\n]{0,20}:[ \t]+\S/i
/** Matches any property. */
const PROPERTY = /^([^:\n]{1,60}):[ \t]+(\S.*)$/
/** Matches the link of a relation to another page, which stands after its name. Does not match `(a)`. */
const RELATION = /\s\((?:https?:\/\/|[^()\s]*\.(?:md|csv)\b)[^()]*\)/g
/** Matches names of dates. Does not match `Tags`. */
const DATE = /\b(?:date|time|created|published|updated)\b/i
/** Matches states of a page that is not done. Does not match `Done`. */
const UNDONE = /^(?:not started|in progress|in review|to[ -]?do|idea|backlog|next up|writing|wip)$/i

/** Reads a property as fields of other apps have it. */
const readProperty = (line: string): [name: string, value: string] | null => {
  const [, name, value = ""] = PROPERTY.exec(line) ?? []
  if (name === undefined) return null
  const plain = value.replaceAll(RELATION, "").trim()
  if (/^status$/i.test(name) && UNDONE.test(plain)) return [name, "draft"]
  // A period has an arrow before its end, and parentheses stand around a time zone.
  return [name, DATE.test(name) ? (plain.split("→")[0] ?? "").replaceAll(/[()]/g, "").trim() : plain]
}

export const notion: Tool = {
  name: "Notion",
  isOfNotes: true,
  // The tables of databases.
  unread: () => (file) =>
    / [0-9a-f]{32}(?:_all)?\.csv$/.test(file) ? "a table of a database, which is not read" : null,
  // The title, and the paragraph below it if it begins as `Tags: a, b`: names that are no fields are told, and not shown.
  splitFields: (text) => {
    const front = splitNote(text)
    if (front === null) return null
    const [head = "", title] = TITLE.exec(front.body) ?? []
    if (title === undefined && front.bodyLine === 1) return null
    const titled = { ...front, data: { title, ...front.data }, lines: { title: front.bodyLine, ...front.lines } }
    const above = head.split("\n").slice(1)
    const lines = front.body.slice(head.length).split("\n")
    const end = lines.findIndex((line) => line.trim() === "")
    const first = lines.slice(0, end < 0 ? undefined : end)
    const isMeant = START.test(first[0] ?? "") || first.some((line) => SURE.test(line))
    return isMeant ? withProperties(titled, [...above, ...first], readProperty) : titled
  },
  // Names of pages and folders without their ids.
  translationOf: (path) => ({ key: path.replaceAll(/ [0-9a-f]{32}(?=\/|$)/g, ""), lang: null }),
  // None of them.
  comments: [],
}
