import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal"
import { gfmFootnote } from "micromark-extension-gfm-footnote"
import type { Construct, Event, Extension, TokenizeContext } from "micromark-util-types"

// Extensions of micromark, without what they try or read back over in vain.

/** How addresses begin that nobody marked as links. */
const BEGINNINGS: Record<string, RegExp> = {
  emailAutolink: /^[\w.+-]+@/,
  wwwAutolink: /^www\./i,
  protocolAutolink: /^https?:/i,
}

/** What is left of the chunk that is tokenized: of a line, at most. */
const restOf = (context: TokenizeContext): string => {
  const start = context.now()
  const [rest] = context.sliceStream({ start, end: { ...start, _index: start._index + 1, _bufferIndex: -1 } })
  return typeof rest === "string" ? rest : ""
}

/** Whether a bracket is open: closing ones look at the same stack, and drop from it what is closed. */
const isInLabel = ({ _labelStarts: starts = [] }: TokenizeContext): boolean => {
  while (starts.at(-1)?._balanced) starts.pop()
  return starts.length > 0
}

const mayBegin = ({ name = "" }: Construct, context: TokenizeContext): boolean =>
  !isInLabel(context) && (BEGINNINGS[name]?.test(restOf(context)) ?? true)

/** Elsewhere it would cut the text, and read back over all of it in search of an open bracket. */
const onlyWhereItBegins = (construct: Construct): Construct => ({
  ...construct,
  previous(code) {
    return construct.previous?.call(this, code) !== false && mayBegin(construct, this)
  },
  // Another construct of the same character may have cut the text, whatever comes before.
  tokenize(effects, ok, nok) {
    return mayBegin(construct, this) ? construct.tokenize.call(this, effects, ok, nok) : nok
  },
})

/** Addresses that nobody marked as links. */
export const autolinks = (): Extension => ({
  text: Object.fromEntries(
    Object.entries(gfmAutolinkLiteral().text ?? {}).map(([code, constructs = []]) => [
      code,
      [constructs].flat().map(onlyWhereItBegins),
    ]),
  ),
})

const CLOSING_BRACKET = 93

/** Whether a call of a footnote may begin like a picture somewhere in texts that are parsed together. */
export const mayCallPictured = (texts: string[]): boolean =>
  texts.some((text) => text.includes("![")) && texts.some((text) => text.includes("^"))

/** Footnotes. @param hasPictures whether calls may begin like a picture: each closing bracket reads back in search of one */
export const footnotes = (hasPictures: boolean): Extension => {
  const { text: { [CLOSING_BRACKET]: pictured, ...text } = {}, ...rest } = gfmFootnote()
  return { ...rest, text: hasPictures && pictured ? { ...text, [CLOSING_BRACKET]: pictured } : text }
}

/** Adjacent data as one: micromark 4.0.3 does the same, and moves all events behind each time. */
const mergeData = (events: Event[]): Event[] => {
  const merged: Event[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event[1].type === "data" && last?.[0] === "exit" && last[1].type === "data") last[1].end = event[1].end
    else merged.push(event)
  }
  return merged
}

/** What is inside a link is merged before its markers are compared with all of it. */
export const mergedSpans: Extension = { insideSpan: { null: [{ resolveAll: mergeData }] } }
