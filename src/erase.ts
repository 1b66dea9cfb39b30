import { pathAccount } from "./accounts/operator.ts"
import { eraseAccount } from "./accounts/schema.ts"
import { deleteAccount } from "./accounts/store.ts"
import { openDb } from "./db.ts"
import { route } from "./http/route.ts"
import { markAccountImages } from "./images/store.ts"
import { sweepImages } from "./images/sweep.ts"

/** Erasing an account crosses the slices, so it stands beside them. */
export const eraseRoute = route(eraseAccount, async (c) => {
  const { now } = c.var
  const account = await pathAccount(c)
  const db = openDb(c.env.DB)
  // First the account, with its posts and their links to pictures; then nothing links the pictures.
  await db.batch([deleteAccount(db, account.id), markAccountImages(db, account.id, now)])
  // The rows are marked: what fails or takes longer is the next sweep's.
  c.executionCtx.waitUntil(sweepImages(c.env, now))
  c.executionCtx.waitUntil(c.env.UPLOAD_LIMITER.getByName(account.id).erase())
  return c.body(null, 204)
})
