import { defineConfig } from "vitest/config"

import { LONG_PATIENCE, PATIENCE } from "./test/patience.ts"
import { workerProject } from "./vitest.config.ts"

/** Long searches inside the Worker; the other files have a service, a browser and Node. */
const IN_WORKER = ["test/full/{faults,requests}.test.ts"]
/** Nothing but processor time. */
const DOCUMENTS = ["test/full/{exactness,linear,translations.*}.test.ts"]

// What needs Debian packages or patience: Chromium, a decoder of WebP, Apertium, long searches.
export default defineConfig(async () => ({
  test: {
    projects: [
      {
        test: {
          name: "full",
          include: ["test/full/**/*.test.ts"],
          exclude: [...IN_WORKER, ...DOCUMENTS],
          globalSetup: ["test/e2e/start.ts"],
          ...PATIENCE,
        },
      },
      // Behind the others: these share one service, and are done one after another.
      {
        test: {
          name: "documents",
          include: DOCUMENTS,
          maxWorkers: "100%",
          sequence: { groupOrder: 1 },
          ...LONG_PATIENCE,
        },
      },
      await workerProject({ name: "worker", include: IN_WORKER, exclude: [], isolate: true }),
    ],
  },
}))
