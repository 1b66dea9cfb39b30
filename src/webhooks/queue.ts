import * as z from "zod"

import { processInBatches } from "../batches.ts"
import { placesOf, readConfig } from "../config.ts"
import { secondsUntil } from "../days.ts"
import { type Db, openD1, openDb } from "../db/client.ts"
import { MAX_WAKE_UPS, MAX_WEBHOOK_DELAY_SECONDS, WEBHOOK_RETRY_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { deliverDue } from "./deliver.ts"
import { takeWaiting } from "./run-store.ts"

/** A queue message: an account has events to deliver. The rows say which. */
const Wake = z.object({ account_id: z.string() })
type Wake = z.infer<typeof Wake>

/** Sends the message that starts the deliveries of an account. Only logs a failure: the scheduled job finds them. */
export const wakeWebhooks = async (queue: Queue, account_id: string, delaySeconds = 0): Promise<void> => {
  try {
    await queue.send({ account_id } satisfies Wake, { delaySeconds })
  } catch (error) {
    log("warn", { message: "webhook.wake_failed", account_id, error: trace(error) })
  }
}

/** Starts a run for each account with something to do: a scheduled post's time has come, or a message or a run was lost. */
export const wakeWaitingWebhooks = async (db: Db, env: Env, now: Date): Promise<void> => {
  if (!readConfig(env).hasWebhooks) return
  await processInBatches(async (size) => {
    const taken = await takeWaiting(db, now, size)
    const messages = [...new Set(taken)].map((account_id) => ({ body: { account_id } satisfies Wake }))
    if (messages.length > 0) await env.WEBHOOK_EVENTS.sendBatch(messages)
    return taken.length
  }, MAX_WAKE_UPS / 2)
}

const LOCAL_ORIGIN = "http://localhost:8787"

const handleMessage = async (message: Message, env: Env): Promise<void> => {
  const config = readConfig(env)
  const parsed = Wake.safeParse(message.body)
  const { hasWebhooks, operatorToken, webhookSecrets, publicOrigin } = config
  if (!parsed.success)
    log("error", { message: "webhook.message_malformed", queue_message: message.id, error: parsed.error.message })
  if (!parsed.success || !hasWebhooks || operatorToken === null) return message.ack()
  const { account_id } = parsed.data
  const began = Date.now()
  const { DB, usage } = openD1(env.DB)
  const logFields = () => ({ account_id, attempts: message.attempts, ms: Date.now() - began, ...usage })
  try {
    const next = await deliverDue({
      db: openDb(DB),
      accountId: account_id,
      // Only a local service has none.
      places: placesOf(config, publicOrigin ?? LOCAL_ORIGIN),
      operatorToken,
      webhookSecrets,
      readClock: () => new Date(),
    })
    const delay = next && secondsUntil(next, new Date())
    if (delay !== null && delay <= MAX_WEBHOOK_DELAY_SECONDS) await wakeWebhooks(env.WEBHOOK_EVENTS, account_id, delay)
    message.ack()
    log("info", { message: "webhook.run_finished", ...logFields() })
  } catch (error) {
    log("error", { message: "webhook.run_failed", ...logFields(), error: trace(error) })
    message.retry({ delaySeconds: WEBHOOK_RETRY_SECONDS })
  }
}

/** Handles a batch of queue messages, each of which starts the deliveries of one account. */
export const consumeWebhooks = async (batch: MessageBatch, env: Env): Promise<void> => {
  for (const message of batch.messages) await handleMessage(message, env)
}
