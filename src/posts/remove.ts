import type { Db } from "../db.ts"
import { matchVersions, requireMatch } from "../http/etag.ts"
import { ApiError } from "../http/problem.ts"
import { removeImages } from "../images/cleanup.ts"
import { log, trace } from "../log.ts"
import type { Image } from "../tables.ts"
import { requireOwn, type Saver } from "./save.ts"
import { deletePost, findPost } from "./store.ts"

const removeFiles = async (
  bindings: { db: Db; media: R2Bucket },
  slug: string,
  marked: Pick<Image, "id" | "account_id">[],
): Promise<void> => {
  try {
    await removeImages(bindings, marked)
  } catch (error) {
    // The post is gone and the pictures are marked: the sweep goes on from here.
    log("warn", { message: "pictures left to the sweep", slug, error: trace(error) })
  }
}

/**
 * Deletes the caller's post for good, and the pictures that only it shows.
 * @throws ApiError 404, 403, 412
 */
export const removePost = async (
  { db, media, account, now }: Pick<Saver, "db" | "account" | "now"> & { media: R2Bucket },
  slug: string,
  ifMatch: string | undefined,
): Promise<void> => {
  const versions = matchVersions(ifMatch)
  const marked = await deletePost(db, { slug, accountId: account.id, versions }, now)
  if (marked) return removeFiles({ db, media }, slug, marked)
  const { post } = requireOwn(await findPost(db, { slug }), account)
  requireMatch(ifMatch, post)
  // What stands there now was made meanwhile, and is no post that the caller knew.
  throw new ApiError("not_found", "There was no such post when it was to be deleted; there is one now.")
}
