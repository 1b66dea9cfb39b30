import { alertKind } from "../markdown/shortcodes.ts"

// Code that tools show otherwise than it is written: marks of lines, notices and queries of notes, MyST.

/** Matches a fence, with its parts. Does not match code in a line and indented code. */
const FENCE = /^(?<sign>`{3,}(?!`)|~{3,}(?!~))(?<info>[^\n]*)\n(?<text>(?:[^]*?\n)??)(?<before>[ \t>]*)\k<sign>[`~]*$/

const COMMENT = String.raw`(?:\/\/|\/\*+|\{\s*\/\*|#|<!--|--|;;?|%|\(\*)[ \t]*`
const COMMENT_END = String.raw`[ \t]*(?:\*\/[ \t]*\}?|-->|\*\))?[ \t]*(?=\n|$)`

/** Makes a function that removes comments with a mark from code, and the lines that have nothing else. @param mark its pattern */
export const markRemover = (mark: string): ((source: string) => string) => {
  const line = new RegExp(String.raw`\n[ \t>]*${COMMENT}${mark}${COMMENT_END}`, "g")
  const rest = new RegExp(String.raw`(?<![ \t])[ \t]*${COMMENT}${mark}${COMMENT_END}`, "g")
  return (source) => source.replaceAll(line, "").replaceAll(rest, "")
}

/** Tells whether code is one in a line, which has no marks. Matches `` `a` ``. Does not match a fence and indented code. */
export const isInLine = (source: string): boolean => /^`{1,2}(?!`)/.test(source)

/** Writes the content of a fence without its signs. */
export const contentOf = (source: string): string => {
  const { text, before = "" } = FENCE.exec(source)?.groups ?? {}
  // What stands before the lines of an item or a quote stands before its first sign already.
  return text === undefined ? source : text.slice(text.startsWith(before) ? before.length : 0)
}

/** Matches code as in vaults: "```ad-tip", "```dataview", "`= this.a`". Does not match "```js". */
export const NOTE_CODE = /(?:`{3}|~{3})[ \t]*(?:ad-|dataview|tasks)|`[ \t]*\$?=/
/** Matches queries of notes: "```tasks", "`= this.a`", "`$= dv.current()`". Does not match "`= 5`". */
const QUERY = /^(?:[`~]{3,}[ \t]*(?:dataview(?:js)?|tasks)[ \t]*\n|`+\s*(?:=[^]*\bthis\.|\$=[^]*\bdv\.))/
/** Matches the fields of a notice before its text: `title: A`. Does not match `a: b`. */
const FIELDS = /^(?:[ \t>]*(?:title|collapse|icon|color):.*\n)+/i

/** Writes notices in fences as containers, and no queries, as in vaults. */
export const codeOfNotes = (source: string): string | null => {
  if (QUERY.test(source)) return ""
  const { info = "", text = "", before = "" } = FENCE.exec(source)?.groups ?? {}
  const [, type = ""] = /^[ \t]*ad-([\w-]+)\s*$/.exec(info) ?? []
  if (type === "") return null
  const [fields = ""] = FIELDS.exec(text) ?? []
  const isKnown = alertKind(type) !== undefined
  const name = isKnown ? "" : type.slice(0, 1).toUpperCase() + type.slice(1)
  const [, title = name] = /title:[ \t]*(.*?)[ \t\r]*\n/i.exec(fields) ?? []
  return `:::${isKnown ? type : "note"}[${title}]\n${text.slice(fields.length)}${before}:::`
}

/** Matches names of MyST in fences that are no code: those with a meaning here, and those that block their post. Does not match `python`. */
const MYST =
  /^(?:admonition|seealso|dropdown|figure|image|tab-(?:set|item)|toctree|eval-rst|(?:literal)?include|(?:list-|csv-)?table|bibliography|glossary|card|grid(?:-item)?|iframe|embed|margin|sidebar|exercise|solution)$/

/** Writes what stands in fences with a name in braces as MyST has it: as containers, code and formulas. Other names are code. */
export const codeOfMyst = (source: string): string | null => {
  const { sign = "", info = "", text = "", before = "" } = FENCE.exec(source)?.groups ?? {}
  const [, name = "", given = ""] = /^\{([\w-]+)\}(.*)$/.exec(info) ?? []
  // Matches the options before a text. Does not match `a: b`.
  const code = text.replace(/^(?:[ \t>]*:[\w-]+:.*\n)+/, "")
  if (/^(?:code|code-block|sourcecode)$/.test(name)) return `${sign}${given.trim()}\n${code}${before}${sign}`
  if (name === "math") return `$$\n${code}${before}$$`
  return MYST.test(name) || alertKind(name) !== undefined ? `:::{${name}}${given}\n${text}${before}:::` : null
}
