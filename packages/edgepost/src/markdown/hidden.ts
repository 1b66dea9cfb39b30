import { HEADING } from "./attributes.ts"
import type { Document } from "./document.ts"
import type { Edit } from "./edits.ts"
import { readHtml } from "./html.ts"
import { foreign, type Reader, replace, type Step } from "./reader.ts"

// Removes what the tool of a blog shows to no reader: comments of all tools, and hidden elements of HTML.

/** Comments by their start and end. Their tools end them at the first end, also in code. */
const COMMENTS = [
  // Go templates. Matches `{{/* a */}}` and `{{- /* a */ -}}`. Does not match the shortcode `{{</* a */>}}`.
  { start: /^\{\{-?\s*\/\*/, end: /\*\/(?:\s*-?\}\})?/g, isForeign: true },
  // Handlebars. Matches `{{!-- a --}}`. Does not match `{{!a}}`.
  { start: /^\{\{!--/, end: /--\}\}/g, isForeign: true },
  // kramdown. Matches `{::comment}a{:/comment}` and `{::comment}a{:/}`. Does not match `{::comment /}`.
  { start: /^\{::comment(?![^{}\n]*\/\})[^{}\n]*\}/, end: /\{:\/(?:comment)?\}/g, isForeign: true },
  // MDX. Matches `{/* a */}`. Does not match `{a /* b */}`.
  { start: /^\{\s*\/\*/, end: /\*\/(?:\s*\})?/g, isForeign: false },
  // Nunjucks. Matches `{# a #}`, `{#- a -#}` and `{#a#}`. Does not match `{#id}`.
  { start: /^\{#(?:[\s-]|[^{}\n]*#\})/, end: /#\}/g, isForeign: false },
]

/** Matches the end of `{# a #}` or of its paragraph, for tools that show it. Does not match `#\n}`. */
const TEXT_END = /#\}|\n[ \t\r]*\n/g

/** Returns the start of a comment that the blog's tool shows as text; null if it hides the comment. */
export const shownStart = ({ text, names: { tool } }: Reader, at: number): string | null => {
  // Matches `%%`, `^a`, `{# a`, `{#a#}` and `{ /*`. Does not match `{#a}`.
  const [start = ""] = /^(?:%%|\^|\{#(?=[\s-]|[^{}\n]*#\})|\{\s*\/\*)/.exec(text.slice(at, at + 500)) ?? []
  const sign = start.replaceAll(/\s/g, "")
  return sign === "" || tool.comments.some((known) => known === sign) ? null : sign
}

/** Reads a comment that begins with a brace. Returns null without one, and for one without an end that readers would see as text. */
export const scanBraceComment = (reader: Reader, at: number): Step | null => {
  const head = reader.text.slice(at, at + 500)
  // Matches the id of a heading in MDX, `{/* #a */}`. Does not match `{/* #a b */}`.
  const [whole = "", id] = /^\{\s*\/\*\s*(#[^\s{}#]+)\s*\*\/\s*\}(?=[ \t]*(?:[\r\n]|$))/.exec(head) ?? []
  if (id !== undefined && HEADING.test(reader.before(at))) return replace(at, at + whole.length, `{${id}}`)
  for (const { start, end, isForeign } of COMMENTS) {
    const [sign] = start.exec(head) ?? []
    const found = sign === undefined ? null : reader.find(shownStart(reader, at) === "{#" ? TEXT_END : end, at + 2)
    const last = found && reader.text[found.end - 1]
    if (last === "\n") return null
    // Without a brace at the end it is an expression with a comment.
    if (found) return last === "}" ? replace(at, found.end, "") : foreign(reader.text, at, found.end)
    if (sign !== undefined && isForeign) return foreign(reader.text, at, at + sign.length)
  }
  return null
}

/** Matches lines after a comment that would continue a list before it: `\n- a`, `\n    a`. Does not match `\na`. */
const CONTINUES = /^\s*\n(?:[ \t]|[*+-][ \t]|\d+[.)])/

/** Removes a comment of HTML: at the start of a line up to its end or that of the text, else within its paragraph. */
const scanHtmlComment = (reader: Reader, at: number): Step | null => {
  const { text, lines } = reader
  const isBlock = lines.markersBefore(at) !== null
  const end = reader.find(/--!?>/g, at + 4)?.end
  if (end === undefined) return isBlock ? replace(at, text.length, "") : null
  // Matches an empty comment, which hides nothing. Does not match `<!--a-->`.
  if (/^<!--\s*-->$/.test(text.slice(at, Math.min(end, at + 100)))) return { item: null, end }
  if (!isBlock) return (reader.find(/\n[ \t\r]*\n/g, at)?.start ?? Infinity) < end ? null : replace(at, end, "")
  // An empty comment keeps the blocks around it apart.
  if (CONTINUES.test(text.slice(end, end + 100))) return replace(at, end, "<!-- -->")
  // Matches blanks, which would make code of the text after them. Does not match `a`.
  const [blanks = ""] = /^[ \t]*(?=\S)/.exec(text.slice(end, end + 100)) ?? []
  return replace(at, end + blanks.length, "")
}

/** Elements without content. */
const EMPTY = new Set(["br", "hr", "img", "input", "source", "wbr"])
/** Matches `<a b="c > d">`, with the name. Does not match `</a>` and `<a b="c>`. */
const TAG = /^<([a-z][\w-]*)(?:[\s/](?:[^<>"'=]|=\s*(?:"[^"]*"|'[^']*'|(?![\s"']))|(?<!=\s*)["'])*)?>/i
/** Matches the styles of an element that is not shown. Does not match `display: block`. */
const NOT_SHOWN = /display\s*:\s*["']?none|visibility\s*:\s*["']?hidden/i

/** Tells whether readers see neither an element nor its content. `hidden md:block` is a class of what wide screens show. */
const isHidden = (tag: string): boolean => {
  // Matches values of JSX, `={"a"}` and `={{ a: "b" }}`. Does not match `="a"`.
  const html = tag.replaceAll(/=\{[^<>}]*\}+/g, (value) => `="${value.replaceAll(/["'`={}]/g, "")}"`)
  const [part] = /hidden|none|^<template/i.test(tag) ? readHtml(html) : []
  if (!part) return false
  const { name, attributes } = part
  const classes = attributes.get("class") ?? attributes.get("classname") ?? ""
  const isHiddenClass = classes.split(/\s+/).includes("hidden") && !classes.includes(":")
  const isNotShown = NOT_SHOWN.test(attributes.get("style") ?? "")
  return name === "template" || attributes.has("hidden") || isHiddenClass || isNotShown
}

/** Removes a hidden element with its content. One without an end is foreign. */
const scanHiddenElement = (reader: Reader, at: number): Step | null => {
  const [tag = "", name = ""] = TAG.exec(reader.text.slice(at, at + 1000)) ?? []
  if (!isHidden(tag)) return null
  let end = at + tag.length
  if (EMPTY.has(name.toLowerCase())) return replace(at, end, "")
  if (reader.unclosed.has(name)) return foreign(reader.text, at, end)
  const pattern = new RegExp(String.raw`<\/?${name}(?=[\s/>])[^<>]*>`, "gi")
  for (let depth = 1; depth > 0;) {
    const found = reader.findText(pattern, end)
    if (!found) {
      reader.unclosed.add(name)
      return foreign(reader.text, at, at + tag.length)
    }
    depth += reader.text[found.start + 1] === "/" ? -1 : 1
    end = found.end
  }
  return replace(at, end, "")
}

/** Removes a comment of HTML or a hidden element. */
export const scanHiddenHtml = (reader: Reader, at: number): Step | null =>
  reader.text.startsWith("<!--", at) ? scanHtmlComment(reader, at) : scanHiddenElement(reader, at)

// Matches any comment in a line: `<!-- a -->`, `%%a%%`, `{/* a */}`, `{% comment %}a{% endcomment %}`. Does not match `{a}`.
const IN_LINE =
  /<!--.{0,999}?-->|%%.{0,999}?%%|\{\{?-?\s*\/\*(?:(?!\*\/).){0,999}\*\/\s*-?\}\}?|\{#.{0,999}?#\}|\{%-?\s*comment\b.{0,999}?endcomment\s*-?%\}|\{\{[<%]\s*comment\b.{0,999}?\/comment\s*[%>]\}\}|\{::comment.{0,999}?\{:\/(?:comment)?\}/g

/** Removes the comments from a text in one line that is taken whole, such as the title of a callout. Returns null if one goes on in the next line. */
export const withoutComments = (text: string): string | null => {
  const rest = text.replaceAll(IN_LINE, "").trim()
  return /<!--|%%/.test(rest) ? null : rest
}

/** Matches what authors take for a comment, although it is no definition: `[//]: # a b`, `[comment]: <> a b`. Does not match `[comment]: /a`. */
const COMMENT_LINE = /(?<=^[ \t>]*)\[(?:\/\/\]:|comment\]:[ \t]*(?:#(?!\S)|<>)).*$/gim

/** Removes of a converted text what readers do not see: definitions without a reference, such as `[//]: # (a)`, lines like them, and comments of HTML. */
export const removeUnseen = (body: string, { unseen, code }: Document): Edit[] => {
  const lines = [...body.matchAll(COMMENT_LINE)]
    .map(({ 0: line, index }) => ({ start: index, end: index + line.length }))
    .filter(({ start }) => !code.some((span) => span.start <= start && start < span.end))
  const edits: Edit[] = []
  for (const { start, end } of [...unseen, ...lines].toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (start >= (edits.at(-1)?.end ?? 0)) edits.push({ start, end, text: "" })
  return edits
}
