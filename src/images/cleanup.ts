import { processInBatches } from "../batches.ts"
import { type Db } from "../db/client.ts"
import type { Image } from "../db/schema.ts"
import { fileKey } from "./image.ts"
import { listDueImages, markUnlinked } from "./lifetime.ts"
import { deleteImages } from "./store.ts"

interface Bindings {
  db: Db
  media: R2Bucket
}

/** Deletes the files (R2) of images marked for deletion, then their rows (D1). If it fails in between, the next cleanup continues. */
export const removeImages = async (
  { db, media }: Bindings,
  marked: Pick<Image, "id" | "account_id">[],
): Promise<void> => {
  if (marked.length === 0) return
  await media.delete(marked.map(({ id, account_id }) => fileKey(account_id, id)))
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
  })
