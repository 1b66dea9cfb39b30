import * as z from "zod"

import { openDb } from "./db/client.ts"
import { unavailable } from "./http/errors.ts"
import type { Operation } from "./http/operation.ts"
import { route } from "./http/route.ts"
import { findFirstDue } from "./images/lifetime.ts"
import { HEALTH_SECONDS } from "./limits.ts"
import { log, trace } from "./log.ts"
import { findLongestWaiting } from "./translations/store.ts"

const Health = z
  .object({
    success: z.literal(true),
    version: z.string().meta({ description: "The id of the version that answers, as Cloudflare gave it" }),
    translation_waiting_seconds: z
      .int()
      .meta({ description: "The longest time, in seconds, that a translation has been due" }),
    sweep_lag_seconds: z
      .int()
      .meta({ description: "The longest time, in seconds, that an image has been due for cleanup" }),
  })
  .meta({ id: "Health" })

const getHealth = {
  operationId: "getHealth",
  method: "GET",
  path: "/healthz/",
  access: "public",
  tag: "Operator",
  summary: "Check the service's stores and the delay of background work",
  successes: { 200: { description: "All of them answer", schema: Health } },
  problems: [],
} satisfies Operation

const secondsSince = (time: Date | null, now: Date): number =>
  time ? Math.max(0, Math.floor((now.getTime() - time.getTime()) / 1000)) : 0

/** Calls a binding. @returns null if it fails; the error is logged */
const checkBinding = async <T>(name: string, question: () => Promise<T>): Promise<{ answer: T } | null> => {
  try {
    return { answer: await question() }
  } catch (error) {
    log("error", { message: "health.binding_failed", binding: name, error: trace(error) })
    return null
  }
}

/** The last answer of this isolate, and when it was asked for, in milliseconds since the epoch. */
let last: { at: number; waiting: Date | null; due: Date | null; failed: string[] } | null = null

const checkAll = async ({ DB, IMAGE_TICKETS, MEDIA, UPLOAD_LIMITER }: Env, now: Date) => {
  const db = openDb(DB)
  const [waiting, due, kv, r2, limiter] = await Promise.all([
    checkBinding("DB", () => findLongestWaiting(db, now)),
    checkBinding("DB", () => findFirstDue(db)),
    checkBinding("IMAGE_TICKETS", () => IMAGE_TICKETS.get("health")),
    checkBinding("MEDIA", () => MEDIA.head("health")),
    // Uploads need the limiter. This call stores nothing.
    checkBinding("UPLOAD_LIMITER", () => UPLOAD_LIMITER.getByName("health").count(1)),
  ])
  const answers = { DB: waiting && due, IMAGE_TICKETS: kv, MEDIA: r2, UPLOAD_LIMITER: limiter }
  const failed = Object.entries(answers).flatMap(([name, answer]) => (answer ? [] : [name]))
  return { at: now.getTime(), waiting: waiting?.answer ?? null, due: due?.answer ?? null, failed }
}

/** Checks that the bindings answer, and reports the delay of background work in seconds. Asks at most once in `HEALTH_SECONDS`. */
export const healthRoute = route(getHealth, async (c) => {
  const { now } = c.var
  // The clock may have been set back since.
  if (!last || Math.abs(now.getTime() - last.at) >= HEALTH_SECONDS * 1000) {
    // Concurrent requests get the answer before this one.
    if (last) last = { ...last, at: now.getTime() }
    last = await checkAll(c.env, now)
  }
  const { waiting, due, failed } = last
  if (failed.length > 0) throw unavailable(undefined, `These do not answer: ${failed.join(", ")}.`)
  const body = {
    success: true,
    version: c.env.CF_VERSION_METADATA.id,
    translation_waiting_seconds: secondsSince(waiting, now),
    sweep_lag_seconds: secondsSince(due, now),
  }
  return c.json(body, 200, { "Cache-Control": "no-store" })
})
