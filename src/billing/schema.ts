import * as z from "zod"

import { SUBSCRIPTION_STATUSES } from "../db/schema.ts"
import type { Operation } from "../http/operation.ts"
import { MAX_WEBHOOK_BYTES, WEBHOOK_TOLERANCE_SECONDS } from "../limits.ts"

const Id = z.string().min(1).max(255)
/** A time in Stripe's format: seconds since the Unix epoch. */
const Time = z
  .int()
  .min(0)
  .max(8_640_000_000_000)
  .transform((seconds) => new Date(seconds * 1000))

/** The fields of every event. */
export const StripeEvent = z
  .object({ id: Id, type: z.string(), created: Time, data: z.object({ object: z.record(z.string(), z.unknown()) }) })
  .meta({ id: "StripeEvent", description: "An event as Stripe sends it: docs.stripe.com/api/events/object." })
export type StripeEvent = z.output<typeof StripeEvent>

const eventOf = <T extends z.ZodType>(object: T) => z.object({ data: z.object({ object }) })

export const CheckoutEvent = eventOf(
  z.object({ client_reference_id: z.string().nullish(), customer: Id.nullish(), subscription: Id.nullish() }),
)

/** Since API version 2025-03-31 the items have `current_period_end`; before that the subscription had it. */
export const SubscriptionEvent = eventOf(
  z.object({
    id: Id,
    customer: Id.nullish(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    current_period_end: Time.nullish(),
    items: z.object({ data: z.array(z.object({ current_period_end: Time.nullish() })) }).nullish(),
  }),
)

const InvoiceLine = z.object({
  amount: z.number(),
  /** Until API version 2025-03-31; since then `parent.type`. */
  type: z.string().nullish(),
  parent: z.object({ type: z.string() }).nullish(),
  period: z.object({ end: Time }),
})
export type InvoiceLine = z.output<typeof InvoiceLine>

/** Since API version 2025-03-31 `parent` has the subscription; before that the invoice had it. */
export const InvoiceEvent = eventOf(
  z.object({
    customer: Id.nullish(),
    subscription: Id.nullish(),
    parent: z.object({ subscription_details: z.object({ subscription: Id }).nullish() }).nullish(),
    lines: z.object({ data: z.array(InvoiceLine) }),
  }),
)

const Outcome = z.enum(["applied", "kept", "duplicate", "ignored"]).meta({
  description:
    "`applied` to an account; `kept` until a checkout names the account; a `duplicate` of a handled event; `ignored`: does not concern this service.",
})
export type Outcome = z.infer<typeof Outcome>

export const receiveStripeEvent = {
  operationId: "receiveStripeEvent",
  method: "POST",
  path: "/webhooks/stripe/",
  access: "public",
  tag: "Billing",
  summary: "Receive an event from Stripe",
  description: `For Stripe alone: the signature must be right and its time within ${WEBHOOK_TOLERANCE_SECONDS} seconds of ours, the body at most ${MAX_WEBHOOK_BYTES} bytes. Without STRIPE_WEBHOOK_SECRET there is nothing here. Safe to repeat, in any order.`,
  headers: z.object({
    "Stripe-Signature": z.string().meta({ example: "t=1767225600,v1=<HMAC-SHA256 of `t.body`, in hex>" }),
  }),
  body: StripeEvent,
  bodyLimit: MAX_WEBHOOK_BYTES,
  successes: {
    200: { description: "Received", schema: z.object({ success: z.literal(true), outcome: Outcome }) },
  },
  problems: ["invalid_signature", "invalid_json", "validation_error", "not_found"],
} satisfies Operation
