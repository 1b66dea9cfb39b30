import { toOneLine } from "../../packages/edgepost/src/folder/one-line.ts"
import { languagesOf } from "../accounts/account.ts"
import { fieldError } from "../http/errors.ts"
import { requireMatch } from "../http/etag.ts"
import type { Checked, Warning } from "../http/validate.ts"
import { refuseUnknownLanguages, type SentLanguages, unnamedLanguages } from "../language.ts"
import { MAX_PATCH_ATTEMPTS, MAX_POST_TEXTS } from "../limits.ts"
import { applyPatch } from "./apply-patch.ts"
import type { Write } from "./commit.ts"
import type { PatchPost } from "./input.ts"
import { type Post, attachedImages, sourceText } from "./post.ts"
import type { LoadOptions, Loaded } from "./read-store.ts"
import { type RenderedInput, byId, fieldWarnings, namedIds, renderInput, resolveImages } from "./render.ts"
import {
  dueAt,
  findChanged,
  openChecked,
  overtaken,
  readPost,
  requireWritable,
  type Result,
  saveChange,
  requireReview,
} from "./write.ts"

/** Returns the fields of a PATCH that changes no languages. */
export const languageFields = (
  { primary_language, translation_languages }: Post,
  lang_code: string = primary_language,
): Pick<PatchPost, "lang_code" | "primary_language" | "translation_languages"> => ({
  lang_code,
  primary_language,
  translation_languages,
})

const aboutLanguage = (code: string, message: string): Warning[] => [{ field: "primary_language", code, message }]

/** Warns a script that changes the source language, or sends the language of a translation for it. */
const languageWarnings = (before: Post, after: Post, { primary_language }: PatchPost): Warning[] => {
  const [was, is] = [before.primary_language, after.primary_language]
  if (was !== is)
    return aboutLanguage("primary_language_changed", `The source text is now in ${is}, no longer in ${was}.`)
  if (primary_language === is) return []
  const stays = `The source language of a post cannot change: it stays ${is}. ${primary_language} is a translation.`
  return aboutLanguage("primary_language_differs", stays)
}

const requireRoom = ({ texts }: Post): void => {
  if (texts.length > MAX_POST_TEXTS)
    throw fieldError(
      "translation_languages",
      "validation_error",
      `A post has at most ${MAX_POST_TEXTS} languages, including unlisted ones. Delete a translation first.`,
    )
}

/** The state in which a client has seen a post that it changes. */
export interface SeenState {
  /** The value of `If-Match`; undefined: any version. */
  ifMatch?: string | undefined
  /** Requires what an ETag does not tell. @throws ApiError 412 */
  requireState?: (newest: Post) => void
}

/** The parts of a valid PATCH or PUT besides its `PatchPost`. */
interface ChangeRequest extends SeenState {
  /** The languages that the request sends. */
  sent: SentLanguages
  rendered: RenderedInput
  /** Images that the change does not name, and that no text shows, are detached. */
  detach: boolean
  /** The warnings of the request's fields. */
  warnings: Warning[]
}

/** Applies a PATCH to a post that was read. @throws ApiError 400, 410, 412, in this order */
export const editPost = (
  write: Write,
  { post: before, found }: Loaded,
  given: PatchPost,
  { sent, rendered, detach, ifMatch, requireState, warnings }: ChangeRequest,
): Result => {
  const { account, config, now } = write
  const patch = given.title === undefined ? given : { ...given, title: toOneLine(given.title) }
  const times = { due: dueAt(write), now }
  refuseUnknownLanguages(sent, [...languagesOf(account), ...before.texts.map(({ lang_code }) => lang_code)])
  // Checked without images first, because every 400 comes before a 410.
  const bare = applyPatch(before, patch, null, times)
  requireRoom(bare)
  const attached = new Set(attachedImages(before).map(({ id }) => id))
  const original = patch.lang_code === bare.primary_language ? "" : (sourceText(before).html ?? "")
  const language = patch.lang_code
  const images = { found: byId(found), attached, original, language, ttlSeconds: config.imageIdTtlSeconds }
  const { warnings: ofBody, ...content } = resolveImages(rendered, images)
  requireMatch(ifMatch, before)
  requireState?.(before)
  const post = applyPatch(before, patch, { ...content, detach }, times)
  const ofLanguages = [...languageWarnings(before, post, patch), ...unnamedLanguages(sent)]
  return { post, warnings: [...warnings, ...ofBody, ...ofLanguages, ...fieldWarnings(given, post, language)] }
}

/** Returns what to read with the post: the text in `lang`, and the images that a request names. */
export const optionsOf = ({ account }: Write, lang: string | undefined, rendered: RenderedInput): LoadOptions => ({
  lang,
  wanted: { accountId: account.id, ids: namedIds(rendered) },
})

/** Returns a draft with another slug. @throws ApiError 400 once the post is published: links to it would break */
const renamed = (before: Post, post: Post, slug: string): Post => {
  if (before.status === "DF" || before.slug === slug) return { ...post, slug }
  const message = "Only a draft gets another slug: links to a published post would break."
  throw fieldError("slug", "validation_error", message)
}

/**
 * Applies a PATCH to the newest version of a post.
 * @param newSlug the slug that a draft gets
 * @throws ApiError in the contract's order: 404, 403, 400 (of `checked` as well), 410, 412; 503 after lost races
 */
export const patchPost = async (
  write: Write,
  slug: string,
  checked: Checked<PatchPost>,
  seen: SeenState,
  newSlug?: string,
): Promise<Result> => {
  const { value: patch, warnings } = await openChecked(write, slug, checked)
  const rendered = await renderInput(patch, write)
  const request = { ...seen, sent: patch, rendered, detach: patch.image_ids !== undefined, warnings }
  const options = optionsOf(write, patch.lang_code, rendered)
  const known = await findChanged(write, options)
  if (known) return known
  for (let n = 0; n < MAX_PATCH_ATTEMPTS; n++) {
    const loaded = requireWritable(await readPost(write, slug, options, n === 0), write)
    requireReview(write, patch.translation_review, loaded.post)
    const edited = editPost(write, loaded, patch, request)
    const changed = newSlug === undefined ? edited.post : renamed(loaded.post, edited.post, newSlug)
    const post = await saveChange(write, loaded.post, changed)
    if (post) return { post, warnings: edited.warnings }
  }
  throw overtaken(slug)
}
