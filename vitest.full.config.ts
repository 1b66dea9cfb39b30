import { defineConfig } from "vitest/config"

import { BROWSER_TIMEOUTS } from "./test/timeouts.ts"

// Packages as the Worker bundles them: micromark has a second build for development.
process.env.NODE_ENV = "production"

// What needs Debian packages (Chromium, a decoder of WebP, readers of XML and feeds, Apertium) or takes long. All files share one service.
export default defineConfig({
  test: {
    include: ["test/full/**/*.test.ts", "packages/edgepost/test/{,secrets/}*.full.test.ts"],
    globalSetup: ["test/e2e/start.ts"],
    // Vitest leaves one core to itself, which is half of a small machine.
    maxWorkers: "100%",
    ...BROWSER_TIMEOUTS,
  },
})
