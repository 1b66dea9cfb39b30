import { requireMatch } from "../http/etag.ts"
import { codePoints } from "../http/fields.ts"
import { fieldError } from "../http/problem.ts"
import { type Checked, orThrow, type Warning } from "../http/validate.ts"
import { MAX_POST_TEXTS, RECOMMENDED_META_DESCRIPTION_CHARS } from "../limits.ts"
import type { Account } from "../tables.ts"
import { compose, draft, type Draft, namedIds } from "./compose.ts"
import { applyPatch, originalOf } from "./edit.ts"
import type { Post } from "./post.ts"
import { byId, changePost, dueAt, type Result, type Saver } from "./save.ts"
import type { PatchPost } from "./schema.ts"

/** A script that sends the language of a translation as the author's would not notice otherwise. */
const languageWarnings = (before: Post, after: Post, { primary_language }: PatchPost): Warning[] => {
  const field = "primary_language"
  const [was, is] = [before.primary_language, after.primary_language]
  if (was !== is) {
    const message = `The post's own text counts as ${is} from now on, and no more as ${was}.`
    return [{ field, code: "primary_language_changed", message }]
  }
  if (primary_language === is) return []
  const message = `A post keeps its own language: this one stays ${is}. ${primary_language} counts as a translation.`
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
      `A post has at most ${MAX_POST_TEXTS} languages, those off the list too. Delete a translation first.`,
    )
}

/**
 * Applies a PATCH to the newest version of a post.
 * @throws ApiError in the contract's order: 404, 403, 400, 410, 412; 503
 */
export const patchPost = async (
  saver: Saver,
  slug: string,
  checked: Checked<PatchPost>,
  ifMatch: string | undefined,
): Promise<Result> => {
  const { account, settings, now } = saver
  const lifetime = { ttlSeconds: settings.imageIdTtlSeconds, now }
  const drafted = checked.ok ? draftBody(checked.value, account) : null
  const wanted = { accountId: account.id, ids: drafted ? namedIds(drafted) : [] }
  const options = { lang: checked.ok ? checked.value.lang_code : undefined, wanted }
  let warnings: Warning[] = []
  const post = await changePost(saver, slug, options, ({ post: before, found }) => {
    // The input's own errors wait until it is known that the post is there and the caller's.
    const { value: patch, warnings: unknown } = orThrow(checked)
    const times = { due: dueAt(saver), now }
    // As if it had no pictures, whose 410 comes after every 400.
    requireRoom(applyPatch(before, patch, null, times))
    const attached = new Set(before.images.map(({ id }) => id))
    const original = originalOf(before, patch)?.html ?? ""
    const language = patch.lang_code
    const composed = drafted && compose(drafted, { found: byId(found), attached, original, language }, lifetime)
    requireMatch(ifMatch, before)
    const content = composed && { ...composed, release: patch.image_ids !== undefined }
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
