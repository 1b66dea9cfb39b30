import { pathAccount } from "./accounts/operator.ts"
import { eraseAccount } from "./accounts/schema.ts"
import { deleteAccount } from "./accounts/store.ts"
import { openDb } from "./db.ts"
import { route } from "./http/route.ts"
import { markAccountImages } from "./images/store.ts"
import { sweepImages } from "./images/sweep.ts"
import { log, trace } from "./log.ts"

const inBackground = async (work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (error) {
    // The account is gone and its pictures are marked: the cron goes on from here.
    log("warn", { message: "erasing goes on with the sweep", error: trace(error) })
  }
}

/** Erasing an account crosses the slices, so it stands beside them. */
export const eraseRoute = route(eraseAccount, async (c) => {
  const { now } = c.var
  const account = await pathAccount(c)
  const db = openDb(c.env.DB)
  // First the account, with its posts and their links to pictures; then nothing links the pictures.
  await db.batch([deleteAccount(db, account.id), markAccountImages(db, account.id, now)])
  c.executionCtx.waitUntil(inBackground(sweepImages(c.env, now)))
  c.executionCtx.waitUntil(inBackground(c.env.UPLOAD_LIMITER.getByName(account.id).erase()))
  return c.body(null, 204)
})
