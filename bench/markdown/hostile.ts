// Measures hostile documents: how long edgepost takes to render them or to refuse them.
import { median } from "../shared.ts"
import { FAMILIES } from "./families.ts"
import { KB } from "./prose.ts"
import { type Measured, Thread } from "./thread.ts"

export const LENGTHS = [64, 128, 256].map((kb) => kb * KB)
/** The limit of one document. */
export const LIMIT_MS = 20_000

export interface Outcome {
  /** Null if the document took longer than the limit. */
  cpuMs: number | null
  refused: string | null
  bytes: number | null
}

export interface FamilyResult {
  name: string
  /** One for each of LENGTHS. */
  sizes: Outcome[]
}

const measure = async (thread: Thread, text: string, runs: number): Promise<Outcome> => {
  const results: Measured[] = []
  for (let run = 0; run < runs; run++) {
    const result = await thread.run("edgepost", [text], { limitMs: LIMIT_MS, isClean: true })
    if (!result) return { cpuMs: null, refused: null, bytes: null }
    results.push(result)
  }
  const { refused = null, bytes = null } = results[0] ?? {}
  return { cpuMs: median(results.map(({ cpuMs }) => cpuMs)), refused, bytes }
}

interface Options {
  runs: number
  /** Documents that the thread renders before anything is measured. */
  warmUp: string[]
  /** Names of families; all of them by default. */
  only?: string[] | undefined
  report: (result: FamilyResult) => void
}

/** Measures families of documents at each length. */
export const measureFamilies = async ({ runs, warmUp, only, report }: Options): Promise<FamilyResult[]> => {
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
