import { availableParallelism } from "node:os"

import { defineConfig } from "vitest/config"

import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"

// Packages as the Worker bundles them: micromark has a second build for development.
process.env.NODE_ENV = "production"

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
