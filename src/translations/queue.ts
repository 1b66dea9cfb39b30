import { readConfig } from "../config.ts"
import { secondsUntil } from "../days.ts"
import { type Db, openD1, openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { MAX_TRANSLATION_RETRY_SECONDS, MAX_WAKE_UPS, TRANSLATION_OVERDUE_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { WakeUp, wakeTranslator } from "../posts/commit.ts"
import { openEngine } from "./engines/registry.ts"
import { retryDelaySeconds, type Run, translateNext } from "./job.ts"
import { reclaimPosts } from "./store.ts"

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

const wakePosts = async (db: Db, queue: Queue, due: Parameters<typeof reclaimPosts>[1]): Promise<void> => {
  const posts = await reclaimPosts(db, due, MAX_WAKE_UPS)
  if (posts.length === 0) return
  const request_id = crypto.randomUUID()
  await queue.sendBatch(posts.map((post_id) => ({ body: { post_id, request_id } satisfies WakeUp })))
}

/**
 * Sends a wake-up message for each post (up to `MAX_WAKE_UPS`) whose work is overdue: its message was lost, its run died, or
 * its account was not served.
 */
export const wakeOverduePosts = (db: Db, queue: Queue, now: Date): Promise<void> =>
  wakePosts(db, queue, { overdue: new Date(now.getTime() - TRANSLATION_OVERDUE_SECONDS * 1000), now })

/** Lets an account's translations go on at once if it is served again. If that fails, the scheduled job does it. */
export const resumeTranslations = (c: AppContext, accountId: string): void => {
  const { now } = c.var
  const resumed = wakePosts(openDb(c.env.DB), c.env.TRANSLATIONS, { overdue: now, now, accountId })
  c.executionCtx.waitUntil(
    resumed.catch((error: unknown) => log("warn", { message: "translation.wake_failed", error: trace(error) })),
  )
}

/**
 * Handles a batch of queue messages, each of which starts the translator for one post. Dead letters only give up texts
 * without attempts left. Each message is acknowledged or retried separately.
 */
export const consumeTranslations = async (batch: MessageBatch, env: Env): Promise<void> => {
  for (const message of batch.messages) await handleMessage(message, DEAD_LETTERS.test(batch.queue), env)
}
