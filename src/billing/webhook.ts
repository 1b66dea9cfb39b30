import { concatBytes } from "../bytes.ts"
import type { Db } from "../db/client.ts"
import { fieldError, unavailable } from "../http/errors.ts"
import { type Checked, check } from "../http/validate.ts"
import { STRIPE_MAX_ATTEMPTS, STRIPE_TOLERANCE_SECONDS } from "../limits.ts"
import { hmac } from "../tokens.ts"
import { type EventOutcome } from "./operations.ts"
import { findKnown, saveSubscription } from "./store.ts"
import { CheckoutEvent, InvoiceEvent, type InvoiceLine, type StripeEvent, SubscriptionEvent } from "./stripe-event.ts"
import { type Change, applyChange, newSubscription } from "./subscription.ts"

// Stripe's scheme `v1`: docs.stripe.com/webhooks#verify-manually.

interface Signature {
  /** The timestamp as sent, because it is part of the signed payload. */
  timestamp: string
  /** Signatures in hex; several while a secret is rolled. */
  candidates: string[]
}

/**
 * Parses `Stripe-Signature: t=…,v1=…` and checks its time; `isSigned` checks the signatures.
 * @returns the time and the signatures in hex; a string is an error message: no or an invalid header, or a wrong time
 */
export const readSignature = (header: string | undefined, now: Date): Signature | string => {
  const pairs = (header ?? "").split(",").map((pair) => pair.trim())
  const valuesOf = (name: string) =>
    pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length))
  const [timestamp, ...others] = valuesOf("t=")
  // 64 hex digits such as `0a…f9`, not `0A…F9`; and seconds such as `1767225600`, not `-1`.
  const candidates = valuesOf("v1=").filter((value) => /^[0-9a-f]{64}$/.test(value))
  if (!timestamp || others.length > 0 || !/^\d{1,12}$/.test(timestamp) || candidates.length === 0)
    return "Stripe-Signature must hold one `t` and at least one `v1`."
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > STRIPE_TOLERANCE_SECONDS)
    return `The time of Stripe-Signature is more than ${STRIPE_TOLERANCE_SECONDS} seconds from ours.`
  return { timestamp, candidates }
}

const encode = (text: string) => new TextEncoder().encode(text)

const sign = async (secret: string, payload: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  encode((await hmac(encode(secret), payload)).toHex())

/** Tells whether one of the secrets made one of the signatures of timestamp and body, in constant time. Does not check how old they are. */
export const isSigned = async (
  { timestamp, candidates }: Signature,
  body: Uint8Array<ArrayBuffer>,
  secrets: string[],
): Promise<boolean> => {
  const payload = concatBytes([encode(`${timestamp}.`), body])
  const expected = await Promise.all(secrets.map((secret) => sign(secret, payload)))
  return expected.some((right) => candidates.some((sent) => crypto.subtle.timingSafeEqual(right, encode(sent))))
}

type Fields = Record<string, unknown>
/** A change; null if the event does not concern this service. */
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
    // Without a username the event belongs to no account; the log must warn that a payment had no effect.
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

/** Checks whether a line is for a paid period: neither a credit nor a one-time item. */
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

/** Reads the change that a Stripe event reports; null if it does not concern this service. An error of a field is returned, not thrown. */
export const readChange = (type: string, event: Fields): Read =>
  Object.hasOwn(READERS, type) && READERS[type] ? READERS[type](event) : { ok: true, value: null, warnings: [] }

/**
 * Applies the change of an event once.
 * A checkout without an account is not marked as handled, so it can be resent from Stripe when the account exists.
 * @returns `applied` to an account, `kept` until a checkout names one, `duplicate`, or `ignored` without an account
 * @throws ApiError 503 after too many conflicts; Stripe then retries the event
 */
export const applyEvent = async (
  db: Db,
  { id, created: at }: Pick<StripeEvent, "id" | "created">,
  change: Change,
  now: Date,
): Promise<EventOutcome> => {
  for (let attempt = 0; attempt < STRIPE_MAX_ATTEMPTS; attempt++) {
    const { handled, subscription, accountId } = await findKnown(db, id, change)
    if (handled) return "duplicate"
    if (change.kind === "checkout" && !accountId) return "ignored"
    const before = subscription ?? newSubscription(change.subscription, now)
    const after = applyChange(before, change, { at, accountId, now })
    if (await saveSubscription(db, id, after, now)) return after.account_id ? "applied" : "kept"
  }
  throw unavailable(new Error("A subscription was written again and again by others."))
}
