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

import { MAX_BODY_LINES, MAX_ELEMENT_DEPTH, MAX_HTML_BYTES } from "../limits.ts"
import { Budget, NEST_LESS, TooComplex } from "./budget.ts"
import { emailAutolinks, urlAutolinks } from "./extensions/autolinks.ts"
import { dollars } from "./extensions/dollars.ts"
import { metered } from "./meter.ts"

interface Part {
  /** What stands in each text that the part reads otherwise. */
  sign: RegExp
  extension: Extension
}

/** Letters and punctuation of Chinese, Japanese and Korean, and what is as wide. */
const CJK =
  /[\u1100-\u11FF\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF\u{16FE0}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFF}]/u

/** What is added to CommonMark. A part is tried at every line, word or bracket: only where its sign is in the text. */
const PARTS: Part[] = [
  { sign: /www\.|https?:/i, extension: urlAutolinks() },
  // What comes later is tried first: mail before all else, as in GFM.
  { sign: /@/, extension: emailAutolinks() },
  { sign: /\[\^/, extension: gfmFootnote() },
  { sign: /-[ \t]*[|:]|[|:][ \t]*-/, extension: gfmTable() },
  { sign: /\[[\sx]\]/i, extension: gfmTaskListItem() },
  { sign: CJK, extension: cjkFriendlyExtension() },
  // One tilde strikes nothing through, and yet decides whether a star beside it begins emphasis.
  { sign: /~/, extension: gfmStrikethroughCjkFriendly({ singleTilde: false }) },
  { sign: /\$/, extension: dollars() },
]

/** By the parts in them, as bits. Made once: to combine parts takes longer than most paragraphs. */
const dialects = new Map<number, Extension>()

const dialectOf = (markdown: string): Extension => {
  const parts = PARTS.map(({ sign }) => sign.test(markdown))
  const key = parts.reduce((bits, isThere, i) => bits | (Number(isThere) << i), 0)
  const dialect =
    dialects.get(key) ?? combineExtensions(PARTS.filter((_, i) => parts[i]).map(({ extension }) => extension))
  dialects.set(key, dialect)
  return dialect
}

const FORMATS = ["yaml" as const, "toml" as const]
const FRONT_MATTER = frontmatter(FORMATS)
/** Front matter is empty or has a field after its comments: `---\n# a comment\ntitle: a`; not `---\n# A heading\n\nText`. */
const STARTS_WITH_FIELDS =
  /^\uFEFF?(?:---|\+\+\+)[ \t]*[\r\n](?:\s*(?:---|\+\+\+)[ \t]*(?:[\r\n]|$)|(?:[ \t]*(?:#.*)?[\r\n])*[ \t]*["']?[\w.-]+["']?[ \t]*[:=])/

// Transforms guess at more autolinks than the parser has, and leave nodes without a position.
const withoutTransforms = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))
const NODES = [...withoutTransforms, frontmatterFromMarkdown(FORMATS), mathFromMarkdown()]

export const LINE_ENDING = /\r\n?|\n/

/** Every node, before those inside it. With a stack of its own: text may be nested deeper than calls can be. */
export function* nodesOf(tree: Nodes): Generator<{ node: Nodes; depth: number }> {
  const rest = [{ node: tree, depth: 0 }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next
    const { node, depth } = next
    if (!("children" in node)) continue
    for (const child of (node.children as Nodes[]).toReversed()) rest.push({ node: child, depth: depth + 1 })
  }
}

const requireSize = (tree: Root): void => {
  const sizes = new Map<string, number>()
  const references: string[] = []
  for (const { node, depth } of nodesOf(tree)) {
    if (depth > MAX_ELEMENT_DEPTH)
      throw new TooComplex(`It has more than ${MAX_ELEMENT_DEPTH} nested pieces of markup.`, NEST_LESS)
    if (node.type === "definition" && !sizes.has(node.identifier))
      sizes.set(node.identifier, node.url.length + (node.title?.length ?? 0))
    if (node.type === "linkReference" || node.type === "imageReference") references.push(node.identifier)
  }
  // Each reference repeats the address and the title of its definition.
  const repeated = references.reduce((sum, identifier) => sum + (sizes.get(identifier) ?? 0), 0)
  if (repeated > MAX_HTML_BYTES) throw new TooComplex(`Its references repeat more than ${MAX_HTML_BYTES} characters.`)
}

/**
 * Parses Markdown to a tree of mdast.
 * @returns the tree; positions are in UTF-16 units and do not count a byte order mark
 * @throws TooComplex where it takes more work than one document may, RangeError where its tree is too deep for calls
 */
export const parse = (markdown: string, budget = new Budget()): Root => {
  if (markdown.split(LINE_ENDING).length > MAX_BODY_LINES)
    throw new TooComplex(`It has more than ${MAX_BODY_LINES} lines.`)
  const frontMatter = STARTS_WITH_FIELDS.test(markdown) ? [FRONT_MATTER] : []
  const extensions = [dialectOf(markdown), ...frontMatter, metered(budget)]
  const tree = fromMarkdown(markdown, { extensions, mdastExtensions: NODES })
  requireSize(tree)
  return tree
}

/** A document without byte order marks at its beginning, which are none of its text: the parser would drop one, and not count it. */
export const withoutMark = (body: string): string => body.replace(/^\uFEFF+/, "")

/** Where a node stands, in UTF-16 units. */
export const spanOf = ({ position }: Nodes): { start: number; end: number } => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
})

/** A link that is its own text. */
export const isAutolink = (node: Nodes, markdown: string): boolean =>
  node.type === "link" && markdown.charAt(spanOf(node).start) !== "["
