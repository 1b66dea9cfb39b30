import { inPortions } from "../batches.ts"
import { readConfig } from "../config.ts"
import { secondsUntil } from "../days.ts"
import { type Db, openD1, openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import {
  MAX_TRANSLATION_RETRY_SECONDS,
  MAX_WAKE_UP_STEPS,
  MAX_WAKE_UPS,
  TRANSLATION_OVERDUE_SECONDS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import { WakeUp, wakeTranslator } from "../posts/commit.ts"
import { openEngine } from "./engines/registry.ts"
import { retryDelaySeconds, type Run, translateNext } from "./job.ts"
import { listDue, pauseTexts, resumePosts } from "./store.ts"

/** `edgepost-translations-dead`; not `edgepost-translations`. */
const DEAD_LETTERS = /-dead$/

/** Sends the next wake-up. One that is far off is left to the cron, otherwise each save would add another waiting message. */
const sendNext = async (queue: Queue, wakeUp: WakeUp, at: Date): Promise<void> => {
  const delay = secondsUntil(at, new Date())
  if (delay <= MAX_TRANSLATION_RETRY_SECONDS) await wakeTranslator(queue, wakeUp, delay)
}

const handleMessage = async (message: Message, isDead: boolean, env: Env): Promise<void> => {
  const now = new Date()
  const parsed = WakeUp.safeParse(message.body)
  if (!parsed.success) {
    log("error", { message: "translation.message_malformed", queue_message: message.id, error: parsed.error.message })
    message.ack()
    return
  }
  const { post_id, request_id } = parsed.data
  const { DB, usage } = openD1(env.DB)
  const { attempts } = message
  const logFields = () => ({ post_id, request_id, attempts, ms: Date.now() - now.getTime(), ...usage })
  try {
    const config = readConfig(env)
    const run: Run = {
      db: openDb(DB),
      postId: post_id,
      token: crypto.randomUUID(),
      charactersPerDay: config.translatedCharactersPerDay,
      maxTextBytes: config.maxStoredTextBytes,
      hasWebhooks: config.hasWebhooks,
      now,
      readClock: () => new Date(),
    }
    const { account, wakeAt } = await translateNext(run, isDead ? null : openEngine(config, env))
    if (wakeAt) await sendNext(env.TRANSLATIONS, parsed.data, wakeAt)
    message.ack()
    log("info", {
      message: isDead ? "translation.dead_letter" : "translation.run_finished",
      account,
      wake_at: wakeAt,
      ...logFields(),
    })
  } catch (error) {
    log("error", { message: "translation.run_failed", ...logFields(), error: trace(error) })
    message.retry({ delaySeconds: retryDelaySeconds(attempts) })
  }
}

const wakePosts = (queue: Queue, posts: string[]): Promise<void> => {
  const request_id = crypto.randomUUID()
  return inPortions([...new Set(posts)], MAX_WAKE_UPS, (some) =>
    queue.sendBatch(some.map((post_id) => ({ body: { post_id, request_id } satisfies WakeUp }))),
  )
}

/**
 * Sends wake-up messages for overdue texts, whose message was lost or whose run died, and pauses those of accounts that are not
 * served. Then lets paused posts go on, whose accounts take turns.
 */
export const wakeWaitingPosts = async (db: Db, queue: Queue, now: Date): Promise<void> => {
  const times = { until: new Date(now.getTime() - TRANSLATION_OVERDUE_SECONDS * 1000), now }
  let due = await listDue(db, times)
  for (let step = 1; due.length > 0; step++) {
    const idle = due.filter(({ is_leased }) => !is_leased)
    await pauseTexts(db, idle, now)
    await wakePosts(
      queue,
      idle.flatMap(({ is_served, post_id }) => (is_served ? post_id : [])),
    )
    due = step < MAX_WAKE_UP_STEPS ? await listDue(db, times, due.at(-1)) : []
  }
  for (let turn = 0; turn < MAX_WAKE_UP_STEPS; turn++) {
    const posts = await resumePosts(db, now, turn)
    if (!posts) return
    await wakePosts(queue, posts)
  }
}

/** Starts the translations of posts after the answer. If that fails, the scheduled job does it. */
export const startTranslations = (c: AppContext, posts: string[] | Promise<string[] | null>): void => {
  const woken = Promise.resolve(posts).then((ids) => wakePosts(c.env.TRANSLATIONS, ids ?? []))
  c.executionCtx.waitUntil(
    woken.catch((error: unknown) => log("warn", { message: "translation.wake_failed", error: trace(error) })),
  )
}

/** Lets the first paused translations of an account go on if it is served again. The scheduled job does the others. */
export const resumeTranslations = (c: AppContext, accountId: string): void =>
  startTranslations(c, resumePosts(openDb(c.env.DB), c.var.now, 0, accountId))

/**
 * Handles a batch of queue messages, each of which starts the translator for one post. Dead letters only give up texts
 * without attempts left. Each message is acknowledged or retried separately.
 */
export const consumeTranslations = async (batch: MessageBatch, env: Env): Promise<void> => {
  for (const message of batch.messages) await handleMessage(message, DEAD_LETTERS.test(batch.queue), env)
}
