import type { Db, Statement } from "../db.ts"
import { MAX_ENGINE_CALLS } from "../limits.ts"
import { digest } from "../tokens.ts"
import { readAnswer } from "./answer.ts"
import { asker, batchesOf, type Broken, charactersOf, NO_LIMIT } from "./ask.ts"
import type { Engine } from "./engines/engine.ts"
import { recall, remember, type Scope } from "./memory-store.ts"
import { cutPieces, joinPieces } from "./pieces.ts"
import type { Segment, Source } from "./segments.ts"
import { writeTags } from "./tags.ts"

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
  /** Whether an earlier run has begun with this text. */
  isBegun: boolean
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

/** Why a run ends before its text is whole; with how far it is, where that has changed. */
export type Stop =
  | (Broken & { progress?: Progress })
  /** Calls are used up. */
  | { stopped: "unfinished"; progress: Progress }
  /** Nobody wants the rest any more. */
  | { stopped: "unwanted" }

/** What became of each segment, null where it keeps its source. */
export type Outcome = { translations: Map<Segment, Source | null> } | Stop

const hashOf = async (text: string): Promise<string> =>
  (await digest(text)).toBase64({ alphabet: "base64url", omitPadding: true })

/** Nothing is counted before it is asked for. */
const NO_CALL = { segments: 0, chars: 0 }

/** What may have been too much at once is less the second time, and less still in pieces. */
const SECOND_PART = 1 / 4
const PIECES_PART = 1 / 8

/** Segments by their texts: what is repeated is asked for once. */
const unique = (segments: Segment[]): Segment[] => [
  ...new Map(segments.map((segment) => [segment.text, segment])).values(),
]

/** No segment begins so: what came to nothing as a piece may still be translated as one. */
const PIECE = "\n"

/** What is remembered of segments, as far as it was looked up, and what is added to that. */
const openMemory = (
  { db, engine, account_id, from, to, since, isBegun, now, along, charactersPerDay }: Task,
  kind: "" | typeof PIECE,
) => {
  const scope: Scope = { account_id, engine: engine.name, from_code: from, to_code: to }
  const hashes = new Map<string, string>()
  const known = new Map<string, string | null>()
  const get = ({ text }: Segment): string | null | undefined => known.get(hashes.get(text) ?? "")
  return {
    get,
    /** @returns characters of those that are not known, where they are counted already: one call of the engine takes them */
    look: async (segments: Segment[], call: Engine["batch"]): Promise<number> => {
      const hashed = segments.map(async ({ text }): Promise<[string, string]> => [text, await hashOf(kind + text)])
      for (const [text, hash] of await Promise.all(hashed)) hashes.set(text, hash)
      const asked = segments.map(({ text }): [string, number] => [hashes.get(text) ?? "", text.length])
      const found = await recall(
        db,
        scope,
        { segments: asked, since, isBegun, batch: call, limit: charactersPerDay },
        now,
        along,
      )
      for (const [hash, translation] of found.known) known.set(hash, translation)
      return found.isPaid ? charactersOf(segments.filter((segment) => get(segment) === undefined)) : 0
    },
    add: (made: Map<Segment, string | null>): void => {
      const entries = [...made].map(([{ text }, translation]) => [hashes.get(text) ?? "", translation] as const)
      for (const [hash, translation] of entries) known.set(hash, translation)
      along.push(remember(db, scope, new Map(entries), now))
    },
  }
}

/** Translates segments. @throws when the database does */
export const runTask = async (task: Task, segments: Segment[]): Promise<Outcome> => {
  const { engine, part, charactersPerDay } = task
  const memory = openMemory(task, "")
  const distinct = unique(segments)
  const paid = await memory.look(distinct, {
    segments: engine.batch.segments * part,
    chars: engine.batch.chars * part,
  })
  const fresh = new Map<Segment, Source>()
  const read = (segment: Segment, from = memory) => fresh.get(segment) ?? readAnswer(segment, from.get(segment) ?? null)
  const isMissing = (segment: Segment, from = memory) => from.get(segment) !== null && !read(segment, from)
  const missing = distinct.filter((segment) => isMissing(segment))
  const left = new Set(missing.map(({ text }) => text))
  const isLeft = ({ text }: Segment): boolean => left.has(text)
  const progress = (): Progress => ({
    segments_done: segments.filter((segment) => !isLeft(segment)).length,
    segments_total: segments.length,
  })
  /** Takes down what has come of some. @returns why to stop, or null */
  const note = async (
    some: Iterable<Segment>,
    found: Map<Segment, Source>,
    isLast: boolean,
    into = memory,
  ): Promise<Stop | null> => {
    const made = new Map<Segment, string | null>()
    for (const segment of some) {
      const inlines = found.get(segment)
      const written = inlines ? writeTags(inlines) : null
      // Pieces may be too long together, and are nothing that is to be asked for again and again.
      const reading = readAnswer(segment, written)
      if (!reading && !isLast) continue
      if (reading) fresh.set(segment, reading)
      made.set(segment, reading ? written : null)
      if (into === memory) left.delete(segment.text)
    }
    if (made.size === 0) return null
    into.add(made)
    // Who is through says so with the text itself.
    return left.size === 0 || (await task.report(progress())) ? null : { stopped: "unwanted" }
  }
  const unfinished = (): Stop => ({ stopped: "unfinished", progress: progress() })
  let calls = 0
  const ask = asker(task, paid, () => calls++)
  /** @param isLast what is not found has come to nothing */
  const step = async (batch: Segment[], limit: number, isLast = false, into = memory): Promise<Stop | null> => {
    const found = await ask(batch, limit)
    if (!(found instanceof Map)) return { ...found, progress: progress() }
    return note(isLast ? batch : found.keys(), found, isLast, into)
  }
  /** By calls that are not used up yet: what a batch has come to is remembered before the next one. */
  const stepByStep = async (
    some: Segment[],
    less: number,
    take: (batch: Segment[]) => Promise<Stop | null>,
  ): Promise<Stop | null> => {
    for (const batch of batchesOf(some, engine, part * less)) {
      const stop = calls >= MAX_ENGINE_CALLS ? unfinished() : await take(batch)
      if (stop) return stop
    }
    return null
  }
  const tryPieces = async (some: Segment[]): Promise<Stop | null> => {
    if (some.length === 0) return null
    const pieces = cutPieces(some)
    const all = unique([...pieces.values()])
    const ofPieces = openMemory(task, PIECE)
    await ofPieces.look(all, NO_CALL)
    const unknown = all.filter((piece) => isMissing(piece, ofPieces))
    const stop = await stepByStep(unknown, PIECES_PART, (batch) => step(batch, NO_LIMIT, true, ofPieces))
    if (stop) return stop
    const known = new Map<string, Source>()
    for (const [text, piece] of pieces) {
      const reading = read(piece, ofPieces)
      if (reading) known.set(text, reading)
    }
    return note(some, joinPieces(some, known), true)
  }
  const stop = await stepByStep(
    missing,
    1,
    async (batch) =>
      (await step(batch, charactersPerDay)) ??
      (await stepByStep(
        batch.filter(isLeft),
        SECOND_PART,
        async (few) => (await step(few, NO_LIMIT)) ?? (await tryPieces(few.filter(isLeft))),
      )),
  )
  return stop ?? { translations: new Map(segments.map((segment) => [segment, read(segment)])) }
}
