import { openDb } from "../db.ts"
import { deleteExpired } from "./store.ts"

/** Sessions and sign-in links that have expired. */
export const sweepSessions = (env: Env, now: Date): Promise<void> => deleteExpired(openDb(env.DB), now)
