import * as z from "zod"

import { MIN_TICKET_TTL_SECONDS } from "../limits.ts"
import { log } from "../log.ts"
import type { UsableImage } from "./image.ts"

// A ticket in KV shows quickly that a new image is usable. A missing ticket proves nothing: D1 decides.

const Ticket = z.object({
  account_id: z.string(),
  width: z.number(),
  height: z.number(),
  // Tickets of version 0.1 have none.
  source_sha256: z.string().nullable().default(null),
  // Tickets of version 0.2 have none.
  original_sha256: z.string().nullable().default(null),
  expires_at: z.coerce.date(),
})
type Ticket = z.infer<typeof Ticket>

/** Writes a ticket, a copy of a new image's data that is read faster than D1, to KV for `ttlSeconds`. Only logs a failure. */
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
    log("warn", { message: "image_ticket.write_failed", image_id: imageId, error: String(error) })
  }
}

/** Reads an image from its ticket in KV (see `issueTicket`). Returns null if the account has no unexpired ticket for it, or KV fails. */
export const findTicket = async (
  tickets: KVNamespace,
  imageId: string,
  accountId: string,
  now: Date,
): Promise<UsableImage | null> => {
  try {
    const parsed = Ticket.safeParse(await tickets.get(imageId, "json"))
    if (!parsed.success || parsed.data.account_id !== accountId || parsed.data.expires_at <= now) return null
    const { account_id: _account, ...image } = parsed.data
    return { id: imageId, ...image, attached: false }
  } catch {
    return null
  }
}
