import { expect, vi } from "vitest"

import { TRANSLATION_OVERDUE_SECONDS } from "../../../src/limits.ts"
import { deliver, passSeconds, rows, runCron } from "../../support.ts"
import { type Desk, newQueued, type QueuedPost } from "../author.ts"
import { KEY, type React, type Stub, translate } from "./stubs.ts"

// Posts that are translated with stubbed engines.

export const LONGEST_WAIT_SECONDS = 15 * 60
/** A day of waiting takes 96 wake-ups. */
const MAX_DELIVERIES = 120

const LETTERS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
/** A different word for each number. */
export const word = (n: number): string => [...String(n)].map((digit) => LETTERS[Number(digit)]).join("")
export const paragraphs = (count: number, make: (n: number) => string = word): string =>
  Array.from({ length: count }, (_, n) => make(n)).join("\n\n")

export const BODY = paragraphs(5)

/** Creates a post that waits to be translated. */
export const startPost = async (input: Record<string, unknown> = {}, author?: Desk) => {
  const post = await newQueued({ body: "Some words", ...input }, author)
  const { desk } = post
  /** Runs the cron when the next work is overdue. @returns its wake-up */
  const wakeByCron = async () => {
    const [{ due_at } = {}] = await rows("select min(due_at) as due_at from texts where status = 'queued'")
    if (due_at === null) return undefined
    vi.setSystemTime(Number(due_at) + TRANSLATION_OVERDUE_SECONDS * 1000)
    await runCron(desk.env)
    return desk.wakeUps.sent.shift()
  }
  /** Delivers the next wake-up when it is due. @returns false if no wake-up is left */
  const deliverNext = async (env: Partial<Env>): Promise<boolean> => {
    const message = desk.wakeUps.sent.shift() ?? (await wakeByCron())
    if (!message) return false
    passSeconds(message.delaySeconds)
    expect(await deliver(message.body, { env: { ...desk.env, ...env } })).toBe("ack")
    return true
  }
  /** Delivers wake-ups until the engine is asked. @returns the seconds until then; null where it is not asked */
  const secondsUntilAsked = async ({ env, calls }: Stub): Promise<number | null> => {
    const [before, since] = [calls.length, Date.now()]
    for (let count = 0; calls.length === before; count += 1) {
      expect(count, "useless wake-ups").toBeLessThan(MAX_DELIVERIES)
      if (!(await deliverNext(env))) return null
    }
    return (Date.now() - since) / 1000
  }
  /** Delivers wake-ups until no work is left. */
  const deliverAll = async ({ env }: Stub): Promise<void> => {
    for (let count = 0; await deliverNext(env); count += 1)
      expect(count, "useless wake-ups").toBeLessThan(MAX_DELIVERIES)
  }
  /** Returns the delays of the wake-ups that were sent but not delivered, in seconds. */
  const delays = () => desk.wakeUps.sent.map(({ delaySeconds }) => delaySeconds)
  return { ...post, deliverNext, secondsUntilAsked, deliverAll, delays }
}

/** Lets an engine translate a post. `react` replaces its answers. */
export const translateBy = async (engine: Stub, input: Record<string, unknown> = {}, react = engine.react) => {
  engine.react = react
  const post = await startPost(input)
  await post.deliverAll(engine)
  return post
}

/** Returns a body as a correct engine translates it. */
export const inFrench = async (body: string): Promise<string> =>
  (await Promise.all(body.split("\n\n").map(async (text) => (await translate([text]))[0]))).join("\n\n")

/** Expects a complete translation of `body` without warnings. */
export const expectDone = async (post: Omit<QueuedPost, "deliverNext">, body = post.body): Promise<void> => {
  expect(await post.translation()).toMatchObject({ status: "ready", error: null, warnings: [] })
  expect(await post.bodyIn()).toBe(await inFrench(body))
}

/** The code that the author sees, and the seconds until the engine is asked again. */
export interface Delay {
  code: "engine_unavailable" | "engine_limit" | "engine_model" | "engine_key" | "engine_address"
  seconds: number
}
export const OUTAGE: Delay = { code: "engine_unavailable", seconds: 10 }
export const LIMIT: Delay = { code: "engine_limit", seconds: LONGEST_WAIT_SECONDS }
export const BAD_MODEL: Delay = { code: "engine_model", seconds: LONGEST_WAIT_SECONDS }
export const BAD_KEY: Delay = { code: "engine_key", seconds: LONGEST_WAIT_SECONDS }
export const BAD_ADDRESS: Delay = { code: "engine_address", seconds: LONGEST_WAIT_SECONDS }

/** The delay until the cron asks again: a wait of more than 15 minutes has no message of its own. */
export const byCron = (seconds: number): number => seconds + TRANSLATION_OVERDUE_SECONDS

/**
 * Translates a post with an engine that fails once. Expects an explanation for the author, and one line in the log without the key.
 * @returns the error code, and the seconds until the engine is asked again
 */
export const failOnce = async (engine: Stub, react: React) => {
  const logs = (["debug", "info", "log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockReturnValue(),
  )
  engine.react = react
  const post = await startPost()
  expect(await post.secondsUntilAsked(engine)).toBe(5)
  const { status, error } = await post.translation()
  expect(status).toBe("queued")
  // The message is for the author and has nothing of the engine's answer.
  expect(error?.message).toMatch(/^[A-Z][\w ,;-]+\. The service retries automatically\.$/)
  engine.react = null
  const seconds = await post.secondsUntilAsked(engine)
  await post.deliverAll(engine)
  await expectDone(post)
  const lines = logs.flatMap(({ mock }) => mock.calls.map(String))
  expect(lines.filter((line) => line.includes("translation.engine_failed"))).toHaveLength(1)
  expect(lines.filter((line) => line.includes(KEY))).toEqual([])
  return { code: error?.code, seconds }
}
