// Finds the small faults that could be put into source text, as mutation testing does, and draws some of them.
import { type Expression, parseSync, type Statement, Visitor } from "oxc-parser"

import { randomFrom } from "../test/random.ts"

/** A small fault, recognizable in another version of the source text. */
export interface Mutation {
  file: string
  kind: "comparison" | "condition" | "check" | "number" | "await" | "call"
  /** The line that the mutation is in, or begins in, without the white space around it. */
  line: string
  /** The offset in `line` of what is replaced. */
  column: number
  was: string
  now: string
}

/** A mutation in one version of the source text. */
export interface Place extends Mutation {
  /** Offset in the file. */
  start: number
  /** Line number. */
  at: number
}

const FLIPPED: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
}
/** Methods that can be left out of a chain. */
const LINKS = new Set(["filter", "toLowerCase", "toReversed", "toSorted", "trim"])

const isExit = (statement: Statement | undefined): boolean =>
  statement?.type === "BlockStatement"
    ? statement.body.length === 1 && isExit(statement.body[0])
    : statement?.type === "ThrowStatement" || statement?.type === "ReturnStatement"

/** Lists the mutations that could be put into a file, by their positions. */
export const mutationsIn = (file: string, source: string): Place[] => {
  const mutations: Place[] = []
  const add = (kind: Mutation["kind"], start: number, end: number, now: string): void => {
    const lineStart = source.lastIndexOf("\n", start - 1) + 1
    const line = source.slice(lineStart).split("\n", 1)[0] ?? ""
    const column = start - lineStart - (line.length - line.trimStart().length)
    const at = source.slice(0, start).split("\n").length
    mutations.push({ file, kind, line: line.trim(), column, was: source.slice(start, end), now, start, at })
  }
  const flip = (kind: Mutation["kind"], left: Expression, operator: string): void => {
    const start = source.indexOf(operator, left.end)
    const flipped = FLIPPED[operator]
    if (flipped !== undefined) add(kind, start, start + operator.length, flipped)
  }
  const negate = ({ type, start, end }: Expression): void => {
    // The others have an operator to flip.
    if (type !== "BinaryExpression" && type !== "LogicalExpression")
      add("condition", start, end, `!(${source.slice(start, end)})`)
  }
  new Visitor({
    BinaryExpression({ left, operator, right }) {
      flip("comparison", left, operator)
      if ((operator === "+" || operator === "-") && right.type === "Literal" && right.value === 1)
        add("number", right.start, right.end, "0")
    },
    LogicalExpression: ({ left, operator }) => flip("condition", left, operator),
    IfStatement({ start, end, test, consequent, alternate }) {
      negate(test)
      if (alternate === null && isExit(consequent)) add("check", start, end, "{}")
    },
    ConditionalExpression: ({ test }) => negate(test),
    AwaitExpression({ start, argument }) {
      // At the start of a line, a bracket would continue the line before.
      if (!/[(`[]/.test(source.charAt(argument.start))) add("await", start, argument.start, "")
    },
    CallExpression({ callee, end }) {
      if (
        callee.type === "MemberExpression" &&
        callee.property.type === "Identifier" &&
        LINKS.has(callee.property.name)
      )
        add("call", callee.object.end, end, "")
    },
  }).visit(parseSync(file, source).program)
  return mutations.toSorted((a, b) => a.start - b.start || a.was.length - b.was.length)
}

/** Returns the source text of a file with mutations in it, which must not overlap. */
export const mutate = (source: string, mutations: Place[]): string =>
  mutations
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, was, now }) => text.slice(0, start) + now + text.slice(start + was.length), source)

const overlap = (a: Place, b: Place): boolean =>
  a.file === b.file && a.start < b.start + b.was.length && b.start < a.start + a.was.length

/** Returns by what a mutation is recognized in any file. */
const keyOf = ({ line, column, was, now }: Mutation): string => JSON.stringify([line, column, was, now])

const isSame = (a: Mutation, b: Mutation): boolean => a.file === b.file && keyOf(a) === keyOf(b)

/** Returns the folder of `src/` that a file is below: `src/posts`, or `src` for a file directly in it. */
export const sliceOf = (file: string): string => /^.*?\bsrc(?:\/[^/]+(?=\/))?/.exec(file)?.[0] ?? file

/**
 * Draws mutations that do not overlap: one of each slice, then of all. Each kind is as likely as any other.
 * @param mutations by file and position, so that a seed draws the same each time
 */
export const drawMutations = (mutations: Place[], count: number, seed: number): Place[] => {
  const random = randomFrom(seed)
  const pick = <T>(list: T[]): T | undefined => list[Math.floor(random() * list.length)]
  const slices = [...new Set(mutations.map(({ file }) => sliceOf(file)))]
  const drawn: Place[] = []
  // Two mutations of a file that look alike could not be told apart in another version.
  const alike = Map.groupBy(mutations, (mutation) => mutation.file + keyOf(mutation))
  let left = mutations.filter((mutation) => alike.get(mutation.file + keyOf(mutation))?.length === 1)
  while (drawn.length < count && left.length > 0) {
    const slice = slices.shift()
    const pool = slice === undefined ? left : left.filter(({ file }) => sliceOf(file) === slice)
    const kind = pick([...new Set(pool.map((mutation) => mutation.kind))])
    const mutation = pick(pool.filter((each) => each.kind === kind))
    if (mutation === undefined) continue
    drawn.push(mutation)
    left = left.filter((each) => !overlap(each, mutation))
  }
  return drawn
}

/** Finds a mutation in another version: in its file, else where only one other file has it. Returns undefined if the line has changed. */
export const findMutation = (mutation: Mutation, mutations: Place[]): Place | undefined => {
  const same = mutations.find((each) => isSame(each, mutation))
  if (same) return same
  const moved = mutations.filter((each) => keyOf(each) === keyOf(mutation))
  return moved.length === 1 ? moved[0] : undefined
}
