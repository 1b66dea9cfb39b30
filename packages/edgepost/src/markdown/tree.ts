import type { Nodes, Root } from "mdast"
import { fromMarkdown, type Handle } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly"
import { gfm } from "micromark-extension-gfm"

import { MAX_BODY_BYTES, MAX_BODY_LINES } from "../limits.ts"
import { emailAutolinks, urlAutolinks } from "../parser/autolinks.ts"
import { Budget, TooComplex } from "../parser/budget.ts"
import { meteringExtension } from "../parser/meter.ts"
import { type Edit, lastUpTo } from "./edits.ts"
import { nodesOf } from "./words.ts"

// Parses a text as the service does.

/** A part of a text, in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

/** Returns where a node stands in its text. */
export const spanOf = ({ position }: Pick<Nodes, "position">): Span => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
})

/** A node with the position of its destination: mdast only has that of a whole link, image or definition. */
type WithDestination = Nodes & { destination?: Nodes["position"] }

/** Returns where the destination of a link, an image or a definition stands; null if it has none. */
export const destinationOf = ({ destination }: WithDestination): Span | null =>
  destination ? spanOf({ position: destination }) : null

const noteDestination: Handle = function (token) {
  const node = this.stack.at(-1)
  if (node) Object.assign(node, { destination: { start: { ...token.start }, end: { ...token.end } } })
  return undefined
}

const GFM = gfm({ singleTilde: false })
const CJK = cjkFriendlyExtension()
const URLS = urlAutolinks()
const EMAILS = emailAutolinks()

/** Returns the extension of GFM without its literal autolinks, which those of the service replace, and without other constructs. */
const gfmWithout = (...others: string[]): typeof GFM => {
  const names = new Set(["emailAutolink", "wwwAutolink", "protocolAutolink", ...others])
  const keep = (constructs: (typeof GFM)["text"] = {}): typeof constructs =>
    Object.fromEntries(
      Object.entries(constructs).map(([code, found]) => [
        code,
        [found ?? []].flat().filter(({ name = "" }) => !names.has(name)),
      ]),
    )
  return { ...GFM, text: keep(GFM.text), flow: keep(GFM.flow) }
}
const WITH_TABLES = gfmWithout()
const WITHOUT_TABLES = gfmWithout("table")

/** Returns the extensions of the parser that a text needs: the others, which it tries at each word or line, take a third of its time. */
const extensionsFor = (markdown: string): (typeof GFM)[] => [
  // Matches a part of a delimiter row: `-|`, `:-`. Does not match `a-b`.
  /\||:-|-:/.test(markdown) ? WITH_TABLES : WITHOUT_TABLES,
  CJK,
  // Matches `www.` and `http:`. Does not match `ftp:`.
  ...(/www\.|https?:/i.test(markdown) ? [URLS] : []),
  ...(markdown.includes("@") ? [EMAILS] : []),
]

const NODES = [
  // The transforms would add autolinks without positions.
  ...gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
  { enter: { resourceDestination: noteDestination, definitionDestination: noteDestination } },
]

/** Says how a text exceeds a limit that is known before it is parsed, with advice; null if it does not. */
const tooLong = (text: string): TooComplex | null => {
  if (text.length > MAX_BODY_BYTES) return new TooComplex(`The text has more than ${MAX_BODY_BYTES} characters.`)
  return text.split("\n").length > MAX_BODY_LINES
    ? new TooComplex(`The text has more than ${MAX_BODY_LINES} lines.`)
    : null
}

/** Parses a text within the budget of the service. @throws TooComplex if it exceeds a limit, RangeError if it is nested too deeply */
export const parse = (markdown: string, budget = new Budget()): Root => {
  const problem = tooLong(markdown)
  if (problem) throw problem
  const extensions = [...extensionsFor(markdown), meteringExtension(budget)]
  // The parser would drop a byte order mark (U+FEFF), and its offsets would not count it.
  return fromMarkdown(markdown.replace(/^\uFEFF/, " "), { extensions, mdastExtensions: NODES })
}

/** Moves all positions of blocks. */
const move = (blocks: Root["children"], by: number): Root["children"] => {
  for (const node of blocks.flatMap((block) => [...nodesOf(block)]))
    for (const position of [node.position, (node as WithDestination).destination])
      for (const point of position ? [position.start, position.end] : []) point.offset = (point.offset ?? 0) + by
  return blocks
}

/** Matches a text that ends with a blank line, and an empty one. Does not match `a\n`. */
const ENDS_BLANK = /(?:^|\n[ \t\r]*\n)$/
/** Matches a text of which the first words begin a line. Does not match ` a`. */
const AT_MARGIN = /^(?:[ \t\r]*\n)*(?:[^ \t\r\n\uFEFF]|$)/
/** Characters before a block among which a blank line is looked for. */
const MAX_LOOKED_AT = 1000
/** Tells whether a block is indented code, after which the parser takes some items of lists for text: micromark/micromark#228. */
const isIndented = (block: Nodes | undefined, text: string): boolean =>
  block?.type === "code" && /[ \t]/.test(text.charAt(spanOf(block).start))
const hasLabel = (tree: Root): boolean => [...nodesOf(tree)].some((node) => "identifier" in node)

/**
 * Parses a text that became another one by edits: only the blocks from the first edit to the last one.
 * @param tree of the text before, which is used up
 * @returns null if the other blocks may have another meaning now
 */
export const parseEdited = (tree: Root, before: string, edits: Edit[], after: string, budget: Budget): Root | null => {
  const blocks = tree.children
  const starts = blocks.map((block) => spanOf(block).start)
  const isApart = (i: number): boolean => {
    const at = starts[i] ?? 0
    return (
      ENDS_BLANK.test(before.slice(Math.max(0, at - MAX_LOOKED_AT), at)) &&
      AT_MARGIN.test(before.slice(at)) &&
      !isIndented(blocks[i - 1], before)
    )
  }
  const from = edits.reduce((at, edit) => Math.min(at, edit.start), before.length)
  const to = edits.reduce((at, edit) => Math.max(at, edit.end), 0)
  let first = lastUpTo(starts, from)
  while (first > 0 && !isApart(first)) first -= 1
  let next = lastUpTo(starts, to) + 1
  while (next < blocks.length && !isApart(next)) next += 1
  const start = first > 0 ? (starts[first] ?? 0) : 0
  const by = after.length - before.length
  const text = after.slice(start, (starts[next] ?? before.length) + by)
  if (!AT_MARGIN.test(text) || hasLabel(tree)) return null
  // A paragraph after the text tells whether it ends all that it begins.
  const isLast = next >= blocks.length
  const edited = parse(isLast ? text : `${text}a`, budget)
  const follower = isLast ? undefined : edited.children.pop()
  const isOpen = follower && (follower.type !== "paragraph" || spanOf(follower).start !== text.length)
  if (isOpen || hasLabel(edited) || (!isLast && isIndented(edited.children.at(-1), text))) return null
  const changed = move(edited.children, start)
  return { ...tree, children: [...blocks.slice(0, Math.max(first, 0)), ...changed, ...move(blocks.slice(next), by)] }
}
