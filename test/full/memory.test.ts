import { spawnSync } from "node:child_process"

import { expect, it } from "vitest"

import { FAMILIES } from "../../bench/markdown/families.ts"

/** Of what lives longer; a Worker has 128 for all. Source: developers.cloudflare.com/workers/platform/limits. */
const MEMORY_MB = 64

it(`no document that is accepted needs more than ${MEMORY_MB} MB to be rendered or parsed`, () => {
  const bounded = [`--max-old-space-size=${MEMORY_MB}`, "--max-semi-space-size=8"]
  const script = new URL("render.ts", import.meta.url).pathname
  const { status, stdout } = spawnSync(process.execPath, [...bounded, script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  // The process ends at what it has no memory for, and says so.
  expect([status, stdout.trim().split("\n").at(-1)]).toEqual([0, Object.keys(FAMILIES).at(-1)])
})
