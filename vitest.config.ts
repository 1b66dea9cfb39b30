import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers"
import { defineConfig } from "vitest/config"

export default defineConfig(async () => ({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      remoteBindings: false,
      miniflare: {
        bindings: {
          PUBLIC_ORIGIN: "http://localhost:8787",
          OPERATOR_TOKEN: "an-operator-token-of-the-test-suite",
          MIGRATIONS: await readD1Migrations("migrations"),
        },
        // A real queue that nobody drains: tests hand messages to the consumer themselves, doubled, late or never.
        queueProducers: { TRANSLATIONS: { queueName: "undrained" } },
      },
    }),
  ],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/e2e/**"],
    setupFiles: ["test/setup.ts"],
    silent: "passed-only" as const,
  },
}))
