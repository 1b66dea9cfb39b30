import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal"
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types"

// Addresses that nobody marked as links: GFM's, but that they end before CJK punctuation and full-width characters.

/** How addresses begin. */
const BEGINNINGS: Record<string, RegExp> = {
  emailAutolink: /^[\w.+-]+@/,
  wwwAutolink: /^www\./i,
  protocolAutolink: /^https?:/i,
}

/** What is left of the chunk that is tokenized: of a line, at most. */
export const restOf = (context: TokenizeContext): string => {
  const start = context.now()
  const [rest] = context.sliceStream({ start, end: { ...start, _index: start._index + 1, _bufferIndex: -1 } })
  return typeof rest === "string" ? rest : ""
}

/** Whether a bracket is open: closing ones look at the same stack, and drop from it what is closed. */
const isInLabel = ({ _labelStarts: starts = [] }: TokenizeContext): boolean => {
  while (starts.at(-1)?._balanced) starts.pop()
  return starts.length > 0
}

/** Elsewhere it would cut the text, and read back over all of it in search of an open bracket. Asked first is what looks at one character. */
const mayBegin = (construct: Construct, context: TokenizeContext, previous: Code): boolean =>
  construct.previous?.call(context, previous) !== false &&
  !isInLabel(context) &&
  (BEGINNINGS[construct.name ?? ""]?.test(restOf(context)) ?? true)

const isCjkEnd = (code: Code): boolean =>
  code !== null && ((code >= 0x30_00 && code <= 0x30_3f) || (code >= 0xff_01 && code <= 0xff_ef))

const endingHook =
  (hook: Effects["attempt"]): Effects["attempt"] =>
  (constructs, ok, nok) =>
    hook("tokenize" in constructs ? endingConstruct(constructs as Construct) : constructs, ok, nok)

/** A construct that is told of the end of the text where CJK punctuation is; what comes after it sees the text as it is. */
const endingConstruct = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    let after: State | undefined
    const leave =
      (state: State): State =>
      (code) => {
        after = state(code) as State
        return after
      }
    const run = (state: State): State => {
      const inner: State = (code) => {
        const next = state(isCjkEnd(code) ? null : code)
        return typeof next !== "function" || next === after ? next : run(next)
      }
      return inner
    }
    const { attempt, check } = effects
    const inner: Effects = { ...effects, attempt: endingHook(attempt), check: endingHook(check) }
    return run(construct.tokenize.call(this, inner, leave(ok), leave(nok)))
  },
})

const literal = (construct: Construct): Construct => {
  const { tokenize } = endingConstruct(construct)
  return {
    ...construct,
    previous(code) {
      return mayBegin(construct, this, code)
    },
    // Another construct of the same character may have cut the text, whatever comes before.
    tokenize(effects, ok, nok) {
      return mayBegin(construct, this, this.previous) ? tokenize.call(this, effects, ok, nok) : nok
    },
  }
}

const only = (names: string[]): Extension => ({
  text: Object.fromEntries(
    Object.entries(gfmAutolinkLiteral().text ?? {}).flatMap(([code, constructs = []]) => {
      const found = [constructs].flat().filter(({ name = "" }) => names.includes(name))
      return found.length > 0 ? [[code, found.map(literal)]] : []
    }),
  ),
})

/** Addresses of mail and XMPP, for micromark. */
export const emailAutolinks = (): Extension => only(["emailAutolink"])

/** Addresses that begin with `www.`, `http:` or `https:`, for micromark. */
export const urlAutolinks = (): Extension => only(["wwwAutolink", "protocolAutolink"])
