import { ulid } from "ulid"

import type { Db } from "../db.ts"
import { type ApiError, fieldError, unavailable } from "../http/problem.ts"
import { mentionedIds } from "../images/image.ts"
import { findImages } from "../images/store.ts"
import { findTicket } from "../images/ticket.ts"
import { MAX_SLUG_CHARS } from "../limits.ts"
import { compose } from "./compose.ts"
import { draftPost } from "./post.ts"
import { byId, dueAt, type Result, type Saver, wake } from "./save.ts"
import type { CreatePost } from "./schema.ts"
import { findTakenSlugs } from "./store.ts"
import { insertPost } from "./write-store.ts"

/** The account's pictures among `ids`: by their tickets, and by D1 where there is none. */
const findUsable = async ({ db, tickets, account, now }: Saver, ids: string[], useTickets: boolean) => {
  const vouched = useTickets ? await Promise.all(ids.map((id) => findTicket(tickets, id, account.id, now))) : []
  const found = byId(vouched.filter((image) => image !== null))
  const rest = ids.filter((id) => !found.has(id))
  return rest.length > 0 ? new Map([...found, ...byId(await findImages(db, account.id, rest))]) : found
}

/** A free slug like this one: `-2`, `-3`, … */
const suggestSlug = async (db: Db, slug: string): Promise<string> => {
  const candidates = [...Array(20).keys()].map((i) => `${slug.slice(0, MAX_SLUG_CHARS - 3).replace(/-$/, "")}-${i + 2}`)
  const taken = await findTakenSlugs(db, candidates)
  return (
    candidates.find((candidate) => !taken.includes(candidate)) ??
    `${slug.slice(0, 100).replace(/-$/, "")}-${ulid().toLowerCase()}`
  )
}

const duplicateSlug = async (db: Db, slug: string): Promise<ApiError> => {
  const suggested_slug = await suggestSlug(db, slug)
  return fieldError("slug", "duplicate_slug", `The slug ${slug} is taken.`, { suggested_slug })
}

/** Creates a post and wakes the translator. @throws ApiError 400, 410 */
export const createPost = async (saver: Saver, input: CreatePost): Promise<Result> => {
  const { db, account, settings, now } = saver
  const ids = [...new Set([...(input.image_ids ?? []), ...mentionedIds(input.body, account.username)])]
  // A ticket may outlive its picture; D1 says so when the batch fails, and is asked itself the second time.
  for (const useTickets of [true, false]) {
    const found = await findUsable(saver, ids, useTickets)
    const draft = { slug: input.slug, username: account.username, body: input.body, image_ids: input.image_ids }
    const { composed, attach, warnings } = compose(draft, found, { ttlSeconds: settings.imageIdTtlSeconds, now })
    const post = draftPost(input, composed, attach, { id: ulid(now.getTime()), account, due: dueAt(saver), now })
    const saved = await insertPost(db, post, now)
    if (saved === "duplicate_slug") throw await duplicateSlug(db, input.slug)
    if (saved === "saved") {
      if (post.translation_languages.length > 0) await wake(saver, post)
      return { post, warnings }
    }
  }
  throw unavailable("A picture was deleted while it was being attached.")
}
