import { expect } from "vitest"

import { measuredD1 } from "../faults.ts"
import { API, type Author, call, newAuthor, rows, stopClock } from "../support.ts"
import { newQueue, type Received } from "./receiver.ts"

export const HOOKS = `${API}/webhooks/`
export const URL = "https://hooks.example/edgepost"

export const add = async (
  { key }: Author,
  url = URL,
  env: Partial<Env> = {},
): Promise<{ id: string; secret: string }> => {
  const { status, json } = await call("POST", HOOKS, { key, json: { url }, env })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.webhook
}

/** Opens an account with an endpoint, and a queue of webhooks, while the clock stands still. */
export const newScene = async (url = URL) => {
  stopClock()
  const author = await newAuthor()
  const webhook = await add(author, url)
  const queue = newQueue()
  return { author, webhook, queue, vars: queue.vars }
}

export const told = (all: Received[]) => all.map(({ json }) => [json.type, json.data.post?.slug])

const DATA = { id: "x", slug: "burst", title: "x", status: "PB", version: 1, published_at: 1, language: "en" }

/**
 * Queues events for an endpoint by SQL: the API takes 300 writes a minute.
 * @param post SQL of the post of the event `i`
 */
export const queueEvents = async (endpointId: string, count: number, post = "'p' || i", dueAt = Date.now()) => {
  await rows(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into webhook_deliveries (event_id, endpoint_id, post_id, type, data, starts_at, due_at)
      select 'evt_' || printf('%05d', i), ?, ${post}, 'post.published', ?, ?, ? from n`,
    endpointId,
    JSON.stringify(DATA),
    Date.now(),
    dueAt,
  )
  await rows("update webhook_endpoints set wake_at = ?, queued = ? where id = ?", Date.now(), count, endpointId)
}

/** Counts the rows of each call of D1 that has a statement about webhooks. */
export const countRows = () => {
  const { DB, calls } = measuredD1()
  /** Returns the sums since the last time, with the most that one call has read. */
  const take = () => {
    const taken = calls.splice(0).filter(({ statements }) => statements.some(({ sql }) => sql.includes("webhook_")))
    const sum = (of: "rows_read" | "rows_written") => taken.reduce((total, one) => total + one[of], 0)
    const most = Math.max(0, ...taken.map(({ rows_read }) => rows_read))
    return { read: sum("rows_read"), written: sum("rows_written"), most }
  }
  return { env: { DB } as Partial<Env>, take }
}
