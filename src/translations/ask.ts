import { nextDay } from "../days.ts"
import { ENGINE_TIMEOUT_MS } from "../limits.ts"
import { readAnswer } from "./answer.ts"
import { spendCharacters } from "./budget-store.ts"
import type { Segment, Source } from "./document/segments.ts"
import type { Engine, Failure } from "./engines/engine.ts"
import type { Task } from "./run.ts"

// Calls of an engine, each counted against the characters of the day before it is made.

/** The engine failed, or threw: a fault of its own or of ours. */
export type Broken = { failure: Failure } | { crash: unknown }

const DAILY_LIMIT = (now: Date): Failure => ({
  kind: "later",
  code: "daily_limit",
  message: "The characters that may be translated in a day are used up; the translation goes on tomorrow (UTC).",
  afterSeconds: Math.ceil((nextDay(now).getTime() - now.getTime()) / 1000),
})

const charactersOf = (segments: Segment[]): number => segments.reduce((sum, { text }) => sum + text.length, 0)

/** Segments in calls as large as the engine takes them, or a part of that. */
export const batchesOf = (segments: Segment[], { batch }: Engine, part: number): Segment[][] => {
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

/**
 * One call: says what segments have become; those that are not to be believed are left out. null: none of them was answered.
 * @param limit of the day
 */
type Ask = (segments: Segment[], limit: number) => Promise<Map<Segment, Source> | null | Broken>

/** What a run asks for again is counted, and not refused: it would be on each other day, too, and the text would wait for good. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

export const asker =
  ({ db, engine, account_id, from, to, now }: Task, count: () => void): Ask =>
  async (segments, limit) => {
    const characters = charactersOf(segments)
    if (!(await spendCharacters(db, account_id, characters, limit, now))) return { failure: DAILY_LIMIT(now) }
    count()
    const texts = segments.map(({ text }) => text)
    const signal = AbortSignal.timeout(ENGINE_TIMEOUT_MS)
    const answer = await engine.translate(texts, from, to, signal).catch((crash: unknown) => ({ crash }))
    if (!("texts" in answer)) return answer
    // Which text is whose is not certain, when one is missing.
    const answers = answer.texts.length === segments.length ? answer.texts : []
    if (answers.every((text) => text === null)) return null
    const read = segments.map((segment, i) => [segment, readAnswer(segment, answers[i] ?? null)] as const)
    return new Map(read.flatMap(([segment, inlines]) => (inlines ? [[segment, inlines]] : [])))
  }
