import { ApiError } from "../http/errors.ts"
import { matchesEtag, postEtag } from "../http/etag.ts"
import type { Checked } from "../http/validate.ts"
import { MAX_PATCH_ATTEMPTS } from "../limits.ts"
import { asPatch } from "./apply-patch.ts"
import type { Write } from "./commit.ts"
import { tryCreate } from "./create.ts"
import type { PutPost } from "./input.ts"
import { editPost, optionsOf } from "./patch.ts"
import { renderInput } from "./render.ts"
import { openChecked, overtaken, readPost, requireWritable, type Result, saveChange, requireReview } from "./write.ts"

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
  write: Write,
  slug: string,
  checked: Checked<PutPost>,
  { "If-Match": ifMatch, "If-None-Match": ifNoneMatch }: Preconditions,
): Promise<Result & { isNew: boolean }> => {
  const { now } = write
  const { value: put, warnings } = await openChecked(write, slug, checked)
  const rendered = await renderInput({ ...put, cover_image_id: put.cover_image_id ?? null }, write)
  const request = { sent: put, rendered, detach: true, ifMatch, warnings }
  for (let n = 0; n < MAX_PATCH_ATTEMPTS; n++) {
    const found = await readPost(write, slug, optionsOf(write, put.primary_language, rendered), n === 0)
    if (!found) {
      requireReview(write, put.translation_review)
      if (ifMatch !== undefined)
        throw new ApiError("version_conflict", "There is no post at this slug: leave out If-Match.")
      const created = await tryCreate(write, { ...put, slug }, rendered)
      if (created) return { post: created.post, warnings: [...warnings, ...created.warnings], isNew: true }
      continue
    }
    const loaded = requireWritable(found, write)
    requireReview(write, put.translation_review, loaded.post)
    const edited = editPost(write, loaded, asPatch(loaded.post, put), request)
    if (matchesEtag(ifNoneMatch, postEtag(loaded.post, now)))
      throw new ApiError("version_conflict", "There is a post at this slug already, which If-None-Match excludes.")
    const post = await saveChange(write, loaded.post, edited.post)
    if (post) return { post, warnings: edited.warnings, isNew: false }
  }
  throw overtaken(slug)
}
