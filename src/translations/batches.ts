import { nextDay } from "../days.ts"
import type { Db, Statement } from "../db.ts"
import { ENGINE_TIMEOUT_MS, MAX_ENGINE_CALLS } from "../limits.ts"
import { spendCharacters } from "./budget-store.ts"
import { readAnswer } from "./document/answer.ts"
import type { Segment, Source } from "./document/segments.ts"
import type { Engine, Failure } from "./engines/engine.ts"
import { remember, type Scope } from "./memory-store.ts"
import { hasFailed, isOpen, type Known, learn, type Memory, openMemory } from "./memory.ts"

// Asks an engine for the segments that are not remembered: batch by batch, then one by one for those of which nothing usable
// has come; what fails alone as well keeps its source. Each call is remembered before the next one, so that a later run goes
// on from there. The last call is remembered with the text that it completes.

/** What a run translates with. */
export interface Task {
  db: Db
  engine: Engine
  account_id: string
  from: string
  to: string
  charactersPerDay: number
  /** The part of what the engine takes at once that it is asked for: smaller after each timeout. */
  part: number
  /** When the author asked for another translation: what is older does not count. null: never. */
  since: Date | null
  /** Whether an earlier run has begun with this text. */
  isBegun: boolean
  now: Date
  /** Statements that the next write of the run takes with it. */
  pending: Statement[]
  /** Writes how far the run is. @returns whether to go on */
  report: (progress: Progress) => Promise<boolean>
}

/** How many of a text's segments are done, as its author sees it. */
export interface Progress {
  segments_done: number
  segments_total: number
}

/** The engine has failed, or something has thrown. */
type Broken = { failure: Failure } | { crash: unknown }

/** Why a run ends before its text is whole. */
export type Stop =
  | (Broken & { progress?: Progress })
  /** `unfinished`: the calls of a run are used up; `unwanted`: the text is not wanted any more. */
  | { stopped: "unfinished" | "unwanted" }

/** What each segment has become, null where it keeps its source; and those that stay as they were translated before. */
export interface Translated {
  translations: Map<Segment, Source | null>
  older: Set<Segment>
}

const DAILY_LIMIT = (now: Date): Failure => ({
  kind: "later",
  code: "daily_limit",
  message: "The characters that may be translated in a day are used up; the translation goes on tomorrow (UTC).",
  afterSeconds: Math.ceil((nextDay(now).getTime() - now.getTime()) / 1000),
})

/** A text of which nothing has come is given up after so many segments that were asked for alone. */
const MAX_FAILED_ALONE = 2 * MAX_ENGINE_CALLS

/** A call of the engine. */
interface Call {
  segments: Segment[]
  /** Characters that the account may have translated in a day. */
  limit: number
}

const openIn = (memory: Memory): Known[] => [...memory.values()].filter(isOpen)

/** What to ask for next; null: nothing is left. */
const nextCall = ({ engine: { batch }, part, charactersPerDay }: Task, memory: Memory): Call | null => {
  const open = openIn(memory)
  const segments: Segment[] = []
  let chars = 0
  for (const { segment } of open.filter(({ failures }) => failures === 0)) {
    chars += segment.text.length
    if (segments.length > 0 && (segments.length >= batch.segments * part || chars > batch.chars * part)) break
    segments.push(segment)
  }
  if (segments.length > 0) return { segments, limit: charactersPerDay }
  // Counted, but not refused: it would be on each other day as well, and the text would wait forever.
  return open[0] ? { segments: [open[0].segment], limit: Number.MAX_SAFE_INTEGER } : null
}

/** One call. @returns what segments have become; those without a usable answer are left out */
const ask = async (
  { db, engine, account_id, from, to, now }: Task,
  { segments, limit }: Call,
): Promise<{ readings: Map<Segment, Source> } | Broken> => {
  const texts = segments.map(({ text }) => text)
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  if (!(await spendCharacters(db, account_id, characters, limit, now))) return { failure: DAILY_LIMIT(now) }
  const signal = AbortSignal.timeout(ENGINE_TIMEOUT_MS)
  const answer = await engine.translate(texts, from, to, signal).catch((crash: unknown) => ({ crash }))
  if (!("texts" in answer)) return answer
  // When one is missing, it is not certain which text belongs to which segment.
  const answers = answer.texts.length === segments.length ? answer.texts : []
  const readings = new Map<Segment, Source>()
  for (const [i, segment] of segments.entries()) {
    const reading = readAnswer(segment, answers[i] ?? null)
    if (reading) readings.set(segment, reading)
  }
  return { readings }
}

const progressOf = (memory: Memory, segments: Segment[]): Progress => {
  const open = new Set(openIn(memory).map(({ segment }) => segment.text))
  return {
    segments_done: segments.filter(({ text }) => !open.has(text)).length,
    segments_total: segments.length,
  }
}

const isHopeless = (memory: Memory): boolean => {
  const known = [...memory.values()]
  return known.every(({ isFresh }) => !isFresh) && known.filter(hasFailed).length >= MAX_FAILED_ALONE
}

const resultOf = (memory: Memory, segments: Segment[]): Translated => {
  const read = (segment: Segment) => readAnswer(segment, memory.get(segment.text)?.translation ?? null)
  const translations = new Map(segments.map((segment) => [segment, read(segment)]))
  const isOlder = (segment: Segment) => translations.get(segment) !== null && !memory.get(segment.text)?.isFresh
  return { translations, older: new Set(segments.filter(isOlder)) }
}

/** Translates segments. @throws when the database does */
export const translateSegments = async (task: Task, segments: Segment[]): Promise<Translated | Stop> => {
  const { db, engine, account_id, from, to, now, pending } = task
  const scope: Scope = { account_id, engine: engine.name, from_code: from, to_code: to }
  const memory = await openMemory(db, scope, segments, task, now, pending)
  let call = nextCall(task, memory)
  for (let calls = 0; call && !(calls === MAX_ENGINE_CALLS && isHopeless(memory)); calls++) {
    if (calls === MAX_ENGINE_CALLS) return { stopped: "unfinished" }
    const answer = await ask(task, call)
    if (!("readings" in answer)) return { ...answer, progress: progressOf(memory, segments) }
    pending.push(remember(db, scope, learn(memory, call.segments, answer.readings), now))
    call = nextCall(task, memory)
    if (call && !(await task.report(progressOf(memory, segments)))) return { stopped: "unwanted" }
  }
  return resultOf(memory, segments)
}
