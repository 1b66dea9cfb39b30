import { availableParallelism } from "node:os"

import { defineConfig } from "vitest/config"

import { setEnvironment } from "./test/environment.ts"
import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"
import { workerProject } from "./vitest.config.ts"

setEnvironment()

const IN_WORKER = ["test/full/*.integration.test.ts"]

export default defineConfig(async () => ({
  test: {
    // Tests wait for the service and for browsers, so that one file more than there are cores keeps these busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // What needs Debian packages (Chromium, a decoder of WebP, readers of XML and feeds, Apertium) or takes long. All files
      // share one service.
      {
        test: {
          name: "full",
          setupFiles: ["test/node-setup.ts"],
          include: ["test/full/**/*.test.ts", "packages/edgepost/test/*.full.test.ts"],
          exclude: IN_WORKER,
          globalSetup: ["test/e2e/start.ts"],
          ...BROWSER_TIMEOUTS,
        },
      },
      await workerProject({ name: "worker", include: IN_WORKER, exclude: [], isolate: false }, BROWSER_TIMEOUTS),
    ],
  },
}))
