import crc32 from "crc-32"

import type { Db } from "../db/client.ts"
import type { Account, ApiKey } from "../db/schema.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { MAX_KEYS } from "../limits.ts"
import { SECRET_CHARS, hashSecret, inBase62, randomText } from "../tokens.ts"
import { isPaid } from "./account.ts"
import type { KeyInput } from "./input.ts"
import { type KeyOptions, listKeys, replaceKey } from "./key-store.ts"

const PREFIX = "bpa_"
const CHECKSUM_CHARS = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_CHARS + CHECKSUM_CHARS}}$`)

const checksum = (text: string): string => inBase62(crc32.str(text) >>> 0, CHECKSUM_CHARS)

/** Creates, but does not store, an API key: `bpa_`, 256 random bits and a checksum, so that secret scanners recognize it. */
export const mintKey = (): string => {
  const body = PREFIX + randomText(SECRET_CHARS)
  return body + checksum(body)
}

/** Tells whether a text has the format and checksum of an API key. So a typing error costs no database read. */
export const isKey = (text: string): boolean =>
  SHAPE.test(text) && text.slice(-CHECKSUM_CHARS) === checksum(text.slice(0, -CHECKSUM_CHARS))

/** The request has two different keys. */
export const CONFLICT = Symbol("conflict")

/** Matches `Api-Key bpa_a` and `Api-Key`. Does not match `Bearer a` and `bpa_a`. */
const WITH_SCHEME = /^Api-Key(?:\s+(.*))?$/i

/**
 * Reads, but does not check, the API key of a request from `Authorization: Api-Key K` or `X-API-KEY: K`. Generated clients
 * send the value of both headers in both.
 * @returns null without a key, `CONFLICT` for two different keys
 */
export const keyOf = (headers: Headers): string | null | typeof CONFLICT => {
  const scheme = WITH_SCHEME.exec(headers.get("Authorization")?.trim() ?? "")
  const authorization = scheme && (scheme[1] ?? "")
  const header = headers.get("X-API-KEY")?.trim().replace(WITH_SCHEME, "$1") ?? null
  if (authorization !== null && header !== null && authorization !== header) return CONFLICT
  return authorization ?? header
}

/** Tells whether a key has expired at `now`. */
export const isExpired = ({ expires_at }: Pick<ApiKey, "expires_at">, now: Date): boolean =>
  expires_at !== null && expires_at <= now

/** A new key, which is shown only once. */
export interface NewKey extends Pick<ApiKey, "name" | "scope" | "expires_at" | "last_four"> {
  api_key: string
}

/** Returns the error of a key that could not be made, from the keys that the account has; null if a form is outdated. */
const refusalOf = (
  keys: ApiKey[],
  { name, scope }: KeyInput,
  { replaced, now }: { replaced: Date | null | undefined; now: Date },
): ApiError | null => {
  const live = keys.filter((key) => !isExpired(key, now))
  const known = live.find((key) => key.name === name)
  if (known && known.scope !== scope)
    return fieldError(
      "scope",
      "validation_error",
      `The key ${name} has the scope ${known.scope}. Revoke it first, or choose another name.`,
    )
  if (known && replaced === null)
    return fieldError("name", "validation_error", `There is a key ${name} already. Replace it, or choose another name.`)
  if (known || live.length < MAX_KEYS) return null
  return fieldError("name", "validation_error", `An account has at most ${MAX_KEYS} keys. Revoke one first.`)
}

/**
 * Makes a key and revokes the one with the same name. Without `expires_at` it expires when that one would.
 * @param options.replaced when the previous key was created, or null if there was none: a form sent twice makes one key
 * @param options.action is written to the audit log in the same batch, in which `options.extraStatements` run, too
 * @returns null if the account does not exist, or another key has replaced the previous one already
 * @throws ApiError `subscription_required` without paid time; `validation_error` about `scope` if the name has another one, about
 * `name` if the account has the most keys, about `expires_at` if it has passed
 */
export const makeKey = async (
  db: Db,
  account: Account,
  input: KeyInput,
  now: Date,
  options: KeyOptions = {},
): Promise<NewKey | null> => {
  if (!isPaid(account, now)) throw new ApiError("subscription_required", "Only a paid account gets a key.")
  const { name, scope } = input
  const keys = await listKeys(db, account.id)
  const previous = keys.find((key) => key.name === name && !isExpired(key, now))
  const expires_at = input.expires_at === undefined ? (previous?.expires_at ?? null) : input.expires_at
  if (expires_at && expires_at <= now) throw fieldError("expires_at", "validation_error", "Must be in the future.")
  const api_key = mintKey()
  const last_four = api_key.slice(-4)
  const row: ApiKey = {
    hash: await hashSecret(api_key),
    account_id: account.id,
    name,
    scope,
    last_four,
    created_at: now,
    expires_at,
    last_used_at: null,
    revoked_at: null,
  }
  if (await replaceKey(db, row, now, options)) return { api_key, name, scope, expires_at, last_four }
  const refusal = refusalOf(await listKeys(db, account.id), input, { replaced: options.replaced, now })
  if (refusal) throw refusal
  return null
}
