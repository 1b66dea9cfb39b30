import { defineConfig } from "vitest/config"

import { LONG_TIMEOUTS } from "./test/timeouts.ts"
import { workerProject } from "./vitest.config.ts"

/** Searches inside the Worker; the other files need processor time alone. */
const IN_WORKER = ["test/soak/{faults,images,requests,staleness,webhooks}.test.ts"]

// Long searches, which .ci/run leaves out: a sample of each is in `npm test` or `npm run test:full`.
export default defineConfig(async () => ({
  test: {
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "documents",
          include: ["test/soak/**/*.test.ts", "packages/edgepost/test/secrets/*.soak.test.ts"],
          exclude: IN_WORKER,
          ...LONG_TIMEOUTS,
        },
      },
      await workerProject({ name: "worker", include: IN_WORKER, exclude: [], isolate: true }, LONG_TIMEOUTS),
    ],
  },
}))
