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
const NO_TEXT = new Set(["code", "inlineCode", "math", "inlineMath", "yaml", "toml"])

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, " ")

/** A document with blanks in the place of all that is no text; lines stay where they are. */
const maskCode = (tree: Root, markdown: string): string => {
  let masked = ""
  let at = 0
  for (const { node } of nodesOf(tree)) {
    if (!NO_TEXT.has(node.type) && node.type !== "html") continue
    const { start, end } = spanOf(node)
    const source = markdown.slice(start, end)
    masked += markdown.slice(at, start) + (node.type === "html" ? source.replaceAll(COMMENT, blank) : blank(source))
    at = end
  }
  return masked + markdown.slice(at)
}

/**
 * Finds markup of other tools, and takes back to text what of it reads as HTML: `<Tabs>`, and `<name>` in a shortcode.
 * @returns the first line of each kind
 */
export const keepForeign = (tree: Root, markdown: string): Map<string, number> => {
  if (!SIGN.test(markdown)) return new Map()
  const text = maskCode(tree, markdown)
  for (const { node } of nodesOf(tree)) {
    if (node.type !== "html") continue
    const isInBraces = markdown.startsWith("{{", spanOf(node).start - 2)
    node.value = node.value
      .replaceAll(isInBraces ? "<" : SHORTCODE, (found) => found.replaceAll("<", "&lt;"))
      .replaceAll(COMPONENT, (tag, slash, name) => (isAllowedTag(name.toLowerCase()) ? tag : `&lt;${slash}${name}`))
  }
  const found = Object.entries(PATTERNS).flatMap(([kind, pattern]): [string, number][] => {
    const first = text.matchAll(pattern).find(([, , name]) => name === undefined || !isAllowedTag(name.toLowerCase()))
    return first ? [[kind, text.slice(0, first.index).split(LINE_ENDING).length]] : []
  })
  return new Map(found)
}

const HTML_NAMES = new Set<string>(Object.values(html.TAG_NAMES))

/** Drops tags in a text that no HTML has, as `<nick>` in a chat log: none is ever closed, so each line would nest in the one before. */
export const dropUnknownTags = (tree: Root): void => {
  for (const { node } of nodesOf(tree)) {
    const name = node.type === "html" && /^<\/?([a-z][^\s/>]*)[^<>]*>$/i.exec(node.value)?.[1]?.toLowerCase()
    if (name && node.type === "html" && !HTML_NAMES.has(name) && !isAllowedTag(name) && !isStrippedTag(name))
      node.value = ""
  }
}
