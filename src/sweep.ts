import { sweepBilling } from "./billing/sweep.ts"
import { sweepTries } from "./idempotency/sweep.ts"
import { sweepImages } from "./images/sweep.ts"
import { log, trace } from "./log.ts"
import { sweepOperator } from "./operator/sweep.ts"
import { sweepSessions } from "./sessions/sweep.ts"
import { sweepMemory, sweepTranslations } from "./translations/sweep.ts"

const SWEEPS = {
  images: sweepImages,
  translations: sweepTranslations,
  memory: sweepMemory,
  sessions: sweepSessions,
  billing: sweepBilling,
  tries: sweepTries,
  operator: sweepOperator,
}

/** Each slice's sweep in turn. One that fails does not stop the others; its work waits for the next minute. */
export const sweep = async (env: Env, now: Date): Promise<void> => {
  for (const [name, run] of Object.entries(SWEEPS)) {
    try {
      await run(env, now)
    } catch (error) {
      log("error", { message: "sweep failed", sweep: name, error: trace(error) })
    }
  }
}
