import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal"
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types"

// GFM's literal autolinks, with one difference: they end before CJK punctuation, full-width characters, “ and ”.

/** The starts of addresses, by construct. */
const STARTS: Record<string, RegExp> = {
  // Matches `ann@`. Does not match `@ann`.
  emailAutolink: /^[\w.+-]+@/,
  // Matches `www.`. Does not match `ww.`.
  wwwAutolink: /^www\./i,
  // Matches `http:` and `https:`. Does not match `ftp:`.
  protocolAutolink: /^https?:/i,
}

/** Returns the text from the current position to the end of its chunk, which is at most a line. A line ending or tab gives "". */
export const restOfChunk = (context: TokenizeContext): string => {
  const start = context.now()
  const [rest] = context.sliceStream({ start, end: { ...start, _index: start._index + 1, _bufferIndex: -1 } })
  return typeof rest === "string" ? rest : ""
}

/** Tells whether a bracket is open. Drops closed brackets from the stack, as the construct of closing brackets does. */
const isInLabel = ({ _labelStarts: starts = [] }: TokenizeContext): boolean => {
  while (starts.at(-1)?._balanced) starts.pop()
  return starts.length > 0
}

/** Tells whether a construct may start here. Trying it elsewhere would split the text, and walk back over all events. */
const mayStart = (construct: Construct, context: TokenizeContext, previous: Code): boolean =>
  construct.previous?.call(context, previous) !== false &&
  !isInLabel(context) &&
  (STARTS[construct.name ?? ""]?.test(restOfChunk(context)) ?? true)

/** Matches the characters that end an address: “, ”, CJK punctuation, full-width characters. Does not match `"` or `请`. */
const END = /[“”\u3000-\u303F\uFF01-\uFFEF]/

/** The last character that is tested for nothing: a test takes longer than a step. */
const ASCII = 0x7f

const endingHook =
  (hook: Effects["attempt"]): Effects["attempt"] =>
  (constructs, ok, nok) =>
    hook("tokenize" in constructs ? endingConstruct(constructs as Construct) : constructs, ok, nok)

/** Makes a construct see the end of the text at a character that ends addresses. */
const endingConstruct = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    /** The state after the construct, which sees the text unchanged. */
    let outerState: State | undefined
    const leaveTo =
      (state: State): State =>
      (code) => {
        outerState = state(code) as State
        return outerState
      }
    const hideEnd = (state: State): State => {
      const inner: State = (code) => {
        const next = state(code !== null && code > ASCII && END.test(String.fromCharCode(code)) ? null : code)
        return typeof next !== "function" || next === outerState ? next : hideEnd(next)
      }
      return inner
    }
    const { attempt, check } = effects
    const inner: Effects = { ...effects, attempt: endingHook(attempt), check: endingHook(check) }
    return hideEnd(construct.tokenize.call(this, inner, leaveTo(ok), leaveTo(nok)))
  },
})

const literal = (construct: Construct): Construct => {
  const { tokenize } = endingConstruct(construct)
  return {
    ...construct,
    previous(code) {
      return mayStart(construct, this, code)
    },
    // micromark does not check `previous` again if another construct of the same character has split the text.
    tokenize(effects, ok, nok) {
      return mayStart(construct, this, this.previous) ? tokenize.call(this, effects, ok, nok) : nok
    },
  }
}

const pick = (names: string[]): Extension => ({
  text: Object.fromEntries(
    Object.entries(gfmAutolinkLiteral().text ?? {}).flatMap(([code, constructs = []]) => {
      const found = [constructs].flat().filter(({ name = "" }) => names.includes(name))
      return found.length > 0 ? [[code, found.map(literal)]] : []
    }),
  ),
})

/** Makes a micromark extension that makes links of bare email addresses (GFM). Of `xmpp:a@b.c`, it links only `a@b.c`. */
export const emailAutolinks = (): Extension => pick(["emailAutolink"])

/** Makes a micromark extension that makes links of bare addresses that start with `www.`, `http:` or `https:` (GFM). */
export const urlAutolinks = (): Extension => pick(["wwwAutolink", "protocolAutolink"])
