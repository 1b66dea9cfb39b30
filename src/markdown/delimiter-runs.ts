import { resolveAll } from "micromark-util-resolve-all"
import type { Event, Point, Resolver, Token, TokenizeContext } from "micromark-util-types"

import type { Budget } from "./budget.ts"

// Pairs delimiter runs in linear time, with the events that micromark-core-commonmark 2 and
// micromark-extension-gfm-strikethrough 2 make, which compare each closing run with all before it. To be offered upstream.

type Events = Event[]

/** In place: micromark keeps the array that a tokenizer had before it was resolved. */
const replaceAll = (events: Events, by: Events): Events => {
  events.length = by.length
  for (const [i, event] of by.entries()) events[i] = event
  return events
}

/** Adjacent data as one: micromark does the same, and moves all events behind each time. */
export const mergeData: Resolver = (events) => {
  const merged: Events = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event[1].type === "data" && last?.[0] === "exit" && last[1].type === "data") last[1].end = event[1].end
    else merged.push(event)
  }
  return replaceAll(events, merged)
}

const lengthOf = ({ start, end }: Token): number => end.offset - start.offset

const moved = (point: Point, by: number): Point => ({
  ...point,
  column: point.column + by,
  offset: point.offset + by,
  _bufferIndex: point._bufferIndex + by,
})

const both = (token: Token, context: TokenizeContext): Events => [
  ["enter", token, context],
  ["exit", token, context],
]

interface Pair {
  group: Token
  opening: Token
  closing: Token
  text: Token
}

interface Rules {
  type: Token["type"]
  /** A number for each kind of closing run: those of a kind fit the same opening ones. */
  kindOf: (closer: Token, context: TokenizeContext) => number
  fits: (opener: Token, closer: Token, context: TokenizeContext) => boolean
  /** Takes what it uses off both. */
  pair: (opener: Token, closer: Token) => Pair
}

/** Openers on a stack, and for each kind of closer how far down none fits (CommonMark's appendix, `openers_bottom`). */
const resolveRuns =
  ({ type, kindOf, fits, pair }: Rules): Resolver =>
  (events, context) => {
    if (!events.some(([, token]) => token.type === type)) return events
    const { budget } = context.parser as unknown as { budget?: Budget }
    const insideSpan = context.parser.constructs.insideSpan.null ?? []
    const out: Events = []
    const openers: { token: Token; index: number }[] = []
    const bottoms: number[] = []

    const find = (closer: Token): number => {
      const kind = kindOf(closer, context)
      const bottom = bottoms[kind] ?? 0
      for (let at = openers.length - 1; at >= bottom; at--) {
        const opener = openers[at]
        if (opener && fits(opener.token, closer, context)) return at
      }
      bottoms[kind] = openers.length
      return -1
    }

    /** @returns whether anything is left of the closer */
    const close = (at: number, closer: Token): boolean => {
      const { token: opener, index } = openers[at] as (typeof openers)[number]
      budget?.spend(2 * (out.length - index), "nested markers of emphasis")
      const inside = resolveAll(insideSpan, out.slice(index + 1), context)
      const { group, opening, closing, text } = pair(opener, closer)
      const isUsedUp = opening === opener || lengthOf(opener) === 0
      out.length = isUsedUp ? index - 1 : index + 1
      openers.length = isUsedUp ? at : at + 1
      // micromark applies the rule of three to what is left of a run: an opener that is shorter now may fit what it did not.
      for (const kind of bottoms.keys()) bottoms[kind] = Math.min(bottoms[kind] ?? 0, at)
      out.push(["enter", group, context], ...both(opening, context), ["enter", text, context])
      for (const event of inside) out.push(event)
      out.push(["exit", text, context], ...both(closing, context), ["exit", group, context])
      return closing !== closer && lengthOf(closer) > 0
    }

    for (const [i, event] of events.entries()) {
      const [kind, token] = event
      if (token.type !== type) out.push(event)
      if (token.type !== type || kind === "exit") continue
      let isLeft = true
      while (isLeft && token._close) {
        const at = find(token)
        if (at < 0) break
        isLeft = close(at, token)
      }
      const exit = events[i + 1]
      if (!isLeft || !exit) continue
      out.push(event, exit)
      if (token._open) openers.push({ token, index: out.length - 1 })
    }
    for (const [, token] of out) if (token.type === type) token.type = "data"
    return replaceAll(events, out)
  }

const ASTERISK = "*"

const markerOf = (token: Token, context: TokenizeContext): string => context.sliceSerialize(token).charAt(0)

/** Emphasis and strong emphasis. */
export const resolveAttention = resolveRuns({
  type: "attentionSequence",
  kindOf: (closer, context) =>
    (lengthOf(closer) % 3) + (closer._open ? 3 : 0) + (markerOf(closer, context) === ASTERISK ? 6 : 0),
  fits: (opener, closer, context) =>
    markerOf(opener, context) === markerOf(closer, context) &&
    !((opener._close || closer._open) && lengthOf(closer) % 3 !== 0 && (lengthOf(opener) + lengthOf(closer)) % 3 === 0),
  pair(opener, closer) {
    const use = lengthOf(opener) > 1 && lengthOf(closer) > 1 ? 2 : 1
    const name = use > 1 ? "strong" : "emphasis"
    const [start, end] = [moved(opener.end, -use), moved(closer.start, use)]
    const opening: Token = { type: `${name}Sequence`, start, end: { ...opener.end } }
    const closing: Token = { type: `${name}Sequence`, start: { ...closer.start }, end }
    const text: Token = { type: `${name}Text`, start: { ...opener.end }, end: { ...closer.start } }
    const group: Token = { type: name, start: { ...start }, end: { ...end } }
    opener.end = { ...start }
    closer.start = { ...end }
    return { group, opening, closing, text }
  },
})

export const resolveStrikethrough = resolveRuns({
  type: "strikethroughSequenceTemporary",
  kindOf: lengthOf,
  fits: (opener, closer) => lengthOf(opener) === lengthOf(closer),
  pair(opener, closer) {
    opener.type = "strikethroughSequence"
    closer.type = "strikethroughSequence"
    const group: Token = { type: "strikethrough", start: { ...opener.start }, end: { ...closer.end } }
    const text: Token = { type: "strikethroughText", start: { ...opener.end }, end: { ...closer.start } }
    return { group, opening: opener, closing: closer, text }
  },
})
