import { resolveAll } from "micromark-util-resolve-all"
import type { Event, Point, Resolver, Token, TokenizeContext } from "micromark-util-types"

import type { Budget } from "./budget.ts"

// Pairs delimiter runs, such as `**`, with the same events as micromark-core-commonmark 2 and
// micromark-extension-gfm-strikethrough 2, which compare each closing run with all earlier ones. Here each run is looked at once
// or twice, as in the algorithm of CommonMark's appendix: openers wait on a stack, a closer takes the last one that fits.
//
//   **a *b* c**     stack: **        at `a`
//                   stack: ** *      at `b`
//                   stack: **        the second `*` takes the first: emphasis around `b`
//                   stack: empty     the second `**` takes the first: strong around all
//
// A closer that finds no opener leaves a mark (`bottoms`): closers of its kind need not look below it again.

type Events = Event[]

/** Replaces events in place, because micromark keeps the array of a tokenizer. */
const replaceAll = (events: Events, replacements: Events): Events => {
  events.length = replacements.length
  for (const [i, event] of replacements.entries()) events[i] = event
  return events
}

/** Merges adjacent data tokens. micromark does the same, but moves all later events for each merge. */
export const mergeAdjacentData: Resolver = (events) => {
  const merged: Events = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event[1].type === "data" && last?.[0] === "exit" && last[1].type === "data") last[1].end = event[1].end
    else merged.push(event)
  }
  return replaceAll(events, merged)
}

const lengthOf = ({ start, end }: Token): number => end.offset - start.offset

const movePoint = (point: Point, by: number): Point => ({
  ...point,
  column: point.column + by,
  offset: point.offset + by,
  _bufferIndex: point._bufferIndex + by,
})

const enterAndExit = (token: Token, context: TokenizeContext): Events => [
  ["enter", token, context],
  ["exit", token, context],
]

/** The tokens of emphasis, strong emphasis or strikethrough. */
interface Pair {
  group: Token
  opening: Token
  closing: Token
  text: Token
}

interface Rules {
  type: Token["type"]
  /** Numbers the kind of a closing run. Runs of one kind fit the same opening runs. */
  kindOf: (closer: Token, context: TokenizeContext) => number
  fits: (opener: Token, closer: Token, context: TokenizeContext) => boolean
  /** Makes a pair, and shortens both runs by the characters that it uses. */
  pair: (opener: Token, closer: Token) => Pair
}

/** Makes a resolver that pairs the runs of one type of token. */
const resolveRuns =
  ({ type, kindOf, fits, pair }: Rules): Resolver =>
  (events, context) => {
    if (!events.some(([, token]) => token.type === type)) return events
    const { budget } = context.parser as unknown as { budget?: Budget }
    const insideSpan = context.parser.constructs.insideSpan.null ?? []
    const out: Events = []
    const openers: { token: Token; index: number }[] = []
    const bottoms: number[] = []

    const findOpener = (closer: Token): number => {
      const kind = kindOf(closer, context)
      const bottom = bottoms[kind] ?? 0
      for (let at = openers.length - 1; at >= bottom; at--) {
        const opener = openers[at]
        if (opener && fits(opener.token, closer, context)) return at
      }
      bottoms[kind] = openers.length
      return -1
    }

    /** Pairs a closer with an opener. Returns whether characters of the closer are left. */
    const close = (at: number, closer: Token): boolean => {
      const { token: opener, index } = openers[at] as (typeof openers)[number]
      budget?.spend(2 * (out.length - index), "nested emphasis markers")
      const inside = resolveAll(insideSpan, out.slice(index + 1), context)
      const { group, opening, closing, text } = pair(opener, closer)
      const isUsedUp = opening === opener || lengthOf(opener) === 0
      out.length = isUsedUp ? index - 1 : index + 1
      openers.length = isUsedUp ? at : at + 1
      // micromark applies the rule of three to the rest of a run, so a shortened opener may fit closers that it did not fit before.
      for (const kind of bottoms.keys()) bottoms[kind] = Math.min(bottoms[kind] ?? 0, at)
      out.push(["enter", group, context], ...enterAndExit(opening, context), ["enter", text, context])
      for (const event of inside) out.push(event)
      out.push(["exit", text, context], ...enterAndExit(closing, context), ["exit", group, context])
      return closing !== closer && lengthOf(closer) > 0
    }

    for (const [i, event] of events.entries()) {
      const [kind, token] = event
      if (token.type !== type) out.push(event)
      if (token.type !== type || kind === "exit") continue
      let hasRest = true
      while (hasRest && token._close) {
        const at = findOpener(token)
        if (at < 0) break
        hasRest = close(at, token)
      }
      const exit = events[i + 1]
      if (!hasRest || !exit) continue
      out.push(event, exit)
      if (token._open) openers.push({ token, index: out.length - 1 })
    }
    for (const [, token] of out) if (token.type === type) token.type = "data"
    return replaceAll(events, out)
  }

const ASTERISK = "*"

const markerOf = (token: Token, context: TokenizeContext): string => context.sliceSerialize(token).charAt(0)

/** Pairs the runs of emphasis and strong emphasis: `*` and `_`. */
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
    const [start, end] = [movePoint(opener.end, -use), movePoint(closer.start, use)]
    const opening: Token = { type: `${name}Sequence`, start, end: { ...opener.end } }
    const closing: Token = { type: `${name}Sequence`, start: { ...closer.start }, end }
    const text: Token = { type: `${name}Text`, start: { ...opener.end }, end: { ...closer.start } }
    const group: Token = { type: name, start: { ...start }, end: { ...end } }
    opener.end = { ...start }
    closer.start = { ...end }
    return { group, opening, closing, text }
  },
})

/** Pairs the runs of strikethrough: `~~`. */
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
