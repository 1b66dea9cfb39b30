import GithubSlugger from "github-slugger"
import type { Element, Nodes as HastNodes } from "hast"
import type { Heading, Root, Text } from "mdast"

import { nodesOf, spanOf } from "./parse.ts"

// Ids of headings: of their words, or as the author wrote them.

/** Behind a heading's words: `{#id}`. */
const WRITTEN_ID = /^\{[ \t]*#([^\s{}#]+)[ \t]*\}$/

/** A heading's `{#id}`, which ends its last text, and the text without it. */
const readWrittenId = ({ children }: Heading, markdown: string): { id: string; text: Text; rest: string } | null => {
  const last = children.at(-1)
  if (last?.type !== "text") return null
  const start = last.value.lastIndexOf("{")
  const place = spanOf(last)
  // `\\{#id}` is text.
  if (/\\\{[^{]*$/.test(markdown.slice(place.start, place.end))) return null
  const [, id] = start < 0 ? [] : (WRITTEN_ID.exec(last.value.slice(start).trimEnd()) ?? [])
  return id ? { id, text: last, rest: last.value.slice(0, start).trimEnd() } : null
}

/** Takes each `{#id}` out of its heading's words. */
export const readWrittenIds = (tree: Root, markdown: string): void => {
  for (const { node } of nodesOf(tree)) {
    if (node.type !== "heading") continue
    const written = readWrittenId(node, markdown)
    if (!written) continue
    written.text.value = written.rest
    node.data = { ...node.data, hProperties: { id: written.id } }
  }
}

const HEADING_TAG = /^h[1-6]$/

export const isHeading = ({ tagName }: Element): boolean => HEADING_TAG.test(tagName)

/** The words of a heading, those of its pictures too; the number of a footnote changes with others before it. */
const wordsOf = (node: HastNodes): string => {
  if (node.type === "text") return node.value
  if (node.type !== "element") return ""
  const { tagName, properties, children } = node
  if ("dataFootnoteRef" in properties) return ""
  if (tagName === "img") return typeof properties["alt"] === "string" ? properties["alt"] : ""
  return children.map(wordsOf).join("")
}

/** Ids of footnotes and of the page that a post is shown on. */
const RESERVED = /^(?:fn|fnref|ep)-/

/** Gives out ids, each once. */
export class Ids {
  readonly #slugger = new GithubSlugger()

  /** @returns an id that the author wrote; null where it is taken already */
  claim(id: string): string | null {
    return this.take(RESERVED.test(id) ? `${id}-1` : id)
  }

  /** @returns an id that was given out before; null where it is taken already */
  take(free: string): string | null {
    if (free in this.#slugger.occurrences) return null
    this.#slugger.occurrences[free] = 0
    return free
  }

  /** @returns an id of a heading's words, as GitHub makes it; another number behind it where it is taken */
  of(heading: Element): string {
    const words = wordsOf(heading)
    const slug = this.#slugger.slug(words)
    return RESERVED.test(slug) || slug === "" ? this.#slugger.slug(`${slug || "section"}-1`) : slug
  }
}

const STORED_HEADING = /<h[1-6](?: [^>]*?)? id="([^"]*)"|<h[1-6](?: [^>]*)?>/g
const FOOTNOTES = /<section[^>]* data-footnotes/

/** The writer escapes no more than these in an attribute. */
const CHARACTERS: Record<string, string> = { amp: "&", quot: '"', lt: "<", gt: ">", "#x26": "&", "#x22": '"' }
const decoded = (id: string): string =>
  id.replaceAll(/&(\w+|#x\w+);/g, (reference, name: string) => CHARACTERS[name.toLowerCase()] ?? reference)

/** Ids of the headings of stored HTML, in order, without that of its footnotes. */
export const headingIdsIn = (html: string): string[] => {
  const [text = ""] = html.split(FOOTNOTES)
  return [...text.matchAll(STORED_HEADING)].map(([, id = ""]) => decoded(id))
}
