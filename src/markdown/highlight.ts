import type { Element, Root } from "hast"

import {
  MAX_COLOURED_CODE_BYTES,
  MAX_COLOURED_DEPTH,
  MAX_COLOURED_MARKUP_BYTES,
  MAX_POST_COLOURED_BYTES,
} from "../limits.ts"
import { lowlight } from "./lowlight.js"
import { classesOf, onlyTextOf } from "./to-hast.ts"

// Syntax highlighting of code blocks, as classes.

/** Matches `<script src=a>`. Does not match `</script>`. highlight.js reads the rest of the block again after each match. */
const EMBEDDED = /<(?:script|style)\b/gi
/** The languages that highlight.js reads as XML. */
const MARKUP = new Set("atom html plist rss svg wsf xhtml xjb xml xsd xsl".split(" "))

const PREFIX = "language-"

const languageOf = (code: Element): string =>
  (classesOf(code).find((name) => name.startsWith(PREFIX)) ?? "").slice(PREFIX.length).toLowerCase()

const isDeeperThan = ({ children }: Root | Element, depth: number): boolean =>
  children.some((child) => child.type === "element" && (depth === 0 || isDeeperThan(child, depth - 1)))

/** Highlights the code blocks of one post, up to a limit for the whole post. */
export class Highlighter {
  #left = MAX_POST_COLOURED_BYTES

  /** Returns a code element with highlighted children. Returns the same object if its language is unknown or a limit is exceeded. */
  highlight(code: Element): Element {
    const text = onlyTextOf(code)
    const language = languageOf(code)
    if (text === null || !lowlight.registered(language)) return code
    const bytes = new TextEncoder().encode(text).length
    const most = MARKUP.has(language) ? MAX_COLOURED_MARKUP_BYTES : MAX_COLOURED_CODE_BYTES
    const weight = bytes * (1 + (text.match(EMBEDDED)?.length ?? 0))
    if (bytes > most || weight > this.#left) return code
    this.#left -= weight
    const tree = lowlight.highlight(language, text)
    return isDeeperThan(tree, MAX_COLOURED_DEPTH) ? code : { ...code, children: tree.children as Element["children"] }
  }
}
