import type { Nodes, Root } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import type { Extension } from "micromark-util-types"

import { cutBlocks, groupBlocks } from "./blocks.ts"
import { asDocument } from "./characters.ts"
import { extensionFor, type Shared } from "./dialects.ts"

// Transforms guess at more autolinks than the parser has, and leave nodes without a position.
const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))

/** Tells another parser what a document defines: a construct that looks at every line, and never matches. */
const definedBy = ({ defined, gfmFootnotes }: Shared): Extension => ({
  document: {
    null: {
      partial: true,
      tokenize(_effects, _ok, nok) {
        Object.assign(this.parser, { defined, gfmFootnotes })
        return nok
      },
    },
  },
})

/** Moves the positions of a block's nodes to where they stand in the document. */
const move = (nodes: Nodes[], lines: number, offset: number): void => {
  const rest = [...nodes]
  for (let node = rest.pop(); node; node = rest.pop()) {
    for (const point of node.position ? [node.position.start, node.position.end] : []) {
      point.line += lines
      point.offset = (point.offset ?? 0) + offset
    }
    if ("children" in node) for (const child of node.children) rest.push(child)
  }
}

/** Parses Markdown (CommonMark with GFM) to a tree, in linear time. Positions do not count a byte order mark. */
export const parseMarkdown = (markdown: string): Root => {
  const { blocks, shared } = cutBlocks(markdown)
  // The other parser makes its own.
  for (const block of blocks) block.events = null
  const children = groupBlocks(blocks).flatMap((group) => {
    const text = group.map((block) => block.text).join("")
    const { children: nodes } = fromMarkdown(asDocument(text), {
      extensions: [extensionFor(text), definedBy(shared)],
      mdastExtensions,
    })
    const [{ line, offset } = { line: 1, offset: 0 }] = group
    move(nodes, line - 1, offset)
    return nodes
  })
  return { type: "root", children }
}

/** Where a node stands, in UTF-16 units. */
export const spanOf = ({ position }: Nodes): { start: number; end: number } => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
})

/** A link that is its own text. */
export const isAutolink = (node: Nodes, markdown: string): boolean =>
  node.type === "link" && markdown.charAt(spanOf(node).start) !== "["
