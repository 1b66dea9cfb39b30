import { deleteOldActions } from "../accounts/trail-store.ts"
import { openDb } from "../db.ts"
import { deleteOldRefusals } from "./abuse-store.ts"

/** The trail and the counts of refusals that are old enough. */
export const sweepOperator = async (env: Env, now: Date): Promise<void> => {
  const db = openDb(env.DB)
  await deleteOldActions(db, now)
  await deleteOldRefusals(db, now)
}
