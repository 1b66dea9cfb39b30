import { existsSync, statfsSync } from "node:fs"

import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers"
import { defineConfig } from "vitest/config"

import { setEnvironment } from "./test/environment.ts"
import { BROWSER_TIMEOUTS, TIMEOUTS } from "./test/timeouts.ts"

/** The last one prints where the time of a run went. */
const REPORTERS = ["default", "./scripts/seconds-reporter.ts"]

const OPERATOR_TOKEN = "an-operator-token-of-the-test-suite"
const WEBHOOK_SECRET = "a-webhook-secret-of-the-test-suite"
const STRIPE_WEBHOOK_SECRET = "whsec_of_the_test_suite"

const MEMORY = "/dev/shm"

/** Sets the environment of a run in the Worker, and keeps its files in memory. */
export const setUpRun = (): void => {
  // wrangler warns of a secret that it does not find here.
  Object.assign(process.env, { OPERATOR_TOKEN, WEBHOOK_SECRET })
  setEnvironment()
  // Each write of D1 waits for the disk, which memory does not. A container may have too little of it.
  if (!process.env.TMPDIR && existsSync(MEMORY) && statfsSync(MEMORY).bavail * statfsSync(MEMORY).bsize > 4 * 2 ** 30)
    process.env.TMPDIR = MEMORY
}

/** Tables of pure code. They need no Worker, which takes longer to start than they take. */
const UNIT = [
  "test/{import-rules,migrations,mutants,post-fields}.unit.test.ts",
  "test/{billing,export,markdown,posts,translations,webhooks}/**/*.unit.test.ts",
  "test/images/image.unit.test.ts",
  "packages/*/test/**/*.unit.test.ts",
]

const NODE_SETUP = ["test/node-setup.ts"]

/** They replace a module, which no file before may have loaded. */
const MOCKED = ["test/translations/document/rebuild.unit.test.ts"]

/** Bundled once for all files, where each would load a thousand modules anew. */
const BUNDLED = [
  "fast-check",
  "zod",
  "hono",
  "hono/cookie",
  "hono/cors",
  "hono/http-exception",
  "hono/route",
  "hono/html",
  "hono/jsx",
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
  "mdast-util-to-markdown",
  "hast-util-from-html",
  "hast-util-from-parse5",
  "hast-util-sanitize",
  "hast-util-to-html",
  "parse5",
  "github-slugger",
  "@simplewebauthn/server",
  "@simplewebauthn/server/helpers",
  "ulid",
  "crc-32",
  "client-zip",
  "@zip.js/zip.js",
  "yaml",
  "lowlight",
  "highlight.js/lib/languages/bash",
  "highlight.js/lib/languages/css",
  "highlight.js/lib/languages/diff",
  "highlight.js/lib/languages/javascript",
  "highlight.js/lib/languages/json",
  "highlight.js/lib/languages/python",
  "highlight.js/lib/languages/sql",
  "highlight.js/lib/languages/typescript",
  "highlight.js/lib/languages/xml",
  "highlight.js/lib/languages/yaml",
  "mdast-util-to-hast",
  "mdast-util-math",
  "mdast-util-frontmatter",
  "micromark-core-commonmark",
  "micromark-extension-math",
  "micromark-extension-frontmatter",
  "micromark-extension-cjk-friendly",
  "micromark-extension-cjk-friendly-gfm-strikethrough",
  "micromark-util-character",
  "micromark-util-edit-map",
  "micromark-util-resolve-all",
  "hast-util-to-mdast",
  "@hono/zod-validator",
  "@remix-run/multipart-parser",
  "temml",
  "hono/utils/url",
  "hono/utils/html",
  "hono/utils/cookie",
]

interface Files {
  name: string
  include: string[]
  exclude: string[]
  /** Whether each file has an isolate of its own, which takes three seconds to start. */
  isolate: boolean
}

/** Leaves out the source maps of libraries, which each Worker would load with them. */
const withoutMaps = {
  name: "without-maps",
  enforce: "post" as const,
  // Matches `…/deps_ssr/zod.js`. Does not match `src/app.ts`.
  transform: (code: string, id: string) => (/\/deps_ssr\//.test(id) ? { code, map: { mappings: "" as const } } : null),
}

/** Tests inside of a Worker, with real bindings. */
export const workerProject = async (files: Files, timeouts = TIMEOUTS) => ({
  plugins: [
    withoutMaps,
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      remoteBindings: false,
      miniflare: {
        bindings: {
          PUBLIC_ORIGIN: "http://localhost:8787",
          TRANSLATOR: "pseudo",
          OPERATOR_TOKEN,
          WEBHOOK_SECRET,
          STRIPE_WEBHOOK_SECRET,
          WEBHOOKS: "on",
          MIGRATIONS: await readD1Migrations("migrations"),
        },
        // A copy of the database that lags, for the tests of the edge.
        d1Databases: { REPLICA: "replica" },
        // A real queue that nobody drains: tests hand messages to the consumer themselves, doubled, late or never.
        queueProducers: { TRANSLATIONS: { queueName: "undrained" }, WEBHOOK_EVENTS: { queueName: "undrained" } },
      },
    }),
  ],
  test: {
    ...files,
    ...timeouts,
    setupFiles: ["test/setup.ts"],
    deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
  },
})

export default defineConfig(async () => {
  setUpRun()
  return {
    test: {
      silent: "passed-only" as const,
      reporters: REPORTERS,
      // Vitest leaves one core to itself, which is half of a small machine.
      maxWorkers: "100%",
      projects: [
        // Files share a process and the modules that it has loaded, which takes longer than most of their tests.
        { test: { name: "unit", include: UNIT, exclude: MOCKED, setupFiles: NODE_SETUP, isolate: false, ...TIMEOUTS } },
        { test: { name: "mocked", include: MOCKED, ...TIMEOUTS } },
        await workerProject({
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{e2e,full,soak}/**", ...UNIT],
          isolate: false,
        }),
        // The service from outside: `npm start` as a child process, in plain Node. It starts while the projects before it run,
        // in the order of their names.
        {
          test: {
            name: "whole",
            include: ["test/e2e/**/*.test.ts", "packages/edgepost/test/*.e2e.test.ts"],
            globalSetup: ["test/e2e/start.ts"],
            setupFiles: NODE_SETUP,
            isolate: false,
            ...BROWSER_TIMEOUTS,
          },
        },
      ],
    },
  }
})
