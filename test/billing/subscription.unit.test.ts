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

describe("what a state is worth", () => {
  it("is said of every state", () => {
    expect(Object.keys(WORTH).toSorted()).toEqual([...SUBSCRIPTION_STATUSES].toSorted())
  })

  // The first period ends on day 31, the next on day 59; the state comes on day 32.
  it.each<[SubscriptionStatus, number | null, number | null, number | null]>([
    // state, at first, after a period that was paid, after a period that was paid and one that was not
    ["active", 59, 59, 59],
    ["trialing", 59, 59, 59],
    ["past_due", null, 31, 31],
    ["incomplete", null, 31, 32],
    ["incomplete_expired", null, 31, 32],
    ["unpaid", null, 31, 32],
    ["canceled", null, 31, 32],
    ["paused", null, 31, 32],
  ])("%s", (status, first, second, third) => {
    const state = snapshot(32, status, 59)
    expect(dayPaid(state)).toBe(first)
    expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), state)).toBe(second)
    expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), snapshot(31, "active", 59), state)).toBe(third)
  })

  it.each(["incomplete", "incomplete_expired", "unpaid", "canceled", "paused"] as const)(
    "%s in the middle of a paid period ends it then",
    (status) => {
      expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), snapshot(10, status, 31))).toBe(10)
    },
  )

  it("past_due never extends, however often it comes", () => {
    const renewals = [32, 60, 90].map((at) => snapshot(at, "past_due", at + 29))
    expect(dayPaid(snapshot(1, "active", 31), ...renewals)).toBe(31)
    expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), ...renewals)).toBe(31)
  })

  it("past_due keeps the period that is paid when only more of it was not", () => {
    expect(dayPaid(snapshot(1, "active", 31), invoice(1, 31), snapshot(10, "past_due", 31))).toBe(31)
  })

  it("past_due is over for whom pays the invoice, before Stripe says so", () => {
    expect(dayPaid(snapshot(1, "active", 31), snapshot(32, "past_due", 59), invoice(40, 59))).toBe(59)
  })

  it("a shorter plan counts from its news on, whatever was invoiced before", () => {
    expect(dayPaid(snapshot(1, "active", 365), invoice(1, 365), snapshot(9, "active", 40))).toBe(40)
  })

  it("of which only an invoice is known is what it paid for", () => {
    expect(dayPaid(invoice(1, 31))).toBe(31)
    expect(dayPaid(checkout(1))).toBe(null)
  })
})

const permutations = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))

describe("in any order and twice, events come to the same", () => {
  it.each<[string, Said[]]>([
    [
      "a life",
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
      "one second",
      [
        checkout(1),
        ...SUBSCRIPTION_STATUSES.filter((s) => !/^(canceled|incomplete_expired)$/.test(s)).map((s) =>
          snapshot(1, s, 31),
        ),
      ],
    ],
    ["two ends of one second", [snapshot(1, "active", 31), snapshot(1, "active", 59), invoice(1, 20), invoice(1, 40)]],
    ["two last words", [snapshot(2, "canceled", 31), snapshot(1, "incomplete_expired", 31), snapshot(3, "active", 59)]],
  ])("%s", (_, said) => {
    const expected = after(...said)
    for (const order of permutations(said)) {
      expect(after(...order)).toEqual(expected)
      expect(after(...order, ...order)).toEqual(expected)
    }
  })
})

describe("of one second", () => {
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
  ])("%s comes before %s", (first, second) => {
    const both = [snapshot(1, first, 31), snapshot(1, second, 31)]
    expect([after(...both).status, after(...both.toReversed()).status]).toEqual([second, second])
  })
})

it("the end of a subscription is final, whatever time other events have", () => {
  const facts = after(snapshot(5, "canceled", 31), snapshot(9, "active", 59), invoice(9, 59), checkout(9))
  expect([facts.status, facts.account_id, paidUntil(facts)]).toEqual(["canceled", "account", date(5)])
})

describe("the address to subscribe at", () => {
  it.each([
    ["https://buy.stripe.com/abc", "https://buy.stripe.com/abc?client_reference_id=ann-1"],
    ["https://buy.stripe.com/abc?locale=fr", "https://buy.stripe.com/abc?locale=fr&client_reference_id=ann-1"],
    ["https://pay.example/?client_reference_id=x#y", "https://pay.example/?client_reference_id=ann-1#y"],
  ])("%s", (link, expected) => {
    expect(subscribeLink(link, "ann-1")).toBe(expected)
  })
})
