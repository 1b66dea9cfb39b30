import { pathAccount } from "./accounts/operator.ts"
import { eraseAccount } from "./accounts/schema.ts"
import { deleteAccount } from "./accounts/store.ts"
import { insertAction } from "./accounts/trail-store.ts"
import { openDb } from "./db.ts"
import { unavailable } from "./http/problem.ts"
import { route } from "./http/route.ts"
import { markAccountImages } from "./images/store.ts"
import { sweepImages } from "./images/sweep.ts"
import { log, trace } from "./log.ts"

/** Erasing an account crosses the slices, so it stands beside them. */
export const eraseRoute = route(eraseAccount, async (c) => {
  const { now } = c.var
  const account = await pathAccount(c)
  const db = openDb(c.env.DB)
  // The limiter first: when it fails the account is still there, and the call can be repeated.
  await c.env.UPLOAD_LIMITER.getByName(account.id)
    .erase()
    .catch((cause: unknown) => {
      throw unavailable(cause)
    })
  // Then the account, with its posts and their links to pictures; then nothing links the pictures.
  const action = { action: "erase_account", username: account.username, detail: "", via: "api" } as const
  await db.batch([deleteAccount(db, account.id), markAccountImages(db, account.id, now), insertAction(db, action, now)])
  const sweeping = sweepImages(c.env, now).catch((error: unknown) =>
    // The pictures are marked: the cron goes on from here.
    log("warn", { message: "erasing goes on with the cron", error: trace(error) }),
  )
  c.executionCtx.waitUntil(sweeping)
  return c.body(null, 204)
})
