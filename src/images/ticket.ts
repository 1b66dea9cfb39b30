import * as z from "zod"

import { MIN_TICKET_TTL_SECONDS } from "../limits.ts"
import { log } from "../log.ts"
import type { Usable } from "./image.ts"

// KV says quickly that a fresh id is usable. It never says that one is not: D1 decides.

const Ticket = z.object({
  account_id: z.string(),
  width: z.number(),
  height: z.number(),
  expires_at: z.coerce.date(),
})
type Ticket = z.infer<typeof Ticket>

/** Issues the ticket of a fresh picture. A failure is logged: the row in D1 stands. */
export const issueTicket = async (
  tickets: KVNamespace,
  imageId: string,
  ticket: Ticket,
  ttlSeconds: number,
): Promise<void> => {
  const expirationTtl = Math.max(ttlSeconds, MIN_TICKET_TTL_SECONDS)
  try {
    await tickets.put(imageId, JSON.stringify(ticket), { expirationTtl })
  } catch (error) {
    log("warn", { message: "no ticket", image_id: imageId, error: String(error) })
  }
}

/** The picture that an unexpired ticket of this account vouches for. */
export const findTicket = async (
  tickets: KVNamespace,
  imageId: string,
  accountId: string,
  now: Date,
): Promise<Usable | null> => {
  try {
    const parsed = Ticket.safeParse(await tickets.get(imageId, "json"))
    if (!parsed.success || parsed.data.account_id !== accountId || parsed.data.expires_at <= now) return null
    const { width, height, expires_at } = parsed.data
    return { id: imageId, width, height, expires_at, attached: false }
  } catch {
    return null
  }
}
