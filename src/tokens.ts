const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** 43 characters of 62 carry 256 bits. */
export const SECRET_CHARS = 43

/** A number in so many digits of 0-9A-Za-z. */
export const inBase62 = (number: number, digits: number): string => {
  let [rest, text] = [number, ""]
  for (let i = 0; i < digits; i++) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

/** Random characters of 0-9A-Za-z, each equally likely. */
export const randomText = (length: number): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 = 4 × 62: dropping the rest keeps every character equally likely.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

/** SHA-256, of a text as UTF-8. */
export const digest = async (data: BufferSource | string): Promise<Uint8Array> =>
  new Uint8Array(
    await crypto.subtle.digest("SHA-256", typeof data === "string" ? new TextEncoder().encode(data) : data),
  )

/** SHA-256 in hex. */
export const hashBytes = async (bytes: BufferSource): Promise<string> => (await digest(bytes)).toHex()

/** SHA-256 in hex: all that is stored of a secret of 256 bits. */
export const hashSecret = async (secret: string): Promise<string> => (await digest(secret)).toHex()
