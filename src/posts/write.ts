import { ulid } from "ulid"

import { checkKey, keyChecks } from "../accounts/authenticate.ts"
import type { Config } from "../config.ts"
import { type Db, openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { Account, Image } from "../db/schema.ts"
import type { AppContext, Attempt } from "../http/context.ts"
import { ApiError, fieldError, invalidKey, unavailable } from "../http/errors.ts"
import { matchVersions, requireMatch } from "../http/etag.ts"
import { codePoints } from "../http/fields.ts"
import { type Checked, type Warning, orThrow } from "../http/validate.ts"
import { removeImages } from "../images/cleanup.ts"
import type { UsableImage } from "../images/image.ts"
import { findImages } from "../images/store.ts"
import { findTicket } from "../images/ticket.ts"
import {
  MAX_PATCH_ATTEMPTS,
  MAX_POST_TEXTS,
  MAX_SLUG_CHARS,
  MAX_TICKETS_READ,
  RECOMMENDED_META_DESCRIPTION_CHARS,
} from "../limits.ts"
import { log, trace } from "../log.ts"
import { applyPatch, originalOf } from "./change.ts"
import { type Draft, compose, draft, namedIds } from "./compose.ts"
import { type Post, draftPost, isSamePost, versioned } from "./post.ts"
import type { CreatePost, PatchPost } from "./schema.ts"
import {
  type LoadOptions,
  type Loaded,
  deletePost,
  findPost,
  findTakenSlugs,
  insertPost,
  savePost,
  type WriteRules,
} from "./store.ts"
import { defaultLanguages } from "./text.ts"
import { wakeTranslator } from "./wake.ts"

/** The caller of a request: its account, and its API key if it has one. */
type Caller = Pick<AppContext["var"], "account" | "key">

/** The bindings, caller and time with which a request writes posts. */
export interface WriteContext extends Caller {
  db: Db
  tickets: KVNamespace
  queue: Queue
  config: Config
  requestId: string
  now: Date
  /** The state of the request's Idempotency-Key, if it has one. */
  attempt?: Attempt | undefined
  /** Statements that run in the batch of a new, changed or deleted post, such as the check of the API key. */
  extraStatements: Statement[]
}

export interface Result {
  post: Post
  warnings: Warning[]
}

/** Returns when an engine may begin: `translationDebounceSeconds` after `now`. So several saves make one translation. */
export const dueAt = ({ config, now }: WriteContext): Date =>
  new Date(now.getTime() + config.translationDebounceSeconds * 1000)

/** Sends the queue message that starts the translation of a saved post. */
const wake = ({ queue, config, requestId }: WriteContext, post: Post): Promise<void> =>
  wakeTranslator(queue, { post_id: post.id, request_id: requestId }, config.translationDebounceSeconds)

const byId = (found: UsableImage[]): Map<string, UsableImage> => new Map(found.map((image) => [image.id, image]))

/** Requires that the post exists, is the caller's, and is readable if the key only reads. @throws ApiError 404 if `loaded` is null, else 403 */
export const requireOwn = <T extends { post: Post }>(loaded: T | null, { account, key }: Caller): T => {
  if (!loaded) throw new ApiError("not_found", "There is no such post.")
  if (loaded.post.account_id !== account.id) throw new ApiError("not_the_author")
  if (key?.scope === "read" && (loaded.post.status !== "PB" || account.hidden)) throw new ApiError("insufficient_scope")
  return loaded
}

/** Requires that a key of the scope `draft` writes drafts only. @throws ApiError 403 */
export const requireScope = ({ key }: Pick<Caller, "key">, status: Post["status"] | undefined): void => {
  if (key?.scope === "draft" && status === "PB") throw new ApiError("insufficient_scope")
}

/** Finds the post that an earlier request with the same Idempotency-Key has written. @throws ApiError 404, 403; 401 for an ended key */
const findMade = async (context: WriteContext, id: string, options?: LoadOptions): Promise<Post> => {
  const loaded = await findPost(context.db, { id }, options)
  if (!loaded)
    throw new ApiError(
      "not_found",
      "An earlier request with this Idempotency-Key took effect, but its post has been deleted since. To create the post again, POST it with another key.",
    )
  const { post } = requireOwn(loaded, context)
  await checkKey(context.db, context, context.now)
  return post
}

/** Returns the rules of a write, which records the post for the request's Idempotency-Key. */
const rulesOf = ({ attempt, config, now, extraStatements }: WriteContext, post: Post): WriteRules => ({
  now,
  maxTextBytes: config.maxStoredTextBytes,
  extraStatements: [...(attempt ? [attempt.recordCreated(post.id)] : []), ...extraStatements],
})

const textFull = ({ config }: WriteContext): ApiError =>
  fieldError(
    "body",
    "text_quota",
    `The bodies of the account's posts and their HTML, in all languages, may take ${config.maxStoredTextBytes} bytes. Delete posts or translations, or send a shorter body.`,
  )

const newlyQueued = (before: Post, after: Post): boolean =>
  after.texts.some(({ lang_code, status, due_at }) => {
    const old = before.texts.find((text) => text.lang_code === lang_code)
    return status === "queued" && (old?.status !== "queued" || old.due_at?.getTime() !== due_at?.getTime())
  })

/**
 * Reads the caller's post, changes and writes it, and wakes the translator. Retries lost races, up to `MAX_PATCH_ATTEMPTS`.
 * @param change returns the changed post; may throw an ApiError. If nothing differs, nothing is written
 * @throws ApiError 404, 403; 503 after the last lost race
 */
export const changePost = async (
  context: WriteContext,
  slug: string,
  options: LoadOptions,
  change: (loaded: Loaded) => Post,
): Promise<Post> => {
  const { db, now, attempt } = context
  if (attempt?.made) {
    const post = await findMade(context, attempt.made, options)
    requireScope(context, post.status)
    return post
  }
  for (let tries = 0; tries < MAX_PATCH_ATTEMPTS; tries++) {
    const loaded = requireOwn(await findPost(db, { slug }, options), context)
    const before = loaded.post
    requireScope(context, before.status)
    const changed = change(loaded)
    requireScope(context, changed.status)
    if (isSamePost(before, changed)) {
      await checkKey(db, context, now)
      return before
    }
    const after = versioned(before, changed, now)
    const saved = await savePost(db, before, after, rulesOf(context, after))
    if (saved === "text_full") throw textFull(context)
    if (saved === "saved") {
      if (newlyQueued(before, after)) await wake(context, after)
      return after
    }
  }
  throw unavailable(
    `Post ${slug} changed under every attempt.`,
    `The post was changed by others during each of ${MAX_PATCH_ATTEMPTS} attempts to save this change. Nothing was saved. Send it again.`,
  )
}

/** Finds the account's images that a new post names: the first ones by their tickets, the others in D1. */
const findUsable = async ({ db, tickets, account, now }: WriteContext, drafted: Draft, useTickets: boolean) => {
  const ids = useTickets ? namedIds(drafted).slice(0, MAX_TICKETS_READ) : []
  const vouched = await Promise.all(ids.map((id) => findTicket(tickets, id, account.id, now)))
  const found = byId(vouched.filter((image) => image !== null))
  const rest = namedIds(drafted).filter((id) => !found.has(id))
  return rest.length > 0 ? new Map([...found, ...byId(await findImages(db, account.id, rest))]) : found
}

/** Returns similar slugs: with `-2`, `-3`, …, and one with a unique id. */
const similarSlugs = (slug: string, now: Date): string[] => {
  // Matches the last hyphen of `my-`. Does not match that of `my-post`.
  const stem = (length: number) => slug.slice(0, length).replace(/-$/, "")
  const numbered = [...Array(20).keys()].map((i) => `${stem(MAX_SLUG_CHARS - 3)}-${i + 2}`)
  return [...numbered, `${stem(100)}-${ulid(now.getTime()).toLowerCase()}`]
}

const duplicateSlug = async ({ db, account, now }: WriteContext, slug: string): Promise<ApiError> => {
  const similar = similarSlugs(slug, now)
  const taken = await findTakenSlugs(db, [slug, ...similar])
  const suggested_slug = similar.find((candidate) => !taken.some((post) => post.slug === candidate)) ?? ""
  const isOwn = taken.some((post) => post.slug === slug && post.account_id === account.id)
  const message = isOwn
    ? `You already have a post at ${slug}: change it with PATCH, or create another at ${suggested_slug}.`
    : `The slug ${slug} is taken. ${suggested_slug} is free.`
  return fieldError("slug", "duplicate_slug", message, { suggested_slug })
}

/**
 * Creates a post and starts its translation.
 * @throws ApiError 400 for a taken slug, the body or unknown images, 410 for an expired image, 401 if the account is erased
 */
export const createPost = async (context: WriteContext, input: CreatePost): Promise<Result> => {
  const { db, account, config, now, attempt } = context
  if (attempt?.made) return { post: await findMade(context, attempt.made), warnings: [] }
  const lifetime = { ttlSeconds: config.imageIdTtlSeconds, now }
  const drafted = draft(input, account.username)
  // A ticket may outlive its image. Then the batch fails, and the second attempt asks D1.
  for (const useTickets of [true, false]) {
    const found = await findUsable(context, drafted, useTickets)
    const { composed, attach, warnings } = compose(
      drafted,
      { found, attached: new Set(), language: defaultLanguages(account, input).primary },
      lifetime,
    )
    const post = draftPost(input, composed, attach, { id: ulid(now.getTime()), account, due: dueAt(context), now })
    const saved = await insertPost(db, post, rulesOf(context, post))
    if (saved === "text_full") throw textFull(context)
    if (saved === "duplicate_slug") throw await duplicateSlug(context, input.slug)
    if (saved === "lost") throw invalidKey()
    if (saved === "saved") {
      if (post.translation_languages.length > 0) await wake(context, post)
      return { post, warnings }
    }
  }
  throw unavailable("An image was deleted while it was being attached.")
}

/** Warns a script that sends the language of a translation as the source language. */
const languageWarnings = (before: Post, after: Post, { primary_language }: PatchPost): Warning[] => {
  const field = "primary_language"
  const [was, is] = [before.primary_language, after.primary_language]
  if (was !== is) {
    const message = `The source text is now in ${is}, no longer in ${was}.`
    return [{ field, code: "primary_language_changed", message }]
  }
  if (primary_language === is) return []
  const message = `The source language of a post cannot change: it stays ${is}. ${primary_language} is a translation.`
  return [{ field, code: "primary_language_differs", message }]
}

const lengthWarnings = ({ meta_description }: PatchPost): Warning[] => {
  const { min, max } = RECOMMENDED_META_DESCRIPTION_CHARS
  const length = meta_description === undefined ? min : codePoints(meta_description)
  if (length >= min && length <= max) return []
  const message = `${min} to ${max} characters are recommended; this has ${length}.`
  return [{ field: "meta_description", code: "length", message }]
}

const draftBody = ({ body, image_ids }: PatchPost, { username }: Account): Draft | null =>
  body === undefined ? null : draft({ body, image_ids }, username)

const requireRoom = ({ texts }: Post): void => {
  if (texts.length > MAX_POST_TEXTS)
    throw fieldError(
      "translation_languages",
      "validation_error",
      `A post has at most ${MAX_POST_TEXTS} languages, including unlisted ones. Delete a translation first.`,
    )
}

/**
 * Applies a PATCH to the newest version of a post. `ifMatch` undefined: any version.
 * @throws ApiError in the contract's order: 404, 403, 400 (of `checked` as well), 410, 412; 503 after lost races
 */
export const patchPost = async (
  context: WriteContext,
  slug: string,
  checked: Checked<PatchPost>,
  ifMatch: string | undefined,
): Promise<Result> => {
  const { account, config, now } = context
  const lifetime = { ttlSeconds: config.imageIdTtlSeconds, now }
  const drafted = checked.ok ? draftBody(checked.value, account) : null
  const wanted = { accountId: account.id, ids: drafted ? namedIds(drafted) : [] }
  const options = { lang: checked.ok ? checked.value.lang_code : undefined, wanted }
  let warnings: Warning[] = []
  const post = await changePost(context, slug, options, ({ post: before, found }) => {
    // Field errors are thrown only after the caller is known to be the author.
    const { value: patch, warnings: unknown } = orThrow(checked)
    const times = { due: dueAt(context), now }
    // Checked without images first, because every 400 comes before a 410.
    requireRoom(applyPatch(before, patch, null, times))
    const attached = new Set(before.images.map(({ id }) => id))
    const original = originalOf(before, patch)?.html ?? ""
    const language = patch.lang_code
    const composed = drafted && compose(drafted, { found: byId(found), attached, original, language }, lifetime)
    requireMatch(ifMatch, before)
    const content = composed && { ...composed, detach: patch.image_ids !== undefined }
    const changed = applyPatch(before, patch, content, times)
    warnings = [
      ...unknown,
      ...(composed?.warnings ?? []),
      ...languageWarnings(before, changed, patch),
      ...lengthWarnings(patch),
    ]
    return changed
  })
  return { post, warnings }
}

const removeFiles = async (
  bindings: { db: Db; media: R2Bucket },
  slug: string,
  marked: Pick<Image, "id" | "account_id">[],
): Promise<void> => {
  try {
    await removeImages(bindings, marked)
  } catch (error) {
    // The post is deleted and the images are marked, so the cleanup continues.
    log("warn", { message: "image.cleanup_deferred", slug, error: trace(error) })
  }
}

/**
 * Deletes the caller's post permanently, with the images that only it shows. `ifMatch` undefined: any version.
 * @throws ApiError 404, 403, 412
 */
export const removePost = async (
  context: WriteContext & { media: R2Bucket },
  slug: string,
  ifMatch: string | undefined,
): Promise<void> => {
  const { db, media, account, now, extraStatements } = context
  const versions = matchVersions(ifMatch)
  const marked = await deletePost(db, { slug, accountId: account.id, versions }, now, extraStatements)
  if (marked) return removeFiles({ db, media }, slug, marked)
  const { post } = requireOwn(await findPost(db, { slug }), context)
  requireMatch(ifMatch, post)
  // The post at this slug was created meanwhile. The caller does not know it.
  throw new ApiError("not_found", "There was no such post to delete. One has been created at this slug since.")
}

/** Returns the write context of a request: its bindings, caller, time, and the checks of its API key. */
export const writeContextOf = (c: AppContext): WriteContext => {
  const { config, account, key, requestId, now, attempt } = c.var
  const { IMAGE_TICKETS: tickets, TRANSLATIONS: queue } = c.env
  return {
    db: openDb(c.env.DB),
    tickets,
    queue,
    config,
    account,
    key,
    requestId,
    now,
    attempt,
    extraStatements: keyChecks(c.var, now),
  }
}

/** Returns the API path of a post. */
export const apiPath = (slug: string): string => `/api/blogcontroller/posts/${slug}/`
