import type { Subscription, SubscriptionStatus } from "../db/schema.ts"

/** What an event says of one subscription. */
export type Change = { subscription: string; customer: string | null } & (
  | { kind: "checkout"; username: string }
  | { kind: "snapshot"; status: SubscriptionStatus; period_end: Date | null }
  | { kind: "invoice"; period_end: Date }
)

/**
 * What a state of a Stripe subscription is worth: its current `period`, no more than the last paid `invoice`, or `nothing`.
 * Of two states that Stripe reports for one second the later in this table wins: the one that life puts after the other,
 * except that paying an overdue invoice beats owing it.
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
/** Stripe never leaves these again. */
const FINAL: ReadonlySet<SubscriptionStatus> = new Set<SubscriptionStatus>(["incomplete_expired", "canceled"])

/** A subscription of which nothing is known yet. */
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

/** Tells whether an end reported `at` replaces the known one. In one second the later end wins. */
const isNewerEnd = (known: Date | null, knownAt: Date | null, end: Date | null, at: Date): end is Date =>
  end !== null && (!known || !knownAt || at > knownAt || (at.getTime() === knownAt.getTime() && end > known))

/** Until when what Stripe has said of a subscription pays; null: it never paid for anything. */
export const paidUntil = (subscription: Omit<Subscription, "paid_until">): Date | null => {
  const { status, status_at, period_end, period_at, invoiced_until, invoiced_at } = subscription
  if (!status) return invoiced_until
  const worth = WORTH[status]
  // The period of an invoice that is still to be paid does not count; without any invoice the last good one does.
  if (worth === "invoice") return invoiced_until ?? period_end
  // A renewal's invoice may arrive before the news of its period; an older one says less than a plan that was changed since.
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
 * What a subscription is after an event. Each fact keeps its newest report, so that events may come in any order and twice.
 * @param at when Stripe made the event
 * @param accountId whose checkout it is; once bound, a subscription stays with its account
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

/** The address at which an account subscribes: the operator's Payment Link, which tells Stripe whose checkout it is. */
export const subscribeLink = (paymentLink: string, username: string): string => {
  const url = new URL(paymentLink)
  url.searchParams.set("client_reference_id", username)
  return url.href
}
