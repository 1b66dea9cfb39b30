import * as z from "zod"

import { log } from "../log.ts"

/** Only a wake-up: what is to be translated stands in the rows. */
export const WakeUp = z.object({ post_id: z.string(), request_id: z.string() })
export type WakeUp = z.infer<typeof WakeUp>

/** Wakes the translator for a post. A failure is logged: the rows are the outbox, and the sweep reads them. */
export const wakeTranslator = async (queue: Queue, message: WakeUp, delaySeconds: number): Promise<void> => {
  try {
    await queue.send(message, { delaySeconds })
  } catch (error) {
    log("warn", { message: "translation.wake_failed", ...message, error: String(error) })
  }
}
