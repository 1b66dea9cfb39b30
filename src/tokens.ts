const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The length of a secret: 43 characters of an alphabet of 62 carry 256 bits. */
export const SECRET_CHARS = 43

/** Writes a whole number in base 62 (0-9A-Za-z) with exactly `digits` digits, with leading zeros. Drops higher digits. */
export const inBase62 = (number: number, digits: number): string => {
  let [rest, text] = [number, ""]
  for (let i = 0; i < digits; i++) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

/** Returns a secret text of `length` random characters of 0-9A-Za-z, each equally likely. */
export const randomText = (length: number): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 = 4 × 62. Larger bytes would make some characters more likely.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

/** Tells whether a text has the form of a secret that `randomText` makes, by default of a session or a sign-in link. */
export const isSecret = (text: string, chars = SECRET_CHARS): boolean =>
  // Matches `0aZ`. Does not match `0-Z`.
  text.length === chars && /^[0-9A-Za-z]*$/.test(text)

/** Returns the SHA-256, 32 bytes, of bytes or of a text in UTF-8. */
export const digest = async (data: BufferSource | string): Promise<Uint8Array> =>
  new Uint8Array(
    await crypto.subtle.digest("SHA-256", typeof data === "string" ? new TextEncoder().encode(data) : data),
  )

/** Returns the HMAC-SHA256, 32 bytes, of bytes or of a text in UTF-8. */
export const hmac = async (key: BufferSource, data: BufferSource | string): Promise<Uint8Array> => {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes))
}

/** Returns the SHA-256 of bytes, or of a text in UTF-8, as 64 lower-case hex digits. */
export const hashBytes = async (bytes: BufferSource | string): Promise<string> => (await digest(bytes)).toHex()

/** Returns the SHA-256 of a secret in UTF-8 as 64 lower-case hex digits. Only this hash is stored, never the secret. */
export const hashSecret = async (secret: string): Promise<string> => (await digest(secret)).toHex()
