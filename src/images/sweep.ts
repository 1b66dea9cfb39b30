import { openDb } from "../db.ts"
import { inRounds } from "../rounds.ts"
import { removeImages } from "./remove.ts"
import { listDueImages, markUnlinked } from "./store.ts"

/** Deletes pictures that no post shows: those whose time is over, and those marked before. */
export const sweepImages = (env: Env, now: Date): Promise<void> => {
  const db = openDb(env.DB)
  return inRounds(async (batch) => {
    const due = await listDueImages(db, now, batch)
    const ids = due.map(({ id }) => id)
    await removeImages({ db, media: env.MEDIA }, await markUnlinked(db, ids, now))
    return due.length
  })
}
