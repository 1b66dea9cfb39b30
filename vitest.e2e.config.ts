import { defineConfig } from "vitest/config"

import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"

// The service from outside: `npm start` as a child process, in plain Node.
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts", "packages/edgepost/test/*.e2e.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    // Vitest leaves one core to itself, which is half of a small machine.
    maxWorkers: "100%",
    ...BROWSER_TIMEOUTS,
  },
})
