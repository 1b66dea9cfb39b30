import { ulid } from "ulid"

import { languagesOf } from "../accounts/account.ts"
import { invalidKey, unavailable } from "../http/errors.ts"
import { findImages } from "../images/store.ts"
import { findTicket } from "../images/ticket.ts"
import { refuseUnknownLanguages, unnamedLanguages } from "../language.ts"
import { MAX_TICKETS_READ } from "../limits.ts"
import type { CreatePost } from "./input.ts"
import { buildPost, withPreview } from "./post.ts"
import { type RenderedInput, byId, lengthWarnings, namedIds, renderInput, resolveImages } from "./render.ts"
import { insertPost } from "./store.ts"
import { duplicateSlug } from "./taken-slug.ts"
import { defaultLanguages } from "./text.ts"
import type { WriteContext } from "./write-context.ts"
import { type Result, deliverEvents, dueAt, findResult, newPreviewToken, rulesOf, textFull, wake } from "./write.ts"

/** Finds the account's images that a new post names: the first ones by their tickets, the others in D1. */
const findNamed = async ({ db, tickets, account, now }: WriteContext, rendered: RenderedInput, useTickets: boolean) => {
  const ids = useTickets ? namedIds(rendered).slice(0, MAX_TICKETS_READ) : []
  const vouched = await Promise.all(ids.map((id) => findTicket(tickets, id, account.id, now)))
  const found = byId(vouched.filter((image) => image !== null))
  const rest = namedIds(rendered).filter((id) => !found.has(id))
  return rest.length > 0 ? new Map([...found, ...byId(await findImages(db, account.id, rest))]) : found
}

/**
 * Creates a post from input whose body is rendered already, and starts its translation.
 * @returns null if the slug is taken
 * @throws ApiError 400 for unknown languages, the body, unknown images or `text_quota`; 410 for an expired image; 401 if the
 * account is erased; 503 if an image was deleted meanwhile
 */
export const tryCreate = async (
  context: WriteContext,
  input: CreatePost,
  rendered: RenderedInput,
  id = ulid(context.now.getTime()),
): Promise<Result | null> => {
  const { db, account, config, now } = context
  refuseUnknownLanguages(input, languagesOf(account))
  const lifetime = { ttlSeconds: config.imageIdTtlSeconds, now }
  // A ticket may outlive its image. Then the batch fails, and the second attempt asks D1.
  for (const useTickets of [true, false]) {
    const found = await findNamed(context, rendered, useTickets)
    const { body, attach, cover, warnings } = resolveImages(
      rendered,
      { found, attached: new Set(), language: defaultLanguages(account, input).primary },
      lifetime,
    )
    if (!body) throw new Error("A new post has no body.")
    const images = { images: attach, cover: cover ?? null }
    const built = buildPost(input, body, images, { id, account, due: dueAt(context), now })
    const post = withPreview(null, built, newPreviewToken(), now)
    const saved = await insertPost(db, post, rulesOf(context, null, post))
    if (saved === "text_full") throw textFull(context)
    if (saved === "duplicate_slug") return null
    if (saved === "lost") throw invalidKey()
    if (saved === "saved") {
      deliverEvents(context)
      if (post.translation_languages.length > 0) await wake(context, post)
      return { post, warnings: [...warnings, ...unnamedLanguages(input), ...lengthWarnings(input)] }
    }
  }
  throw unavailable("An image was deleted while it was being attached.")
}

/** Creates a post and starts its translation. @param id of the post, a ULID @throws ApiError as `tryCreate`, and 400 for a taken slug */
export const createPost = async (context: WriteContext, input: CreatePost, id?: string): Promise<Result> => {
  if (context.attempt?.resultId) return { post: await findResult(context, context.attempt.resultId), warnings: [] }
  const created = await tryCreate(context, input, await renderInput(input, context.account.username), id)
  if (!created) throw await duplicateSlug(context, input.slug)
  return created
}
