import type { Nodes, Root } from "mdast"
import { fromMarkdown, type Handle } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly"
import { gfm } from "micromark-extension-gfm"

import { MAX_BODY_BYTES, MAX_BODY_LINES, MAX_CONTAINERS } from "../limits.ts"
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
/** Constructs of the parser that it tries at each word or line, by name, and what each text with one of them matches. */
const COSTLY = Object.entries({ emailAutolink: /@/, table: /\||:-|-:/ })

/** Returns the extensions of the parser without some constructs. */
const extensionsWithout = (names: string[]): (typeof GFM)[] => {
  const keep = (constructs: (typeof GFM)["text"] = {}): typeof constructs =>
    Object.fromEntries(
      Object.entries(constructs).map(([code, found]) => [
        code,
        [found ?? []].flat().filter(({ name = "" }) => !names.includes(name)),
      ]),
    )
  return [{ ...GFM, text: keep(GFM.text), flow: keep(GFM.flow) }, CJK]
}
const extensions = new Map<string, ReturnType<typeof extensionsWithout>>()

/** Returns the extensions of the parser that a text needs: the others take a third of its time. */
const extensionsFor = (markdown: string): ReturnType<typeof extensionsWithout> => {
  const absent = COSTLY.flatMap(([name, sign]) => (sign.test(markdown) ? [] : [name]))
  const found = extensions.get(absent.join(" ")) ?? extensionsWithout(absent)
  extensions.set(absent.join(" "), found)
  return found
}

const NODES = [
  // The transforms would add autolinks without positions.
  ...gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
  { enter: { resourceDestination: noteDestination, definitionDestination: noteDestination } },
]

/** Limits of the service, and of text that takes the parser the square of its size. */
const LIMITS = [
  // Matches a character.
  { what: "characters", limit: MAX_BODY_BYTES, each: /[^]/g, advice: "Split it into two posts." },
  // Matches line endings.
  { what: "lines", limit: MAX_BODY_LINES, each: /\n/g, advice: "Split it into two posts." },
  // Matches the start of `> a`. Does not match `a > b`.
  { what: "lines in quotes", limit: 5000, each: /^[ \t]*>/gm, advice: "Split it into two posts." },
  // Matches the start of a line in 100 quotes. Does not match `> > a`.
  {
    what: "levels of quotes",
    limit: 0,
    each: new RegExp(`^(?:[ \\t]{0,3}>){${MAX_CONTAINERS}}`, "gm"),
    advice: "Nest fewer of them.",
  },
]
/** Matches what may start or end markup within a paragraph: `*`, `[`. Does not match `a`. */
const SIGN = /[*_~[\]{}<!:\n]/
const MAX_SIGNS = 20_000
/** Matches delimiters of emphasis. Does not match `[`. */
const DELIMITER = /[*_~]/
const MAX_DELIMITERS = 5000

/** Says what would take the parser too long, with advice; null if nothing does. */
export const problemOf = (text: string): string | null => {
  const exceeded = LIMITS.find(({ each, limit }) => text.length > limit && (text.match(each)?.length ?? 0) > limit)
  if (exceeded) return `The text has too many ${exceeded.what}. ${exceeded.advice}`
  // Matches the end of a paragraph: `\n \n`. Does not match `\n`.
  const isDense = text
    .split(/\n[ \t\r]*\n/)
    .some((block) => block.split(SIGN).length > MAX_SIGNS || block.split(DELIMITER).length > MAX_DELIMITERS)
  return isDense ? "A paragraph has too many characters that could be markup. Split the paragraph." : null
}

/** Parses a text that `problemOf` accepts. @throws RangeError if it is nested too deeply */
export const parse = (markdown: string): Root =>
  // The parser would drop a byte order mark (U+FEFF), and its offsets would not count it.
  fromMarkdown(markdown.replace(/^\uFEFF/, " "), { extensions: extensionsFor(markdown), mdastExtensions: NODES })

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
export const parseEdited = (tree: Root, before: string, edits: Edit[], after: string): Root | null => {
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
  const edited = parse(isLast ? text : `${text}a`)
  const follower = isLast ? undefined : edited.children.pop()
  const isOpen = follower && (follower.type !== "paragraph" || spanOf(follower).start !== text.length)
  if (isOpen || hasLabel(edited) || (!isLast && isIndented(edited.children.at(-1), text))) return null
  const changed = move(edited.children, start)
  return { ...tree, children: [...blocks.slice(0, Math.max(first, 0)), ...changed, ...move(blocks.slice(next), by)] }
}
