import { MAX_ENGINE_CALLS } from "../limits.ts"
import { asker, batchesOf, NO_LIMIT } from "./ask.ts"
import type { Segment, Source } from "./document/segments.ts"
import type { Memory } from "./memory.ts"
import type { Progress, Stop, Task } from "./run.ts"

// The calls of a run, each with what it leaves behind.

/** How far a run is with a text. */
export const follow = ({ report }: Task, memory: Memory, segments: Segment[], missing: Segment[]) => {
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

/** Returns why to stop, or null. */
type Take = (batch: Segment[]) => Promise<Stop | null>

interface Step {
  /** Of the day. */
  limit?: number
  /** Nothing more is tried with what it makes nothing of. */
  isLast?: boolean
  /** Takes each of several alone where none was answered: one may have spoilt the call for all in it. */
  apart?: Take
}

export const ONE_BY_ONE = 0

/** Those that return a promise say why to stop, or null. */
export const openSteps = (task: Task, { progress, tell }: ReturnType<typeof follow>) => {
  let calls = 0
  let isWorking = false
  const ask = asker(task, () => calls++)
  /** As long as nothing has come of the text, the last calls are for its end and its middle. */
  const callsLeft = (): number => MAX_ENGINE_CALLS - (isWorking ? 0 : 2) - calls
  const note = async (
    memory: Memory,
    found: Map<Segment, Source>,
    lastOf: Segment[],
    ofOlder: Segment[] = [],
  ): Promise<Stop | null> => (memory.add(found, lastOf, ofOlder) ? tell() : null)
  /** Batch by batch, as long as calls are left. @param part of what the run asks for at once */
  const stepByStep = async (segments: Segment[], part: number, take: Take): Promise<Stop | null> => {
    for (const batch of batchesOf(segments, task.engine, task.part * part)) {
      const stop: Stop | null = callsLeft() > 0 ? await take(batch) : { stopped: "unfinished", progress: progress() }
      if (stop) return stop
    }
    return null
  }
  return {
    /** Takes down what has come of segments. @param lastOf those that nothing more is tried with @param ofOlder as in `add` */
    note,
    stepByStep,
    /** One call. */
    step: async (memory: Memory, batch: Segment[], how: Step = {}): Promise<Stop | null> => {
      const { limit = NO_LIMIT, isLast = false, apart } = how
      const found = await ask(batch, limit)
      if (found && !(found instanceof Map)) return { ...found, progress: progress() }
      if (!found && apart && batch.length > 1) return stepByStep(batch, ONE_BY_ONE, apart)
      if (found && found.size > 0) isWorking = true
      return note(memory, found ?? new Map(), isLast ? batch : [])
    },
    /** Takes what was made of some for a sign that the engine works. */
    trust: (memory: Memory, segments: Segment[]): void => {
      isWorking ||= segments.some((segment) => memory.read(segment) !== null && !memory.isOlder(segment))
    },
    /** Whether the engine has made anything of the text. */
    isWorking: (): boolean => isWorking,
  }
}

export type Steps = ReturnType<typeof openSteps>
