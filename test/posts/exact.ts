import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

import { cutBlocks } from "../../src/posts/blocks.ts"
import { refuseDense } from "../../src/posts/density.ts"
import { measureEffort } from "../../src/posts/effort.ts"
import { compileBlocks } from "../../src/posts/markdown.ts"
import { parseMarkdown } from "../../src/posts/mdast.ts"
import { countRepeated } from "../../src/posts/references.ts"
import { EXAMPLES } from "./commonmark.ts"
import { shuffle, spaceOut } from "./generate.ts"

/** Our HTML, before the net, in the parts that it is compiled in. */
export const partsOf = (markdown: string): string[] => {
  const blocks = cutBlocks(markdown)
  // Of a body that is near a bound references and texts are counted before: here of each second one.
  if (markdown.length % 2 === 1) {
    countRepeated(markdown, blocks)
    refuseDense(blocks, measureEffort())
  }
  const parts = compileBlocks(blocks)
  if ("tooComplex" in parts) throw new Error(parts.tooComplex)
  return parts
}

/** All of it. */
export const compiled = (markdown: string): string => partsOf(markdown).join("")

const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))
/** Who asks for a tree has taken the byte order mark off: offsets are counted without it. */
const unmarked = (markdown: string): string => markdown.replace(/^\uFEFF+/, "")

/** Our tree, as text. */
export const tree = (markdown: string): string => JSON.stringify(parseMarkdown(unmarked(markdown)).children)

/** The tree of a document that is parsed whole. */
export const wholeTree = (markdown: string): string =>
  JSON.stringify(fromMarkdown(unmarked(markdown), { extensions: [gfm()], mdastExtensions }).children)

/** Whether a document is parsed in several blocks. */
export const isCut = (markdown: string): boolean => cutBlocks(markdown).blocks.length > 1

/** The first few that differ, and what each has where it begins to. */
export const differences = (
  documents: string[],
  made: (markdown: string) => string,
  whole: (markdown: string) => string,
): string[] => {
  const found: string[] = []
  for (const markdown of documents) {
    const [is, should] = [made(markdown), whole(markdown)]
    if (is === should) continue
    let at = 0
    while (is[at] === should[at]) at++
    const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80)
    found.push(JSON.stringify([markdown, around(is), around(should)]))
    if (found.length === 3) break
  }
  return found
}

/** The examples of CommonMark in random orders: all of them one after the other, or some with paragraphs in between. */
export const makeOrders = (count: number, random: () => number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const examples = shuffle(EXAMPLES, random).map(({ markdown }) => markdown)
    if (i % 6 === 0) return examples.join("\n\n")
    const pieces = Array.from({ length: 6 }, (_piece, at) => examples.slice(8 * at, 8 * at + 8).join("\n\n"))
    return spaceOut(pieces)
  })
