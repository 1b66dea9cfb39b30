import type { Account } from "../db/schema.ts"
import { fieldError } from "../http/errors.ts"
import { requireMatch } from "../http/etag.ts"
import { codePoints } from "../http/fields.ts"
import { type Checked, type Warning, orThrow } from "../http/validate.ts"
import { MAX_POST_TEXTS, RECOMMENDED_META_DESCRIPTION_CHARS } from "../limits.ts"
import { applyPatch, originalOf } from "./change.ts"
import { type Draft, byId, compose, draft, namedIds } from "./compose.ts"
import type { Post } from "./post.ts"
import type { PatchPost } from "./schema.ts"
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
