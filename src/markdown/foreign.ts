import type { Root } from "mdast"
import { html } from "parse5"

import { nodesOf, spanOf } from "./parse.ts"
import { isAllowedTag } from "./sanitize.ts"

// Markup of other tools, told by its looks: it stays as text.

const COMPONENT = /<(\/?)([A-Z][a-z0-9][\w.]*)(?=[\s/>])/g

const PATTERNS = {
  "a Hugo shortcode": /\{\{[<%][^]{0,1000}?[>%]\}\}/g,
  "a Liquid tag": /\{%[^]{0,1000}?%\}/g,
  "a ::: directive": /^[ \t]{0,3}:{3,}[ \t]*[\w{][^\r\n]*/gm,
  "a JSX component": COMPONENT,
}
/** Most documents have none. */
const SIGN = /\{[{%]|:::|<[A-Z]/

/** `<B>` is HTML; `<Script>` and `<Tabs>` are components, whose text must not go with them. */
const isElement = (name: string): boolean => isAllowedTag(name.toLowerCase())

const NO_TEXT = new Set(["code", "inlineCode", "math", "inlineMath", "yaml", "toml"])

/** A document with blanks in the place of all that is no text; lines stay where they are. */
const maskCode = (tree: Root, markdown: string): string => {
  let masked = ""
  let at = 0
  for (const { node } of nodesOf(tree)) {
    const isComment = node.type === "html" && node.value.startsWith("<!--")
    if (!NO_TEXT.has(node.type) && !isComment) continue
    const { start, end } = spanOf(node)
    masked += markdown.slice(at, start) + markdown.slice(start, end).replaceAll(/[^\r\n]/g, " ")
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
    node.value = isInBraces
      ? node.value.replaceAll("<", "&lt;")
      : node.value
          .replaceAll("{{<", "{{&lt;")
          .replaceAll(COMPONENT, (tag, slash, name) => (isElement(name) ? tag : `&lt;${slash}${name}`))
  }
  const found = Object.entries(PATTERNS).flatMap(([kind, pattern]): [string, number][] => {
    const first = text.matchAll(pattern).find(([, , name]) => name === undefined || !isElement(name))
    return first ? [[kind, text.slice(0, first.index).split(/\r\n?|\n/).length]] : []
  })
  return new Map(found)
}

/** Boxes are of lists with tasks alone. */
const HTML_NAMES = new Set<string>(Object.values(html.TAG_NAMES).filter((name) => name !== html.TAG_NAMES.INPUT))

/** Drops tags in a text that no HTML has, as `<nick>` in a chat log: none is ever closed, so each line would nest in the one before. */
export const dropUnknownTags = (tree: Root): void => {
  for (const { node } of nodesOf(tree)) {
    const name = node.type === "html" && /^<\/?([a-z][^\s/>]*)[^<>]*>$/i.exec(node.value)?.[1]?.toLowerCase()
    if (name && node.type === "html" && !isElement(name) && !HTML_NAMES.has(name)) node.value = ""
  }
}
