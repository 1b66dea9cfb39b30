import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers"
import { defineConfig } from "vitest/config"

const OPERATOR_TOKEN = "an-operator-token-of-the-test-suite"

// wrangler warns of a secret that it does not find here.
process.env.OPERATOR_TOKEN = OPERATOR_TOKEN

export default defineConfig(async () => ({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      remoteBindings: false,
      miniflare: {
        bindings: {
          PUBLIC_ORIGIN: "http://localhost:8787",
          TRANSLATOR: "pseudo",
          OPERATOR_TOKEN,
          MIGRATIONS: await readD1Migrations("migrations"),
        },
        // A real queue that nobody drains: tests hand messages to the consumer themselves, doubled, late or never.
        queueProducers: { TRANSLATIONS: { queueName: "undrained" } },
      },
    }),
  ],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/e2e/**", "test/full/**"],
    setupFiles: ["test/setup.ts"],
    silent: "passed-only" as const,
    // Vitest leaves one core to itself, which is half of a small machine.
    maxWorkers: "100%",
    // A busy machine is no failure.
    testTimeout: 120_000,
    // Bundled once for all files, where each would load a thousand modules anew.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            "zod",
            "hono",
            "hono/cors",
            "hono/request-id",
            "hono/html",
            "hono/jsx/jsx-runtime",
            "hono/jsx/jsx-dev-runtime",
            "drizzle-orm",
            "drizzle-orm/d1",
            "drizzle-orm/sqlite-core",
            "micromark",
            "micromark-extension-gfm",
            "micromark-extension-gfm-autolink-literal",
            "micromark-extension-gfm-footnote",
            "micromark-extension-gfm-strikethrough",
            "micromark-extension-gfm-table",
            "micromark-extension-gfm-task-list-item",
            "micromark-util-combine-extensions",
            "micromark-util-normalize-identifier",
            "mdast-util-from-markdown",
            "mdast-util-gfm",
            "hast-util-from-html",
            "hast-util-sanitize",
            "hast-util-to-html",
            "github-slugger",
            "ulid",
            "crc-32",
          ],
        },
      },
    },
  },
}))
