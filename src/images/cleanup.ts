import { inPortions, processInBatches } from "../batches.ts"
import { type Db } from "../db/client.ts"
import type { Image } from "../db/schema.ts"
import { imageTag } from "../edge/cache-policy.ts"
import { type Purge, purgeFrom } from "../edge/purge.ts"
import type { AppContext } from "../http/context.ts"
import { CLEANUP_IMAGES, MAX_DELETED_FILES } from "../limits.ts"
import { fileKeys } from "./image.ts"
import { listDueImages, markUnlinked } from "./lifetime.ts"
import { deleteImages } from "./store.ts"

/** The places that have the files of images: R2 and, for a day, the edge. */
export interface ImageFiles {
  media: R2Bucket
  purge: Purge
}

/** Returns the places of images for a request. */
export const imageFilesOf = (c: AppContext): ImageFiles => ({ media: c.env.MEDIA, purge: purgeFrom(c) })

interface Bindings extends ImageFiles {
  db: Db
}

/**
 * Deletes the files of images marked for deletion (R2), what the edge keeps of them, then their rows (D1). If it fails in
 * between, the next cleanup continues.
 */
export const removeImages = async (
  { db, media, purge }: Bindings,
  marked: Pick<Image, "id" | "account_id">[],
): Promise<void> => {
  if (marked.length === 0) return
  const keys = marked.flatMap(({ id, account_id }) => fileKeys(account_id, id))
  await inPortions(keys, MAX_DELETED_FILES, (portion) => media.delete(portion))
  await purge(marked.map(({ id }) => imageTag(id)))
  await deleteImages(
    db,
    marked.map(({ id }) => id),
  )
}

/** Deletes images whose cleanup is due and that no post shows, in batches: expired ones, and ones marked for deletion. */
export const cleanUpImages = (bindings: Bindings, now: Date): Promise<void> =>
  processInBatches(async (batch) => {
    const due = await listDueImages(bindings.db, now, batch)
    const ids = due.map(({ id }) => id)
    await removeImages(bindings, await markUnlinked(bindings.db, ids, now))
    return due.length
  }, CLEANUP_IMAGES)
