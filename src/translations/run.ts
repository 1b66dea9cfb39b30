import type { Db, Statement } from "../db.ts"
import type { Broken } from "./ask.ts"
import type { Segment, Source } from "./document/segments.ts"
import type { Engine } from "./engines/engine.ts"
import { type Memory, openMemory } from "./memory.ts"
import { cutPieces, isPiece, joinPieces, segmentsWith } from "./pieces.ts"
import { follow, ONE_BY_ONE, openSteps, type Steps } from "./steps.ts"

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

/** What became of each segment, null where it keeps its source; and those that stay as they were before. */
export type Outcome = { translations: Map<Segment, Source | null>; older: Set<Segment> } | Stop

/** What may have been too much at once is less the second time, and less still in pieces. */
const SECOND_PART = 1 / 4
const PIECES_PART = 1 / 8

/** Segments by their texts: what is repeated is asked for once. */
const unique = (segments: Segment[]): Segment[] => [
  ...new Map(segments.map((segment) => [segment.text, segment])).values(),
]

/**
 * Asks for the pieces of text in segments of which nothing else has come: together, and then one by one, for one piece may
 * have spoilt a call for all in it.
 * @returns why to stop, or null
 */
const tryPieces = async (task: Task, steps: Steps, memory: Memory, segments: Segment[]): Promise<Stop | null> => {
  if (segments.length === 0) return null
  const { note, step, stepByStep, trust } = steps
  const pieces = cutPieces(segments)
  const distinct = unique([...pieces.values()])
  const ofPieces = openMemory(task, "pieces")
  await ofPieces.look(distinct)
  if (task.isBegun) trust(ofPieces, distinct)
  const missing = distinct.filter(ofPieces.isMissing)
  const askLast = (batch: Segment[]): Promise<Stop | null> => step(ofPieces, batch, { isLast: true })
  const askTogether = async (batch: Segment[]): Promise<Stop | null> =>
    (await step(ofPieces, batch)) ?? stepByStep(batch.filter(ofPieces.isMissing), ONE_BY_ONE, askLast)
  const stop = await stepByStep(missing, PIECES_PART, (batch) =>
    batch.length > 1 ? askTogether(batch) : askLast(batch),
  )
  if (stop) return stop
  const known = new Map<string, Source>()
  for (const [text, piece] of pieces) {
    const reading = ofPieces.read(piece)
    if (reading) known.set(text, reading)
  }
  const olderPieces = new Map([...pieces].filter(([, piece]) => ofPieces.isOlder(piece)))
  return note(memory, joinPieces(segments, known), segments, segmentsWith(segments, olderPieces))
}

/**
 * Calls are used up, and nothing has come of the text: is it what stands in front, or would nothing come of any?
 * @returns why to stop, or null: it is given up, and what was not asked for alone is not remembered as anything
 */
const tryEnd = async (
  { step, isWorking }: Steps,
  memory: Memory,
  left: Segment[],
  stop: Stop,
): Promise<Stop | null> => {
  for (const at of new Set([left.length - 1, left.length >> 1])) {
    const end = await step(memory, left.slice(at, at + 1))
    if (end || isWorking()) return end ?? stop
  }
  return null
}

/** Translates segments. @throws when the database does */
export const runTask = async (task: Task, segments: Segment[]): Promise<Outcome> => {
  const { charactersPerDay } = task
  const memory = openMemory(task, "segments")
  const distinct = unique(segments)
  await memory.look(distinct)
  const missing = distinct.filter(memory.isMissing)
  const steps = openSteps(task, follow(task, memory, segments, missing))
  const { step, stepByStep, trust, isWorking } = steps
  if (task.isBegun) trust(memory, distinct)
  const tryOthers = (few: Segment[]) => tryPieces(task, steps, memory, few.filter(memory.isMissing))
  const tryAlone = async (one: Segment[]): Promise<Stop | null> =>
    (await step(memory, one, { isLast: one.every(isPiece) })) ?? tryOthers(one)
  const tryAgain = async (few: Segment[]): Promise<Stop | null> =>
    (await step(memory, few, { apart: tryAlone })) ?? tryOthers(few)
  const tryAll = async (batch: Segment[]): Promise<Stop | null> =>
    (await step(memory, batch, { limit: charactersPerDay })) ??
    stepByStep(batch.filter(memory.isMissing), SECOND_PART, tryAgain)
  const stop = await stepByStep(missing, 1, tryAll)
  const isInVain = stop && "stopped" in stop && stop.stopped === "unfinished" && !isWorking()
  const end = isInVain ? await tryEnd(steps, memory, missing.filter(memory.isMissing), stop) : stop
  if (end) return end
  memory.keepOlder(distinct.filter(memory.isMissing))
  return {
    translations: new Map(segments.map((segment) => [segment, memory.read(segment)])),
    older: new Set(segments.filter(memory.isOlder)),
  }
}
