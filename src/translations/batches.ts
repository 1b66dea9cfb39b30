import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import {
  ENGINE_TIMEOUT_MS,
  MAX_CONTEXT_CHARS,
  MAX_ENGINE_CALLS,
  MAX_FAILED_ALONE,
  SEGMENTS_A_PART,
  TRANSLATION_RUN_SECONDS,
} from "../limits.ts"
import type { Segment, Inlines } from "./document/segments.ts"
import type { Context, Engine, EngineRequest, Failure, Reference, WantedTerm } from "./engines/engine.ts"
import type { Glossary, Term } from "./glossary.ts"
import type { MemoryReader, MemoryScope } from "./memory-store.ts"
import { forgetTerms, isOpen, type Known, learn, loadSegments, type Memory, readTranslation } from "./memory.ts"
import { spendCharacters } from "./store.ts"

// Asks an engine for the segments that are not remembered, one part of the text after another: first in batches, then one by
// one for those that failed in a batch. A segment that also fails alone keeps its source. Each answer is stored before the next
// call, so a later run continues from there, with the part that it was in. The last answer is stored in the same write as the
// finished text.

/** The engine, limits and storage with which a run translates one text. */
export interface Task extends MemoryReader {
  db: Db
  engine: Engine
  glossary: Glossary
  /** The terms that the translation of a segment should have, by its text. */
  wanted: Map<string, Term[]>
  scope: MemoryScope
  charactersPerDay: number
  /** The share of the engine's batch size to ask for at once: halved after each outage. */
  batchShare: number
  /** The title, tone and contexts that the engine gets beside the segments. */
  reference: Omit<Reference, "contexts"> & { contextOf: (segment: Segment) => Context }
  /** The segments that earlier runs are done with. */
  segmentsDone: number
  readClock: () => Date
  /** Statements to run in the same batch as the run's next write. */
  pending: Statement[]
  /** Stores the progress. @returns false when the run has lost its claim and must stop */
  report: (progress: Progress) => Promise<boolean>
}

/** The numbers of segments that the author sees. */
interface Progress {
  segments_done: number
  segments_total: number
}

/** A failure that the engine reported, or an exception. */
type CallError = { failure: Failure } | { crash: unknown }

/** The reason why a run ends before every segment is translated. */
export type Stop =
  | (CallError & { progress?: Progress })
  /** `unfinished`: the run has made all its calls; `claim_lost`: the text was changed, unlisted or deleted. */
  | { stopped: "unfinished" | "claim_lost" }

/** The result for each segment. */
export interface Translated {
  /** null: the segment keeps its source. */
  translations: Map<Segment, Inlines | null>
  /** Segments that keep the translation they had before the author asked for a new one. */
  older: Set<Segment>
  /** The terms of the glossary that translations lack. */
  missing: Map<Segment, Term[]>
}

/** The account's other translations have nothing left today either. */
export const DAILY_LIMIT: Failure = {
  kind: "later",
  code: "daily_limit",
  message: "The daily limit of translated characters is reached. The translation continues tomorrow (UTC).",
}

interface EngineCall {
  asked: Known[]
  /** The account's limit of characters a day. */
  limit: number
  /** The segments have translations, which lack terms. */
  isForTerms: boolean
}

/** Returns the characters that an engine gets for a segment: its text and its terms. */
const lengthOf = ({ segment, terms }: Known): number =>
  terms.reduce(
    (sum, { term, translation, note }) => sum + term.length + (translation?.length ?? 0) + (note?.length ?? 0),
    segment.text.length,
  )

const openOf = ({ known }: Memory, part: Segment[]): Known[] =>
  [...new Set(part.map(({ text }) => text))].flatMap((text) => known.get(text) ?? []).filter(isOpen)

/** Tells whether the engine cannot translate the text: no segment has a usable translation, and enough have failed alone. */
const isHopeless = ({ known }: Memory): boolean =>
  known.values().every(({ isFresh }) => !isFresh) &&
  [...known.values()].filter((one) => !isOpen(one)).length >= MAX_FAILED_ALONE

/** Picks the next batch of open segments: of those whose answers lack terms, of new ones, or one that failed in a batch. @returns null when nothing is left */
const nextCall = ({ engine: { batch }, batchShare, charactersPerDay }: Task, open: Known[]): EngineCall | null => {
  const take = (candidates: Known[]): Known[] => {
    const asked: Known[] = []
    let chars = 0
    for (const known of candidates) {
      chars += lengthOf(known)
      if (asked.length > 0 && (asked.length >= batch.segments * batchShare || chars > batch.chars * batchShare)) break
      asked.push(known)
    }
    return asked
  }
  // First, since the next run no longer knows that they lack terms.
  const lacking = take(open.filter(({ isFresh }) => isFresh))
  if (lacking.length > 0) return { asked: lacking, limit: charactersPerDay, isForTerms: true }
  const fresh = take(open.filter(({ failures }) => failures === 0))
  if (fresh.length > 0) return { asked: fresh, limit: charactersPerDay, isForTerms: false }
  // A retry counts against the limit but is never refused: it would be refused every day, and the text would never end.
  return open[0] ? { asked: [open[0]], limit: Number.MAX_SAFE_INTEGER, isForTerms: false } : null
}

/** Reads the contexts of segments: of the first ones, until these are about as long as the segments themselves. */
const contextsFor = (asked: Known[], characters: number, contextOf: (segment: Segment) => Context): Context[] => {
  let left = Math.max(characters, 2 * MAX_CONTEXT_CHARS)
  return asked.map(({ segment }) => {
    const context = left > 0 ? contextOf(segment) : { heading: null, before: null }
    left -= (context.heading?.length ?? 0) + (context.before?.length ?? 0)
    return context
  })
}

const wantedOf = ({ term, translation, note }: Term): WantedTerm[] =>
  translation === null ? [] : [{ term, translation, note }]

/** Returns the terms in segments, and those that earlier answers lack. */
const termsFor = (asked: Known[]): Pick<EngineRequest, "terms" | "missing"> => {
  const terms = [...new Set(asked.flatMap((known) => known.terms))].flatMap(wantedOf)
  const missing = asked.map((known) => known.missing.flatMap(wantedOf).map(({ translation }) => translation))
  return { ...(terms.length > 0 && { terms }), ...(missing.some((words) => words.length > 0) && { missing }) }
}

/** Asks the engine. @returns one answer per segment, null where the engine left it out */
const askEngine = async (
  { db, engine, scope, now, reference: { contextOf, ...about } }: Task,
  { asked, limit }: EngineCall,
): Promise<{ answers: (string | null)[] } | CallError> => {
  const texts = asked.map(({ segment }) => segment.text)
  const characters = asked.reduce((sum, known) => sum + lengthOf(known), 0)
  if (!(await spendCharacters(db, scope.account_id, characters, limit, now))) return { failure: DAILY_LIMIT }
  const signal = AbortSignal.timeout(ENGINE_TIMEOUT_MS)
  const reference = { ...about, contexts: contextsFor(asked, characters, contextOf) }
  const request = { segments: texts, from: scope.from_code, to: scope.to_code, reference, ...termsFor(asked) }
  const answer = await engine.translate(request, signal).catch((crash: unknown) => ({ crash }))
  if (!("texts" in answer)) return answer
  // With a wrong number of texts it is unknown which text belongs to which segment.
  return { answers: answer.texts.length === asked.length ? answer.texts : [] }
}

const resultOf = (memory: Memory, segments: Segment[]): Translated => {
  const read = segments.map((segment) => ({ segment, ...readTranslation(memory, segment) }))
  const older = read.filter(({ translation, isFresh }) => translation && !isFresh)
  return {
    translations: new Map(read.map(({ segment, translation }) => [segment, translation])),
    older: new Set(older.map(({ segment }) => segment)),
    missing: new Map(read.map(({ segment, missing }) => [segment, missing])),
  }
}

/**
 * Translates the segments of a text, from memory where possible, else by at most `MAX_ENGINE_CALLS` calls to the engine.
 * @returns a translation for each segment, null if it keeps its source; or the reason why the run must stop
 * @throws Error when the database fails
 */
export const translateSegments = async (task: Task, segments: Segment[]): Promise<Translated | Stop> => {
  const { db, engine, glossary, now, pending, readClock, report, scope, segmentsDone } = task
  const memory: Memory = { scope, glossary, known: new Map() }
  const lastCall = now.getTime() + TRANSLATION_RUN_SECONDS * 1000
  let calls = 0
  for (let from = segmentsDone - (segmentsDone % SEGMENTS_A_PART); ; from += SEGMENTS_A_PART) {
    // At last all: parts of before may have open segments, if these have changed or none could be translated.
    const isLast = from >= segments.length
    const part = isLast ? segments : segments.slice(from, from + SEGMENTS_A_PART)
    await loadSegments(db, memory, part, task, pending)
    for (;;) {
      const open = openOf(memory, part)
      const call = nextCall(task, isHopeless(memory) ? open.filter(({ failures }) => failures === 0) : open)
      if (!call) break
      const left = new Set(open.map(({ segment }) => segment.text))
      const done = part.filter(({ text }) => !left.has(text)).length
      const progress = { segments_done: isLast ? done : from + done, segments_total: segments.length }
      if (calls > 0 && !(await report(progress))) return { stopped: "claim_lost" }
      if (calls === MAX_ENGINE_CALLS || readClock().getTime() > lastCall) return { stopped: "unfinished" }
      calls += 1
      const answer = await askEngine(task, call)
      if ("answers" in answer)
        pending.push(learn(memory, call.asked, { answers: answer.answers, asksAgain: engine.followsTerms }, now))
      else if (call.isForTerms) forgetTerms(memory, call.asked)
      else return { ...answer, progress }
    }
    if (isLast) return resultOf(memory, segments)
  }
}
