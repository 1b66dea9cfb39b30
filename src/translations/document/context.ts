import { cut } from "../../http/fields.ts"
import { MAX_CONTEXT_CHARS } from "../../limits.ts"
import type { Context } from "../engines/engine.ts"
import { type Block, type Segment, segmentsOf, withTerms } from "./segments.ts"
import { textOf } from "./tags.ts"

const shorten = (text: string): string | null => cut(text.trim(), MAX_CONTEXT_CHARS) || null

/**
 * Returns a function that reads the context of a segment: the nearest heading before it, and the last sentence of the segment
 * before it, each cut to `MAX_CONTEXT_CHARS`. Equal segments have that of the first one; a segment of no block has none.
 * @param language the BCP 47 code of the blocks' language
 */
export const contextReader = (blocks: Block[], language: string): ((segment: Segment) => Context) => {
  const places = new Map<string, { heading: string; previous: string }>()
  let place = { heading: "", previous: "" }
  for (const block of blocks)
    for (const segment of segmentsOf({ blocks: [block] })) {
      if (!places.has(segment.text)) places.set(segment.text, place)
      const previous = textOf(withTerms(segment.inlines))
      const isHeading = block.container.type === "heading" && segment === block.segment
      place = { heading: isHeading ? previous : place.heading, previous }
    }
  const sentences = new Intl.Segmenter(language, { granularity: "sentence" })
  return ({ text }) => {
    const { heading, previous } = places.get(text) ?? { heading: "", previous: "" }
    const last = sentences.segment(previous).containing(previous.trimEnd().length - 1)
    return { heading: shorten(heading), before: shorten(last?.segment ?? "") }
  }
}
