import type { Db, Statement } from "../db.ts"
import { MAX_ENGINE_CALLS } from "../limits.ts"
import { asker, batchesOf, type Broken, NO_LIMIT } from "./ask.ts"
import type { Engine } from "./engines/engine.ts"
import { type Memory, openMemory } from "./memory.ts"
import { cutPieces, joinPieces } from "./pieces.ts"
import type { Segment, Source } from "./segments.ts"

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

/** Nothing is counted before it is asked for. */
const NO_CALL = { segments: 0, chars: 0 }

/** What may have been too much at once is less the second time, and less still in pieces. */
const SECOND_PART = 1 / 4
const PIECES_PART = 1 / 8
const ONE_BY_ONE = 0

/** Segments by their texts: what is repeated is asked for once. */
const unique = (segments: Segment[]): Segment[] => [
  ...new Map(segments.map((segment) => [segment.text, segment])).values(),
]

/** How far a run is with a text. */
const follow = ({ report }: Task, memory: Memory, segments: Segment[], missing: Segment[]) => {
  const findLeft = () => new Set(missing.filter(memory.isMissing).map(({ text }) => text))
  const progress = (): Progress => {
    const left = findLeft()
    return {
      segments_done: segments.filter(({ text }) => !left.has(text)).length,
      segments_total: segments.length,
    }
  }
  return {
    progress,
    /** Says how far it is; who is through says so with the text itself. @returns why to stop, or null */
    tell: async (): Promise<Stop | null> =>
      findLeft().size === 0 || (await report(progress())) ? null : { stopped: "unwanted" },
  }
}

/** Each returns why to stop, or null. */
const openSteps = (task: Task, paid: number, { progress, tell }: ReturnType<typeof follow>) => {
  let calls = 0
  const ask = asker(task, paid, () => calls++)
  const note = async (memory: Memory, found: Map<Segment, Source>, lastOf: Segment[]): Promise<Stop | null> =>
    memory.add(found, lastOf) ? tell() : null
  return {
    /** Takes down what has come of segments. @param lastOf those that nothing more is tried with */
    note,
    /** One call. @param isLast nothing more is tried with what it makes nothing of */
    step: async (memory: Memory, batch: Segment[], limit: number, isLast = false): Promise<Stop | null> => {
      const found = await ask(batch, limit)
      if (!(found instanceof Map)) return { ...found, progress: progress() }
      return note(memory, found, isLast ? batch : [])
    },
    /** Batch by batch, as long as calls are left. @param part of what the run asks for at once */
    stepByStep: async (
      segments: Segment[],
      part: number,
      take: (batch: Segment[]) => Promise<Stop | null>,
    ): Promise<Stop | null> => {
      for (const batch of batchesOf(segments, task.engine, task.part * part)) {
        const stop: Stop | null =
          calls < MAX_ENGINE_CALLS ? await take(batch) : { stopped: "unfinished", progress: progress() }
        if (stop) return stop
      }
      return null
    },
  }
}

/**
 * Asks for the pieces of text in segments of which nothing else has come.
 * @param isWorking whether the engine has made anything of the text: then one piece may have spoilt a call for all in it
 * @returns why to stop, or null
 */
const tryPieces = async (
  task: Task,
  { note, step, stepByStep }: ReturnType<typeof openSteps>,
  memory: Memory,
  segments: Segment[],
  isWorking: boolean,
): Promise<Stop | null> => {
  if (segments.length === 0) return null
  const pieces = cutPieces(segments)
  const distinct = unique([...pieces.values()])
  const ofPieces = openMemory(task, "pieces")
  await ofPieces.look(distinct, NO_CALL)
  const missing = distinct.filter(ofPieces.isMissing)
  const askLast = (batch: Segment[]): Promise<Stop | null> => step(ofPieces, batch, NO_LIMIT, true)
  const askTogether = async (batch: Segment[]): Promise<Stop | null> =>
    (await step(ofPieces, batch, NO_LIMIT)) ?? stepByStep(batch.filter(ofPieces.isMissing), ONE_BY_ONE, askLast)
  const stop = await stepByStep(missing, PIECES_PART, (batch) =>
    isWorking && batch.length > 1 ? askTogether(batch) : askLast(batch),
  )
  if (stop) return stop
  const known = new Map<string, Source>()
  for (const [text, piece] of pieces) {
    const reading = ofPieces.read(piece)
    if (reading) known.set(text, reading)
  }
  return note(memory, joinPieces(segments, known), segments)
}

/** Translates segments. @throws when the database does */
export const runTask = async (task: Task, segments: Segment[]): Promise<Outcome> => {
  const { engine, part, charactersPerDay } = task
  const memory = openMemory(task, "segments")
  const distinct = unique(segments)
  const call = { segments: engine.batch.segments * part, chars: engine.batch.chars * part }
  const paid = await memory.look(distinct, call)
  const missing = distinct.filter(memory.isMissing)
  const steps = openSteps(task, paid, follow(task, memory, segments, missing))
  const { step, stepByStep } = steps
  const isWorking = (): boolean => distinct.some((segment) => memory.read(segment) !== null)
  const tryAgain = async (few: Segment[]): Promise<Stop | null> =>
    (await step(memory, few, NO_LIMIT)) ?? tryPieces(task, steps, memory, few.filter(memory.isMissing), isWorking())
  const tryAll = async (batch: Segment[]): Promise<Stop | null> =>
    (await step(memory, batch, charactersPerDay)) ?? stepByStep(batch.filter(memory.isMissing), SECOND_PART, tryAgain)
  const stop = await stepByStep(missing, 1, tryAll)
  return stop ?? { translations: new Map(segments.map((segment) => [segment, memory.read(segment)])) }
}
