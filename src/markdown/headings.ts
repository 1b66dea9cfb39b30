import GithubSlugger, { slug as githubSlug } from "github-slugger"
import type { Element, Nodes as HastNodes, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import type { Heading } from "mdast"
import { parseFragment } from "parse5"

import { spanOf } from "./parse.ts"
import { elementsOf } from "./to-hast.ts"

// Ids of headings: made from their text, or explicit ones, which the author wrote as `{#id}`.

/** Matches `{#id}` and `{ #id }`. Does not match `{id}`. */
const WRITTEN_ID = /^\{[ \t]*#([^\s{}#]+)[ \t]*\}$/
/** Matches a heading's source that ends with `{#id}` or `\\{#id}`. Does not match `\{#id}`. */
const IN_BRACES = /(?<!\\)(?:\\\\)*\{[^{}]*(?<!\\)\}\s*$/

/** Reads the `{#id}` at the end of a heading of `markdown`. Returns `id`, its text node and that node's text before it (`rest`), or null. */
export const readWrittenId = ({ children }: Heading, markdown: string) => {
  const last = children.at(-1)
  if (last?.type !== "text") return null
  const { start: from, end } = spanOf(last)
  if (!IN_BRACES.test(markdown.slice(from, end))) return null
  const start = last.value.lastIndexOf("{")
  const [, id] = start < 0 ? [] : (WRITTEN_ID.exec(last.value.slice(start).trimEnd()) ?? [])
  return id ? { id, text: last, rest: last.value.slice(0, start).trimEnd() } : null
}

/** Matches `h1`. Does not match `h7` or `header`. */
const HEADING_TAG = /^h[1-6]$/

/** Tells whether an element is `h1` to `h6`. */
export const isHeading = ({ tagName }: Element): boolean => HEADING_TAG.test(tagName)

/** Returns a heading's text with the `alt` of its images, without numbers of footnotes, which change with earlier footnotes. */
const headingText = (node: HastNodes): string => {
  if (node.type === "text") return node.value
  if (node.type !== "element") return ""
  const { tagName, properties, children } = node
  if ("dataFootnoteRef" in properties) return ""
  if (tagName === "img") return typeof properties["alt"] === "string" ? properties["alt"] : ""
  return children.map(headingText).join("")
}

/** Matches ids of footnotes and of the page around a post: `fn-1`, `ep-title`. Does not match `fn` or `step-1`. */
const RESERVED = /^(?:fn|fnref|ep)-/

/** Gives out the ids of a document, each once. */
export class IdRegistry {
  readonly #slugger = new GithubSlugger()

  /** Reserves an id. Returns false if it is empty or in use. */
  reserve(id: string): boolean {
    if (id === "" || id in this.#slugger.occurrences) return false
    this.#slugger.occurrences[id] = 0
    return true
  }

  /** Reserves an id that an author wrote, with `-1` added if only this service may use it. Returns undefined if it is in use. */
  reserveForAuthor(id: string): string | undefined {
    const allowed = RESERVED.test(id) ? `${id}-1` : id
    return this.reserve(allowed) ? allowed : undefined
  }

  /** Makes and reserves an id from a heading's text, like GitHub. An id that is in use gets a number at its end. */
  makeForHeading(heading: Element): string {
    const text = headingText(heading)
    // Without letters, a number alone would be the id of the second such heading.
    const slug = githubSlug(text) === "" ? "" : this.#slugger.slug(text)
    return RESERVED.test(slug) || slug === "" ? this.#slugger.slug(`${slug || "section"}-1`) : slug
  }
}

/** The id of the heading above all footnotes. */
export const FOOTNOTES_HEADING_ID = "ep-footnotes"

/** Reads the ids of the headings of stored HTML, in order, without the heading above all footnotes. A heading without an id gives "". */
export const headingIdsIn = (html: string): string[] =>
  elementsOf(fromParse5(parseFragment(html)) as Root)
    .filter(isHeading)
    .map(({ properties: { id } }) => (typeof id === "string" ? id : ""))
    .filter((id) => id !== FOOTNOTES_HEADING_ID)
