import { describe, expect, it } from "vitest"

import {
  type Change,
  WORTH,
  applyChange,
  newSubscription,
  paidUntil,
  subscribeLink,
} from "../../src/billing/subscription.ts"
import { type Subscription, SUBSCRIPTION_STATUSES, type SubscriptionStatus } from "../../src/db/schema.ts"

const date = (day: number) => new Date(Date.UTC(2026, 0, day))
const of = { subscription: "sub", customer: "cus" }
type Said = [at: number, change: Change]

const snapshot = (at: number, status: SubscriptionStatus, end: number): Said => [
  at,
  { ...of, kind: "snapshot", status, period_end: date(end) },
]
const invoice = (at: number, end: number): Said => [at, { ...of, kind: "invoice", period_end: date(end) }]
const checkout = (at: number): Said => [at, { ...of, kind: "checkout", username: "ann" }]

const after = (...said: Said[]): Subscription => {
  let subscription = newSubscription("sub", date(1))
  for (const [at, change] of said) {
    const accountId = change.kind === "checkout" ? "account" : null
    subscription = applyChange(subscription, change, { at: date(at), accountId, now: date(1) })
  }
  return subscription
}
const dayPaid = (...said: Said[]): number | null => {
  const { paid_until } = after(...said)
  return paid_until && (paid_until.getTime() - date(0).getTime()) / 86_400_000
}

describe("paidUntil by subscription status", () => {
  it("the table WORTH (paid time by status) has an entry for every Stripe subscription status", () => {
    expect(Object.keys(WORTH).toSorted()).toEqual([...SUBSCRIPTION_STATUSES].toSorted())
  })

  // The first period ends on day 31, the second on day 59; the status arrives on day 32.
  it.each<[SubscriptionStatus, number | null, number | null, number | null]>([
    // status, without periods, after a paid period, after a paid and an unpaid period
    ["active", 59, 59, 59],
    ["trialing", 59, 59, 59],
    ["past_due", null, 31, 31],
    ["incomplete", null, 31, 32],
    ["incomplete_expired", null, 31, 32],
    ["unpaid", null, 31, 32],
    ["canceled", null, 31, 32],
    ["paused", null, 31, 32],
  ])(
    "a Stripe renewal with status %s pays to day %s alone, to %s after a paid period, to %s after an unpaid one",
    (status, first, second, third) => {
      const state = snapshot(32, status, 59)
      expect(dayPaid(state)).toBe(first)
      expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), state)).toBe(second)
      expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), snapshot(31, "active", 59), state)).toBe(third)
    },
  )

  it.each(["incomplete", "incomplete_expired", "unpaid", "canceled", "paused"] as const)(
    "a Stripe subscription that becomes %s in the middle of a paid period ends the paid time at once",
    (status) => {
      expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), snapshot(10, status, 31))).toBe(10)
    },
  )

  it("a Stripe subscription renewed with status past_due never extends the paid time", () => {
    const renewals = [32, 60, 90].map((at) => snapshot(at, "past_due", at + 29))
    expect(dayPaid(snapshot(1, "active", 31), ...renewals)).toBe(31)
    expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), ...renewals)).toBe(31)
  })

  it("a Stripe subscription that becomes past_due keeps the period that is already paid", () => {
    expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), snapshot(10, "past_due", 31))).toBe(31)
  })

  it("a paid Stripe invoice extends the paid time of a past_due subscription before its event arrives", () => {
    expect(dayPaid(snapshot(1, "active", 31), snapshot(32, "past_due", 59), invoice(40, 59))).toBe(59)
  })

  it("a Stripe plan changed to a shorter one ends the paid time earlier, despite earlier invoices", () => {
    expect(dayPaid(snapshot(1, "active", 365), invoice(1, 365), snapshot(9, "active", 40))).toBe(40)
  })

  it("a Stripe subscription known only by a paid invoice is paid for that invoice's period", () => {
    expect(dayPaid(invoice(1, 31))).toBe(31)
    expect(dayPaid(checkout(1))).toBe(null)
  })
})

const permutations = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))

describe("subscription events in any order and delivered twice", () => {
  it.each<[string, Said[]]>([
    [
      "a whole subscription",
      [
        checkout(1),
        snapshot(1, "incomplete", 31),
        invoice(1, 31),
        snapshot(1, "active", 31),
        snapshot(31, "active", 59),
        snapshot(32, "past_due", 59),
        snapshot(40, "canceled", 59),
      ],
    ],
    [
      "all statuses in one second",
      [
        checkout(1),
        ...SUBSCRIPTION_STATUSES.filter((s) => !/^(canceled|incomplete_expired)$/.test(s)).map((s) =>
          snapshot(1, s, 31),
        ),
      ],
    ],
    [
      "two period ends in one second",
      [snapshot(1, "active", 31), snapshot(1, "active", 59), invoice(1, 20), invoice(1, 40)],
    ],
    [
      "two final statuses",
      [snapshot(2, "canceled", 31), snapshot(1, "incomplete_expired", 31), snapshot(3, "active", 59)],
    ],
  ])("Stripe events have the same result in any order and when delivered twice: %s", (_, said) => {
    const expected = after(...said)
    for (const order of permutations(said)) {
      expect(after(...order)).toEqual(expected)
      expect(after(...order, ...order)).toEqual(expected)
    }
  })
})

describe("two subscription statuses of the same second", () => {
  it.each<[SubscriptionStatus, SubscriptionStatus]>([
    ["incomplete", "active"],
    ["incomplete", "trialing"],
    ["trialing", "active"],
    ["trialing", "paused"],
    ["paused", "active"],
    ["unpaid", "active"],
    ["active", "past_due"],
    ["past_due", "canceled"],
    ["incomplete", "incomplete_expired"],
  ])("the Stripe status %s is replaced by %s from an event of the same second, in either order", (first, second) => {
    const both = [snapshot(1, first, 31), snapshot(1, second, 31)]
    expect([after(...both).status, after(...both.toReversed()).status]).toEqual([second, second])
  })
})

it("a canceled Stripe subscription stays canceled, whatever time other events have", () => {
  const facts = after(snapshot(5, "canceled", 31), snapshot(9, "active", 59), invoice(9, 59), checkout(9))
  expect([facts.status, facts.account_id, paidUntil(facts)]).toEqual(["canceled", "account", date(5)])
})

describe("subscribeLink", () => {
  it.each([
    ["https://buy.stripe.com/abc", "https://buy.stripe.com/abc?client_reference_id=ann-1"],
    ["https://buy.stripe.com/abc?locale=fr", "https://buy.stripe.com/abc?locale=fr&client_reference_id=ann-1"],
    ["https://pay.example/?client_reference_id=x#y", "https://pay.example/?client_reference_id=ann-1#y"],
  ])("subscribeLink adds client_reference_id to the payment link %s", (link, expected) => {
    expect(subscribeLink(link, "ann-1")).toBe(expected)
  })
})
