import type { Root } from "mdast"
import { html } from "parse5"

import { LINE_ENDING, nodesOf, spanOf } from "./parse.ts"
import { isAllowedTag, isStrippedTag } from "./sanitize.ts"

// Markup of other tools, told by its looks: it stays as text.

const COMPONENT = /<(\/?)([A-Z][a-z0-9][\w.]*)(?=[\s/>])/g
const SHORTCODE = /\{\{[<%][^]{0,1000}?[>%]\}\}/g

const PATTERNS = {
  "a Hugo shortcode": SHORTCODE,
  "a Liquid tag": /\{%[^]{0,1000}?%\}/g,
  "a ::: directive": /^[ \t]{0,3}:{3,}[ \t]*[\w{][^\r\n]*/gm,
  "a JSX component": COMPONENT,
}
/** Most documents have none. */
const SIGN = /\{[{%]|:::|<[A-Z]/

const COMMENT = /<!--[^]*?(?:-->|$)/g
const NO_TEXT = new Set(["code", "inlineCode", "math", "inlineMath", "yaml", "toml", "html"])

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, " ")

/** Takes back to text what of markup of other tools reads as HTML: `<Tabs>`, and `<name>` in a shortcode. */
const escapeForeign = (source: string, isInBraces: boolean): string =>
  source
    .replaceAll(isInBraces ? "<" : SHORTCODE, (found) => found.replaceAll("<", "&lt;"))
    .replaceAll(COMPONENT, (tag, slash, name) => (isAllowedTag(name.toLowerCase()) ? tag : `&lt;${slash}${name}`))

/**
 * Finds markup of other tools, and takes back to text what of it reads as HTML.
 * @returns the first line of each kind
 */
export const keepForeign = (tree: Root, markdown: string): Map<string, number> => {
  if (!SIGN.test(markdown)) return new Map()
  // The document with blanks in the place of all that is no text; lines stay where they are.
  let text = ""
  let at = 0
  for (const { node } of nodesOf(tree)) {
    if (!NO_TEXT.has(node.type)) continue
    const { start, end } = spanOf(node)
    const source = markdown.slice(start, end)
    text += markdown.slice(at, start) + (node.type === "html" ? source.replaceAll(COMMENT, blank) : blank(source))
    at = end
    if (node.type === "html") node.value = escapeForeign(node.value, markdown.startsWith("{{", start - 2))
  }
  text += markdown.slice(at)
  const found = Object.entries(PATTERNS).flatMap(([kind, pattern]): [string, number][] => {
    const first = text.matchAll(pattern).find(([, , name]) => name === undefined || !isAllowedTag(name.toLowerCase()))
    return first ? [[kind, text.slice(0, first.index).split(LINE_ENDING).length]] : []
  })
  return new Map(found)
}

const HTML_NAMES = new Set<string>(Object.values(html.TAG_NAMES))
const TAG = /^<\/?([a-z][^\s/>]*)[^<>]*>$/i

/** A tag that no HTML has, as `<nick>` in a chat log: none is ever closed, so each line would nest in the one before. */
export const isUnknownTag = (tag: string): boolean => {
  const name = TAG.exec(tag)?.[1]?.toLowerCase()
  return name !== undefined && !HTML_NAMES.has(name) && !isAllowedTag(name) && !isStrippedTag(name)
}
