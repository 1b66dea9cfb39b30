import * as z from "zod"

import type { Operation } from "../http/operation.ts"
import { STRIPE_MAX_BYTES, STRIPE_TOLERANCE_SECONDS } from "../limits.ts"
import { StripeEvent } from "./stripe-event.ts"

const EventOutcome = z.enum(["applied", "kept", "duplicate", "ignored"]).meta({
  description:
    "`applied` to an account; `kept` until a checkout names the account; a `duplicate` of a handled event; `ignored`: does not concern this service.",
})
export type EventOutcome = z.infer<typeof EventOutcome>

export const receiveStripeEventOperation = {
  operationId: "receiveStripeEvent",
  method: "POST",
  path: "/webhooks/stripe/",
  access: "public",
  tag: "Billing",
  summary: "Receive an event from Stripe",
  description: `For Stripe alone: the signature must be right and its time within ${STRIPE_TOLERANCE_SECONDS} seconds of ours, the body at most ${STRIPE_MAX_BYTES} bytes. Without STRIPE_WEBHOOK_SECRET there is nothing here. Safe to repeat, in any order.`,
  headers: z.object({
    "Stripe-Signature": z.string().meta({ example: "t=1767225600,v1=<HMAC-SHA256 of `t.body`, in hex>" }),
  }),
  body: StripeEvent,
  bodyLimit: STRIPE_MAX_BYTES,
  successes: {
    200: { description: "Received", schema: z.object({ success: z.literal(true), outcome: EventOutcome }) },
  },
  problems: ["invalid_signature", "invalid_json", "validation_error", "not_found"],
} satisfies Operation
