import { expect } from "vitest"

import { patch, remove } from "../calls.ts"
import { type Fault, inject } from "../faults/inject.ts"
import {
  API,
  type Author,
  call,
  deliver,
  env as bindings,
  newAuthor,
  passSeconds,
  postInput,
  rows,
  runCron,
  stopClock,
  unique,
} from "../support.ts"
import { newQueue, receive } from "./receiver.ts"

interface Write {
  /** Sends the write; it may be sent again. */
  send: (author: Author, slug: string, env: Partial<Env>) => Promise<{ status: number }>
  /** The post is there already, as a draft or published. */
  before?: "DF" | "PB"
  /** The engine translates the post then. */
  isTranslated?: true
  /** The post is scheduled, and its time comes after the write. */
  isScheduled?: true
  /** The events that it causes. */
  events: string[]
}

const create = ({ key }: Author, slug: string, env: Partial<Env>, fields = {}) =>
  call("POST", `${API}/posts/`, {
    key,
    env,
    json: postInput({ slug, ...fields }),
    headers: { "Idempotency-Key": slug },
  })

export const WRITES: Record<string, Write> = {
  "a new post": { send: create, events: ["post.published"] },
  "a post that is published": {
    send: (author, slug, env) => patch(author, slug, { status: "PB" }, { env }),
    before: "DF",
    events: ["post.published"],
  },
  "a deleted post": {
    send: (author, slug, env) => remove(author, slug, { env }),
    before: "PB",
    events: ["post.deleted"],
  },
  "a scheduled post": {
    send: (author, slug, env) => create(author, slug, env, { published_at: "2027-01-01T00:00:00Z" }),
    isScheduled: true,
    events: ["post.published"],
  },
  "a translation": {
    send: (author, slug, env) => create(author, slug, env, { status: "DF", translation_languages: ["fr"] }),
    isTranslated: true,
    events: ["translation.ready"],
  },
}

/** Sends a write whose calls fail by a plan, and lets its events arrive. @returns the events by their ids, and the calls */
const run = async ({ send, before, isTranslated, isScheduled }: Write, plan: { nth: number; fault: Fault } | null) => {
  stopClock(isScheduled ? new Date("2026-12-31T23:00:00Z") : new Date())
  const author = await newAuthor()
  const slug = unique("faulty")
  if (before) await create(author, slug, {}, { status: before })
  await call("POST", `${API}/webhooks/`, { key: author.key, json: { url: "https://hooks.example/" } })
  const queue = newQueue()
  const around = { queue: bindings.TRANSLATIONS, webhooks: queue.queue, rewrite: (sql: string) => sql, rewind: null }
  const { injector, env } = inject(plan, around)
  const all = receive()
  const translate = async (faults: Partial<Env>): Promise<void> => {
    const [post] = isTranslated ? await rows("select id from posts where slug = ?", slug) : []
    passSeconds(10)
    const message = { post_id: post?.["id"], request_id: "r" }
    if (post) await deliver(message, { env: { ...bindings, ...faults } }).catch(() => null)
  }
  await send(author, slug, env).catch(() => null)
  if (isScheduled) passSeconds(3600)
  await translate(env)
  await queue.run(0, env).catch(() => null)
  await runCron(env).catch(() => null)
  await queue.run(60, env).catch(() => null)
  // A sensible client sends it again, until the first request no longer holds its Idempotency-Key.
  for (let status = 409; status === 409; { status } = await send(author, slug, queue.vars)) passSeconds(60)
  // A run of the translator that died holds its lease for 15 minutes.
  for (let step = 0; step < 5; step += 1) {
    await translate(queue.vars)
    await runCron(queue.vars)
    await queue.run(isTranslated ? 240 : 60)
  }
  const events = new Map(all.map(({ headers, json }) => [headers.get("webhook-id"), json.type]))
  return {
    events: [...events.values()],
    calls: injector.points.map(({ what }) => what),
    hasStruck: injector.hasStruck(),
  }
}

/**
 * Lets each call of write, queue, job and delivery fail in each of these ways.
 * @param known calls that need not fail, to which these are added
 * @returns the number of calls, and those faults after which the events did not arrive under one id each
 */
export const searchEvents = async (write: Write, faults: Fault[], known = new Set<string>()) => {
  const { calls, events } = await run(write, null)
  expect(events).toEqual(write.events)
  const broken: string[] = []
  for (const [i, what] of calls.entries()) {
    const point = `${what}, ${calls.slice(0, i).filter((earlier) => earlier === what).length + 1}`
    if (known.has(point)) continue
    known.add(point)
    for (const fault of faults) {
      const told = await run(write, { nth: i + 1, fault })
      if (!told.hasStruck || told.events.join() !== write.events.join())
        broken.push(`${fault} at call ${i + 1} (${point}): ${told.events.join()}`)
    }
  }
  return { calls: calls.length, broken }
}
