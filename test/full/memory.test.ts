import { spawnSync } from "node:child_process"

import { expect, it } from "vitest"

import { FAMILIES } from "../../bench/markdown/families.ts"

/** Of what lives longer; a Worker has 128 for all. Source: developers.cloudflare.com/workers/platform/limits. */
const MEMORY_MB = 64

/** Processes, each for some families: what code for all of them takes is no document's. */
const PARTS = 8
const parts = Array.from({ length: PARTS }, (_, part) => part)

it.each(parts)(
  `no document that is accepted needs more than ${MEMORY_MB} MB to be rendered or parsed, part %i`,
  (part) => {
    // What is collected beside the script, or slowly, ends it on a busy machine with less than that.
    const exactly = ["--single-threaded-gc", "--no-incremental-marking", "--no-detect-ineffective-gcs-near-heap-limit"]
    const bounded = [`--max-old-space-size=${MEMORY_MB}`, "--max-semi-space-size=8", ...exactly]
    const script = new URL("render.ts", import.meta.url).pathname
    const { status, stdout } = spawnSync(process.execPath, [...bounded, script, String(part), String(PARTS)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    })
    // The process ends at what it has no memory for, and says so.
    const names = Object.keys(FAMILIES).filter((_, i) => i % PARTS === part)
    expect([status, stdout.trim().split("\n")]).toEqual([0, names])
  },
)
