/// <reference types="micromark-extension-gfm-table" />
import { compile, parse, postprocess, preprocess } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import type { Event } from "micromark-util-types"

import { MAX_HTML_BYTES, MAX_REFERENCE_CHARS, MAX_TABLE_CELLS } from "../limits.ts"
import { tooMuchToParse } from "./complexity.ts"

export interface Rendered {
  html: string
  /** `src` of every picture that the body shows, in order, as written. */
  pictures: string[]
}

/** A sentence that names the construct of which the body holds too much. */
export interface TooComplex {
  tooComplex: string
}

const entered = (events: Event[], type: string) =>
  events.filter(([kind, token]) => kind === "enter" && token.type === type).map(([, token]) => token)

/** HTML repeats a definition at each reference, whatever its length: an upper bound of that. */
const countReferenceChars = (events: Event[]): number => {
  const lengths = ["definition", "gfmFootnoteDefinitionLabelString"].flatMap((type) =>
    entered(events, type).map(({ start, end }) => end.offset - start.offset),
  )
  const references = entered(events, "label").length - entered(events, "resource").length
  return lengths.length && references * Math.max(...lengths)
}

/** HTML has a cell for every column of every row, written or not. */
const countTableCells = (events: Event[]): number => {
  let cells = 0
  let columns = 0
  for (const [kind, token] of events) {
    if (kind !== "enter") continue
    if (token.type === "table") columns = token._align?.length ?? 0
    if (token.type === "tableRow") cells += columns
  }
  return cells
}

const tooMuchToCompile = (events: Event[]): string | null => {
  if (countTableCells(events) > MAX_TABLE_CELLS) return `Its tables have more than ${MAX_TABLE_CELLS} cells.`
  if (countReferenceChars(events) > MAX_REFERENCE_CHARS) return "Its references repeat too much of their definitions."
  return null
}

const PICTURE = /<img src="([^"]*)" alt="([^"]*)"(?: title="[^"]*")? \/>/g

const TOO_LONG: TooComplex = { tooComplex: `Its HTML is longer than ${MAX_HTML_BYTES} bytes.` }

const isTooLong = (html: string): boolean => new TextEncoder().encode(html).length > MAX_HTML_BYTES

// Sound on this compiler's output only: it escapes every `<` and `"` of the author.
const readPictures = (html: string): string[] => [...html.matchAll(PICTURE)].map(([, src = ""]) => src)

/**
 * Markdown (CommonMark with GFM) to HTML. Raw HTML of the author is shown as text; links have safe protocols only.
 * @param idPrefix makes footnote ids differ between the posts of a page
 */
export const renderMarkdown = (markdown: string, idPrefix: string): Rendered | TooComplex => {
  const unparsed = tooMuchToParse(markdown)
  if (unparsed) return { tooComplex: unparsed }
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(preprocess()(markdown, undefined, true)),
  )
  const uncompiled = tooMuchToCompile(events)
  if (uncompiled) return { tooComplex: uncompiled }
  const compiled = compile({ htmlExtensions: [gfmHtml({ clobberPrefix: idPrefix })] })(events)
  const html = compiled
    .replaceAll(' id="footnote-label"', ` id="${idPrefix}footnote-label"`)
    .replaceAll(' aria-describedby="footnote-label"', ` aria-describedby="${idPrefix}footnote-label"`)
    .replaceAll(/<a href="(?!#)/g, '<a rel="nofollow ugc noopener" href="')
  return isTooLong(html) ? TOO_LONG : { html, pictures: readPictures(html) }
}

/** Every picture that must not be shown becomes a link to it, or inside a link its text. */
const linkPictures = (html: string, isShown: (src: string) => boolean): string => {
  let links = 0
  const parts = new RegExp(`<a [^>]*>|</a>|${PICTURE.source}`, "g")
  return html.replaceAll(parts, (part: string, src?: string, alt?: string) => {
    if (src === undefined) links += part === "</a>" ? -1 : 1
    if (src === undefined || isShown(src)) return part
    const text = alt || src
    return links > 0 || src === "" ? text : `<a rel="nofollow ugc noopener" href="${src}">${text}</a>`
  })
}

/** The HTML to store: pictures that must not be shown are links. */
export const placePictures = ({ html }: Rendered, isShown: (src: string) => boolean): { html: string } | TooComplex => {
  const placed = linkPictures(html, isShown)
  return isTooLong(placed) ? TOO_LONG : { html: placed }
}
