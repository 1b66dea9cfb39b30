import { spawnSync } from "node:child_process"

import { FAMILIES } from "../../bench/markdown/families.ts"

/** Megabytes for one document. An isolate has 128 for everything. Source: developers.cloudflare.com/workers/platform/limits. */
const MEMORY_MB = 64

/** Garbage collection that is concurrent or slow would end the process earlier on a busy machine. */
const EXACT_HEAP = ["--single-threaded-gc", "--no-incremental-marking", "--no-detect-ineffective-gcs-near-heap-limit"]

/**
 * Renders every n-th hostile family in a process whose memory is bounded.
 * @param part which families, from 0
 * @param parts how many processes share all families
 * @returns the exit status, the names of the families that were begun, and of those that should have been
 */
export const renderFamilies = (part: number, parts: number) => {
  const bounds = [`--max-old-space-size=${MEMORY_MB}`, "--max-semi-space-size=8", ...EXACT_HEAP]
  const script = new URL("render.ts", import.meta.url).pathname
  const { status, stdout } = spawnSync(process.execPath, [...bounds, script, String(part), String(parts)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  const families = Object.keys(FAMILIES).filter((_, i) => i % parts === part)
  return { status, rendered: stdout.trim().split("\n"), families }
}
