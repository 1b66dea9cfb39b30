import { concatBytes } from "../bytes.ts"
import { WEBHOOK_TOLERANCE_SECONDS } from "../limits.ts"

// Stripe's scheme `v1`: docs.stripe.com/webhooks#verify-manually.

interface Signature {
  /** As it was sent, because it is signed. */
  timestamp: string
  /** In hex; several while a secret is rolled. */
  candidates: string[]
}

/**
 * Reads `Stripe-Signature: t=…,v1=…`, before there is a body to be read.
 * @returns what is wrong with it, in words
 */
export const readSignature = (header: string | undefined, now: Date): Signature | string => {
  const pairs = (header ?? "").split(",").map((pair) => pair.trim())
  const valuesOf = (name: string) =>
    pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length))
  const [timestamp, ...others] = valuesOf("t=")
  const candidates = valuesOf("v1=").filter((value) => /^[0-9a-f]{64}$/.test(value))
  if (!timestamp || others.length > 0 || !/^\d{1,12}$/.test(timestamp) || candidates.length === 0)
    return "Stripe-Signature must hold one `t` and at least one `v1`."
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > WEBHOOK_TOLERANCE_SECONDS)
    return `The time of Stripe-Signature is more than ${WEBHOOK_TOLERANCE_SECONDS} seconds from ours.`
  return { timestamp, candidates }
}

const encode = (text: string) => new TextEncoder().encode(text)

const sign = async (secret: string, payload: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const key = await crypto.subtle.importKey("raw", encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, payload)).toHex())
}

/** Whether one of the secrets made one of the signatures. Signs once a secret, however many signatures were sent. */
export const isSigned = async (
  { timestamp, candidates }: Signature,
  body: Uint8Array<ArrayBuffer>,
  secrets: string[],
): Promise<boolean> => {
  const payload = concatBytes([encode(`${timestamp}.`), body])
  const expected = await Promise.all(secrets.map((secret) => sign(secret, payload)))
  return expected.some((right) => candidates.some((sent) => crypto.subtle.timingSafeEqual(right, encode(sent))))
}
