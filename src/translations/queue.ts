import { openD1 } from "../d1.ts"
import { openDb } from "../db.ts"
import { MAX_TRANSLATION_RETRY_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { WakeUp, wakeTranslator } from "../posts/wake.ts"
import { readSettings } from "../settings.ts"
import { openEngine } from "./engines/open.ts"
import { retryDelaySeconds, type Run, translateNext } from "./job.ts"

/** `edgepost-translations-dead`; not `edgepost-translations`. */
const DEAD_LETTERS = /-dead$/

const secondsUntil = (time: Date, now: Date): number => Math.max(0, Math.ceil((time.getTime() - now.getTime()) / 1000))

/** Sends a wake-up on. What is far off is left to the cron: each save would add one more message that waits for it. */
const sendOn = async (queue: Queue, wakeUp: WakeUp, at: Date): Promise<void> => {
  const delay = secondsUntil(at, new Date())
  if (delay <= MAX_TRANSLATION_RETRY_SECONDS) await wakeTranslator(queue, wakeUp, delay)
}

const handle = async (message: Message, isDead: boolean, env: Env): Promise<void> => {
  const now = new Date()
  const parsed = WakeUp.safeParse(message.body)
  if (!parsed.success) {
    log("error", { message: "malformed wake-up", queue_message: message.id, error: parsed.error.message })
    message.ack()
    return
  }
  const { post_id, request_id } = parsed.data
  const { DB, usage } = openD1(env.DB)
  const { attempts } = message
  const about = () => ({ post_id, request_id, attempts, ms: Date.now() - now.getTime(), ...usage })
  try {
    const settings = readSettings(env)
    const run: Run = {
      db: openDb(DB),
      postId: post_id,
      token: crypto.randomUUID(),
      charactersPerDay: settings.translatedCharactersPerDay,
      now,
      readClock: () => new Date(),
    }
    const { account, wakeAt } = await translateNext(run, isDead ? null : openEngine(settings, env))
    if (wakeAt) await sendOn(env.TRANSLATIONS, parsed.data, wakeAt)
    message.ack()
    log("info", { message: isDead ? "dead letter" : "wake-up", account, wake_at: wakeAt, ...about() })
  } catch (error) {
    log("error", { message: "wake-up failed", ...about(), error: trace(error) })
    message.retry({ delaySeconds: retryDelaySeconds(attempts) })
  }
}

/** Handles a batch of wake-ups or dead letters. Every message is acknowledged or retried by itself. */
export const consumeTranslations = async (batch: MessageBatch, env: Env): Promise<void> => {
  for (const message of batch.messages) await handle(message, DEAD_LETTERS.test(batch.queue), env)
}
