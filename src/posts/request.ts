import { openDb } from "../db.ts"
import type { AppContext } from "../http/context.ts"
import type { Saver } from "./save.ts"

/** What a save of this request works with. */
export const saverOf = (c: AppContext): Saver => ({
  db: openDb(c.env.DB),
  tickets: c.env.IMAGE_TICKETS,
  queue: c.env.TRANSLATIONS,
  settings: c.var.settings,
  account: c.var.account,
  requestId: c.var.requestId,
  now: c.var.now,
  attempt: c.var.attempt,
})

/** The address of a post in this API. */
export const apiPath = (slug: string): string => `/api/blogcontroller/posts/${slug}/`
