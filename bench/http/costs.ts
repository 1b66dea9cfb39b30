// The price of a million requests beyond those of the platform's paid plan, in US dollars.
// Source: developers.cloudflare.com, pricing of Workers, D1, KV, R2, Durable Objects and Queues, as of 2026-11-22.

import type { Counts } from "./calls.ts"

const PER_MILLION: Record<string, number> = {
  requests: 0.3,
  cpuMs: 0.02,
  rows_read: 0.001,
  rows_written: 1,
  kv_reads: 0.5,
  kv_writes: 5,
  r2_reads: 0.36,
  r2_writes: 4.5,
  // The call, the row it reads and the row it writes; not the time the object is awake.
  object_calls: 0.15 + 0.001 + 1,
  // A write, a read and a delete.
  messages: 3 * 0.4,
}

/** Returns the price of a million requests. @param calls of one request @param cpuMs its processor time */
export const dollarsPerMillion = (calls: Counts, cpuMs: number): number =>
  Object.entries({ ...calls, requests: 1, cpuMs }).reduce(
    (sum, [name, number]) => sum + number * (PER_MILLION[name] ?? 0),
    0,
  )
