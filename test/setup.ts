import { applyD1Migrations } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { afterEach, expect, vi } from "vitest"

await applyD1Migrations(env.DB, env.MIGRATIONS)

// The service fetches nothing, whatever users send. The Worker runs in this isolate, so this is its fetch too.
const outbound = vi.fn(() => Promise.reject(new Error("The Worker called out.")))
globalThis.fetch = outbound

afterEach(() => {
  vi.useRealTimers()
  const calls = outbound.mock.calls.map(String)
  outbound.mockClear()
  expect(calls, "outbound fetches of the Worker").toEqual([])
})
