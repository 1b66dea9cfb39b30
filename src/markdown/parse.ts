import type { Nodes, Root } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { frontmatterFromMarkdown } from "mdast-util-frontmatter"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { mathFromMarkdown } from "mdast-util-math"
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly"
import { gfmStrikethroughCjkFriendly } from "micromark-extension-cjk-friendly-gfm-strikethrough"
import { frontmatter } from "micromark-extension-frontmatter"
import { gfmFootnote } from "micromark-extension-gfm-footnote"
import { gfmTable } from "micromark-extension-gfm-table"
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item"
import { combineExtensions } from "micromark-util-combine-extensions"
import type { Extension } from "micromark-util-types"

import { emailAutolinks, urlAutolinks } from "../../packages/edgepost/src/parser/autolinks.ts"
import { Budget, NEST_LESS, TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { meteringExtension } from "../../packages/edgepost/src/parser/meter.ts"
import { MAX_BODY_LINES, MAX_ELEMENT_DEPTH, MAX_HTML_BYTES } from "../limits.ts"
import { JSX_SIGN, jsxComponents } from "./extensions/jsx.ts"
import { inlineMath, mathBlocks } from "./extensions/math.ts"

interface Part {
  /** Matches every text that the extension parses differently from CommonMark. */
  sign: RegExp
  extension: Extension
}

/** Matches wide characters, such as those of Chinese, Japanese and Korean: `请` and `。`. Does not match `é` or `.`. */
const CJK =
  /[\u1100-\u11FF\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF\u{16FE0}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFF}]/u

/** The extensions of CommonMark. Each one costs time at every line, word or bracket, so it is only used if its sign is in the text. */
const PARTS: Part[] = [
  // Matches `www.` and `http:`. Does not match `ftp:`.
  { sign: /www\.|https?:/i, extension: urlAutolinks() },
  // Matches `a@b`. Later extensions are tried first: email addresses before URLs, as in GFM.
  { sign: /@/, extension: emailAutolinks() },
  // Matches `[^1]`. Does not match `[1]`.
  { sign: /\[\^/, extension: gfmFootnote() },
  // Matches a part of a delimiter row: `-|`, `:-`. Does not match `| a |`.
  { sign: /-[ \t]*[|:]|[|:][ \t]*-/, extension: gfmTable() },
  // Matches `[ ]` and `[x]`. Does not match `[a]`.
  { sign: /\[[\sx]\]/i, extension: gfmTaskListItem() },
  { sign: CJK, extension: cjkFriendlyExtension() },
  // Matches `~`. A single tilde is plain text, but decides whether a star beside it starts emphasis.
  { sign: /~/, extension: gfmStrikethroughCjkFriendly({ singleTilde: false }) },
  { sign: JSX_SIGN, extension: jsxComponents() },
  // Matches `$`.
  { sign: /\$/, extension: inlineMath() },
]

/** Combined extensions, by a bit for each part. Combining them takes longer than parsing most paragraphs. */
const dialects = new Map<number, Extension>()

const dialectOf = (markdown: string): Extension => {
  const parts = PARTS.map(({ sign }) => sign.test(markdown))
  const key = parts.reduce((bits, isUsed, i) => bits | (Number(isUsed) << i), 0)
  const dialect =
    dialects.get(key) ?? combineExtensions(PARTS.filter((_, i) => parts[i]).map(({ extension }) => extension))
  dialects.set(key, dialect)
  return dialect
}

const FORMATS = ["yaml" as const, "toml" as const]
const FRONT_MATTER = frontmatter(FORMATS)
/** Matches the start of front matter: `---\n# a comment\ntitle: a`, `---\n---`, `+++\n[a]`. Does not match `---\n# A heading\n\nText`. */
const STARTS_WITH_FIELDS =
  /^\uFEFF?(?:\+\+\+\s*\[|(?:---|\+\+\+)[ \t]*[\r\n](?:\s*(?:---|\+\+\+)[ \t]*(?:[\r\n]|$)|(?:[ \t]*(?:#.*)?[\r\n])*[ \t]*(?:"[^"\r\n]*"|'[^'\r\n]*'|[\p{L}\p{N}_][^\s:=]*)[ \t]*(?:=|:\s)))/u

// The transforms would add more autolinks than the parser, without positions.
const withoutTransforms = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))
const MDAST_EXTENSIONS = [...withoutTransforms, frontmatterFromMarkdown(FORMATS), mathFromMarkdown()]

/** Matches `\r\n`, `\r` and `\n`. Does not match `\f`. */
export const LINE_ENDING = /\r\n?|\n/

/** Yields all nodes of a tree, parents first, with their depth from 0. Does not recurse: trees may be deeper than the call stack. */
export function* nodesOf(tree: Nodes): Generator<{ node: Nodes; depth: number }> {
  const rest = [{ node: tree, depth: 0 }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next
    const { node, depth } = next
    if (!("children" in node)) continue
    for (const child of (node.children as Nodes[]).toReversed()) rest.push({ node: child, depth: depth + 1 })
  }
}

const checkSize = (tree: Root): void => {
  const sizes = new Map<string, number>()
  const references: string[] = []
  for (const { node, depth } of nodesOf(tree)) {
    if (depth > MAX_ELEMENT_DEPTH)
      throw new TooComplex(`The text has more than ${MAX_ELEMENT_DEPTH} nested elements of markup.`, NEST_LESS)
    if (node.type === "definition" && !sizes.has(node.identifier))
      sizes.set(node.identifier, node.url.length + (node.title?.length ?? 0))
    if (node.type === "linkReference" || node.type === "imageReference") references.push(node.identifier)
  }
  // In the HTML, each reference repeats the address and the title of its definition.
  const repeated = references.reduce((sum, identifier) => sum + (sizes.get(identifier) ?? 0), 0)
  if (repeated > MAX_HTML_BYTES)
    throw new TooComplex(`The references of the text repeat more than ${MAX_HTML_BYTES} characters.`)
}

/**
 * Parses Markdown with GFM and math to an mdast tree. Offsets are in UTF-16 units and do not count a byte order mark.
 * @throws TooComplex if the document exceeds a limit, RangeError if its tree is deeper than the call stack
 */
export const parse = (markdown: string, budget = new Budget()): Root => {
  const lines = markdown.split(LINE_ENDING)
  if (lines.length > MAX_BODY_LINES) throw new TooComplex(`The text has more than ${MAX_BODY_LINES} lines.`)
  const frontMatter = STARTS_WITH_FIELDS.test(markdown) ? [FRONT_MATTER] : []
  const blocks = markdown.includes("$$") ? [mathBlocks(lines)] : []
  const extensions = [dialectOf(markdown), ...blocks, ...frontMatter, meteringExtension(budget)]
  const tree = fromMarkdown(markdown, { extensions, mdastExtensions: MDAST_EXTENSIONS })
  checkSize(tree)
  return tree
}

/** Removes byte order marks (U+FEFF) from the start of a body. The parser would drop one, and its offsets would not count it. */
export const withoutMark = (body: string): string => body.replace(/^\uFEFF+/, "")

/** Returns the offsets at which a node begins and ends in the document, in UTF-16 code units; 0 for a node without a position. */
export const spanOf = ({ position }: Nodes): { start: number; end: number } => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
})

/** Tells whether a node is an autolink: `<https://e.x>` or a bare address. @param markdown the source of the document */
export const isAutolink = (node: Nodes, markdown: string): boolean =>
  node.type === "link" && markdown.charAt(spanOf(node).start) !== "["
