import type { Nodes } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

/** A stretch of a document, in UTF-16 units: plain text to translate, or a label that has to be spelled out. */
interface Stretch {
  start: number
  end: number
  /** undefined: text for the engine. */
  replacement?: string
}

const span = ({ position }: Nodes): { start: number; end: number } => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
})

/** `[text]` finds its definition by its text: once that is translated, the label must stand beside it. */
const spellOutLabel = (node: Nodes): Stretch[] => {
  if (node.type !== "linkReference" || node.referenceType === "full") return []
  const { end } = span(node)
  const replacement = `[${node.label}]`
  return [{ start: node.referenceType === "collapsed" ? end - 2 : end, end, replacement }]
}

const isAutolink = (node: Nodes, markdown: string): boolean => {
  const { start } = span(node)
  return node.type === "link" && markdown.charAt(start) !== "["
}

const stretches = (node: Nodes, markdown: string): Stretch[] => {
  if (node.type === "text") return [span(node)]
  if (!("children" in node) || isAutolink(node, markdown)) return []
  return [...node.children.flatMap((child) => stretches(child, markdown)), ...spellOutLabel(node)]
}

/**
 * Cuts a Markdown document into the plain texts between its markup.
 * Code, URLs, pictures, raw HTML and definitions are in none of them.
 */
export const readSegments = (markdown: string): { segments: string[]; rebuild: (translated: string[]) => string } => {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const found = stretches(tree, markdown)
  const texts = found.filter(({ replacement }) => replacement === undefined)
  return {
    segments: texts.map(({ start, end }) => markdown.slice(start, end)),
    rebuild: (translated) => {
      const rest = [...translated]
      let done = 0
      const parts = found.map(({ start, end, replacement = rest.shift() ?? "" }) => {
        const before = markdown.slice(done, start)
        done = end
        return before + replacement
      })
      return parts.join("") + markdown.slice(done)
    },
  }
}
