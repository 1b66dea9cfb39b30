import { openDb } from "../db.ts"
import { SWEEP_BATCH } from "../limits.ts"
import { forgetOldEvents } from "./store.ts"

/** Forgets which events were handled, long after Stripe has stopped to repeat them. */
export const sweepBilling = (env: Env, now: Date): Promise<void> => forgetOldEvents(openDb(env.DB), now, SWEEP_BATCH)
