import { openDb } from "../db.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/problem.ts"
import { route } from "../http/route.ts"
import { check, orThrow, parseFields, readBytes } from "../http/validate.ts"
import { MAX_WEBHOOK_BYTES } from "../limits.ts"
import { log } from "../log.ts"
import { applyEvent } from "./apply.ts"
import { readChange } from "./event.ts"
import { receiveStripeEvent, StripeEvent } from "./schema.ts"
import { isSigned, readSignature } from "./signature.ts"

/** The body, once it is known to be Stripe's. */
const readSigned = async (c: AppContext): Promise<Record<string, unknown>> => {
  const { settings, now } = c.var
  if (settings.stripeWebhookSecrets.length === 0) throw new ApiError("not_found")
  const signature = readSignature(c.req.header("Stripe-Signature"), now)
  if (typeof signature === "string") throw new ApiError("invalid_signature", signature)
  const bytes = await readBytes(c.req.raw, MAX_WEBHOOK_BYTES, "invalid_json")
  if (!bytes) throw new ApiError("invalid_json", `The body is longer than ${MAX_WEBHOOK_BYTES} bytes.`)
  if (!(await isSigned(signature, bytes, settings.stripeWebhookSecrets)))
    throw new ApiError("invalid_signature", "No secret of this service made this signature.")
  return parseFields(bytes)
}

export const billingRoutes = [
  route(receiveStripeEvent, async (c) => {
    const { now, requestId: request_id } = c.var
    const fields = await readSigned(c)
    const { value: event } = orThrow(check(StripeEvent, fields))
    const { value: change } = orThrow(readChange(event.type, fields))
    const outcome = change ? await applyEvent(openDb(c.env.DB), event, change, now) : "ignored"
    // What Stripe would repeat for days is answered with 200 all the same; the log tells that nobody got paid time of it.
    const level = change && (outcome === "kept" || outcome === "ignored") ? "warn" : "info"
    log(level, { message: "event of Stripe", request_id, event_id: event.id, type: event.type, outcome })
    return c.json({ success: true, outcome })
  }),
]
