import { openDb } from "../db.ts"
import type { AppContext } from "../http/context.ts"
import type { Saver } from "./save.ts"

/** What a save of this request works with. */
export const saverOf = (c: AppContext): Saver => {
  const { settings, account, requestId, now, attempt } = c.var
  const { IMAGE_TICKETS: tickets, TRANSLATIONS: queue } = c.env
  return { db: openDb(c.env.DB), tickets, queue, settings, account, requestId, now, attempt }
}

/** The address of a post in this API. */
export const apiPath = (slug: string): string => `/api/blogcontroller/posts/${slug}/`
