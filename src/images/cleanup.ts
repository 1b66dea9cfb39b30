import { type Db, openDb } from "../db.ts"
import { inRounds } from "../rounds.ts"
import type { Image } from "../tables.ts"
import { fileKey } from "./image.ts"
import { deleteImages, listDueImages, markUnlinked } from "./store.ts"

/** Deletes the files of marked images, then their rows. After a failure in between, the next cleanup deletes the rows. */
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

/** Deletes images that no post shows: those whose time is over, and those marked before. */
export const cleanUpImages = (env: Env, now: Date): Promise<void> => {
  const db = openDb(env.DB)
  return inRounds(async (batch) => {
    const due = await listDueImages(db, now, batch)
    const ids = due.map(({ id }) => id)
    await removeImages({ db, media: env.MEDIA }, await markUnlinked(db, ids, now))
    return due.length
  })
}
