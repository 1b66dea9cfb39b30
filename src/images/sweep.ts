import { openDb } from "../db.ts"
import { SWEEP_BATCH, SWEEP_ROUNDS } from "../limits.ts"
import { removeImages } from "./remove.ts"
import { listDueImages, markUnlinked } from "./store.ts"

/** Deletes pictures that no post shows: those whose time is over, and those marked before. */
export const sweepImages = async (env: Env, now: Date): Promise<void> => {
  const db = openDb(env.DB)
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    const due = await listDueImages(db, now, SWEEP_BATCH)
    const ids = due.map(({ id }) => id)
    await removeImages({ db, media: env.MEDIA }, await markUnlinked(db, ids, now))
    if (due.length < SWEEP_BATCH) return
  }
}
