import { defineConfig } from "vitest/config"

import { PATIENCE } from "./test/patience.ts"

// What needs Debian packages: Chromium, a decoder of WebP, Apertium. All files share one service.
export default defineConfig({
  test: {
    include: ["test/full/**/*.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    ...PATIENCE,
  },
})
