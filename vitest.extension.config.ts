import { availableParallelism } from "node:os"

import { defineConfig } from "vitest/config"

import { setEnvironment } from "./test/environment.ts"
import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"

setEnvironment()

// The extension in real Chromium and Firefox, with Debian's packages of both.
export default defineConfig({
  test: {
    include: ["packages/extension/test/*.full.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    // Tests wait for browsers, so that one file more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    ...BROWSER_TIMEOUTS,
  },
})
