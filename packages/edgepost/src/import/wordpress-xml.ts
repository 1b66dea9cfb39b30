import { XMLParser } from "fast-xml-parser"

import { parseHtml } from "../html/parse.ts"
import { lineOf } from "../html/tree.ts"
import { UsageError } from "../usage-error.ts"
import { type JsonFields, fieldsIn, isFields, listIn, textOfField } from "./data.ts"

// Reads the XML of WordPress within limits. Its items are parsed one at a time: all at once take several times the memory of their text.

const MAX_NESTING = 100
/** Tags of an XML text. An export of 10,000 posts has about a million. */
const MAX_TAGS = 3_000_000
const MAX_TAG_CHARS = 10_000
export const ADVICE = "Export it in WordPress at Tools → Export."

/** The levels at which an item begins: `rss`, `channel`, `item`. */
const ITEM_LEVEL = 3
const CODES = { "<": 0x3c, ">": 0x3e, "/": 0x2f, "!": 0x21, "?": 0x3f }
const ENDS: [start: string, end: Buffer][] = [
  ["<![CDATA[", Buffer.from("]]>")],
  ["<!--", Buffer.from("-->")],
]

/** Finds the items of XML, and checks it: a document type could define entities that multiply, and deep data and many tags take much memory. @throws UsageError */
const findItems = (xml: Buffer): [start: number, end: number][] => {
  const isAt = (text: string, at: number): boolean => xml.toString("latin1", at, at + text.length) === text
  // Matches the beginning of XML, after a byte order mark and whitespace.
  if (!/^\uFEFF?\s*</.test(xml.toString("utf8", 0, MAX_TAG_CHARS))) throw new UsageError("The file is not XML.", ADVICE)
  const items: [number, number][] = []
  let [depth, tags, begin] = [0, 0, -1]
  for (let at = xml.indexOf(CODES["<"]); at >= 0; at = xml.indexOf(CODES["<"], at + 1)) {
    const next = xml[at + 1]
    const end = next === CODES["!"] ? ENDS.find(([start]) => isAt(start, at))?.[1] : CODES[">"]
    if (end === undefined) throw new UsageError("The XML has a document type (DOCTYPE).", ADVICE)
    const close = xml.indexOf(end, at)
    if (close < 0) throw new UsageError("The XML ends within a tag.", "Download the export again.")
    if (next === CODES["/"]) {
      if (depth === ITEM_LEVEL && begin >= 0) items.push([begin, close + 1])
      if (depth === ITEM_LEVEL) begin = -1
      depth -= 1
    } else if (next !== CODES["!"] && next !== CODES["?"] && xml[close - 1] !== CODES["/"]) {
      depth += 1
      // Matches the tag of an item, and not `<items>`.
      if (depth === ITEM_LEVEL && /^<item[\s>]/.test(xml.toString("latin1", at, at + 6))) begin = at
    }
    if (depth > MAX_NESTING) throw new UsageError(`The XML is nested over ${MAX_NESTING} levels deep.`, ADVICE)
    if (end === CODES[">"] && close - at > MAX_TAG_CHARS)
      throw new UsageError(`The XML has a tag of over ${MAX_TAG_CHARS} characters.`, ADVICE)
    tags += 1
    if (tags > MAX_TAGS) throw new UsageError(`The XML has over ${MAX_TAGS} tags.`, "Export fewer posts at once.")
    at = close
  }
  if (depth > 0) throw new UsageError("The XML ends too early: posts at its end are missing.", "Export the blog again.")
  return items
}

const LISTS = new Set(["item", "category", "wp:postmeta", "wp:author"])

const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => LISTS.has(name),
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
})

const parse = (xml: string): JsonFields => {
  try {
    const data: unknown = PARSER.parse(xml)
    return isFields(data) ? data : {}
  } catch (error) {
    throw new UsageError(`The XML cannot be read: ${(error as Error).message.split("\n")[0]}.`, ADVICE)
  }
}

/** Parses an item of an export each time it is called. @throws UsageError */
export type ReadItem = () => JsonFields

/** Opens an export: what stands outside of its items, and the items. @throws UsageError */
export const openWxr = (xml: Buffer): { channel: JsonFields; items: ReadItem[] } => {
  const items = findItems(xml)
  const starts = [0, ...items.map(([, end]) => end)]
  const around = starts.map((start, i) => xml.toString("utf8", start, items[i]?.[0])).join("")
  return {
    channel: fieldsIn(fieldsIn(parse(around), "rss"), "channel"),
    items: items.map(
      ([start, end]) =>
        () =>
          listIn(parse(xml.toString("utf8", start, end)), "item")[0] ?? {},
    ),
  }
}

/** Returns the text of an element, with or without attributes. */
export const valueIn = (item: JsonFields, name: string): string =>
  (textOfField(item, name) || textOfField(fieldsIn(item, name), "#text")).trim()

/** Returns the meta of a post; the last value of each key. */
export const metaOf = (item: JsonFields): Map<string, string> =>
  new Map(listIn(item, "wp:postmeta").map((meta) => [valueIn(meta, "wp:meta_key"), valueIn(meta, "wp:meta_value")]))

/** Returns all values of a key of a post's meta. */
export const metaIn = (item: JsonFields, key: string): string[] =>
  listIn(item, "wp:postmeta").flatMap((meta) =>
    valueIn(meta, "wp:meta_key") === key ? [valueIn(meta, "wp:meta_value")] : [],
  )

/** Returns a text that the export has as HTML. */
export const plainIn = (item: JsonFields, name: string): string => lineOf(parseHtml(valueIn(item, name)))
