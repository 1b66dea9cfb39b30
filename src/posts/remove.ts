import { matchVersions, requireMatch } from "../http/etag.ts"
import { unavailable } from "../http/problem.ts"
import { removeImages } from "../images/remove.ts"
import { log, trace } from "../log.ts"
import { requireOwn, type Saver } from "./save.ts"
import { deletePost, findPost } from "./store.ts"

/**
 * Deletes the caller's post for good, and the pictures that only it shows.
 * @throws ApiError 404, 403, 412
 */
export const removePost = async (
  { db, media, account, now }: Pick<Saver, "db" | "account" | "now"> & { media: R2Bucket },
  slug: string,
  ifMatch: string | undefined,
): Promise<void> => {
  const marked = await deletePost(db, { slug, accountId: account.id, versions: matchVersions(ifMatch) }, now)
  if (!marked) {
    const { post } = requireOwn(await findPost(db, { slug }), account)
    requireMatch(ifMatch, post)
    throw unavailable(`Post ${slug} appeared while it was being deleted.`)
  }
  try {
    await removeImages({ db, media }, marked)
  } catch (error) {
    // The post is gone and the pictures are marked: the sweep goes on from here.
    log("warn", { message: "pictures left to the sweep", slug, error: trace(error) })
  }
}
