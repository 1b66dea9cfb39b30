import crc32 from "crc-32"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const PREFIX = "bpa_"
/** 43 characters of 62 carry 256 bits. */
const RANDOM_CHARS = 43
const CHECKSUM_CHARS = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`)

const checksum = (text: string): string => {
  let rest = crc32.str(text) >>> 0
  let digits = ""
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

const randomText = (length: number): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 = 4 × 62: dropping the rest keeps every character equally likely.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

/** A new API key: prefix, 256 random bits, checksum. Secret scanners know it by its shape. */
export const mintKey = (): string => {
  const body = PREFIX + randomText(RANDOM_CHARS)
  return body + checksum(body)
}

/** Whether this can be a key at all. A typo is refused here, without a database read. */
export const isKey = (text: string): boolean =>
  SHAPE.test(text) && text.slice(-CHECKSUM_CHARS) === checksum(text.slice(0, -CHECKSUM_CHARS))

/** SHA-256 in hex: all that is stored of a key. */
export const hashKey = async (key: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))
  return new Uint8Array(digest).toHex()
}

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
