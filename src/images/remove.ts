import type { Db } from "../db.ts"
import type { Image } from "../tables.ts"
import { fileKey } from "./image.ts"
import { deleteImages } from "./store.ts"

/** Deletes the files of marked pictures, then their rows: a failure between leaves rows that the next sweep retries. */
export const removeImages = async (
  { db, media }: { db: Db; media: R2Bucket },
  marked: Pick<Image, "id" | "account_id">[],
): Promise<void> => {
  if (marked.length === 0) return
  await media.delete(marked.map(({ id, account_id }) => fileKey(account_id, id)))
  await deleteImages(
    db,
    marked.map(({ id }) => id),
  )
}
