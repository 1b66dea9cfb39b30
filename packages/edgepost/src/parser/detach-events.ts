import type { Chunk, Event, ParseContext, Token, TokenizeContext } from "micromark-util-types"

// Saves memory: each event refers to its tokenizer, which takes 3 KB, and a list of 10,000 items has 30,000 tokenizers.
// The events of a finished tokenizer only need the text that it has read.

const slice = (chunks: Chunk[], { start, end }: Token): Chunk[] => {
  const part = chunks.slice(start._index, end._index + 1)
  const { length } = part
  // `_bufferIndex` is -1 in chunks that are numbers: line endings and tabs.
  return part.flatMap((chunk, i): Chunk[] => {
    const to = i < length - 1 ? undefined : Math.max(end._bufferIndex, 0)
    if (typeof chunk !== "string") return to === undefined ? [chunk] : []
    const text = chunk.slice(i === 0 ? Math.max(start._bufferIndex, 0) : 0, to)
    return text === "" ? [] : [text]
  })
}

const LINE_ENDINGS: Record<number, string> = { [-5]: "\r", [-4]: "\n", [-3]: "\r\n" }

/** Writes chunks as text, like micromark. A tab is -2, followed by -1 for each further column that it fills. */
const serialize = (chunks: Chunk[], expandTabs = false): string => {
  let text = ""
  let isInTab = false
  for (const chunk of chunks) {
    if (chunk === -1) text += isInTab && !expandTabs ? "" : " "
    else if (chunk === -2) text += expandTabs ? " " : "\t"
    else if (typeof chunk === "string") text += chunk
    else if (chunk !== null) text += LINE_ENDINGS[chunk] ?? String.fromCodePoint(chunk)
    isInTab = chunk === -2 || (isInTab && chunk === -1)
  }
  return text
}

/** By tokenizer, what its parent keeps instead of it: an object with its events alone, from when it has finished. */
const standIns = new WeakMap<TokenizeContext, TokenizeContext>()

/** Returns the stand-in of a tokenizer, which only has its events. */
export const standInOf = (tokenizer: TokenizeContext): TokenizeContext => standIns.get(tokenizer) ?? tokenizer

/** The tokenizers that are made for parts of a document. */
export const TOKENIZERS = ["flow", "content", "text", "string"] as const

/** Frees memory: replaces each finished tokenizer of a parser, in its events, by a small reader of the text that it has read. */
export const detachFinished = (parser: ParseContext): void => {
  for (const kind of TOKENIZERS) {
    const create = parser[kind]
    parser[kind] = (from) => {
      const context = create(from)
      const write = context.write.bind(context)
      const standIn = { events: [] as Event[] } as TokenizeContext
      standIns.set(context, standIn)
      let chunks: Chunk[] = []
      const reader = {
        parser,
        sliceStream: (token: Token) => slice(chunks, token),
        sliceSerialize: (token: Token, expandTabs?: boolean) => serialize(slice(chunks, token), expandTabs),
      } as TokenizeContext
      context.write = (added) => {
        // micromark appends later chunks to the first array.
        if (chunks.length === 0) chunks = added
        const events = write(added)
        if (added.at(-1) !== null) return events
        for (const event of events) if (event[2] === context) event[2] = reader
        standIn.events = events
        return events
      }
      return context
    }
  }
}
