import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"

import { defineConfig } from "vitest/config"

import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"

// Packages as the Worker bundles them: micromark has a second build for development.
process.env.NODE_ENV = "production"

// wrangler and the command line start many times; Node keeps their compiled code.
process.env.NODE_COMPILE_CACHE = join(tmpdir(), "edgepost-compile-cache")

// What needs Debian packages (Chromium, a decoder of WebP, readers of XML and feeds, Apertium) or takes long. All files share one service.
export default defineConfig({
  test: {
    include: ["test/full/**/*.test.ts", "packages/edgepost/test/*.full.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    // Tests wait for the service and for browsers, so that one file more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    ...BROWSER_TIMEOUTS,
  },
})
