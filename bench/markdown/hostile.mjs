// Hostile families: what edgepost takes to render them, or to refuse; plain micromark beside it on much less of them.
import { readBlocks } from "../../src/posts/markdown.ts"
import { FAMILIES, STARS } from "./families.ts"
import { KB } from "./prose.mjs"
import { median, Thread } from "./thread.mjs"

const LENGTHS = [64, 128, 256].map((kb) => kb * KB)
const LONGEST = 256 * KB
/** Growth of less than this is noise. */
const MEASURABLE_MS = 20
/** Of less, compiling is a large part: growth is told from several calls in turn, which share it. */
const SHORT_MS = 100
const CALLS = 10
/** Families that begin with something long do not halve below. */
const MIN_HALVED = 2 * KB
const MICROMARK_LENGTHS = [4, 8].map((kb) => kb * KB)
export const LIMIT_MS = 10_000
export const MICROMARK_LIMIT_MS = 2000

const isRefusedUnread = (markdown) => "tooComplex" in readBlocks(markdown)

/** The longest document of a family that is not refused unread. */
const findBound = (family) => {
  if (!isRefusedUnread(family(LONGEST))) return LONGEST
  let [fits, refused] = [0, LONGEST]
  while (refused - fits > Math.max(16, fits / 200)) {
    const middle = Math.floor((fits + refused) / 2)
    if (isRefusedUnread(family(middle))) refused = middle
    else fits = middle
  }
  return fits
}

const measure = async (thread, tool, text, runs, { limitMs = LIMIT_MS, calls = 1 } = {}) => {
  const results = []
  for (let run = 0; run < runs; run++) {
    const result = await thread.run(tool, Array(calls).fill(text), { limitMs, isClean: true })
    if (!result) return { ms: null, cpuMs: null, refused: null, bytes: null }
    results.push(result)
  }
  return { ...results[0], cpuMs: median(results.map(({ cpuMs }) => cpuMs)), ms: median(results.map(({ ms }) => ms)) }
}

/** Documents near the bound that are refused: there all of the blocks could be told first. */
const justOver = (family, bound) => {
  const longer = bound < LONGEST ? [family(Math.min(LONGEST, Math.ceil(1.05 * bound)))] : []
  return [...longer, family(Math.floor(0.95 * bound)).slice(0, LONGEST - STARS.length) + STARS]
}

const isCounted = ({ refused, cpuMs }) => !refused && cpuMs !== null

/** @returns how much longer twice the length takes, or null where that is too short to tell */
const growthOf = async (small, large, inTurn) => {
  if (!isCounted(small) || !isCounted(large) || large.cpuMs <= MEASURABLE_MS) return null
  if (large.cpuMs >= SHORT_MS) return large.cpuMs / small.cpuMs
  const calls = [await inTurn(small.length), await inTurn(large.length)]
  return calls[1].cpuMs / calls[0].cpuMs
}

const measureFamily = async (name, threads, runs) => {
  const family = FAMILIES[name]
  const edgepost = async (length, options) => ({
    length,
    ...(await measure(threads.edgepost, "edgepost", family(length), runs, options)),
  })
  const sizes = []
  for (const length of LENGTHS) sizes.push(await edgepost(length))
  const length = findBound(family)
  const bound = length === LONGEST ? sizes.at(-1) : await edgepost(length)
  const inTurn = (measured) => edgepost(measured, { calls: CALLS })
  const growths = [await growthOf(sizes[0], sizes[1], inTurn), await growthOf(sizes[1], sizes[2], inTurn)]
  const isHalved = length !== LONGEST && length >= MIN_HALVED
  const toBound = isHalved ? await growthOf(await edgepost(Math.floor(length / 2)), bound, inTurn) : null
  const over = []
  for (const text of justOver(family, length)) over.push(await measure(threads.edgepost, "edgepost", text, runs))
  const refusals = over.filter(({ refused }) => refused).toSorted((a, b) => b.cpuMs - a.cpuMs)
  const mdast = await measure(threads.mdast, "mdast", family(length), runs)
  const micromark = []
  for (const small of MICROMARK_LENGTHS)
    micromark.push(
      (await measure(threads.micromark, "micromark", family(small), runs, { limitMs: MICROMARK_LIMIT_MS })).cpuMs,
    )
  return {
    name,
    sizes,
    bound,
    over: refusals[0] ?? null,
    growth: growths.some(Number) ? Math.max(...growths) : null,
    growthToBound: toBound,
    mdastMs: mdast.cpuMs,
    micromark,
  }
}

export const measureFamilies = async ({ runs, warmUp, only, report }) => {
  const threads = { edgepost: new Thread(), mdast: new Thread(), micromark: new Thread() }
  for (const [tool, thread] of Object.entries(threads)) for (let i = 0; i < 5; i++) await thread.run(tool, warmUp)
  const results = []
  for (const name of Object.keys(FAMILIES)) {
    if (only && !only.includes(name)) continue
    const result = await measureFamily(name, threads, runs)
    results.push(result)
    report(result)
  }
  for (const thread of Object.values(threads)) await thread.stop()
  return results
}
