import type { Html, Root } from "mdast"
import { ErrorCodes, Tokenizer, TokenizerMode } from "parse5"

import { faultOf } from "./links.ts"
import { nodesOf } from "./parse.ts"
import { isAllowedTag, isStrippedTag } from "./sanitize.ts"

// What readers will not see as its author wrote it, and where that is.

const formatLink = (reason: string) => (all: string) => `${all}: each ${reason}`

/** What warnings say of all that they name, in the order in which they are given. */
const MESSAGES = {
  front_matter: (all: string) => `Readers do not see the ${all}.`,
  foreign_syntax: (all: string) => `This looks like markup of another tool, and readers get it as it stands: ${all}.`,
  html_removed: (all: string) => `Readers do not get this HTML: ${all}.`,
  relative_link: formatLink(
    "leads nowhere from the page of a post, and readers get its text. Write an address with https, or a path.",
  ),
  unsupported_link: formatLink("is of a scheme that readers' links may not have, and they get its text."),
  root_link: formatLink("is a path of no page of this service. It stays, and leads to this service's own address."),
  unreadable_math: (all: string) =>
    `Readers get these formulas as they are written: ${all}. Each is no TeX that can be shown, or there is too much of it.`,
} satisfies Record<string, (all: string) => string>

type Code = keyof typeof MESSAGES
const CODES = Object.keys(MESSAGES) as Code[]

export interface MarkdownWarning {
  code: Code
  message: string
}

const MAX_SHOWN_CHARS = 80
/** A warning that names everything is read by nobody. */
const MAX_NAMED = 10

const quote = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : line
}

/** Names with the first line of each. */
export type Lines = Map<string, number>

const note = (lines: Lines, name: string, line: number): void => {
  if (!lines.has(name)) lines.set(name, line)
}

const list = (lines: Lines): string => {
  const all = [...lines].map(([name, line]) => (line > 0 ? `${name} (line ${line})` : name))
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : ""
  return all.slice(0, MAX_NAMED).join(", ") + more
}

interface Found {
  /** As warnings name them. */
  named: Record<Code, Lines>
  formulas: Lines
  /** Elements without an end until now, whose content readers do not get. */
  open: Lines
}

const noteLink = ({ named }: Found, url: string, line: number): void => {
  const fault = faultOf(url)
  if (fault) note(named[fault], quote(url) || "a link without an address", line)
}

const RAW_TEXT = new Set("iframe noembed noframes noscript script style xmp".split(" "))

const HAS_ID = /^(?:a|h[1-6])$/

const noteTag = (found: Found, name: string, attributes: Map<string, string>, line: number): void => {
  const html = found.named.html_removed
  if (name === "iframe" || isStrippedTag(name)) note(found.open, name, line)
  if (name === "iframe" && /^https:/i.test(attributes.get("src") ?? "")) note(html, "iframe, now a link", line)
  else if (!isAllowedTag(name)) note(html, isStrippedTag(name) ? `${name} and all in it` : name, line)
  for (const key of attributes.keys()) {
    if (key === "style" || key.startsWith("on")) note(html, key, line)
    if (key === "name" ? name === "a" : key === "id" && isAllowedTag(name) && !HAS_ID.test(name))
      note(html, `${key} of ${name}`, line)
  }
  const href = name === "a" ? attributes.get("href") : undefined
  if (href !== undefined) noteLink(found, href, line)
}

const ignore = (): void => undefined

/** Notes what a piece of raw HTML loses, and its links. */
const noteHtml = (found: Found, { value, position }: Html): void => {
  const before = (position?.start.line ?? 1) - 1
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onParseError: ({ code }) => {
        if (code === ErrorCodes.eofInComment)
          note(found.named.html_removed, "all text after a comment that is not closed", before + 1)
      },
      onStartTag: ({ tagName, attrs, location, selfClosing }) => {
        const attributes = new Map(attrs.map((attribute) => [attribute.name, attribute.value]))
        noteTag(found, tagName, attributes, before + (location?.startLine ?? 1))
        if (selfClosing && (tagName === "svg" || tagName === "math")) found.open.delete(tagName)
        if (RAW_TEXT.has(tagName)) tokenizer.state = TokenizerMode.RAWTEXT
      },
      onComment: ignore,
      onDoctype: ignore,
      onEndTag: ({ tagName }) => {
        found.open.delete(tagName)
      },
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  )
  tokenizer.write(value, true)
}

const warn = (named: Partial<Record<Code, Lines>>): MarkdownWarning[] =>
  CODES.flatMap((code) => {
    const lines = named[code]
    return lines && lines.size > 0 ? [{ code, message: MESSAGES[code](list(lines)) }] : []
  })

/**
 * Warnings of a document, and the lines of its formulas; those of images and formulas come when these are looked at.
 * @param foreign kinds of markup of other tools, with the first line of each
 */
export const warningsOf = (tree: Root, foreign: Lines): { warnings: MarkdownWarning[]; formulas: Lines } => {
  const named = Object.fromEntries(CODES.map((code): [Code, Lines] => [code, new Map()])) as Record<Code, Lines>
  const found: Found = { named: { ...named, foreign_syntax: foreign }, formulas: new Map(), open: new Map() }
  const addresses = new Map<string, string>()
  const references: { identifier: string; line: number }[] = []
  for (const { node } of nodesOf(tree)) {
    const line = node.position?.start.line ?? 1
    if (node.type === "link") noteLink(found, node.url, line)
    if (node.type === "definition" && !addresses.has(node.identifier)) addresses.set(node.identifier, node.url)
    if (node.type === "linkReference") references.push({ identifier: node.identifier, line })
    if (node.type === "html") noteHtml(found, node)
    if (node.type === "math" || node.type === "inlineMath" || (node.type === "code" && node.lang === "math"))
      note(found.formulas, quote(node.value), line)
    if (node.type === "yaml" || (node.type as string) === "toml") note(named.front_matter, "front matter", line)
  }
  for (const [name, line] of found.open) note(named.html_removed, `all text after ${name}, which is not closed`, line)
  for (const { identifier, line } of references) noteLink(found, addresses.get(identifier) ?? "", line)
  return { warnings: warn(found.named), formulas: found.formulas }
}

/** A warning of formulas that stay as they are written. @param lines of all formulas of Markdown; HTML may have others */
export const warnOfFormulas = (unreadable: Set<string>, lines: Lines): MarkdownWarning[] =>
  warn({ unreadable_math: new Map([...unreadable].map(quote).map((tex) => [tex, lines.get(tex) ?? 0])) })
