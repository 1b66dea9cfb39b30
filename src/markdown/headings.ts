import GithubSlugger from "github-slugger"
import type { Element, Nodes as HastNodes } from "hast"
import type { Heading } from "mdast"
import { parseFragment } from "parse5"

import { spanOf } from "./parse.ts"

// Ids of headings: of their words, or as the author wrote them.

/** After a heading's words: `{#id}`; not `{id}`. */
const WRITTEN_ID = /^\{[ \t]*#([^\s{}#]+)[ \t]*\}$/
/** The end of its source: `{#id}`; not `\{#id}`. */
const IN_BRACES = /(?<!\\)(?:\\\\)*\{[^{}]*(?<!\\)\}\s*$/

/** A heading's `{#id}`, which ends its last text, and the text without it. */
export const readWrittenId = ({ children }: Heading, markdown: string) => {
  const last = children.at(-1)
  if (last?.type !== "text") return null
  const { start: from, end } = spanOf(last)
  if (!IN_BRACES.test(markdown.slice(from, end))) return null
  const start = last.value.lastIndexOf("{")
  const [, id] = start < 0 ? [] : (WRITTEN_ID.exec(last.value.slice(start).trimEnd()) ?? [])
  return id ? { id, text: last, rest: last.value.slice(0, start).trimEnd() } : null
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

  /** @returns whether an id is free, which it is not any longer */
  take(id: string): boolean {
    if (id === "" || id in this.#slugger.occurrences) return false
    this.#slugger.occurrences[id] = 0
    return true
  }

  /** @returns an id that the author wrote, or another one if it is reserved; undefined if it is taken */
  claim(id: string): string | undefined {
    const free = RESERVED.test(id) ? `${id}-1` : id
    return this.take(free) ? free : undefined
  }

  /** @returns an id of a heading's words, as GitHub makes it; another number behind it where it is taken */
  of(heading: Element): string {
    const words = wordsOf(heading)
    const slug = this.#slugger.slug(words)
    return RESERVED.test(slug) || slug === "" ? this.#slugger.slug(`${slug || "section"}-1`) : slug
  }
}

/** Id of the heading of all footnotes. */
export const FOOTNOTE_LABEL = "fn-label"

const STORED_HEADING = /<h[1-6](?: [^>]*?)? id="([^"]*)"|<h[1-6](?: [^>]*)?>/g

/** Text whose characters may be written as `&amp;`. */
const decode = (text: string): string => {
  const [node] = parseFragment(text).childNodes
  return node && "value" in node ? node.value : ""
}

/** Ids of the headings of stored HTML, in order, without that of all footnotes. */
export const headingIdsIn = (html: string): string[] =>
  [...html.matchAll(STORED_HEADING)]
    .map(([, id = ""]) => (id.includes("&") ? decode(id) : id))
    .filter((id) => id !== FOOTNOTE_LABEL)
