import { unavailable } from "../http/problem.ts"
import { MAX_CONVERSION_SECONDS, MAX_WAITING_CONVERSIONS } from "../limits.ts"

interface Turn {
  /** Milliseconds. A request that is cut off never says that it is done: what began too long ago counts no more. */
  since: number
}

const POLL_MS = 20

let running: Turn | null = null
const waiting = new Set<Turn>()

const isAlive = ({ since }: Turn): boolean => Date.now() - since < MAX_CONVERSION_SECONDS * 1000

const isFree = (): boolean => running === null || !isAlive(running)

/** Takes the turn, or waits for it: by the clock, not for the request that has it, whose promises may never settle. */
const takeTurn = async (): Promise<Turn> => {
  for (const turn of waiting) if (!isAlive(turn)) waiting.delete(turn)
  const turn = { since: Date.now() }
  if (!isFree()) {
    if (waiting.size >= MAX_WAITING_CONVERSIONS) throw unavailable("Too many conversions wait.")
    waiting.add(turn)
    while (!isFree()) await scheduler.wait(POLL_MS)
    waiting.delete(turn)
    turn.since = Date.now()
  }
  running = turn
  return turn
}

/**
 * Runs one conversion at a time in this isolate: two at once would not fit into its memory.
 * @throws ApiError 503 when too many wait
 */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  const turn = await takeTurn()
  try {
    return await work()
  } finally {
    if (running === turn) running = null
  }
}
