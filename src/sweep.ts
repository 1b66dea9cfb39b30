import { sweepBilling } from "./billing/cleanup.ts"
import { openD1 } from "./d1.ts"
import { sweepTries } from "./idempotency/cleanup.ts"
import { cleanUpImages } from "./images/cleanup.ts"
import { log, trace } from "./log.ts"
import { sweepOperator } from "./operator/cleanup.ts"
import { sweepSessions } from "./sessions/cleanup.ts"
import { cleanUpMemory, wakeOverduePosts } from "./translations/cleanup.ts"

const SWEEPS = {
  images: cleanUpImages,
  translations: wakeOverduePosts,
  memory: cleanUpMemory,
  sessions: sweepSessions,
  billing: sweepBilling,
  tries: sweepTries,
  operator: sweepOperator,
}

/** Each slice's sweep in turn. One that fails does not stop the others; its work waits for the next minute. */
export const sweep = async (env: Env, now: Date): Promise<void> => {
  const { DB, usage } = openD1(env.DB)
  for (const [name, run] of Object.entries(SWEEPS)) {
    try {
      await run({ ...env, DB }, now)
    } catch (error) {
      log("error", { message: "sweep failed", sweep: name, error: trace(error) })
    }
  }
  log("info", { message: "sweep", ms: Date.now() - now.getTime(), ...usage })
}
