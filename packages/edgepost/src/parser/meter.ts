import { markdownLineEnding } from "micromark-util-character"
import type {
  Code,
  Construct,
  Effects,
  Extension,
  ParseContext,
  State,
  Token,
  TokenizeContext,
  Tokenizer,
} from "micromark-util-types"

import { MAX_CONTAINERS } from "../limits.ts"
import { type Budget, NEST_LESS, TooComplex } from "./budget.ts"
import { detachFinished, standInOf, TOKENIZERS } from "./detach-events.ts"
import { continueData, fixEditMap, FIXES, fixSpanResolver, LabelList } from "./upstream-fixes.ts"

// Counts the work of micromark 4.0.3 while it parses, and stops it at a budget. The cost of a text is unknown before: a line of
// brackets may take as long as a thousand lines of prose. micromark has no hook for this, but lets an extension try a construct
// at the first line. When ours is tried, it wraps what micromark is about to call, so that each call spends
// steps of the budget:
//
//   effects     each character, token and attempt:        `*a*` is 3 characters, 6 tokens and some attempts
//   constructs  what one character makes micromark read again: `]` reads its label back, a table compares its cells
//   tokenizers  each event that is kept for the tree
//
// What is slow without need is replaced, not counted: see upstream-fixes.ts.

const KINDS = ["document", "flow", "flowInitial", "contentInitial", "text", "string"] as const
type Kind = (typeof KINDS)[number]

interface MeteredParser extends ParseContext {
  budget?: Budget
}

// Costs in steps of about 0.1 µs, which is what consuming one character takes. Measured with bench/markdown.
const ENTER = 4
const TRY = 6
/** A kept event is resolved, compiled and written afterwards. */
const EVENT = 12
/** Each line of a container copies the stack of containers, and has a tokenizer. */
const CONTAINER = 150
/** The cost of reading back one character of text. */
const SLICE = 1 / 8
/** The cost of walking back over one event. */
const WALK = 1 / 4
/** The cost of walking back over one line of a paragraph in a quote. */
const LAZY = 1
/** The cost of a table, by the square of its cells: assembling 16,000 cells takes as long as 11 million steps. */
const CELLS_SQUARED = 1 / 24

const budgetOf = (context: TokenizeContext): Budget | undefined => (context.parser as MeteredParser).budget

/** Returns a tokenizer's own context: `interrupt` calls constructs with an object that inherits from it. */
const contextOf = (context: TokenizeContext): TokenizeContext =>
  Object.hasOwn(context, "sliceStream") ? context : Object.getPrototypeOf(context)

/** The containers entered so far on the current line, by the effects of its tokenizer. Every metered tokenizer has an entry. */
const depths = new WeakMap<Effects, number>()

/** Counts the calls of a tokenizer's effects. All constructs of a tokenizer share this object. */
const meterEffects = (effects: Effects, context: TokenizeContext, budget: Budget, isText: boolean): void => {
  const { consume, enter, attempt, check, interrupt } = effects
  depths.set(effects, 0)
  const meterTry =
    (hook: Effects["attempt"]): Effects["attempt"] =>
    (constructs, ok, nok) => {
      budget.spend(TRY)
      return hook(constructs, ok, nok)
    }
  Object.assign(effects, {
    consume(code: Code) {
      if (markdownLineEnding(code)) depths.set(effects, 0)
      budget.spend(1)
      consume(code)
    },
    enter(type: Token["type"], fields?: Omit<Partial<Token>, "type">) {
      budget.spend(ENTER)
      const { events } = context
      budget.checkEvents(events.length)
      if (fields?._tokenizer) fields._tokenizer = standInOf(fields._tokenizer)
      return (isText && type === "data" && continueData(events, enter)) || enter(type, fields)
    },
    attempt: meterTry(attempt),
    check: meterTry(check),
    interrupt: meterTry(interrupt),
  })
}

const meterTokenize = (tokenize: Tokenizer, kind: Kind): Tokenizer =>
  function (effects, ok, nok) {
    const budget = budgetOf(this)
    if (budget && !depths.has(effects))
      meterEffects(effects, contextOf(this), budget, kind === "text" || kind === "string")
    budget?.spend(TRY)
    return tokenize.call(this, effects, ok, nok)
  }

const meterContainer = (tokenize: Tokenizer): Tokenizer => {
  const metered = meterTokenize(tokenize, "document")
  return function (effects, ok, nok) {
    const inner: State = (code) => {
      const depth = (depths.get(effects) ?? 0) + 1
      depths.set(effects, depth)
      if (depth > MAX_CONTAINERS)
        throw new TooComplex(`The text has more than ${MAX_CONTAINERS} nested quotes and lists.`, NEST_LESS)
      budgetOf(this)?.spend(CONTAINER + depth, "lines in nested quotes and lists")
      return ok(code)
    }
    return metered.call(this, effects, inner, nok)
  }
}

/** Charges for label ends: micromark reads the label back at each closing bracket. */
const meterLabelEnd = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    const start = this._labelStarts?.findLast(({ _balanced }) => !_balanced)
    if (start) budgetOf(this)?.spend((this.now().offset - start.end.offset) * SLICE, "brackets")
    return construct.tokenize.call(this, effects, ok, nok)
  },
  resolveTo(events, context) {
    const resolved = construct.resolveTo?.(events, context) ?? events
    const group = resolved.at(-1)?.[1]
    const start = resolved.findLastIndex(([kind, token]) => token === group && kind === "enter")
    budgetOf(context)?.spend(resolved.length - start, "links in brackets")
    return resolved
  },
})

const WALK_ENDS = new Set<string>(["gfmFootnoteCall", "labelLink", "label", "image", "link"])

/** Charges for gfm-footnote, which walks back at each closing bracket to find an image's label, and reads that label back. Walks first, and tries it only where it may match. */
const meterPotentialCall = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    if (!this.parser.gfmFootnotes?.length) return nok
    const { events } = this
    const start = events.findLastIndex(([, { type }]) => type === "labelImage" || WALK_ENDS.has(type))
    budgetOf(this)?.spend((events.length - start) * WALK, "brackets")
    const label = events[start]?.[1]
    if (label?.type !== "labelImage") return nok
    budgetOf(this)?.spend((this.now().offset - label.end.offset) * SLICE, "brackets")
    return construct.tokenize.call(this, effects, ok, nok)
  },
})

/** Charges for code and math spans, whose resolver walks over all of their events. */
const meterSpan = (construct: Construct): Construct => ({
  ...construct,
  resolve(events, context) {
    budgetOf(context)?.spend(events.length, "spans of inline code or math")
    return construct.resolve?.(events, context) ?? events
  },
})

/** Charges for gfm-table, which compares all edits of its cells with each other. */
const meterTable = (construct: Construct): Construct => ({
  ...construct,
  resolveAll(events, context) {
    const cells = events.filter(
      ([kind, { type }]) => kind === "enter" && (type as string) === "tableCellDivider",
    ).length
    budgetOf(context)?.spend(cells * cells * CELLS_SQUARED, "cells in tables")
    return construct.resolveAll?.(events, context) ?? events
  },
})

const SPECIAL: Record<string, (construct: Construct) => Construct> = {
  codeText: meterSpan,
  gfmPotentialFootnoteCall: meterPotentialCall,
  labelEnd: meterLabelEnd,
  mathText: meterSpan,
  table: meterTable,
}

/** Metered constructs by kind and original. They are made once: extensions keep their constructs between documents. */
const meteredConstructs = new Map(KINDS.map((kind) => [kind, new WeakMap<Construct, Construct>()]))

const meter = (construct: Construct, kind: Kind): Construct => {
  const before = meteredConstructs.get(kind)?.get(construct)
  if (before) return before
  const { name = "", continuation } = construct
  const special = { ...(SPECIAL[name]?.(construct) ?? construct), ...FIXES[name] }
  const { tokenize } = special
  const metered = {
    ...special,
    tokenize: kind === "document" ? meterContainer(tokenize) : meterTokenize(tokenize, kind),
    ...(continuation && { continuation: { ...continuation, tokenize: meterContainer(continuation.tokenize) } }),
  }
  meteredConstructs.get(kind)?.set(construct, metered)
  return metered
}

/** Charges for lazy continuation lines (CommonMark 5.1): each one looks back over the ones before it. */
const meterLazyLines = (budget: Budget): ParseContext["lazy"] => {
  let run = 0
  return new Proxy<ParseContext["lazy"]>(
    {},
    {
      set(lines, line, isLazy) {
        run = isLazy ? run + 1 : 0
        budget.spend(run * LAZY, "lines that continue a quote without >")
        return Reflect.set(lines, line, isLazy)
      },
    },
  )
}

const meterParser = (parser: MeteredParser, budget: Budget, self: Construct): void => {
  const { constructs } = parser
  for (const kind of KINDS)
    for (const [code, list = []] of Object.entries(constructs[kind]))
      constructs[kind][code] = [list].flat().map((construct) => (construct === self ? self : meter(construct, kind)))
  constructs.insideSpan = {
    null: (constructs.insideSpan.null ?? []).map((resolver) => {
      const fixed = fixSpanResolver(resolver)
      return "name" in fixed ? meter(fixed as Construct, "text") : fixed
    }),
  }
  fixEditMap()
  detachFinished(parser)
  for (const kind of TOKENIZERS) {
    const create = parser[kind]
    parser[kind] = (from) => {
      const context = create(from)
      const write = context.write.bind(context)
      context.write = (chunks) => {
        try {
          const events = write(chunks)
          if (chunks.at(-1) === null) {
            budget.spend(EVENT * events.length, "elements of markup")
            budget.spendEvents(events.length)
          }
          return events
        } catch (error) {
          if (error instanceof TooComplex) error.line ??= context.now().line
          throw error
        }
      }
      return context
    }
  }
  Object.assign(parser, {
    budget,
    defined: new LabelList(),
    gfmFootnotes: new LabelList(),
    lazy: meterLazyLines(budget),
  })
}

/** Keys of `constructs`: the characters with constructs of their own; `null` stands for all others. */
const CODES = ["null", ...Array.from({ length: 128 }, (_, code) => `${code}`)]

/**
 * Makes a micromark extension that counts the work of parsing one document; above `budget`, micromark throws TooComplex.
 * micromark tries the constructs of later extensions first, so this must be the last one.
 */
export const meteringExtension = (budget: Budget): Extension => {
  const self: Construct = {
    partial: true,
    tokenize(effects, ok, nok) {
      const parser: MeteredParser = this.parser
      if (parser.budget) return nok
      meterParser(parser, budget, self)
      meterEffects(effects, contextOf(this), budget, false)
      // The constructs of the first line were looked up before they were wrapped, so it tries the wrapped ones here.
      return effects.attempt(parser.constructs.document, ok, nok)
    },
  }
  return { document: Object.fromEntries(CODES.map((code) => [code, self])) }
}
