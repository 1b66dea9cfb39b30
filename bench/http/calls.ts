// Counts the calls that an operation makes to the platform, with the Workers of counted.ts.
import { at } from "../shared.ts"
import type { Bundle } from "./bundle.ts"
import { measure } from "./load.ts"
import { OPERATIONS } from "./operations.ts"
import { type Prepared, prepareTarget } from "./prepare.ts"
import { fillPosts } from "./seed.ts"

/** Calls, rows and bytes of the body of one request, by kind: `d1_calls`, `rows_read`, … */
export type Counts = Record<string, number>
/** By number of posts, then by operation. */
type CountsBySize = Record<string, Record<string, Counts>>

/** Kinds that may differ between the Workers. */
const MAY_DIFFER = new Set(["rows_read", "rows_written", "body_bytes"])
/** The part by which the bytes of an answer for readers may differ. */
const MAX_DIFFERENCE = 0.02

const countAll = async (target: Prepared, first: number): Promise<Record<string, Counts>> => {
  const counts: Record<string, Counts> = {}
  for (const [operation, { status, request }] of Object.entries(OPERATIONS)) {
    // The second of two counts: the first may do work that is done only once.
    const requests = [first, first + 1].map((n) => request(n, target))
    const { answers } = await measure(target, requests, { status, concurrency: 1 })
    const calls = JSON.parse(String(answers[1]?.headers["x-calls"])) as Counts
    counts[operation] = { ...calls, body_bytes: Buffer.byteLength(answers[1]?.body ?? "") }
  }
  return counts
}

const countAt = async (name: string, bundle: Bundle, sizes: number[]): Promise<CountsBySize> => {
  const [first = 0, ...more] = sizes
  const target = await prepareTarget(name, bundle, first)
  try {
    const counts: CountsBySize = { [first]: await countAll(target, 0) }
    let filled = first
    for (const size of more) {
      await fillPosts(target, filled, size)
      // With other numbers, because a PATCH that repeats an earlier one changes nothing.
      counts[size] = await countAll(target, filled)
      filled = size
    }
    return counts
  } finally {
    await target.stop()
  }
}

const callsIn = (counts: Counts): string =>
  JSON.stringify(Object.entries(counts).filter(([name]) => !MAY_DIFFER.has(name)))

/** Requires that two Workers make the same calls and print as much for readers. @throws Error */
const compare = (operation: string, edgepost: Counts, bare: Counts): void => {
  const [ours, theirs] = [callsIn(edgepost), callsIn(bare)]
  if (ours !== theirs) throw new Error(`${operation}: edgepost calls ${ours}, the bare Worker ${theirs}`)
  const [bytes, bareBytes] = [at(edgepost, "body_bytes"), at(bare, "body_bytes")]
  if (at(OPERATIONS, operation).isForReaders && Math.abs(bareBytes / bytes - 1) > MAX_DIFFERENCE)
    throw new Error(`${operation}: edgepost prints ${bytes} bytes, the bare Worker ${bareBytes}`)
}

/**
 * Counts the calls and rows of both Workers, for every operation at each number of posts.
 * @throws Error when the bare Worker makes other calls than edgepost, or prints more or less for readers
 */
export const countCalls = async (bundles: { edgepost: Bundle; bare: Bundle }, sizes: number[]) => {
  const edgepost = await countAt("edgepost, counted", bundles.edgepost, sizes)
  const bare = await countAt("bare, counted", bundles.bare, sizes)
  for (const size of sizes)
    for (const operation of Object.keys(OPERATIONS))
      compare(operation, at(at(edgepost, size), operation), at(at(bare, size), operation))
  return { edgepost, bare }
}
