import { defineConfig } from "vitest/config"

// The service from outside: `npm start` as a child process, in plain Node.
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
