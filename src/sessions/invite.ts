import type { Action } from "../accounts/audit-log-store.ts"
import type { Db } from "../db/client.ts"
import type { Account } from "../db/schema.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"
import { hashSecret, randomText, SECRET_CHARS } from "../tokens.ts"
import { insertSignInLink, type LinkOptions } from "./store.ts"

/** The audit-log action of a new sign-in link. */
export const MAKE_SIGN_IN_LINK = "make_sign_in_link"

/**
 * Makes a sign-in link for an author that works once, for `SIGN_IN_LINK_SECONDS`, and revokes unused older ones.
 * @returns the path with the secret; null if the account is erased, or another link was made since
 */
export const makeSignInLink = async (
  db: Db,
  { id, username }: Account,
  via: Action["via"],
  now: Date,
  options: LinkOptions = {},
): Promise<{ path: string; expires_at: Date } | null> => {
  const secret = randomText(SECRET_CHARS)
  const expires_at = new Date(now.getTime() + SIGN_IN_LINK_SECONDS * 1000)
  const link = { hash: await hashSecret(secret), account_id: id, expires_at }
  const action: Action = { action: MAKE_SIGN_IN_LINK, username, detail: "", via }
  return (await insertSignInLink(db, link, action, now, options)) ? { path: `/sign-in/${secret}/`, expires_at } : null
}
