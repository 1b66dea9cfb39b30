import crc32 from "crc-32"

import type { Db } from "../db/client.ts"
import type { Account } from "../db/schema.ts"
import { ApiError } from "../http/errors.ts"
import { SECRET_CHARS, hashSecret, inBase62, randomText } from "../tokens.ts"
import { isPaid } from "./account.ts"
import { type Action, replaceKey } from "./store.ts"

const PREFIX = "bpa_"
const CHECKSUM_CHARS = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_CHARS + CHECKSUM_CHARS}}$`)

const checksum = (text: string): string => inBase62(crc32.str(text) >>> 0, CHECKSUM_CHARS)

/** A new API key: prefix, 256 random bits, checksum. Secret scanners know it by its shape. */
export const mintKey = (): string => {
  const body = PREFIX + randomText(SECRET_CHARS)
  return body + checksum(body)
}

/** Whether this can be a key at all. A typo is refused here, without a database read. */
export const isKey = (text: string): boolean =>
  SHAPE.test(text) && text.slice(-CHECKSUM_CHARS) === checksum(text.slice(0, -CHECKSUM_CHARS))

/** Two different keys in one request. */
export const CONFLICT = Symbol("conflict")

/**
 * The key of a request: `Authorization: Api-Key K` or `X-API-KEY: K`.
 * @returns null when there is none, `CONFLICT` when there are two different ones
 */
export const keyOf = (headers: Headers): string | null | typeof CONFLICT => {
  const scheme = /^Api-Key(?:\s+(.*))?$/i.exec(headers.get("Authorization")?.trim() ?? "")
  const authorization = scheme && (scheme[1] ?? "")
  const header = headers.get("X-API-KEY")?.trim() ?? null
  if (authorization !== null && header !== null && authorization !== header) return CONFLICT
  return authorization ?? header
}

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
  return (await replaceKey(db, account.id, key, now, options)) ? { api_key, last_four } : null
}
