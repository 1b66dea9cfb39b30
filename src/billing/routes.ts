import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { readJson } from "../http/read-body.ts"
import { route } from "../http/route.ts"
import { orThrow } from "../http/validate.ts"
import { STRIPE_MAX_BYTES } from "../limits.ts"
import { log } from "../log.ts"
import { receiveStripeEventOperation } from "./operations.ts"
import { applyEvent, isSigned, readChange, readSignature } from "./webhook.ts"

/** Verifies Stripe's signature of the body. @throws ApiError `invalid_signature`; 404 if no secret is configured */
const requireSignature = async (c: AppContext): Promise<void> => {
  const { config, now } = c.var
  if (config.stripeWebhookSecrets.length === 0) throw new ApiError("not_found")
  const signature = readSignature(c.req.header("Stripe-Signature"), now)
  if (typeof signature === "string") throw new ApiError("invalid_signature", signature)
  const bytes = await readJson(c, STRIPE_MAX_BYTES)
  if (!(await isSigned(signature, bytes, config.stripeWebhookSecrets)))
    throw new ApiError("invalid_signature", "No secret of this service made this signature.")
}

export const billingRoutes = [
  route(
    receiveStripeEventOperation,
    async (c, { body: event }) => {
      const { now, requestId: request_id } = c.var
      const { value: change } = orThrow(readChange(event.type, event))
      const outcome = change ? await applyEvent(openDb(c.env.DB), event, change, now) : "ignored"
      // Stripe would retry an error for days, so the answer is 200. The log warns that no account got paid time.
      const level = change && (outcome === "kept" || outcome === "ignored") ? "warn" : "info"
      log(level, { message: "stripe.event_received", request_id, event_id: event.id, type: event.type, outcome })
      return c.json({ success: true, outcome })
    },
    { before: requireSignature },
  ),
]
