import type { Db } from "../db/client.ts"
import type { Image } from "../db/schema.ts"
import { ApiError } from "../http/errors.ts"
import { matchVersions, requireMatch } from "../http/etag.ts"
import { removeImages } from "../images/cleanup.ts"
import { log, trace } from "../log.ts"
import { deletePost, findPost } from "./store.ts"
import { type WriteContext, requireOwn } from "./write.ts"

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
