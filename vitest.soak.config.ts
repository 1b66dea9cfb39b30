import { readFileSync, writeFileSync } from "node:fs"

import { defineConfig } from "vitest/config"
import type { Reporter } from "vitest/node"

import type { Mode } from "./test/search.ts"
import { LONG_TIMEOUTS } from "./test/timeouts.ts"
import { setUpRun, workerProject } from "./vitest.config.ts"

/** Files of `npm test` that search with test/search.ts in Node, and in the Worker. */
const SEARCHES = [
  "test/translations/{glossary-,}guarantee.unit.test.ts",
  "packages/edgepost/test/{escape,pull,html/{round-trip,to-markdown},{folder,markdown}/properties}.unit.test.ts",
  "packages/edgepost/test/{images/hostile,import/plain-text,secrets/{drawn,secrets}}.unit.test.ts",
  "packages/extension/test/to-markdown.unit.test.ts",
]
const SEARCHES_IN_WORKER = ["test/{accounts/scopes,edge/staleness,images/hostile,posts/dry-run}.integration.test.ts"]

/** Long searches inside the Worker; the other files need processor time alone. */
const IN_WORKER = ["test/soak/{faults,requests,webhooks}.test.ts"]

setUpRun()

const isDistilling = process.env["SEARCH"] === "distil"
const search: Mode = isDistilling ? "distil" : "soak"
/** A run repeats another with its seed: `SEED=53`. */
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 30))
if (!isDistilling) console.info(`SEED=${seed}`)

/** Writes the seeds that a search chose or found into the list of `npm test`. */
const keepSeeds: Reporter = {
  onTestCaseResult: (test) => {
    const { seeds } = test.meta()
    if (!seeds) return
    const path = new URL("test/seeds.json", import.meta.url)
    const all = JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, number[]>>
    const file = test.module.relativeModuleId
    all[file] = { ...all[file], [test.fullName]: seeds }
    writeFileSync(path, JSON.stringify(all))
  },
}

// Long searches, which .ci/run leaves out: a sample of each is in `npm test` or `npm run test:full`.
export default defineConfig(async () => ({
  test: {
    maxWorkers: "100%",
    reporters: ["default", keepSeeds],
    provide: { search, seed },
    projects: [
      {
        test: {
          name: "documents",
          include: isDistilling ? SEARCHES : [...SEARCHES, "test/soak/**/*.test.ts"],
          exclude: IN_WORKER,
          ...LONG_TIMEOUTS,
        },
      },
      {
        test: {
          name: "histories",
          include: isDistilling ? [] : ["packages/edgepost/test/histories.full.test.ts"],
          globalSetup: ["test/e2e/start.ts"],
          setupFiles: ["test/node-setup.ts"],
          ...LONG_TIMEOUTS,
        },
      },
      await workerProject(
        {
          name: "worker",
          include: isDistilling ? SEARCHES_IN_WORKER : [...SEARCHES_IN_WORKER, ...IN_WORKER],
          exclude: [],
          isolate: true,
        },
        LONG_TIMEOUTS,
      ),
    ],
  },
}))
