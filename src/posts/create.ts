import { ulid } from "ulid"

import { toOneLine } from "../../packages/edgepost/src/folder/one-line.ts"
import { languagesOf } from "../accounts/account.ts"
import { invalidKey, unavailable } from "../http/errors.ts"
import { findImages } from "../images/store.ts"
import { findTicket } from "../images/ticket.ts"
import { refuseUnknownLanguages, unnamedLanguages } from "../language.ts"
import { MAX_TICKETS_READ } from "../limits.ts"
import { commit, type Write } from "./commit.ts"
import type { CreatePost } from "./input.ts"
import { buildPost, withPreview } from "./post.ts"
import { type RenderedInput, byId, fieldWarnings, namedIds, renderInput, resolveImages } from "./render.ts"
import { defaultLanguages } from "./text.ts"
import { dueAt, duplicateSlug, findResult, newPreviewToken, requireTextRoom, type Result } from "./write.ts"

/** Finds the account's images that a new post names: the first ones by their tickets, the others in D1. */
const findNamed = async ({ db, tickets, account, now }: Write, rendered: RenderedInput, useTickets: boolean) => {
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
  write: Write,
  input: CreatePost,
  rendered: RenderedInput,
  id = ulid(write.now.getTime()),
): Promise<Result | null> => {
  const { account, config, now } = write
  refuseUnknownLanguages(input, languagesOf(account))
  const language = defaultLanguages(account, input).primary
  // A ticket may outlive its image. Then the batch fails, and the second attempt asks D1.
  for (const useTickets of [true, false]) {
    const found = await findNamed(write, rendered, useTickets)
    const named = { found, attached: new Set<string>(), language, ttlSeconds: config.imageIdTtlSeconds }
    const { body, attach, cover, warnings } = resolveImages(rendered, named)
    if (!body) throw new Error("A new post has no body.")
    const images = { images: attach, cover: cover ?? null }
    const titled = { ...input, title: toOneLine(input.title) }
    const built = buildPost(titled, body, images, { id, account, due: dueAt(write), now })
    const post = withPreview(null, built, newPreviewToken(), now)
    const outcome = await commit(write, null, post)
    requireTextRoom(write, outcome)
    if (outcome === "duplicate_slug") return null
    if (outcome === "lost") throw invalidKey()
    if (outcome === "saved")
      return { post, warnings: [...warnings, ...unnamedLanguages(input), ...fieldWarnings(input, post, language)] }
  }
  throw unavailable("An image was deleted while it was being attached.")
}

/** Creates a post and starts its translation. @param id of the post, a ULID @throws ApiError as `tryCreate`, and 400 for a taken slug */
export const createPost = async (write: Write, input: CreatePost, id?: string): Promise<Result> => {
  const known = await findResult(write)
  if (known) return known
  const created = await tryCreate(write, input, await renderInput(input, write), id)
  if (!created) throw await duplicateSlug(write, input.slug)
  return created
}
