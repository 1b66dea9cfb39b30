import { requireMatch } from "../http/etag.ts"
import { codePoints } from "../http/fields.ts"
import { type Checked, orThrow, type Warning } from "../http/validate.ts"
import { mentionedIds } from "../images/image.ts"
import { RECOMMENDED_META_DESCRIPTION_CHARS } from "../limits.ts"
import { compose } from "./compose.ts"
import { applyPatch } from "./edit.ts"
import type { Post } from "./post.ts"
import { byId, changePost, dueAt, type Result, type Saver } from "./save.ts"
import type { PatchPost } from "./schema.ts"

const patchWarnings = (post: Post, { primary_language, meta_description }: PatchPost): Warning[] => {
  const { min, max } = RECOMMENDED_META_DESCRIPTION_CHARS
  const length = meta_description === undefined ? min : codePoints(meta_description)
  const differs = primary_language !== post.primary_language
  return [
    ...(differs
      ? [
          {
            field: "primary_language",
            code: "primary_language_differs",
            message: `The post's own language is ${post.primary_language}.`,
          },
        ]
      : []),
    ...(length < min || length > max
      ? [
          {
            field: "meta_description",
            code: "length",
            message: `${min} to ${max} characters are recommended; this has ${length}.`,
          },
        ]
      : []),
  ]
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
  const input = checked.ok ? checked.value : undefined
  const ids = [...(input?.image_ids ?? []), ...mentionedIds(input?.body ?? "", account.username)]
  const options = { lang: input?.lang_code, wanted: { accountId: account.id, ids } }
  const lifetime = { ttlSeconds: settings.imageIdTtlSeconds, now }
  let warnings: Warning[] = []
  const post = await changePost(saver, slug, options, ({ post: before, found }) => {
    // The input's own errors wait until it is known that the post is there and the caller's.
    const { value: patch, warnings: unknown } = orThrow(checked)
    const { body, image_ids } = patch
    const draft = { slug, username: account.username, image_ids }
    const composed = body === undefined ? null : compose({ ...draft, body }, byId(found), lifetime)
    requireMatch(ifMatch, before.version)
    const content = composed && { ...composed, release: image_ids !== undefined }
    const changed = applyPatch(before, patch, content, { due: dueAt(saver), now })
    warnings = [...unknown, ...(composed?.warnings ?? []), ...patchWarnings(changed, patch)]
    return changed
  })
  return { post, warnings }
}
