// Hostile families: what edgepost takes to render them, or to refuse.
import { FAMILIES } from "./families.ts"
import { KB } from "./prose.mjs"
import { median, Thread } from "./thread.mjs"

export const LENGTHS = [64, 128, 256].map((kb) => kb * KB)
/** What takes longer is stopped. */
export const LIMIT_MS = 20_000

const measure = async (thread, text, runs) => {
  const results = []
  for (let run = 0; run < runs; run++) {
    const result = await thread.run("edgepost", [text], { limitMs: LIMIT_MS, isClean: true })
    if (!result) return { cpuMs: null, refused: null, bytes: null }
    results.push(result)
  }
  const [{ refused, bytes }] = results
  return { cpuMs: median(results.map(({ cpuMs }) => cpuMs)), refused, bytes }
}

/** Families at each length. @param warmUp documents that every thread renders first */
export const measureFamilies = async ({ runs, warmUp, only, report }) => {
  const thread = new Thread()
  for (let i = 0; i < 5; i++) await thread.run("edgepost", warmUp)
  const results = []
  for (const [name, family] of Object.entries(FAMILIES)) {
    if (only && !only.includes(name)) continue
    const sizes = []
    for (const length of LENGTHS) sizes.push(await measure(thread, family(length), runs))
    results.push({ name, sizes })
    report({ name, sizes })
  }
  await thread.stop()
  return results
}
