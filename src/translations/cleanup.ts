import { openDb } from "../db.ts"
import { SWEEP_BATCH, SWEEP_WAKE_UPS, TRANSLATION_OVERDUE_SECONDS } from "../limits.ts"
import type { WakeUp } from "../posts/wake.ts"
import { forgetOld } from "./memory-store.ts"
import { reclaimPosts } from "./store.ts"

/** Wakes the posts whose wake-up was lost, or whose run has died. */
export const wakeOverduePosts = async (env: Env, now: Date): Promise<void> => {
  const overdue = new Date(now.getTime() - TRANSLATION_OVERDUE_SECONDS * 1000)
  const posts = await reclaimPosts(openDb(env.DB), overdue, now, SWEEP_WAKE_UPS)
  if (posts.length === 0) return
  const request_id = crypto.randomUUID()
  await env.TRANSLATIONS.sendBatch(posts.map((post_id) => ({ body: { post_id, request_id } satisfies WakeUp })))
}

/** Deletes segments that were not used for long. */
export const cleanUpMemory = (env: Env, now: Date): Promise<void> => forgetOld(openDb(env.DB), now, SWEEP_BATCH)
