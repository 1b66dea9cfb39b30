import * as z from "zod"

import { SUBSCRIPTION_STATUSES } from "../db/schema.ts"

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
