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
import { mergeData, resolveAttention, resolveStrikethrough } from "./delimiter-runs.ts"
import { letGo } from "./ended.ts"
import { restOf } from "./extensions/autolinks.ts"

// Counts what micromark 4.0.3 does while it does it. It has no place for that: a construct that never matches finds the
// parser at the first line, and puts each of its constructs into one that counts.

const KINDS = ["document", "flow", "flowInitial", "contentInitial", "text", "string"] as const
type Kind = (typeof KINDS)[number]

/** A parser that counts. */
interface Metered extends ParseContext {
  budget?: Budget
}

// Steps are about 0.1 µs each. Measured with bench/markdown: what a call costs beside one consumed character.
const ENTER = 4
const TRY = 6
/** An event that is kept is resolved, read and written afterwards. */
const EVENT = 12
/** A container's line copies the stack of the containers that it is in, and is tokenized on its own. */
const CONTAINER = 150
/** Of what is read back at a step's cost: a slice of text by 8 characters, a walk by 4 events. */
const SLICE = 1 / 8
const WALK = 1 / 4
/** Measured: to put 16,000 cells together takes as long as 11 million steps. */
const CELLS_SQUARED = 1 / 24

const budgetOf = (context: TokenizeContext): Budget | undefined => (context.parser as Metered).budget

/** `interrupt` gives constructs an object that inherits from the context. */
const contextOf = (context: TokenizeContext): TokenizeContext =>
  Object.hasOwn(context, "sliceStream") ? context : Object.getPrototypeOf(context)

/** Containers that the line under a tokenizer is in, by the tokenizer's effects; counted for all that are metered. */
const depths = new WeakMap<Effects, number>()

/** Of each tokenizer what its parent asks for once it has ended: its events. */
const endings = new WeakMap<TokenizeContext, TokenizeContext>()

/** Every step goes through a tokenizer's effects: one object, however many constructs share it. */
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
      budget.hold(events.length)
      if (fields?._tokenizer) fields._tokenizer = endings.get(fields._tokenizer) ?? fields._tokenizer
      const last = events.at(-1)
      // Adjacent data is one token at once: micromark merges it later, and moves all behind each time.
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
        throw new TooComplex(`It has more than ${MAX_CONTAINERS} nested quotes and lists.`, NEST_LESS)
      budgetOf(this)?.spend(CONTAINER + depth, "lines in quotes and lists")
      return ok(code)
    }
    return metered.call(this, effects, inner, nok)
  }
}

/** micromark reads a label back at each closing bracket. */
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

const ENDS_WALK = new Set<string>(["gfmFootnoteCall", "labelLink", "label", "image", "link"])

/** gfm-footnote walks back at each closing bracket in search of an image's label. */
const meterPotentialCall = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    if (!this.parser.gfmFootnotes?.length) return nok
    const { events } = this
    const start = events.findLastIndex(([, { type }]) => type === "labelImage" || ENDS_WALK.has(type))
    budgetOf(this)?.spend((events.length - start) * WALK, "brackets")
    return events[start]?.[1].type === "labelImage" ? construct.tokenize.call(this, effects, ok, nok) : nok
  },
})

/** Walks over all events of a span. */
const meterSpan = (construct: Construct): Construct => ({
  ...construct,
  resolve(events, context) {
    budgetOf(context)?.spend(events.length, "pieces of code or math")
    return construct.resolve?.(events, context) ?? events
  },
})

/** gfm-table looks at every edit of its cells for every other one. */
const meterTable = (construct: Construct): Construct => ({
  ...construct,
  resolveAll(events, context) {
    const cells = events.filter(([kind, { type }]) => kind === "enter" && type === "tableCellDivider").length
    budgetOf(context)?.spend(cells * cells * CELLS_SQUARED, "cells in tables")
    return construct.resolveAll?.(events, context) ?? events
  },
})

/** `<Script src="a" />`, a component of JSX; not `<script>`, whose block ends at its end tag. */
const RAW_COMPONENT = /^<(?:Script|Style|Textarea)[\s/>]/

const SPECIAL: Record<string, (construct: Construct) => Construct> = {
  attention: (construct) => ({ ...construct, resolveAll: resolveAttention }),
  codeText: meterSpan,
  gfmPotentialFootnoteCall: meterPotentialCall,
  htmlFlow: (construct) => ({
    ...construct,
    tokenize(effects, ok, nok) {
      return RAW_COMPONENT.test(restOf(this)) ? nok : construct.tokenize.call(this, effects, ok, nok)
    },
  }),
  labelEnd: meterLabelEnd,
  mathText: meterSpan,
  strikethrough: (construct) => ({ ...construct, resolveAll: resolveStrikethrough }),
  table: meterTable,
}

/** Once an isolate: extensions keep their constructs from one document to the next. */
const known = new Map(KINDS.map((kind) => [kind, new WeakMap<Construct, Construct>()]))

const meter = (construct: Construct, kind: Kind): Construct => {
  const before = known.get(kind)?.get(construct)
  if (before) return before
  const { name = "", continuation } = construct
  const special = SPECIAL[name]?.(construct) ?? construct
  const { tokenize } = special
  const metered = {
    ...special,
    tokenize: kind === "document" ? meterContainer(tokenize) : meterTokenize(tokenize, kind),
    ...(continuation && { continuation: { ...continuation, tokenize: meterContainer(continuation.tokenize) } }),
  }
  known.get(kind)?.set(construct, metered)
  return metered
}

/** Finds its strings in constant time: documents define thousands of labels. */
class Names extends Array<string> {
  readonly #known = new Set<string>()

  override includes(name: string): boolean {
    return this.#known.has(name)
  }

  override push(...names: string[]): number {
    for (const name of names) this.#known.add(name)
    return super.push(...names)
  }
}

/** Lines that go on with a paragraph of a quote: each looks back over all of them. */
const countLazy = (budget: Budget): ParseContext["lazy"] => {
  let run = 0
  return new Proxy<ParseContext["lazy"]>(
    {},
    {
      set(lines, line, isLazy) {
        run = isLazy ? run + 1 : 0
        budget.spend(run * WALK, "lines that go on with a quote")
        return Reflect.set(lines, line, isLazy)
      },
    },
  )
}

const TOKENIZERS = ["flow", "content", "text", "string"] as const

const meterParser = (parser: Metered, budget: Budget, self: Construct): void => {
  const { constructs } = parser
  for (const kind of KINDS)
    for (const [code, list = []] of Object.entries(constructs[kind]))
      constructs[kind][code] = [list].flat().map((construct) => (construct === self ? self : meter(construct, kind)))
  constructs.insideSpan = {
    null: (constructs.insideSpan.null ?? []).map((resolver) =>
      "name" in resolver ? meter(resolver as Construct, "text") : { resolveAll: mergeData },
    ),
  }
  for (const kind of TOKENIZERS) {
    const create = parser[kind]
    parser[kind] = (from) => {
      const context = create(from)
      const write = context.write.bind(context)
      const ending = { events: [] as Event[] } as TokenizeContext
      endings.set(context, ending)
      let chunks: Chunk[] = []
      context.write = (slice) => {
        // micromark adds what comes later to the first of them.
        if (chunks.length === 0) chunks = slice
        const events = write(slice)
        if (slice.at(-1) === null) {
          budget.spend(EVENT * events.length, "pieces of markup")
          budget.keep(events.length)
          letGo(events, context, parser, chunks)
          ending.events = events
        }
        return events
      }
      return context
    }
  }
  Object.assign(parser, { budget, defined: new Names(), gfmFootnotes: new Names(), lazy: countLazy(budget) })
}

const CODES = ["null", ...Array.from({ length: 128 }, (_, code) => `${code}`)]

/** An extension, the last of a parser (whose constructs are tried first), that counts its work on a document. @throws TooComplex where the budget ends */
export const metered = (budget: Budget): Extension => {
  const self: Construct = {
    partial: true,
    tokenize(effects, ok, nok) {
      const parser: Metered = this.parser
      if (parser.budget) return nok
      meterParser(parser, budget, self)
      meterEffects(effects, contextOf(this), budget, false)
      // What the first line tries was looked up before, and a container that begins there keeps its own continuation.
      return effects.attempt(parser.constructs.document, ok, nok)
    },
  }
  // For each character that a line may begin with: it has to stand before all that the parser tries there.
  return { document: Object.fromEntries(CODES.map((code) => [code, self])) }
}

/** micromark-util-edit-map 1.0.0 copies all events of a document for each edit; here only those behind the first one move. To be offered upstream. */
EditMap.prototype.consume = function (events) {
  const edits = this.map.toSorted(([a], [b]) => a - b)
  const [first] = edits
  if (!first) return
  const [start] = first
  const behind = events.splice(start)
  let at = 0
  for (const [index, removed, added] of edits) {
    for (const event of [...behind.slice(at, index - start), ...added]) events.push(event)
    at = index - start + removed
  }
  for (const event of behind.slice(at)) events.push(event)
  this.map.length = 0
  this.index.clear()
}
