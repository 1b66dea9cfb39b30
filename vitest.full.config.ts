import { defineConfig } from "vitest/config"

import { workerProject } from "./vitest.config.ts"

/** Long searches inside the Worker; the other files have a service, a browser and Node. */
const IN_WORKER = ["test/full/{faults,requests}.test.ts"]

// What needs Debian packages or patience: Chromium, a decoder of WebP, Apertium, long searches.
export default defineConfig(async () => ({
  test: {
    projects: [
      {
        test: {
          name: "full",
          include: ["test/full/**/*.test.ts"],
          exclude: IN_WORKER,
          globalSetup: ["test/e2e/start.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      await workerProject({ name: "worker", include: IN_WORKER, exclude: [], isolate: true }),
    ],
  },
}))
