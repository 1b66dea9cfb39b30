// What an operation asks of the platform, from the Workers that tell: see counted.ts.
import { measure } from "./load.mjs"
import { OPERATIONS } from "./operations.mjs"
import { prepareTarget } from "./prepare.mjs"
import { fillPosts } from "./seed.mjs"

const ROWS = ["rows_read", "rows_written"]

const countAll = async (target, first) => {
  const counts = {}
  for (const [operation, { status, request }] of Object.entries(OPERATIONS)) {
    // The second of two: the first may find something to do that is done once.
    const requests = [first, first + 1].map((n) => request(n, target))
    const { answers } = await measure(target, requests, { status, concurrency: 1 })
    counts[operation] = JSON.parse(answers[1].headers["x-calls"])
  }
  return counts
}

/** Calls and rows of every operation at each number of posts. */
const countAt = async (name, bundle, sizes) => {
  const [first, ...more] = sizes
  const target = await prepareTarget(name, bundle, first)
  try {
    const counts = { [first]: await countAll(target, 0) }
    let filled = first
    for (const size of more) {
      await fillPosts(target, filled, size)
      // Other numbers: the same again would change nothing.
      counts[size] = await countAll(target, filled)
      filled = size
    }
    return counts
  } finally {
    await target.stop()
  }
}

const without = (counts, names) => Object.entries(counts).filter(([name]) => !names.includes(name))

/**
 * Calls and rows of both Workers.
 * @throws Error when the bare one makes other calls than edgepost
 */
export const countCalls = async (bundles, sizes) => {
  const edgepost = await countAt("edgepost, counted", bundles.edgepost, sizes)
  const bare = await countAt("bare, counted", bundles.bare, sizes)
  for (const size of sizes)
    for (const operation of Object.keys(OPERATIONS)) {
      const [ours, theirs] = [edgepost, bare].map((counts) => JSON.stringify(without(counts[size][operation], ROWS)))
      if (ours !== theirs) throw new Error(`${operation}: edgepost calls ${ours}, the bare Worker ${theirs}`)
    }
  return { edgepost, bare }
}
