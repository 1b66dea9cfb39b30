import { languagesOf } from "../accounts/account.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { matchesEtag, postEtag, requireMatch } from "../http/etag.ts"
import { type Checked, type Warning, orThrow } from "../http/validate.ts"
import { refuseUnknownLanguages, type SentLanguages, unnamedLanguages } from "../language.ts"
import { MAX_POST_TEXTS } from "../limits.ts"
import { applyPatch, asPatch, translatedSource } from "./change.ts"
import { type Draft, byId, compose, draft, lengthWarnings, namedIds } from "./compose.ts"
import { tryCreate } from "./create.ts"
import type { PatchPost, PutPost } from "./input.ts"
import { type Post, attachedImages } from "./post.ts"
import type { LoadOptions, Loaded } from "./read-store.ts"
import { type Result, type WriteContext, changePost, dueAt } from "./write.ts"

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

const requireRoom = ({ texts }: Post): void => {
  if (texts.length > MAX_POST_TEXTS)
    throw fieldError(
      "translation_languages",
      "validation_error",
      `A post has at most ${MAX_POST_TEXTS} languages, including unlisted ones. Delete a translation first.`,
    )
}

/** Requires that the newest version of a post is in the state that the client has seen. @throws ApiError 412 */
type RequireState = (newest: Post) => void

/** The PATCH or PUT of a post, with its body and images. */
interface Edit {
  /** The languages that the request sends. */
  sent: SentLanguages
  drafted: Draft
  /** Images that the change does not name, and that no text shows, are detached. */
  detach: boolean
  requireState: RequireState
}

/** Applies a PATCH to a post that was read. @throws ApiError 400, 410, 412, in this order */
const edit = (
  { config, now, ...context }: WriteContext,
  { post: before, found }: Loaded,
  patch: PatchPost,
  { sent, drafted, detach, requireState }: Edit,
): Result => {
  const times = { due: dueAt({ config, now, ...context }), now }
  refuseUnknownLanguages(sent, [...languagesOf(context.account), ...before.texts.map(({ lang_code }) => lang_code)])
  // Checked without images first, because every 400 comes before a 410.
  requireRoom(applyPatch(before, patch, null, times))
  const attached = new Set(attachedImages(before).map(({ id }) => id))
  const original = translatedSource(before, patch)?.html ?? ""
  const made = compose(
    drafted,
    { found: byId(found), attached, original, language: patch.lang_code },
    { ttlSeconds: config.imageIdTtlSeconds, now },
  )
  requireState(before)
  const post = applyPatch(before, patch, { ...made, detach }, times)
  const languages = [...languageWarnings(before, post, patch), ...unnamedLanguages(sent)]
  return { post, warnings: [...made.warnings, ...languages, ...lengthWarnings(patch)] }
}

/** Returns what to read with the post: the text in `lang`, and the images that a request names. */
const optionsOf = ({ account }: WriteContext, lang: string | undefined, drafted: Draft | null): LoadOptions => ({
  lang,
  wanted: { accountId: account.id, ids: drafted ? namedIds(drafted) : [] },
})

/**
 * Applies a PATCH to the newest version of a post.
 * @param requireState throws ApiError 412 if the client has not seen that version
 * @throws ApiError in the contract's order: 404, 403, 400 (of `checked` as well), 410, 412; 503 after lost races
 */
export const patchPost = async (
  context: WriteContext,
  slug: string,
  checked: Checked<PatchPost>,
  requireState: RequireState,
): Promise<Result> => {
  const sent = checked.ok ? checked.value : null
  const drafted = sent && (await draft(sent, context.account.username))
  let warnings: Warning[] = []
  const post = await changePost(context, slug, optionsOf(context, sent?.lang_code, drafted), (loaded) => {
    // Field errors are thrown only after the caller is known to be the author.
    const { value: patch, warnings: unknown } = orThrow(checked)
    if (!drafted) return loaded.post
    const detach = patch.image_ids !== undefined
    const edited = edit(context, loaded, patch, { sent: patch, drafted, detach, requireState })
    warnings = [...unknown, ...edited.warnings]
    return edited.post
  })
  return { post, warnings }
}

/** The preconditions of a PUT (RFC 9110 section 13.1). */
interface Preconditions {
  "If-Match"?: string | undefined
  "If-None-Match"?: string | undefined
}

/**
 * Creates the post at a slug, or replaces it. Fields that the request omits are kept or cleared as `asPatch` says.
 * @throws ApiError in the contract's order: 403, 400 (of `checked` as well), 410, 412; 503 after lost races. Without a post at
 * the slug, `If-Match` is a 412 before the errors that only the stored data shows
 */
export const putPost = async (
  context: WriteContext,
  slug: string,
  checked: Checked<PutPost>,
  { "If-Match": ifMatch, "If-None-Match": ifNoneMatch }: Preconditions,
): Promise<Result & { isNew: boolean }> => {
  const { account, now } = context
  const sent = checked.ok ? checked.value : null
  const drafted = sent && (await draft({ ...sent, cover_image_id: sent.cover_image_id ?? null }, account.username))
  let created: Result | null = null
  let warnings: Warning[] = []
  const create = async () => {
    const { value } = orThrow(checked)
    if (ifMatch !== undefined)
      throw new ApiError("version_conflict", "There is no post at this slug: leave out If-Match.")
    created = drafted && (await tryCreate(context, { ...value, slug }, drafted))
    return created?.post ?? null
  }
  const requireState = (newest: Post) => requireMatch(ifMatch, newest)
  const replace = (loaded: Loaded) => {
    const { value } = orThrow(checked)
    if (!drafted) return loaded.post
    const change = { sent: value, drafted, detach: true, requireState }
    const edited = edit(context, loaded, asPatch(loaded.post, value), change)
    if (matchesEtag(ifNoneMatch, postEtag(loaded.post, now)))
      throw new ApiError("version_conflict", "There is a post at this slug already, which If-None-Match excludes.")
    ;({ warnings } = edited)
    return edited.post
  }
  const post = await changePost(context, slug, optionsOf(context, sent?.primary_language, drafted), replace, create)
  const result: Result = created ?? { post, warnings }
  return { ...result, warnings: [...orThrow(checked).warnings, ...result.warnings], isNew: created !== null }
}
