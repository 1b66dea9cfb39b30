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
  report: (progress: Progress) => Promise<boolean>
}

/** Of a text's segments, as its author sees it. */
export interface Progress {
  segments_done: number
  segments_total: number
}

/** The engine failed, or threw: a fault of its own or of ours. */
type Broken = { failure: Failure } | { crash: unknown }

/** Why a run ends before its text is whole; with how far it is, where that has changed. */
export type Stop =
  | (Broken & { progress?: Progress })
  /** Calls are used up. */
  | { stopped: "unfinished"; progress: Progress }
  /** Nobody wants the rest any more. */
  | { stopped: "unwanted" }

/** What became of each segment, null where it keeps its source. */
export type Outcome = { translations: Map<Segment, Source | null> } | Stop

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

/** Asks, and says what segments have become; those that are not to be believed are left out. @param limit of the day */
type Ask = (segments: Segment[], part: number, limit: number) => Promise<Map<Segment, Source> | Broken>

/** What is asked for again is counted, and never refused: it would be on each other day, too, and the text would wait for good. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** @param paid characters that are counted against the limit of the day already */
const asker = ({ db, engine, account_id, from, to, now }: Task, paid: number, count: () => void): Ask => {
  let credit = paid
  const askOnce = async (segments: Segment[], limit: number): ReturnType<Ask> => {
    const characters = charactersOf(segments)
    const due = Math.max(0, characters - credit)
    // Beyond what is paid for is what was remembered, and cannot be read any more.
    const most = credit > 0 ? NO_LIMIT : limit
    credit -= characters - due
    if (due > 0 && !(await spendCharacters(db, account_id, due, most, now))) return { failure: DAILY_LIMIT(now) }
    count()
    const texts = segments.map(({ text }) => text)
    const answer = await engine.translate(texts, from, to).catch((crash: unknown) => ({ crash }))
    if (!("texts" in answer)) return answer
    // Which text is whose is not certain, when one is missing.
    const answers = answer.texts.length === segments.length ? answer.texts : []
    const read = segments.map((segment, i) => [segment, readAnswer(segment, answers[i] ?? null)] as const)
    return new Map(read.flatMap(([segment, inlines]) => (inlines ? [[segment, inlines]] : [])))
  }
  return async (segments, part, limit) => {
    const all = new Map<Segment, Source>()
    for (const batch of batchesOf(segments, engine, part)) {
      const some = await askOnce(batch, limit)
      if (!(some instanceof Map)) return some
      for (const [segment, inlines] of some) all.set(segment, inlines)
    }
    return all
  }
}

/** The text pieces of segments one by one, and their tags where the source has them. */
const inPieces =
  (ask: Ask): Ask =>
  async (segments, part, limit) => {
    const texts = new Set(segments.flatMap(({ inlines }) => piecesOf(inlines)).filter((text) => WORD.test(text)))
    const pieces = new Map([...texts].map((text) => [segmentOf([text]), text]))
    const answers = await ask([...pieces.keys()], part, limit)
    if (!(answers instanceof Map)) return answers
    const known = new Map([...answers].map(([piece, inlines]) => [pieces.get(piece) ?? "", inlines]))
    const whole = segments.filter(({ inlines }) =>
      piecesOf(inlines).every((text) => !WORD.test(text) || known.has(text)),
    )
    return new Map(whole.map((segment) => [segment, replacePieces(segment.inlines, known)]))
  }

/** What may have been too much at once is less the second time, and less still in pieces. */
const SECOND_PART = 1 / 4
const PIECES_PART = 1 / 8

/** Segments by their texts: what is repeated is asked for once. */
const unique = (segments: Segment[]): Segment[] => [
  ...new Map(segments.map((segment) => [segment.text, segment])).values(),
]

/** Translates segments. @throws when the database does */
export const runTask = async (task: Task, segments: Segment[]): Promise<Outcome> => {
  const { db, engine, account_id, from, to, part, since, now, along, charactersPerDay } = task
  const scope: Scope = { account_id, engine: engine.name, from_code: from, to_code: to }
  const distinct = unique(segments)
  const hashes = new Map(
    await Promise.all(distinct.map(async (segment) => [segment.text, await hashOf(segment.text)] as const)),
  )
  const hash = ({ text }: Segment): string => hashes.get(text) ?? ""
  const asked = distinct.map((segment): [string, number] => [hash(segment), segment.text.length])
  const batch = { segments: engine.batch.segments * part, chars: engine.batch.chars * part }
  const wanted = { segments: asked, since, batch, limit: charactersPerDay }
  const { known, isPaid } = await recall(db, scope, wanted, now, along)
  const paid = isPaid ? charactersOf(distinct.filter((segment) => !known.has(hash(segment)))) : 0
  const missing = distinct.filter((segment) => {
    const remembered = known.get(hash(segment))
    return remembered === undefined || (remembered !== null && !readAnswer(segment, remembered))
  })
  const left = new Set(missing.map(({ text }) => text))
  const isLeft = ({ text }: Segment): boolean => left.has(text)
  const progress = (): Progress => ({
    segments_done: segments.filter((segment) => !isLeft(segment)).length,
    segments_total: segments.length,
  })
  const fresh = new Map<Segment, Source>()
  /** Takes down what has come of some. @returns whether to go on */
  const note = async (some: Iterable<Segment>, found: Map<Segment, Source>, isLast: boolean): Promise<boolean> => {
    const made = new Map<string, string | null>()
    for (const segment of some) {
      const inlines = found.get(segment)
      const written = inlines ? writeTags(inlines) : null
      // Pieces may be too long together, and are nothing that is to be asked for again and again.
      const reading = readAnswer(segment, written)
      if (!reading && !isLast) continue
      if (reading) fresh.set(segment, reading)
      made.set(hash(segment), reading ? written : null)
      left.delete(segment.text)
    }
    if (made.size === 0) return true
    along.push(remember(db, scope, made, now))
    for (const [key, translation] of made) known.set(key, translation)
    // Who is through says so with the text itself.
    return left.size === 0 || (await task.report(progress()))
  }
  /** @param isLast what is still left out keeps its source */
  const step = async (way: Ask, some: Segment[], less: number, limit: number, isLast = false): Promise<Stop | null> => {
    const found = await way(some, part * less, limit)
    if (!(found instanceof Map)) return { ...found, progress: progress() }
    return (await note(isLast ? some : found.keys(), found, isLast)) ? null : { stopped: "unwanted" }
  }
  let calls = 0
  const ask = asker(task, paid, () => calls++)
  for (const some of batchesOf(missing, engine, part)) {
    if (calls >= MAX_ENGINE_CALLS) return { stopped: "unfinished", progress: progress() }
    const stop = await step(ask, some, 1, charactersPerDay)
    if (stop) return stop
    // Each of them to its end, so that every delivery gets on.
    for (const few of batchesOf(some.filter(isLeft), engine, part * SECOND_PART)) {
      if (calls >= MAX_ENGINE_CALLS) return { stopped: "unfinished", progress: progress() }
      const end =
        (await step(ask, few, SECOND_PART, NO_LIMIT)) ??
        (await step(inPieces(ask), few.filter(isLeft), PIECES_PART, NO_LIMIT, true))
      if (end) return end
    }
  }
  const read = (segment: Segment) => fresh.get(segment) ?? readAnswer(segment, known.get(hash(segment)) ?? null)
  return { translations: new Map(segments.map((segment) => [segment, read(segment)])) }
}
