import { hmac } from "../tokens.ts"

/** Returns the secret of an endpoint, `whsec_…`, which is made of the operator's token and stored nowhere. */
export const secretOf = async (operatorToken: string, endpointId: string): Promise<string> => {
  const bytes = await hmac(new TextEncoder().encode(operatorToken), `webhook ${endpointId}`)
  return `whsec_${bytes.toBase64()}`
}

/**
 * Returns the headers by which a receiver knows who has sent a message and when.
 * Source: github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md.
 */
export const signedHeaders = async (
  secret: string,
  { id, now, body }: { id: string; now: Date; body: string },
): Promise<Record<string, string>> => {
  const seconds = Math.floor(now.getTime() / 1000)
  const key = Uint8Array.fromBase64(secret.replace("whsec_", ""))
  const signature = await hmac(key, `${id}.${seconds}.${body}`)
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${signature.toBase64()}`,
  }
}
