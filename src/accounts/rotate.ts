import type { Db } from "../db.ts"
import { ApiError } from "../http/problem.ts"
import type { Account } from "../tables.ts"
import { hashSecret } from "../tokens.ts"
import { isPaid } from "./account.ts"
import { mintKey } from "./key.ts"
import * as store from "./store.ts"
import type { Action } from "./trail-store.ts"

/** A key that was just made: the only time that it is known. */
export interface NewKey {
  api_key: string
  last_four: string
}

/**
 * Makes the live key of an account, and revokes the one before.
 * @param options.replaced when that one was made, null: there was none; a rotation that is sent twice happens once
 * @param options.action is noted with it
 * @returns null when the account is gone, or another key is live by now
 * @throws ApiError 403 when the account has no paid time left
 */
export const rotateKey = async (
  db: Db,
  account: Account,
  now: Date,
  options: { replaced?: Date | null; action?: Action } = {},
): Promise<NewKey | null> => {
  if (!isPaid(account, now)) throw new ApiError("subscription_required", "Only a paid account gets a key.")
  const api_key = mintKey()
  const last_four = api_key.slice(-4)
  const key = { hash: await hashSecret(api_key), lastFour: last_four }
  return (await store.rotateKey(db, account.id, key, now, options)) ? { api_key, last_four } : null
}
