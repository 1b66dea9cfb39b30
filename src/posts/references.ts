import { normalizeIdentifier } from "micromark-util-normalize-identifier"
import type { Event } from "micromark-util-types"

import type { Blocks } from "./blocks.ts"
import { allEvents } from "./texts.ts"

// HTML repeats a definition at each of its references, however long it is: counted before anything is compiled.

const REFERENCE = '<a href=""></a>'.length
/** Of what leads elsewhere than to a place of the page. */
const REL = ' rel="nofollow ugc noopener"'.length
/** Of a call of a footnote and of the way back, without its label, which both repeat twice. */
const FOOTNOTE_CALL = 250
const FOOTNOTE_LABELS = 4

/** Characters that each reference to a label repeats; the first definition of a label counts. */
const collect = (events: Iterable<Event>, into: Map<string, number>): void => {
  let label = ""
  let length = 0
  let isInPage = false
  for (const [kind, token, context] of events) {
    if (kind !== "exit") continue
    if (token.type === "definitionLabel") [length, isInPage] = [token.end.offset, false]
    if (token.type === "definitionLabelString") label = normalizeIdentifier(context.sliceSerialize(token))
    if (token.type === "definitionDestinationString") isInPage = context.sliceSerialize(token).startsWith("#")
    if (token.type === "definition" && !into.has(label))
      into.set(label, REFERENCE + (isInPage ? 0 : REL) + token.end.offset - length)
    if (token.type === "gfmFootnoteDefinitionLabelString") {
      const name = context.sliceSerialize(token)
      into.set(`^${normalizeIdentifier(name)}`, FOOTNOTE_CALL + FOOTNOTE_LABELS * name.length)
    }
  }
}

/** What stands between brackets without another one: a label, if it is one. */
function* labelsIn(markdown: string): Generator<string> {
  let open = -1
  for (const { 0: piece, index } of markdown.matchAll(/\\[^]|[[\]]/g)) {
    if (piece === "]" && open >= 0) yield markdown.slice(open + 1, index)
    if (piece.length === 1) open = piece === "[" ? index : -1
  }
}

/** Characters of HTML, about, that references repeat of what they refer to. Those in code are counted too. */
export const countRepeated = (markdown: string, { blocks, shared }: Blocks): number => {
  if (shared.defined.length + shared.gfmFootnotes.length === 0) return 0
  const repeated = new Map<string, number>()
  for (const { events } of blocks) collect(allEvents(events ?? []), repeated)
  let sum = 0
  for (const label of labelsIn(markdown)) {
    const name = label.startsWith("^") ? `^${normalizeIdentifier(label.slice(1))}` : normalizeIdentifier(label)
    sum += repeated.get(name) ?? 0
  }
  return sum
}
