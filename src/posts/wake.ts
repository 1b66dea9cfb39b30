import * as z from "zod"

import { log } from "../log.ts"

/** A queue message that starts the translator. The rows say what to translate. */
export const WakeUp = z.object({ post_id: z.string(), request_id: z.string() })
export type WakeUp = z.infer<typeof WakeUp>

/** Sends the queue message that starts a post's translation after `delaySeconds`. Only logs a failure: the cron finds overdue posts. */
export const wakeTranslator = async (queue: Queue, message: WakeUp, delaySeconds: number): Promise<void> => {
  try {
    await queue.send(message, { delaySeconds })
  } catch (error) {
    log("warn", { message: "translation.wake_failed", ...message, error: String(error) })
  }
}
