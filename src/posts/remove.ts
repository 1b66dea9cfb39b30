import type { Db } from "../db/client.ts"
import type { Image } from "../db/schema.ts"
import { ApiError } from "../http/errors.ts"
import { matchVersions, requireMatch } from "../http/etag.ts"
import { type ImageFiles, removeImages } from "../images/cleanup.ts"
import { log, trace } from "../log.ts"
import type { Post } from "./post.ts"
import { findPost } from "./read-store.ts"
import { deletePost } from "./store.ts"
import { type WriteContext, requireOwn } from "./write-context.ts"
import { deliverEvents, hasWebhooks, lastStatements } from "./write.ts"

const removeFiles = async (
  bindings: ImageFiles & { db: Db },
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

const findOwn = async (context: WriteContext, slug: string, ifMatch: string | undefined): Promise<Post> => {
  const { post } = requireOwn(await findPost(context.db, { slug }), context)
  requireMatch(ifMatch, post)
  return post
}

/** Runs `removePost` as a dry run. @returns the post as it is @throws ApiError 404, 403, 412 */
export const simulateRemoval = async (
  context: WriteContext & ImageFiles,
  slug: string,
  ifMatch: string | undefined,
): Promise<Post> => {
  const post = await findOwn(context, slug, ifMatch)
  await removePost({ ...context, isDryRun: true }, slug, ifMatch)
  return post
}

/**
 * Deletes the caller's post permanently, and the expired images that only it shows; others are deleted once they expire.
 * `ifMatch` undefined: any version.
 * @throws ApiError 404, 403, 412
 */
export const removePost = async (
  context: WriteContext & ImageFiles,
  slug: string,
  ifMatch: string | undefined,
): Promise<void> => {
  const { db, media, purge, account, now } = context
  const versions = matchVersions(ifMatch)
  const which = { slug, accountId: account.id, versions, isTold: hasWebhooks(context) }
  const marked = await deletePost(db, which, now, lastStatements(context))
  if (marked) deliverEvents(context)
  if (marked) return removeFiles({ db, media, purge }, slug, marked)
  await findOwn(context, slug, ifMatch)
  // The post at this slug was created meanwhile. The caller does not know it.
  throw new ApiError("not_found", "There was no such post to delete. One has been created at this slug since.")
}
