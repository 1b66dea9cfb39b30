import { spawnSync } from "node:child_process"

import { FAMILIES } from "../../bench/markdown/families.ts"

/** The memory for one document in megabytes. An isolate has 128. Source: developers.cloudflare.com/workers/platform/limits. */
const MEMORY_MB = 96

/** Makes garbage collection independent of other load on the machine. */
const EXACT_HEAP = ["--single-threaded-gc", "--no-incremental-marking", "--no-detect-ineffective-gcs-near-heap-limit"]
const BOUNDS = [`--max-old-space-size=${MEMORY_MB}`, "--max-semi-space-size=8", ...EXACT_HEAP]

const render = (name: string, length: number): number | null => {
  const script = new URL("render.ts", import.meta.url).pathname
  const stdio = ["ignore", "ignore", "inherit"] as const
  return spawnSync(process.execPath, [...BOUNDS, script, name, `${length}`], { stdio: [...stdio] }).status
}

/**
 * Renders every n-th hostile family, each document in a process of its own whose memory is bounded.
 * @param part the first family, from 0
 * @param parts n, the number of tests that share all families
 * @param lengths of each family's documents, in characters
 * @returns the number of documents, and those whose process failed
 */
export const renderFamilies = (part: number, parts: number, lengths: number[]) => {
  const names = Object.keys(FAMILIES).filter((_, i) => i % parts === part)
  const documents = names.flatMap((name) => lengths.map((length) => ({ name, length })))
  const failed = documents.filter(({ name, length }) => render(name, length) !== 0)
  return { count: documents.length, failed }
}
