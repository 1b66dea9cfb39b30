import { nextDay } from "../days.ts"
import type { Db, Statement } from "../db.ts"
import { MAX_ENGINE_CALLS } from "../limits.ts"
import { digest } from "../tokens.ts"
import { readAnswer } from "./answer.ts"
import { spendCharacters } from "./budget-store.ts"
import type { Engine, Failure } from "./engines/engine.ts"
import { recall, remember, type Scope } from "./memory-store.ts"
import { type Segment, segmentOf, type Source, WORD } from "./segments.ts"
import { piecesOf, splitBlanks, textOf, writeTags } from "./tags.ts"

// Asks an engine for segments that are not remembered, batch by batch. What a batch has come to is remembered before the next
// one is asked, so that whoever goes on later goes on from there; the last one with the text that it makes whole.

/** What a run works with. */
export interface Task {
  db: Db
  engine: Engine
  account_id: string
  from: string
  to: string
  charactersPerDay: number
  /** Of what the engine takes at once: less after each try in vain. */
  part: number
  /** What was remembered before does not count. */
  since: Date
  now: Date
  /** Takes what goes with the next write of the run. */
  along: Statement[]
  /** Writes how far the run is. @returns whether to go on */
  report: (done: number, total: number) => Promise<boolean>
}

export type Outcome =
  /** All of it: what became of each segment, null where it keeps its source. */
  | { translations: Map<Segment, Source | null> }
  | { failure: Failure }
  /** The engine threw: a fault of its own or of ours. */
  | { crash: unknown }
  /** Calls are used up, or nobody wants the rest any more. */
  | { stopped: "unfinished" | "unwanted" }

const DAILY_LIMIT = (now: Date): Failure => ({
  kind: "later",
  code: "daily_limit",
  message: "The characters that may be translated in a day are used up; the translation goes on tomorrow (UTC).",
  afterSeconds: Math.ceil((nextDay(now).getTime() - now.getTime()) / 1000),
})

const hashOf = async (text: string): Promise<string> =>
  (await digest(text)).toBase64({ alphabet: "base64url", omitPadding: true })

const charactersOf = (segments: Segment[]): number => segments.reduce((sum, { text }) => sum + text.length, 0)

/** Segments in calls as large as the engine takes them, or a part of that. */
const batchesOf = (segments: Segment[], { batch }: Engine, part: number): Segment[][] => {
  const batches: Segment[][] = []
  let chars = 0
  for (const segment of segments) {
    const last = batches.at(-1)
    chars += segment.text.length
    if (last && last.length < batch.segments * part && chars <= batch.chars * part) last.push(segment)
    else {
      batches.push([segment])
      chars = segment.text.length
    }
  }
  return batches
}

const replacePieces = (inlines: Source, known: Map<string, Source>): Source =>
  inlines.map((inline) => {
    if (typeof inline !== "string")
      return inline.isGroup ? { ...inline, children: replacePieces(inline.children, known) } : inline
    const found = known.get(inline)
    const translated = found && textOf(found)
    if (translated === undefined) return inline
    const { before, behind } = splitBlanks(inline)
    return before + translated + behind
  })

/** What segments have become; those that are not to be believed are left out. */
interface Answers {
  found: Map<Segment, Source>
  /** Why not all of them were asked for. */
  broken: { failure: Failure } | { crash: unknown } | null
}

/** @param limit of the account's day, in characters */
type Ask = (segments: Segment[], part: number, limit: number) => Promise<Answers>

/** What is asked for again is counted, and never refused: it would be on each other day, too, and the text would wait for good. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** @param paid characters that are counted against the limit of the day already */
const asker = ({ db, engine, account_id, from, to, now }: Task, paid: number, count: () => void): Ask => {
  let credit = paid
  const askOnce = async (segments: Segment[], limit: number): Promise<Answers> => {
    const found: Answers["found"] = new Map()
    const characters = charactersOf(segments)
    const due = Math.max(0, characters - credit)
    // Beyond what is paid for is what was remembered, and cannot be read any more.
    const most = credit > 0 ? NO_LIMIT : limit
    credit -= characters - due
    if (due > 0 && !(await spendCharacters(db, account_id, due, most, now)))
      return { found, broken: { failure: DAILY_LIMIT(now) } }
    count()
    const texts = segments.map(({ text }) => text)
    const answer = await engine.translate(texts, from, to).catch((crash: unknown) => ({ crash }))
    if (!("texts" in answer)) return { found, broken: answer }
    // Which text is whose is not certain, when one is missing.
    const answers = answer.texts.length === segments.length ? answer.texts : []
    for (const [i, segment] of segments.entries()) {
      const inlines = readAnswer(segment, answers[i] ?? null)
      if (inlines) found.set(segment, inlines)
    }
    return { found, broken: null }
  }
  return async (segments, part, limit) => {
    const all: Answers["found"] = new Map()
    for (const batch of batchesOf(segments, engine, part)) {
      const { found, broken } = await askOnce(batch, limit)
      for (const [segment, inlines] of found) all.set(segment, inlines)
      if (broken) return { found: all, broken }
    }
    return { found: all, broken: null }
  }
}

/** The text pieces of segments one by one, and their tags where the source has them. */
const inPieces =
  (ask: Ask): Ask =>
  async (segments, part, limit) => {
    const texts = new Set(segments.flatMap(({ inlines }) => piecesOf(inlines)).filter((text) => WORD.test(text)))
    const pieces = new Map([...texts].map((text) => [segmentOf([text]), text]))
    const { found, broken } = await ask([...pieces.keys()], part, limit)
    const known = new Map([...found].map(([piece, inlines]) => [pieces.get(piece) ?? "", inlines]))
    const whole = segments.filter(({ inlines }) =>
      piecesOf(inlines).every((text) => !WORD.test(text) || known.has(text)),
    )
    return { found: new Map(whole.map((segment) => [segment, replacePieces(segment.inlines, known)])), broken }
  }

/** What may have been too much at once is less the second time, and less still in pieces. */
const SECOND_PART = 1 / 4
const PIECES_PART = 1 / 8

/** A batch, again what was not to be believed, then piece by piece; what is still left out keeps its source. */
const resolve = async (ask: Ask, segments: Segment[], part: number, limit: number): Promise<Answers> => {
  const found: Answers["found"] = new Map()
  const ways = [
    [ask, part, limit],
    [ask, part * SECOND_PART, NO_LIMIT],
    [inPieces(ask), part * PIECES_PART, NO_LIMIT],
  ] as const
  for (const [way, less, most] of ways) {
    const rest = segments.filter((segment) => !found.has(segment))
    if (rest.length === 0) break
    const answers = await way(rest, less, most)
    for (const [segment, inlines] of answers.found) found.set(segment, inlines)
    if (answers.broken) return { found, broken: answers.broken }
  }
  return { found, broken: null }
}

/** Segments by their texts: what is repeated is asked for once. */
const unique = (segments: Segment[]): Segment[] => [
  ...new Map(segments.map((segment) => [segment.text, segment])).values(),
]

/** Translates segments. @throws when the database does */
export const runTask = async (task: Task, segments: Segment[]): Promise<Outcome> => {
  const { db, engine, account_id, from, to, part, since, now, along, charactersPerDay: limit } = task
  const scope: Scope = { account_id, engine: engine.name, from_code: from, to_code: to }
  const distinct = unique(segments)
  const hashes = new Map(
    await Promise.all(distinct.map(async (segment) => [segment.text, await hashOf(segment.text)] as const)),
  )
  const hash = ({ text }: Segment): string => hashes.get(text) ?? ""
  const asked = distinct.map((segment): [string, number] => [hash(segment), segment.text.length])
  const batch = { segments: engine.batch.segments * part, chars: engine.batch.chars * part }
  const { known, isPaid } = await recall(db, scope, { segments: asked, since, batch, limit }, now, along)
  const paid = isPaid ? charactersOf(distinct.filter((segment) => !known.has(hash(segment)))) : 0
  const missing = distinct.filter((segment) => {
    const remembered = known.get(hash(segment))
    return remembered === undefined || (remembered !== null && !readAnswer(segment, remembered))
  })
  const total = segments.length
  const left = new Set(missing.map(({ text }) => text))
  const isDone = () => segments.filter(({ text }) => !left.has(text)).length
  const fresh = new Map<Segment, Source>()
  let calls = 0
  const ask = asker(task, paid, () => calls++)
  for (const some of batchesOf(missing, engine, part)) {
    if (calls >= MAX_ENGINE_CALLS) return { stopped: "unfinished" }
    const { found, broken } = await resolve(ask, some, part, limit)
    const made = new Map<string, string | null>()
    for (const segment of broken ? found.keys() : some) {
      const inlines = found.get(segment)
      const written = inlines ? writeTags(inlines) : null
      // Pieces may be too long together, and are nothing that is to be asked for again and again.
      const reading = readAnswer(segment, written)
      if (reading) fresh.set(segment, reading)
      made.set(hash(segment), reading ? written : null)
      left.delete(segment.text)
    }
    if (made.size > 0) along.push(remember(db, scope, made, now))
    if (broken) return broken
    for (const [key, translation] of made) known.set(key, translation)
    // Who is through says so with the text itself.
    if (left.size > 0 && !(await task.report(isDone(), total))) return { stopped: "unwanted" }
  }
  const read = (segment: Segment) => fresh.get(segment) ?? readAnswer(segment, known.get(hash(segment)) ?? null)
  return { translations: new Map(segments.map((segment) => [segment, read(segment)])) }
}
