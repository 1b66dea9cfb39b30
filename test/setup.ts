import { applyD1Migrations } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest"

import { wipeStorage } from "./storage.ts"

// Test files share an isolate, which takes three seconds to start, and a database, whose migrations take as long as ten tests.
// They share no rows and no files. Of Durable Objects only that of /healthz/ belongs to no account, and each account is of one test.
await applyD1Migrations(env.DB, env.MIGRATIONS)
await wipeStorage()

// The service never calls fetch. The Worker runs in this isolate, so this replaces its fetch.
const outbound = vi.fn(() => Promise.reject(new Error("The Worker called out.")))
globalThis.fetch = outbound

// The Worker logs each request. Vitest sends each line to its own process, which takes a tenth of the tests' time.
const lines: unknown[] = []
for (const level of ["info", "warn", "error"] as const)
  console[level] = (...said: unknown[]) => void lines.push(...said)

beforeEach(({ onTestFailed }) => {
  lines.length = 0
  onTestFailed(() => console.log(lines.join("\n")))
})

afterEach(() => {
  vi.useRealTimers()
  const calls = outbound.mock.calls.map(String)
  outbound.mockClear()
  expect(calls, "outbound fetches of the Worker").toEqual([])
})

afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
