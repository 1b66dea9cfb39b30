import { defineConfig } from "vitest/config"

import { LONG_TIMEOUTS } from "../../test/timeouts.ts"
import { setUpRun, workerProject } from "../../vitest.config.ts"

setUpRun()

/** The sizes of the accounts: `SIZES=500,2000 npm run bench:growth`. */
const sizes = (process.env["SIZES"] ?? "500,2000,8000,32000").split(",").map(Number)

export default defineConfig(async () => ({
  test: {
    provide: { sizes },
    projects: [
      await workerProject(
        { name: "growth", include: ["bench/growth/growth.test.ts"], exclude: [], isolate: false },
        LONG_TIMEOUTS,
      ),
    ],
  },
}))
