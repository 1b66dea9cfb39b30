import { defineConfig } from "vitest/config"

import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"

// The service from outside: `npm start` as a child process, in plain Node.
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts", "packages/edgepost/test/*.e2e.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    ...BROWSER_TIMEOUTS,
  },
})
