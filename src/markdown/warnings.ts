import type { Html, Root } from "mdast"
import { ErrorCodes, Tokenizer, TokenizerMode } from "parse5"

import { linkFaultOf } from "./links.ts"
import { nodesOf } from "./parse.ts"
import { isAllowedTag, isStrippedTag } from "./sanitize.ts"

// Collects warnings: parts of a body that readers do not see as its author wrote them, with their lines.

/** The text of each warning before and after its list of places, in the order of warnings. */
const MESSAGES = {
  front_matter: ["Readers do not see", "Delete it, or put it in a code block."],
  foreign_syntax: ["Readers see markup of another tool as plain text", "Write it as Markdown."],
  html_removed: ["Readers do not get this HTML", "Use Markdown or allowed elements, and close every tag."],
  relative_link: [
    "Readers only get the text of links with a relative address",
    "Write an address with https:, or a path that starts with /.",
  ],
  unsupported_link: [
    "Readers only get the text of links with this kind of address",
    "Write an address with https:, or with irc:, mailto:, sms:, tel: or xmpp:.",
  ],
  root_link: [
    "These links lead to paths of this service that are not posts or images",
    "If they belong to another site, write its address with https:.",
  ],
  unreadable_math: ["Readers see these formulas as TeX", "Correct their TeX, or make them shorter."],
} satisfies Record<string, [before: string, after: string]>

type Code = keyof typeof MESSAGES
const CODES = Object.keys(MESSAGES) as Code[]

export interface MarkdownWarning {
  code: Code
  message: string
}

const MAX_SHOWN_CHARS = 80
/** The limit of places that one warning lists. */
const MAX_LISTED = 10

const quote = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : line
}

/** Names, each with the first line on which it stands. */
export type FirstLines = Map<string, number>

const note = (lines: FirstLines, name: string, line: number): void => {
  if (!lines.has(name)) lines.set(name, line)
}

const list = (lines: FirstLines): string => {
  const all = [...lines].map(([name, line]) => (line > 0 ? `${name} (line ${line})` : name))
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : ""
  return all.slice(0, MAX_LISTED).join(", ") + more
}

interface Found {
  byCode: Record<Code, FirstLines>
  formulas: FirstLines
  /** Open elements whose content readers do not get. */
  open: FirstLines
  /** The open element whose content is not named, because it is lost with the element; "" if none. */
  stripped: string
}

const noteLink = ({ byCode }: Found, url: string, line: number): void => {
  const fault = linkFaultOf(url)
  if (fault) note(byCode[fault], quote(url) || "a link without an address", line)
}

/** Elements that contain no tags. */
const RAW_TEXT = new Set("iframe noembed noframes noscript script style xmp".split(" "))

/** Matches `a` and `h2`. Does not match `abbr` or `header`. */
const MAY_HAVE_ID = /^(?:a|h[1-6])$/

const noteTag = (found: Found, name: string, attributes: Map<string, string>, line: number): void => {
  const html = found.byCode.html_removed
  if (name === "iframe" || isStrippedTag(name)) note(found.open, name, line)
  // Matches `https://e.x`. Does not match `http://e.x`.
  if (name === "iframe" && /^https:/i.test(attributes.get("src") ?? "")) note(html, "iframe, now a link", line)
  else if (!isAllowedTag(name)) note(html, isStrippedTag(name) ? `${name} and its content` : name, line)
  for (const key of attributes.keys()) {
    if (key === "style" || key.startsWith("on")) note(html, key, line)
    const losesName = key === "name" && name === "a"
    const losesId = key === "id" && isAllowedTag(name) && !MAY_HAVE_ID.test(name)
    if (losesName || losesId) note(html, `${key} of ${name}`, line)
  }
  const href = name === "a" ? attributes.get("href") : undefined
  if (href !== undefined) noteLink(found, href, line)
}

const ignore = (): void => undefined

/** Notes the parts of raw HTML that readers do not get, and its links. */
const noteHtml = (found: Found, { value, position }: Html): void => {
  const before = (position?.start.line ?? 1) - 1
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onParseError: ({ code }) => {
        if (code === ErrorCodes.eofInComment)
          note(found.byCode.html_removed, "all text after an unclosed comment", before + 1)
      },
      onStartTag: ({ tagName, attrs, location, selfClosing }) => {
        if (RAW_TEXT.has(tagName)) tokenizer.state = TokenizerMode.RAWTEXT
        if (found.stripped) return
        const attributes = new Map(attrs.map((attribute) => [attribute.name, attribute.value]))
        noteTag(found, tagName, attributes, before + (location?.startLine ?? 1))
        if (selfClosing && (tagName === "svg" || tagName === "math")) found.open.delete(tagName)
        else if (isStrippedTag(tagName)) found.stripped = tagName
      },
      onComment: ignore,
      onDoctype: ignore,
      onEndTag: ({ tagName }) => {
        found.open.delete(tagName)
        if (tagName === found.stripped) found.stripped = ""
      },
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  )
  tokenizer.write(value, true)
}

const warn = (byCode: Partial<Record<Code, FirstLines>>): MarkdownWarning[] =>
  CODES.flatMap((code) => {
    const [before, after] = MESSAGES[code]
    const lines = byCode[code]
    return lines && lines.size > 0 ? [{ code, message: `${before}: ${list(lines)}. ${after}` }] : []
  })

/**
 * Collects the warnings about a document, except those about images and formulas.
 * @param foreign the kinds of markup of other tools, each with its first line, from `escapeForeign`
 * @returns the warnings, and `formulas`: the TeX of all formulas, each with its first line
 */
export const collectWarnings = (tree: Root, foreign: FirstLines) => {
  const empty = Object.fromEntries(CODES.map((code) => [code, new Map()])) as Record<Code, FirstLines>
  const byCode = { ...empty, foreign_syntax: foreign }
  const found: Found = { byCode, formulas: new Map(), open: new Map(), stripped: "" }
  const addresses = new Map<string, string>()
  const references: { identifier: string; line: number }[] = []
  for (const { node } of nodesOf(tree)) {
    const line = node.position?.start.line ?? 1
    if (node.type === "paragraph") found.stripped = ""
    if (node.type === "link") noteLink(found, node.url, line)
    if (node.type === "definition" && !addresses.has(node.identifier)) addresses.set(node.identifier, node.url)
    if (node.type === "linkReference") references.push({ identifier: node.identifier, line })
    if (node.type === "html") noteHtml(found, node)
    if (node.type === "math" || node.type === "inlineMath" || (node.type === "code" && node.lang === "math"))
      note(found.formulas, quote(node.value), line)
    if (node.type === "yaml" || (node.type as string) === "toml") note(byCode.front_matter, "front matter", line)
  }
  for (const [name, line] of found.open) note(byCode.html_removed, `all text after an unclosed ${name}`, line)
  for (const { identifier, line } of references) noteLink(found, addresses.get(identifier) ?? "", line)
  return { warnings: warn(byCode), formulas: found.formulas }
}

/** Returns one warning that lists formulas which readers see as TeX, or none. @param lines the first line of each TeX; formulas of raw HTML are not in it */
export const formulaWarnings = (shownAsTex: Set<string>, lines: FirstLines): MarkdownWarning[] =>
  warn({ unreadable_math: new Map([...shownAsTex].map(quote).map((tex) => [tex, lines.get(tex) ?? 0])) })
