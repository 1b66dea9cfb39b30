import type { Paragraph } from "mdast"

import { spanOf } from "../posts/mdast.ts"

/** The line that makes an alert of a quote for GitHub, with the marks that the next one begins with. */
const ALERT = /^\[!(?:note|tip|important|warning|caution)\][ \t]*(?:(?:\r\n?|\n)[ \t>]*|$)/i

/** Where the words of a quote's first paragraph begin: no translation changes the line that makes an alert of it. */
export const alertEnd = (paragraph: Paragraph, markdown: string): number => {
  const { start, end } = spanOf(paragraph)
  return start + (ALERT.exec(markdown.slice(start, end))?.[0].length ?? 0)
}
