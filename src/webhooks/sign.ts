import { concatBytes } from "../bytes.ts"
import type { webhook_endpoints } from "../db/schema.ts"
import { ApiError } from "../http/errors.ts"
import { WEBHOOK_GRACE_SECONDS } from "../limits.ts"
import { hmac } from "../tokens.ts"

/** Keys for the secrets of endpoints. The first of `webhookSecrets` encrypts, all decrypt; the token has made older secrets. */
export interface SecretKeys {
  operatorToken: string
  webhookSecrets: string[]
}

type Stored = Pick<typeof webhook_endpoints.$inferSelect, "id" | "secret" | "old_secret" | "rotated_at">

const encode = (text: string) => new TextEncoder().encode(text)

const write = (bytes: Uint8Array): string => `whsec_${bytes.toBase64()}`

export const newSecret = (): string => write(crypto.getRandomValues(new Uint8Array(32)))

/** Returns the secret of an endpoint that was added before secrets were stored. */
export const derivedSecret = async ({ operatorToken }: SecretKeys, endpointId: string): Promise<string> =>
  write(await hmac(encode(operatorToken), `webhook ${endpointId}`))

const NONCE_BYTES = 12

/** Returns the parameters and the key of AES-GCM for a secret of an endpoint, whose id is checked when it is decrypted. */
const cipherOf = async (webhookSecret: string, endpointId: string, iv: BufferSource) => {
  const material = await crypto.subtle.importKey("raw", encode(webhookSecret), "HKDF", false, ["deriveKey"])
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encode("secrets of webhook endpoints") }
  const aes = { name: "AES-GCM", length: 256 }
  const key = await crypto.subtle.deriveKey(hkdf, material, aes, false, ["encrypt", "decrypt"])
  return [{ name: "AES-GCM", iv, additionalData: encode(endpointId) }, key] as const
}

/** Encrypts a secret for the row of an endpoint. @throws ApiError 500 without WEBHOOK_SECRET */
export const encryptSecret = async (keys: SecretKeys, endpointId: string, secret: string): Promise<string> => {
  const [first] = keys.webhookSecrets
  if (first === undefined)
    throw new ApiError("misconfigured", "WEBHOOK_SECRET is not set. Ask the operator of the service to set it.")
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const encrypted = await crypto.subtle.encrypt(...(await cipherOf(first, endpointId, nonce)), encode(secret))
  return concatBytes([nonce, new Uint8Array(encrypted)]).toBase64()
}

/** Decrypts a secret of a row. @returns null if no WEBHOOK_SECRET has encrypted it */
const decryptSecret = async (keys: SecretKeys, endpointId: string, text: string): Promise<string | null> => {
  const bytes = Uint8Array.fromBase64(text)
  const [nonce, encrypted] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  const open = async (each: string) => crypto.subtle.decrypt(...(await cipherOf(each, endpointId, nonce)), encrypted)
  const secret = await Promise.any(keys.webhookSecrets.map(open)).catch(() => null)
  return secret && new TextDecoder().decode(secret)
}

/** Returns when the secret before the last rotation stops signing; null if the secret was not rotated by `now`, or that is over. */
export const rotationEnd = ({ rotated_at }: Pick<Stored, "rotated_at">, now: Date): Date | null => {
  const end = new Date((rotated_at?.getTime() ?? -Infinity) + WEBHOOK_GRACE_SECONDS * 1000)
  return now < end ? end : null
}

/** Returns the secrets that sign at `now`, the newest first; none if the newest cannot be decrypted. */
export const secretsOf = async (keys: SecretKeys, endpoint: Stored, now: Date): Promise<string[]> => {
  const { id, secret, old_secret } = endpoint
  const newest = secret === null ? await derivedSecret(keys, id) : await decryptSecret(keys, id, secret)
  const old = old_secret !== null && rotationEnd(endpoint, now) ? await decryptSecret(keys, id, old_secret) : null
  return newest === null ? [] : [newest, old].filter((each) => each !== null)
}

/**
 * Returns the headers by which a receiver knows who has sent a message and when, with a signature by each secret.
 * Source: github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md.
 */
export const signedHeaders = async (
  secrets: string[],
  { id, now, body }: { id: string; now: Date; body: string },
): Promise<Record<string, string>> => {
  const seconds = Math.floor(now.getTime() / 1000)
  const sign = (secret: string) => hmac(Uint8Array.fromBase64(secret.replace("whsec_", "")), `${id}.${seconds}.${body}`)
  const signatures = await Promise.all(secrets.map(sign))
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.map((signature) => `v1,${signature.toBase64()}`).join(" "),
  }
}
