import { defineConfig } from "vitest/config"

// What needs Debian packages or patience: Chromium, a decoder of WebP, Apertium, long searches.
export default defineConfig({
  test: {
    include: ["test/full/**/*.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
