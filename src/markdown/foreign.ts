import type { Root } from "mdast"
import { html } from "parse5"

import { LINE_ENDING, nodesOf, spanOf } from "./parse.ts"
import { isAllowedTag, isStrippedTag } from "./sanitize.ts"

// Finds markup of other tools, such as static site generators. Readers see it as plain text.

const HTML_NAMES = new Set<string>(Object.values(html.TAG_NAMES))

const isHtmlTag = (name: string): boolean => HTML_NAMES.has(name) || isAllowedTag(name) || isStrippedTag(name)

/** Matches `<Tabs>`, `</T>` and `<Tabs.Item />`. Does not match `<tabs>`. */
const COMPONENT = /<(\/?)([A-Z][\w.]*)(?=[\s/>])/g

/** Tells whether a name that starts with a capital is one of a component: `Tabs`, `T`, `Script`. False for `Table` and `SCRIPT`. */
const isComponent = (name: string): boolean => {
  const isTag = name === name.toUpperCase() ? isHtmlTag : isAllowedTag
  return !isTag(name.toLowerCase())
}

/** Matches `{{< youtube abc >}}` and `{{% note %}}`. Does not match `{{ name }}`. */
const SHORTCODE = /\{\{[<%][^]{0,1000}?[>%]\}\}/g

const PATTERNS = {
  "a Hugo shortcode": SHORTCODE,
  // Matches `{% raw %}`. Does not match `{ % raw % }`.
  "a Liquid tag": /\{%[^]{0,1000}?%\}/g,
  // Matches `:::note Title` and `> :::note`. Does not match `:::` or `a :::note`.
  "a ::: directive": /^[ \t>*+-]{0,20}:{3,}[ \t]*[\w{][^\r\n]*/gm,
  "a JSX component": COMPONENT,
}
/** Matches a part of each pattern: `{{`, `{%`, `:::` or `<T`. Does not match `{ a }` or `<t`. Most documents have none. */
const SIGN = /\{[{%]|:::|<[A-Z]/

/** Matches `<!-- a -->`, and `<!-- a` up to the end. Does not match `<!- a -->`. */
const COMMENT = /<!--[^]*?(?:-->|$)/g
/** Nodes whose source is not text. */
const NO_TEXT = new Set(["code", "inlineCode", "math", "inlineMath", "yaml", "toml", "html"])

/** Replaces all characters but line endings by spaces. Matches `a`, not `\n`. */
const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, " ")

/** Escapes markup of other tools in raw HTML: `<Tabs>`, and `<name>` in a shortcode. @param isInBraces the source stands within `{{<name>}}` */
const escapeHtml = (source: string, isInBraces: boolean): string =>
  source
    .replaceAll(isInBraces ? "<" : SHORTCODE, (found) => found.replaceAll("<", "&lt;"))
    .replaceAll(COMPONENT, (tag, slash, name) => (isComponent(name) ? `&lt;${slash}${name}` : tag))

/**
 * Finds markup of other tools, such as Hugo or JSX. Escapes it in the raw HTML of `tree`, so that readers see it as text.
 * @param markdown the source of `tree`
 * @returns the kinds of markup, each with the number of its first line, from 1
 */
export const escapeForeign = (tree: Root, markdown: string): Map<string, number> => {
  if (!SIGN.test(markdown)) return new Map()
  // The document with spaces instead of code, math and comments. Line numbers stay the same.
  let text = ""
  let at = 0
  for (const { node } of nodesOf(tree)) {
    if (!NO_TEXT.has(node.type)) continue
    const { start, end } = spanOf(node)
    const source = markdown.slice(start, end)
    text += markdown.slice(at, start) + (node.type === "html" ? source.replaceAll(COMMENT, blank) : blank(source))
    at = end
    if (node.type === "html") node.value = escapeHtml(node.value, markdown.startsWith("{{", start - 2))
  }
  text += markdown.slice(at)
  const found = Object.entries(PATTERNS).flatMap(([kind, pattern]): [string, number][] => {
    const first = text.matchAll(pattern).find(([, , name]) => name === undefined || isComponent(name))
    return first ? [[kind, text.slice(0, first.index).split(LINE_ENDING).length]] : []
  })
  return new Map(found)
}

/** Matches `<nick>` and `</nick a>`. Does not match `<!-- a -->` or `<a><b>`. */
const TAG = /^<\/?([a-z][^\s/>]*)[^<>]*>$/i

/** Tells whether raw HTML is one tag with a name that is no HTML element, such as `<nick>`. A parser would nest unclosed ones. */
export const isUnknownTag = (tag: string): boolean => {
  const name = TAG.exec(tag)?.[1]?.toLowerCase()
  return name !== undefined && !isHtmlTag(name)
}
