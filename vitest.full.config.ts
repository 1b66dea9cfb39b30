import { defineConfig } from "vitest/config"

// What needs a browser: pages of a running service, seen in headless Chromium.
export default defineConfig({
  test: {
    include: ["test/full/**/*.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
