import { deleteOldActions, listJustWithdrawn } from "./accounts/audit-log-store.ts"
import { purgeNoted } from "./accounts/lists-store.ts"
import { processInBatches } from "./batches.ts"
import { deleteOldEvents } from "./billing/store.ts"
import { type Db, openD1, openDb } from "./db/client.ts"
import { accountTag, listsTag } from "./edge/cache-policy.ts"
import type { Purge } from "./edge/purge.ts"
import { continueErasing } from "./erase-account.ts"
import { deleteOldAttempts } from "./idempotency/store.ts"
import { keyExpiryCutoff } from "./idempotency/with-idempotency.ts"
import { cleanUpImages } from "./images/cleanup.ts"
import { CLEANUP_BATCH, FOLD_BATCH } from "./limits.ts"
import { log, trace } from "./log.ts"
import { deleteOldRefusals } from "./operator/store.ts"
import { foldUnfolded } from "./posts/titles-store.ts"
import { deleteExpired } from "./sessions/store.ts"
import { deleteUnusedSegments, trimMemories } from "./translations/memory-store.ts"
import { wakeWaitingPosts } from "./translations/queue.ts"
import { wakeWaitingWebhooks } from "./webhooks/queue.ts"

/** The minute (UTC) of the daily jobs. */
const DAILY = "03:00"

type Job = (db: Db, env: Env, now: Date, purge: Purge) => Promise<void>

const daily =
  (job: Job): Job =>
  async (db, env, now, purge) => {
    if (now.toISOString().slice(11, 16) === DAILY) await job(db, env, now, purge)
  }

/** The jobs that run every minute, by their name in the log. */
const JOBS: Record<string, Job> = {
  // First, since the edge takes few purges a minute.
  withdrawn_images: async (db, _env, now, purge) => purge((await listJustWithdrawn(db, now)).map(accountTag)),
  withdrawn_lists: (db, _env, now, purge) => purgeNoted(db, now, (names) => purge(names.map(listsTag))),
  erasing: (db, _env, now) => continueErasing(db, now),
  webhooks: (db, env, now) => wakeWaitingWebhooks(db, env, now),
  images: (db, { MEDIA: media }, now, purge) => cleanUpImages({ db, media, purge }, now),
  translations: (db, { TRANSLATIONS }, now) => wakeWaitingPosts(db, TRANSLATIONS, now),
  titles: (db) => processInBatches((limit) => foldUnfolded(db, limit), FOLD_BATCH),
  memory: (db, _env, now) => deleteUnusedSegments(db, now, CLEANUP_BATCH),
  memory_limit: daily((db, _env, now) => trimMemories(db, now)),
  sessions: (db, _env, now) => deleteExpired(db, now),
  billing: (db, _env, now) => deleteOldEvents(db, now, CLEANUP_BATCH),
  tries: (db, _env, now) => processInBatches((batch) => deleteOldAttempts(db, keyExpiryCutoff(now), batch)),
  audit_log: (db, _env, now) => deleteOldActions(db, now),
  refusals: (db, _env, now) => deleteOldRefusals(db, now),
}

/** Runs all scheduled jobs in order, such as cleanups. A failed job is logged and does not stop the others; it runs again next minute. */
export const runJobs = async (env: Env, now: Date, purge: Purge): Promise<void> => {
  const { DB, usage } = openD1(env.DB)
  const db = openDb(DB)
  for (const [name, run] of Object.entries(JOBS)) {
    try {
      await run(db, env, now, purge)
    } catch (error) {
      log("error", { message: "cron.job_failed", job: name, error: trace(error) })
    }
  }
  log("info", { message: "cron.finished", ms: Date.now() - now.getTime(), ...usage })
}
