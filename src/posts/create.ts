import { ulid } from "ulid"

import { type ApiError, fieldError, invalidKey, unavailable } from "../http/problem.ts"
import { findImages } from "../images/store.ts"
import { findTicket } from "../images/ticket.ts"
import { MAX_SLUG_CHARS, MAX_TICKETS_READ } from "../limits.ts"
import { compose, draft, type Draft, namedIds } from "./compose.ts"
import { draftPost } from "./post.ts"
import { byId, dueAt, receiptOf, requireMade, type Result, type Saver, wake } from "./save.ts"
import type { CreatePost } from "./schema.ts"
import { findPost, findTakenSlugs } from "./store.ts"
import { defaultLanguages } from "./text.ts"
import { insertPost } from "./write-store.ts"

/** The account's pictures among those that a new post names: the first by their tickets, the rest by D1. */
const findUsable = async ({ db, tickets, account, now }: Saver, drafted: Draft, useTickets: boolean) => {
  const ids = useTickets ? namedIds(drafted).slice(0, MAX_TICKETS_READ) : []
  const vouched = await Promise.all(ids.map((id) => findTicket(tickets, id, account.id, now)))
  const found = byId(vouched.filter((image) => image !== null))
  const rest = namedIds(drafted).filter((id) => !found.has(id))
  return rest.length > 0 ? new Map([...found, ...byId(await findImages(db, account.id, rest))]) : found
}

/** Slugs like this one: `-2`, `-3`, …, and one that nobody else thinks of. */
const similarSlugs = (slug: string, now: Date): string[] => {
  const stem = (length: number) => slug.slice(0, length).replace(/-$/, "")
  const numbered = [...Array(20).keys()].map((i) => `${stem(MAX_SLUG_CHARS - 3)}-${i + 2}`)
  return [...numbered, `${stem(100)}-${ulid(now.getTime()).toLowerCase()}`]
}

const duplicateSlug = async ({ db, account, now }: Saver, slug: string): Promise<ApiError> => {
  const similar = similarSlugs(slug, now)
  const taken = await findTakenSlugs(db, [slug, ...similar])
  const suggested_slug = similar.find((candidate) => !taken.some((post) => post.slug === candidate)) ?? ""
  const isOwn = taken.some((post) => post.slug === slug && post.account_id === account.id)
  const message = isOwn
    ? `You already have a post at ${slug}: change it with PATCH, or create another at ${suggested_slug}.`
    : `The slug ${slug} is taken. ${suggested_slug} is free.`
  return fieldError("slug", "duplicate_slug", message, { suggested_slug })
}

/** Creates a post and wakes the translator. @throws ApiError 400, 410; 401 when the account is gone */
export const createPost = async (saver: Saver, input: CreatePost): Promise<Result> => {
  const { db, account, settings, now, attempt } = saver
  if (attempt?.made) return { post: requireMade(await findPost(db, { id: attempt.made }), account).post, warnings: [] }
  const lifetime = { ttlSeconds: settings.imageIdTtlSeconds, now }
  const drafted = draft(input, account.username)
  // A ticket may outlive its picture; D1 says so when the batch fails, and is asked itself the second time.
  for (const useTickets of [true, false]) {
    const found = await findUsable(saver, drafted, useTickets)
    const { composed, attach, warnings } = compose(
      drafted,
      { found, attached: new Set(), language: defaultLanguages(account, input).primary },
      lifetime,
    )
    const post = draftPost(input, composed, attach, { id: ulid(now.getTime()), account, due: dueAt(saver), now })
    const saved = await insertPost(db, post, now, receiptOf(saver, post))
    if (saved === "duplicate_slug") throw await duplicateSlug(saver, input.slug)
    if (saved === "lost") throw invalidKey()
    if (saved === "saved") {
      if (post.translation_languages.length > 0) await wake(saver, post)
      return { post, warnings }
    }
  }
  throw unavailable("A picture was deleted while it was being attached.")
}
