import { openDb } from "../db.ts"
import { SWEEP_BATCH } from "../limits.ts"
import { forgottenBefore } from "./once.ts"
import { forgetTries } from "./store.ts"

/** Keys that count no more, some at a time. */
export const sweepTries = (env: Env, now: Date): Promise<void> =>
  forgetTries(openDb(env.DB), forgottenBefore(now), SWEEP_BATCH)
