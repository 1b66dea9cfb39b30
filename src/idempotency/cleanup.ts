import { openDb } from "../db.ts"
import { inRounds } from "../rounds.ts"
import { forgottenBefore } from "./once.ts"
import { forgetTries } from "./store.ts"

/** Keys that count no more. */
export const sweepTries = (env: Env, now: Date): Promise<void> =>
  inRounds((batch) => forgetTries(openDb(env.DB), forgottenBefore(now), batch))
