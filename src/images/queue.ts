import { unavailable } from "../http/problem.ts"
import { MAX_WAITING_CONVERSIONS } from "../limits.ts"

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Runs one conversion at a time in this isolate: two at once would not fit into its memory.
 * @throws ApiError 503 when too many wait
 */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (waiting > MAX_WAITING_CONVERSIONS) throw unavailable("Too many conversions wait.")
  waiting += 1
  const turn = last.then(work, work)
  last = turn.catch(() => {})
  try {
    return await turn
  } finally {
    waiting -= 1
  }
}
