import { EditMap } from "micromark-util-edit-map"
import type {
  Chunk,
  Code,
  Construct,
  Effects,
  Event,
  Extension,
  ParseContext,
  State,
  Token,
  TokenizeContext,
  Tokenizer,
} from "micromark-util-types"

import { MAX_CONTAINERS } from "../limits.ts"
import { type Budget, NEST_LESS, TooComplex } from "./budget.ts"
import { mergeAdjacentData, resolveAttention, resolveStrikethrough } from "./delimiter-runs.ts"
import { detachEvents } from "./detach-events.ts"
import { restOfChunk } from "./extensions/autolinks.ts"

// Counts the work of micromark 4.0.3 while it parses. micromark has no hook for this. So a construct that never matches
// is called at the first line, and wraps each construct and tokenizer of the parser.

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
/** The cost of a table, by the square of its cells: assembling 16,000 cells takes as long as 11 million steps. */
const CELLS_SQUARED = 1 / 24

const budgetOf = (context: TokenizeContext): Budget | undefined => (context.parser as MeteredParser).budget

/** Returns the context itself: `interrupt` calls constructs with an object that inherits from it. */
const contextOf = (context: TokenizeContext): TokenizeContext =>
  Object.hasOwn(context, "sliceStream") ? context : Object.getPrototypeOf(context)

/** The number of containers around the current line, by the effects of its tokenizer. Every metered tokenizer has an entry. */
const depths = new WeakMap<Effects, number>()

/** Stands in for each tokenizer after it has finished: its parent only needs its events. */
const finished = new WeakMap<TokenizeContext, TokenizeContext>()

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
      if (code !== null && code < -2) depths.set(effects, 0)
      budget.spend(1)
      consume(code)
    },
    enter(type: Token["type"], fields?: Omit<Partial<Token>, "type">) {
      budget.spend(ENTER)
      const { events } = context
      budget.checkEvents(events.length)
      if (fields?._tokenizer) fields._tokenizer = finished.get(fields._tokenizer) ?? fields._tokenizer
      const last = events.at(-1)
      // Merges adjacent data at once. micromark merges it later, and moves all later events for each merge.
      if (isText && type === "data" && last?.[0] === "exit" && last[1].type === "data") {
        const { start } = last[1]
        events.length -= 2
        const token = enter("data", last[1])
        token.start = start
        return token
      }
      return enter(type, fields)
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
    const start = this._labelStarts?.at(-1)
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

/** Charges for gfm-footnote, which walks back at each closing bracket to find an image's label. */
const meterPotentialCall = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    if (!this.parser.gfmFootnotes?.length) return nok
    const { events } = this
    const start = events.findLastIndex(([, { type }]) => type === "labelImage" || WALK_ENDS.has(type))
    budgetOf(this)?.spend((events.length - start) * WALK, "brackets")
    return events[start]?.[1].type === "labelImage" ? construct.tokenize.call(this, effects, ok, nok) : nok
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
    const cells = events.filter(([kind, { type }]) => kind === "enter" && type === "tableCellDivider").length
    budgetOf(context)?.spend(cells * cells * CELLS_SQUARED, "cells in tables")
    return construct.resolveAll?.(events, context) ?? events
  },
})

/** Matches `<Script src="a" />`, a JSX component. Does not match `<script>`, whose block ends at its end tag. */
const JSX_COMPONENT = /^<(?:Script|Style|Textarea)[\s/>]/

const SPECIAL: Record<string, (construct: Construct) => Construct> = {
  attention: (construct) => ({ ...construct, resolveAll: resolveAttention }),
  codeText: meterSpan,
  gfmPotentialFootnoteCall: meterPotentialCall,
  htmlFlow: (construct) => ({
    ...construct,
    tokenize(effects, ok, nok) {
      return JSX_COMPONENT.test(restOfChunk(this)) ? nok : construct.tokenize.call(this, effects, ok, nok)
    },
  }),
  labelEnd: meterLabelEnd,
  mathText: meterSpan,
  strikethrough: (construct) => ({ ...construct, resolveAll: resolveStrikethrough }),
  table: meterTable,
}

/** Metered constructs by kind and original. They are made once: extensions keep their constructs between documents. */
const meteredConstructs = new Map(KINDS.map((kind) => [kind, new WeakMap<Construct, Construct>()]))

const meter = (construct: Construct, kind: Kind): Construct => {
  const before = meteredConstructs.get(kind)?.get(construct)
  if (before) return before
  const { name = "", continuation } = construct
  const special = SPECIAL[name]?.(construct) ?? construct
  const { tokenize } = special
  const metered = {
    ...special,
    tokenize: kind === "document" ? meterContainer(tokenize) : meterTokenize(tokenize, kind),
    ...(continuation && { continuation: { ...continuation, tokenize: meterContainer(continuation.tokenize) } }),
  }
  meteredConstructs.get(kind)?.set(construct, metered)
  return metered
}

/** An array of labels with `includes` in constant time: documents define thousands of labels. */
class Labels extends Array<string> {
  readonly #set = new Set<string>()

  override includes(label: string): boolean {
    return this.#set.has(label)
  }

  override push(...labels: string[]): number {
    for (const label of labels) this.#set.add(label)
    return super.push(...labels)
  }
}

/** Charges for lazy continuation lines (CommonMark 5.1): each one looks back over the ones before it. */
const meterLazyLines = (budget: Budget): ParseContext["lazy"] => {
  let run = 0
  return new Proxy<ParseContext["lazy"]>(
    {},
    {
      set(lines, line, isLazy) {
        run = isLazy ? run + 1 : 0
        budget.spend(run * WALK, "lines that continue a quote without >")
        return Reflect.set(lines, line, isLazy)
      },
    },
  )
}

const TOKENIZERS = ["flow", "content", "text", "string"] as const

const meterParser = (parser: MeteredParser, budget: Budget, self: Construct): void => {
  const { constructs } = parser
  for (const kind of KINDS)
    for (const [code, list = []] of Object.entries(constructs[kind]))
      constructs[kind][code] = [list].flat().map((construct) => (construct === self ? self : meter(construct, kind)))
  constructs.insideSpan = {
    null: (constructs.insideSpan.null ?? []).map((resolver) =>
      "name" in resolver ? meter(resolver as Construct, "text") : { resolveAll: mergeAdjacentData },
    ),
  }
  for (const kind of TOKENIZERS) {
    const create = parser[kind]
    parser[kind] = (from) => {
      const context = create(from)
      const write = context.write.bind(context)
      const result = { events: [] as Event[] } as TokenizeContext
      finished.set(context, result)
      let chunks: Chunk[] = []
      context.write = (slice) => {
        // micromark appends later chunks to the first array.
        if (chunks.length === 0) chunks = slice
        const events = write(slice)
        if (slice.at(-1) === null) {
          budget.spend(EVENT * events.length, "elements of markup")
          budget.spendEvents(events.length)
          detachEvents(events, context, parser, chunks)
          result.events = events
        }
        return events
      }
      return context
    }
  }
  Object.assign(parser, { budget, defined: new Labels(), gfmFootnotes: new Labels(), lazy: meterLazyLines(budget) })
}

/** The characters that a line may start with, as keys of `constructs`. */
const CODES = ["null", ...Array.from({ length: 128 }, (_, code) => `${code}`)]

/**
 * Makes a micromark extension that counts the work of parsing one document; above `budget`, micromark throws TooComplex.
 * It must be the last extension, because its construct must be tried first.
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

/** Applies edits in linear time: micromark-util-edit-map 1.0.0 copies all events of a document for each edit. To be offered upstream. */
EditMap.prototype.consume = function (events) {
  const edits = this.map.toSorted(([a], [b]) => a - b)
  const [first] = edits
  if (!first) return
  const [start] = first
  const rest = events.splice(start)
  let at = 0
  for (const [index, removed, added] of edits) {
    for (const event of [...rest.slice(at, index - start), ...added]) events.push(event)
    at = index - start + removed
  }
  for (const event of rest.slice(at)) events.push(event)
  this.map.length = 0
  this.index.clear()
}
