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

/** Creates an API key: a prefix, 256 random bits and a checksum, so that secret scanners recognize it. */
export const mintKey = (): string => {
  const body = PREFIX + randomText(SECRET_CHARS)
  return body + checksum(body)
}

/** Tells whether a text has the format and checksum of a key. Refuses typing errors without a database read. */
export const isKey = (text: string): boolean =>
  SHAPE.test(text) && text.slice(-CHECKSUM_CHARS) === checksum(text.slice(0, -CHECKSUM_CHARS))

/** The request has two different keys. */
export const CONFLICT = Symbol("conflict")

/**
 * Reads the key of a request from `Authorization: Api-Key K` or `X-API-KEY: K`.
 * @returns null without a key, `CONFLICT` for two different keys
 */
export const keyOf = (headers: Headers): string | null | typeof CONFLICT => {
  const scheme = /^Api-Key(?:\s+(.*))?$/i.exec(headers.get("Authorization")?.trim() ?? "")
  const authorization = scheme && (scheme[1] ?? "")
  const header = headers.get("X-API-KEY")?.trim() ?? null
  if (authorization !== null && header !== null && authorization !== header) return CONFLICT
  return authorization ?? header
}

/** A new key, which is shown only once. */
export interface NewKey {
  api_key: string
  last_four: string
}

/**
 * Creates a key for an account and revokes the previous one.
 * @param options.replaced when the previous key was created, or null if there was none: a rotation sent twice happens once
 * @param options.action is written to the audit log in the same batch
 * @returns null if the account does not exist, or another key has replaced the previous one already
 * @throws ApiError `subscription_required` if the account has no paid time left
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
