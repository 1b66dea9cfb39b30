import { ApiError } from "../http/errors.ts"
import { matchesEtag, postEtag, requireMatch } from "../http/etag.ts"
import type { Checked } from "../http/validate.ts"
import { asPatch } from "./apply-patch.ts"
import { tryCreate } from "./create.ts"
import type { PutPost } from "./input.ts"
import { editPost, optionsOf } from "./patch.ts"
import type { Post } from "./post.ts"
import { renderInput } from "./render.ts"
import { type WriteContext, requireWritable } from "./write-context.ts"
import { type Result, openChecked, readPost, saveChange, untilWritten } from "./write.ts"

/** The preconditions of a PUT (RFC 9110 section 13.1). */
interface Preconditions {
  "If-Match"?: string | undefined
  "If-None-Match"?: string | undefined
}

/**
 * Creates the post at a slug, or replaces it. Fields that the request omits are kept or cleared as `asPatch` says.
 * @throws ApiError in the contract's order: 403, 400 (of `checked` as well), 410, 412; 503 after lost races. Without a post at
 * the slug, `If-Match` is a 412 before the errors of `tryCreate`
 */
export const putPost = async (
  context: WriteContext,
  slug: string,
  checked: Checked<PutPost>,
  { "If-Match": ifMatch, "If-None-Match": ifNoneMatch }: Preconditions,
): Promise<Result & { isNew: boolean }> => {
  const { account, now } = context
  const { value: put, warnings } = await openChecked(context, slug, checked, { mayBeNew: true })
  const rendered = await renderInput({ ...put, cover_image_id: put.cover_image_id ?? null }, account.username)
  const requireState = (newest: Post) => requireMatch(ifMatch, newest)
  const request = { sent: put, rendered, detach: true, requireState, warnings }
  return untilWritten(slug, async () => {
    const found = await readPost(context, slug, optionsOf(context, put.primary_language, rendered))
    if (!found) {
      if (ifMatch !== undefined)
        throw new ApiError("version_conflict", "There is no post at this slug: leave out If-Match.")
      const created = await tryCreate(context, { ...put, slug }, rendered)
      return created && { post: created.post, warnings: [...warnings, ...created.warnings], isNew: true }
    }
    const loaded = requireWritable(found, context)
    const edited = editPost(context, loaded, asPatch(loaded.post, put), request)
    if (matchesEtag(ifNoneMatch, postEtag(loaded.post, now)))
      throw new ApiError("version_conflict", "There is a post at this slug already, which If-None-Match excludes.")
    const post = await saveChange(context, loaded.post, edited.post)
    return post && { post, warnings: edited.warnings, isNew: false }
  })
}
