import { availableParallelism } from "node:os"

import { defineConfig } from "vitest/config"

import { setEnvironment } from "./test/environment.ts"
import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"

setEnvironment()

// What needs Debian packages (Chromium, a decoder of WebP, readers of XML and feeds, Apertium) or takes long. All files share one service.
export default defineConfig({
  test: {
    setupFiles: ["test/node-setup.ts"],
    include: ["test/full/**/*.test.ts", "packages/edgepost/test/*.full.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    // Tests wait for the service and for browsers, so that one file more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    ...BROWSER_TIMEOUTS,
  },
})
