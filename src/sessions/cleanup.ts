import { openDb } from "../db.ts"
import { deleteExpired } from "./store.ts"

/** Sessions, sign-in links and challenges of passkeys that have expired. */
export const sweepSessions = (env: Env, now: Date): Promise<void> => deleteExpired(openDb(env.DB), now)
