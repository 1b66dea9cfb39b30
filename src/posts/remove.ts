import { ROLL_BACK } from "../db/plain-sql.ts"
import { ApiError } from "../http/errors.ts"
import { matchVersions, requireMatch } from "../http/etag.ts"
import { type ImageFiles, removeImages } from "../images/cleanup.ts"
import { log, trace } from "../log.ts"
import { wakeDeliveries, type Write } from "./commit.ts"
import { findPost } from "./read-store.ts"
import { deletePost } from "./store.ts"
import { requireOwn } from "./write.ts"

const requirePost = async (write: Write, slug: string, ifMatch: string | undefined): Promise<void> =>
  requireMatch(ifMatch, requireOwn(await findPost(write.db, { slug }), write).post)

/**
 * Deletes the caller's post permanently, and the expired images that only it shows; others are deleted once they expire.
 * A dry run only checks. `ifMatch` undefined: any version.
 * @throws ApiError 404, 403, 412
 */
export const removePost = async (
  write: Write & ImageFiles,
  slug: string,
  ifMatch: string | undefined,
): Promise<void> => {
  const { db, media, purge, account, now, checks, isDryRun } = write
  const versions = matchVersions(ifMatch)
  // The batch of a dry run fails, also without such a post.
  if (isDryRun) await requirePost(write, slug, ifMatch)
  const which = { slug, accountId: account.id, versions, isTold: write.tellsWebhooks }
  const marked = await deletePost(db, which, now, isDryRun ? [...checks, ROLL_BACK] : checks)
  if (!marked) {
    await requirePost(write, slug, ifMatch)
    // The post at this slug was created meanwhile. The caller does not know it.
    throw new ApiError("not_found", "There was no such post to delete. One has been created at this slug since.")
  }
  wakeDeliveries(write)
  try {
    await removeImages({ db, media, purge }, marked)
  } catch (error) {
    // The post is deleted and the images are marked, so the cleanup continues.
    log("warn", { message: "image.cleanup_deferred", slug, error: trace(error) })
  }
}
