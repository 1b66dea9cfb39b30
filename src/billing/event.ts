import type { Db } from "../db.ts"
import { fieldError, unavailable } from "../http/problem.ts"
import { type Checked, check } from "../http/validate.ts"
import { MAX_WEBHOOK_ATTEMPTS } from "../limits.ts"
import {
  CheckoutEvent,
  InvoiceEvent,
  type InvoiceLine,
  type Outcome,
  type StripeEvent,
  SubscriptionEvent,
} from "./schema.ts"
import { findKnown, saveSubscription } from "./store.ts"
import { applyChange, type Change, newSubscription } from "./subscription.ts"

type Fields = Record<string, unknown>
/** null: an event of a kind, or about a thing, that is none of ours. */
type Read = Checked<Change | null>

const latest = (dates: (Date | null | undefined)[]): Date | null => {
  const times = dates.filter((date) => date instanceof Date).map(Number)
  return times.length > 0 ? new Date(Math.max(...times)) : null
}

const map = <T>(checked: Checked<T>, read: (value: T) => Change | null): Read =>
  checked.ok ? { ...checked, value: read(checked.value) } : checked

const readCheckout = (event: Fields): Read =>
  map(check(CheckoutEvent, event), ({ data: { object } }) => {
    const { client_reference_id: username, customer = null, subscription } = object
    // One that names nobody is of no account: the log must tell that somebody paid for nothing.
    return subscription ? { kind: "checkout", subscription, customer, username: username ?? "" } : null
  })

const readSubscription = (event: Fields, deleted: boolean): Read => {
  const checked = check(SubscriptionEvent, event)
  if (!checked.ok) return checked
  const { id, customer = null, current_period_end, items } = checked.value.data.object
  const status = deleted ? "canceled" : checked.value.data.object.status
  const period_end = current_period_end ?? latest((items?.data ?? []).map((item) => item.current_period_end))
  if (!period_end && (status === "active" || status === "trialing")) {
    const message = "Neither the subscription nor its items have a current_period_end."
    return { ok: false, error: fieldError("data.object.items", "validation_error", message) }
  }
  return { ...checked, value: { kind: "snapshot", subscription: id, customer, status, period_end } }
}

/** A credit is for time that was given back; what was sold once besides has no period of the subscription. */
const isPeriod = ({ amount, type, parent }: InvoiceLine): boolean =>
  amount >= 0 && (parent?.type ?? type)?.startsWith("subscription") === true

const readInvoice = (event: Fields): Read =>
  map(check(InvoiceEvent, event), ({ data: { object } }) => {
    const { customer = null, lines } = object
    const subscription = object.parent?.subscription_details?.subscription ?? object.subscription
    const period_end = latest(lines.data.filter(isPeriod).map(({ period }) => period.end))
    return subscription && period_end ? { kind: "invoice", subscription, customer, period_end } : null
  })

const READERS: Record<string, (event: Fields) => Read> = {
  "checkout.session.completed": readCheckout,
  "customer.subscription.created": (event) => readSubscription(event, false),
  "customer.subscription.updated": (event) => readSubscription(event, false),
  "customer.subscription.deleted": (event) => readSubscription(event, true),
  "invoice.paid": readInvoice,
}

/** Reads what matters of an event; null of any that is none of ours. */
export const readChange = (type: string, event: Fields): Read =>
  Object.hasOwn(READERS, type) && READERS[type] ? READERS[type](event) : { ok: true, value: null, warnings: [] }

/**
 * Applies what an event says of a subscription, once.
 * A checkout of no account is not marked as handled: sent again from Stripe when the account is there, it counts.
 * @throws ApiError 503, after which Stripe delivers the event again
 */
export const applyEvent = async (
  db: Db,
  { id, created: at }: Pick<StripeEvent, "id" | "created">,
  change: Change,
  now: Date,
): Promise<Outcome> => {
  for (let attempt = 0; attempt < MAX_WEBHOOK_ATTEMPTS; attempt++) {
    const { handled, subscription, accountId } = await findKnown(db, id, change)
    if (handled) return "duplicate"
    if (change.kind === "checkout" && !accountId) return "ignored"
    const before = subscription ?? newSubscription(change.subscription, now)
    const after = applyChange(before, change, { at, accountId, now })
    if (await saveSubscription(db, id, after, now)) return after.account_id ? "applied" : "kept"
  }
  throw unavailable(new Error("A subscription was written again and again by others."))
}
