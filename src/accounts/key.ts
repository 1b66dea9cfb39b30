import crc32 from "crc-32"

import { inBase62, randomText, SECRET_CHARS } from "../tokens.ts"

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
