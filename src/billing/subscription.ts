import type { Subscription, SubscriptionStatus } from "../db/schema.ts"

/** The change that an event reports about one subscription. */
export type Change = { subscription: string; customer: string | null } & (
  | { kind: "checkout"; username: string }
  | { kind: "snapshot"; status: SubscriptionStatus; period_end: Date | null }
  | { kind: "invoice"; period_end: Date }
)

/**
 * The paid time of each subscription status: the current `period`, only the last paid `invoice`, or `nothing`.
 * If Stripe reports two statuses for the same second, the later one in this table wins.
 * The order is Stripe's lifecycle, except that paying an overdue invoice beats owing it.
 */
export const WORTH = {
  incomplete: "nothing",
  trialing: "period",
  paused: "nothing",
  unpaid: "nothing",
  active: "period",
  past_due: "invoice",
  incomplete_expired: "nothing",
  canceled: "nothing",
} as const satisfies Record<SubscriptionStatus, "period" | "invoice" | "nothing">

const LIFE = Object.keys(WORTH)
/** The statuses that Stripe never changes again. */
const FINAL: ReadonlySet<SubscriptionStatus> = new Set<SubscriptionStatus>(["incomplete_expired", "canceled"])

/** Returns a subscription with Stripe's id and without any reported data. */
export const newSubscription = (id: string, now: Date): Subscription => ({
  id,
  customer_id: null,
  account_id: null,
  status: null,
  status_at: null,
  period_end: null,
  period_at: null,
  invoiced_until: null,
  invoiced_at: null,
  paid_until: null,
  revision: 0,
  updated_at: now,
})

const later = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b))

const isNewerStatus = ({ status, status_at }: Subscription, next: SubscriptionStatus, at: Date): boolean => {
  if (!status || !status_at) return true
  const finality = Number(FINAL.has(next)) - Number(FINAL.has(status))
  return (finality || at.getTime() - status_at.getTime() || LIFE.indexOf(next) - LIFE.indexOf(status)) > 0
}

/** Checks whether an end reported `at` replaces the known one. In the same second the later end wins. */
const isNewerEnd = (known: Date | null, knownAt: Date | null, end: Date | null, at: Date): end is Date =>
  end !== null && (!known || !knownAt || at > knownAt || (at.getTime() === knownAt.getTime() && end > known))

/** Returns the end of the time that a subscription has paid for, by what Stripe has reported; null if it has paid for none. */
export const paidUntil = (subscription: Omit<Subscription, "paid_until">): Date | null => {
  const { status, status_at, period_end, period_at, invoiced_until, invoiced_at } = subscription
  if (!status) return invoiced_until
  const worth = WORTH[status]
  // The period of an unpaid invoice does not count. Without any paid invoice the last good period counts.
  if (worth === "invoice") return invoiced_until ?? period_end
  // A renewal's invoice may arrive before its period. An invoice older than the period is outdated by a plan change.
  const isInvoiceNewer = invoiced_at && period_at && invoiced_at >= period_at
  if (worth === "period") return isInvoiceNewer ? later(period_end, invoiced_until) : period_end
  const given = later(period_end, invoiced_until)
  return given && status_at && given > status_at ? status_at : given
}

const applied = (before: Subscription, change: Change, at: Date): Partial<Subscription> => {
  if (change.kind === "checkout") return {}
  const { period_end } = change
  if (change.kind === "invoice")
    return isNewerEnd(before.invoiced_until, before.invoiced_at, period_end, at)
      ? { invoiced_until: period_end, invoiced_at: at }
      : {}
  const { status } = change
  const isGood = WORTH[status] === "period" && isNewerEnd(before.period_end, before.period_at, period_end, at)
  return {
    ...(isNewerStatus(before, status, at) && { status, status_at: at }),
    ...(isGood && { period_end, period_at: at }),
  }
}

/**
 * Returns a subscription after an event. The newest report of each fact wins, so events may arrive twice and in any order.
 * @param at the creation time of the event
 * @param accountId the account of the checkout, or null; a subscription never changes its account
 */
export const applyChange = (
  before: Subscription,
  change: Change,
  { at, accountId, now }: { at: Date; accountId: string | null; now: Date },
): Subscription => {
  const after = {
    ...before,
    customer_id: before.customer_id ?? change.customer,
    account_id: before.account_id ?? accountId,
    ...applied(before, change, at),
    updated_at: now,
  }
  return { ...after, paid_until: paidUntil(after) }
}

/** Returns the URL where an account subscribes: the operator's Payment Link with the username as its reference. */
export const subscribeLink = (paymentLink: string, username: string): string => {
  const url = new URL(paymentLink)
  url.searchParams.set("client_reference_id", username)
  return url.href
}
