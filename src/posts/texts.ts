import type { Event, Token, TokenizeContext } from "micromark-util-types"

import { type Blocks, tokenize } from "./blocks.ts"
import { isOrdinary, ordinaryTexts } from "./ordinary.ts"

/** Text that is parsed for what is inside it: of a paragraph, a heading or a cell. */
export interface InlineText {
  text: string
  /** From 1. */
  line: number
}

/** Events with those of containers' flow. */
export function* allEvents(events: Event[]): Generator<Event> {
  const seen = new Set<TokenizeContext>()
  for (const event of events) {
    yield event
    const [kind, { _tokenizer: flow }] = event
    if (kind !== "enter" || !flow || seen.has(flow)) continue
    seen.add(flow)
    yield* allEvents(flow.events)
  }
}

/** Of the pieces of a text each knows the next. */
function* textTokens(events: Event[]): Generator<InlineText> {
  for (const [kind, token, context] of allEvents(events)) {
    if (kind !== "enter" || token.previous) continue
    if (token.contentType !== "text" && token.contentType !== "content") continue
    let text = ""
    for (let piece: Token | undefined = token; piece; piece = piece.next) text += context.sliceSerialize(piece)
    yield { text, line: token.start.line }
  }
}

/** Every text of a document, before anything in it is parsed. What is tokenized for that stays with the block. */
export function* textsOf({ blocks, shared }: Blocks): Generator<InlineText> {
  for (const block of blocks) {
    if (isOrdinary(block.text)) {
      for (const { text, line } of ordinaryTexts(block.text)) yield { text, line: block.line + line }
    } else {
      block.events ??= tokenize(shared, block)
      yield* textTokens(block.events)
    }
  }
}
