import { nextDay } from "../days.ts"
import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import { ENGINE_TIMEOUT_MS, MAX_ENGINE_CALLS } from "../limits.ts"
import type { Segment, Source } from "./document/segments.ts"
import type { Engine, Failure } from "./engines/engine.ts"
import type { Reader, Scope } from "./memory-store.ts"
import { hasFailed, isOpen, type Known, learn, type Memory, openMemory, read as readMemory } from "./memory.ts"
import { spendCharacters } from "./store.ts"

// Asks an engine for the segments that are not remembered: batch by batch, then one by one for those of which nothing usable
// has come; what fails alone as well keeps its source. Each call is remembered before the next one, so that a later run goes
// on from there. The last call is remembered with the text that it completes.

/** What a run translates with, and for which text. */
export interface Task extends Reader {
  db: Db
  engine: Engine
  scope: Scope
  charactersPerDay: number
  /** The part of what the engine takes at once that it is asked for: smaller after each timeout. */
  part: number
  /** Statements that the next write of the run takes with it. */
  pending: Statement[]
  /** Writes how far the run is. @returns whether to go on */
  report: (progress: Progress) => Promise<boolean>
}

/** How many of a text's segments are done, as its author sees it. */
interface Progress {
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
  asked: Known[]
  /** Characters that the account may have translated in a day. */
  limit: number
}

const openIn = ({ known }: Memory): Known[] => [...known.values()].filter(isOpen)

/** Finds what to ask for next: a batch, or a segment that has failed in one. @returns null when nothing is left */
const nextCall = ({ engine: { batch }, part, charactersPerDay }: Task, memory: Memory): Call | null => {
  const open = openIn(memory)
  const asked: Known[] = []
  let chars = 0
  for (const known of open.filter(({ failures }) => failures === 0)) {
    chars += known.segment.text.length
    if (asked.length > 0 && (asked.length >= batch.segments * part || chars > batch.chars * part)) break
    asked.push(known)
  }
  if (asked.length > 0) return { asked, limit: charactersPerDay }
  // Counted, but not refused: it would be on each other day as well, and the text would wait forever.
  return open[0] ? { asked: [open[0]], limit: Number.MAX_SAFE_INTEGER } : null
}

/** Makes a call. @returns the answers, null where the engine left one out */
const ask = async (
  { db, engine, scope, now }: Task,
  { asked, limit }: Call,
): Promise<{ answers: (string | null)[] } | Broken> => {
  const texts = asked.map(({ segment }) => segment.text)
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  if (!(await spendCharacters(db, scope.account_id, characters, limit, now))) return { failure: DAILY_LIMIT(now) }
  const signal = AbortSignal.timeout(ENGINE_TIMEOUT_MS)
  const answer = await engine
    .translate(texts, scope.from_code, scope.to_code, signal)
    .catch((crash: unknown) => ({ crash }))
  if (!("texts" in answer)) return answer
  // When one is missing, it is not certain which text belongs to which segment.
  return { answers: answer.texts.length === asked.length ? answer.texts : [] }
}

const progressOf = (memory: Memory, segments: Segment[]): Progress => {
  const open = new Set(openIn(memory).map(({ segment }) => segment.text))
  return {
    segments_done: segments.filter(({ text }) => !open.has(text)).length,
    segments_total: segments.length,
  }
}

const isHopeless = (memory: Memory): boolean => {
  const known = [...memory.known.values()]
  return known.every(({ isFresh }) => !isFresh) && known.filter(hasFailed).length >= MAX_FAILED_ALONE
}

const resultOf = (memory: Memory, segments: Segment[]): Translated => {
  const read = segments.map((segment) => ({ segment, ...readMemory(memory, segment) }))
  const older = read.filter(({ translation, isFresh }) => translation && !isFresh)
  return {
    translations: new Map(read.map(({ segment, translation }) => [segment, translation])),
    older: new Set(older.map(({ segment }) => segment)),
  }
}

/** Translates segments. @throws when the database does */
export const translateSegments = async (task: Task, segments: Segment[]): Promise<Translated | Stop> => {
  const { db, scope, now, pending, report } = task
  const memory = await openMemory(db, scope, segments, task, pending)
  let call = nextCall(task, memory)
  for (let calls = 0; call && !(calls === MAX_ENGINE_CALLS && isHopeless(memory)); calls++) {
    if (calls === MAX_ENGINE_CALLS) return { stopped: "unfinished" }
    const answer = await ask(task, call)
    if (!("answers" in answer)) return { ...answer, progress: progressOf(memory, segments) }
    pending.push(learn(memory, call.asked, answer.answers, now))
    call = nextCall(task, memory)
    if (call && !(await report(progressOf(memory, segments)))) return { stopped: "unwanted" }
  }
  return resultOf(memory, segments)
}
