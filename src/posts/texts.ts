import type { Event, Token, TokenizeContext } from "micromark-util-types"

import { type Blocks, tokenize } from "./blocks.ts"
import { isOrdinary, splitParagraphs } from "./paragraphs.ts"

/** Text that is parsed for what is inside it: of a paragraph, a heading or a cell. */
interface InlineText {
  text: string
  /** From 1. */
  line: number
}

/** Text tokens of events, those of containers' flow too. Of the pieces of a text each knows the next. */
function* textTokens(events: Event[]): Generator<InlineText> {
  const seen = new Set<TokenizeContext>()
  for (const [kind, token, context] of events) {
    if (kind !== "enter") continue
    if (token._tokenizer && !seen.has(token._tokenizer)) {
      seen.add(token._tokenizer)
      yield* textTokens(token._tokenizer.events)
    }
    if ((token.contentType !== "text" && token.contentType !== "content") || token.previous) continue
    let text = ""
    for (let piece: Token | undefined = token; piece; piece = piece.next) text += context.sliceSerialize(piece)
    yield { text, line: token.start.line }
  }
}

/** Every text of a document, before anything in it is parsed. What is tokenized for that stays with the block. */
export function* textsOf({ blocks, shared }: Blocks): Generator<InlineText> {
  for (const block of blocks) {
    if (isOrdinary(block.text)) {
      for (const { text, line } of splitParagraphs(block.text)) yield { text, line: block.line + line }
    } else {
      block.events ??= tokenize(shared, block)
      yield* textTokens(block.events)
    }
  }
}
