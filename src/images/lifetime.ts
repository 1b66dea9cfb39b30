import { and, eq, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm"

import { type Db, failedOn, listOf, repeatable } from "../db/client.ts"
import { type RawRow, selection } from "../db/plain-sql.ts"
import { images, post_images } from "../db/schema.ts"
import { UPLOAD_GRACE_SECONDS } from "../limits.ts"

// The rule by which images live and go. An image lives as long as a post shows it, and until `expires_at`, which each upload
// of its bytes renews. `cleanup_at` is set while no post shows it: then the scheduled job may delete it. `deleting_at` is set
// once; from then on no post can attach the image, and its file and its row are deleted.

/** The SQL condition that a post shows the image. */
export const isLinked = sql<boolean>`exists (select 1 from ${post_images} where ${post_images.image_id} = ${images.id})`

/** Returns the SQL condition that posts may use an image that is not being deleted: one shows it, or it has not expired. */
export const isUsable = (now: Date) => and(isNull(images.deleting_at), or(sql`${isLinked}`, gt(images.expires_at, now)))

/** Finds the earliest time at which the cleanup of an image is due; it may be in the future. @returns null if none waits */
export const findFirstDue = async (db: Db): Promise<Date | null> => {
  const [row] = await db
    .select({ cleanup_at: images.cleanup_at })
    .from(images)
    .where(sql`${images.cleanup_at} is not null`)
    .orderBy(images.cleanup_at)
    .limit(1)
  return row?.cleanup_at ?? null
}

/** The images of a post in their order; `first` is the position of the first one. */
export interface Links {
  ids: string[]
  first: number
}

/**
 * Returns the statements that attach images to a post in the order of `ids`; they detach none. The batch fails (see
 * `failedToAttach`) if one is another account's, is marked for deletion, or has expired and no post shows it.
 */
export const attachImages = (
  db: Db,
  { accountId, postId }: { accountId: string; postId: string },
  { ids, first }: Links,
  now: Date,
) => {
  const usable = sql`select ${images.id} from ${images} where ${images.id} = wanted.value and ${images.account_id} = ${accountId}
    and ${isUsable(now)}`
  return [
    db
      .insert(post_images)
      .select(
        sql`select ${postId}, (${usable}), wanted.key + ${first} from json_each(${JSON.stringify(ids)}) as wanted where true`,
      )
      .onConflictDoUpdate({
        target: [post_images.post_id, post_images.image_id],
        set: { position: sql`excluded.position` },
      }),
    db
      .update(images)
      .set({ cleanup_at: null })
      .where(inArray(images.id, listOf(ids))),
  ] as const
}

/** Returns the statements that detach `ids` from a post. Images that no post shows then become due for cleanup when they expire. */
export const detachImages = (db: Db, postId: string, ids: string[]) =>
  [
    db.delete(post_images).where(and(eq(post_images.post_id, postId), inArray(post_images.image_id, listOf(ids)))),
    db
      .update(images)
      .set({ cleanup_at: sql`${images.expires_at}` })
      .where(and(inArray(images.id, listOf(ids)), isNull(images.deleting_at), sql`not ${isLinked}`)),
  ] as const

/** Tells whether a batch failed because of `attachImages`: an image cannot be attached any more. */
export const failedToAttach = (error: unknown): boolean => failedOn(error, "NOT NULL", "post_images.image_id")

const MARKED = selection({ id: images.id, account_id: images.account_id, deleting_at: images.deleting_at })

/** Decodes the rows of `releaseImages`: those that are marked for deletion. */
export const toMarked = (released: RawRow[]) => released.map(MARKED.toRow).filter(({ deleting_at }) => deleting_at)

/**
 * Returns the statement that marks for deletion the expired images that only this post shows; others of them become due for
 * cleanup when they expire. Run it before the post is deleted.
 * @param post a subquery for the id of the post
 */
export const releaseImages = (db: Db, post: SQL, now: Date) =>
  db
    .update(images)
    .set({
      deleting_at: sql`case when ${images.expires_at} <= ${now.getTime()} then ${now.getTime()} end`,
      cleanup_at: sql`max(${images.expires_at}, ${now.getTime()})`,
    })
    .where(
      and(
        inArray(images.id, sql`(select image_id from ${post_images} where post_id = ${post})`),
        sql`not exists (select 1 from ${post_images} where ${post_images.image_id} = ${images.id} and ${post_images.post_id} <> ${post})`,
      ),
    )
    .returning({ id: images.id, account_id: images.account_id, deleting_at: images.deleting_at })

/** Marks an image for deletion, `UPLOAD_GRACE_SECONDS` later, unless another upload of the same bytes has stored its file. */
export const markFailed = async (db: Db, imageId: string, now: Date): Promise<void> => {
  const cleanup_at = new Date(now.getTime() + UPLOAD_GRACE_SECONDS * 1000)
  await repeatable(() =>
    db
      .update(images)
      .set({ deleting_at: now, cleanup_at })
      .where(and(eq(images.id, imageId), isNull(images.stored_at))),
  )
}

/** Lists at most `limit` images whose cleanup is due at `now`, the longest waiting first, with their ids and accounts' ids. */
export const listDueImages = (db: Db, now: Date, limit: number) =>
  db
    .select({ id: images.id, account_id: images.account_id })
    .from(images)
    .where(lte(images.cleanup_at, now))
    .orderBy(images.cleanup_at)
    .limit(limit)

/** Marks for deletion those of the images that are still due for cleanup and that no post shows. @returns the marked ones */
export const markUnlinked = (db: Db, ids: string[], now: Date) =>
  db
    .update(images)
    .set({ deleting_at: now })
    .where(and(inArray(images.id, listOf(ids)), lte(images.cleanup_at, now), sql`not ${isLinked}`))
    .returning({ id: images.id, account_id: images.account_id })
