import { describe, expect, it } from "vitest"

import { readChange } from "../../src/billing/webhook.ts"

const read = (type: string, object: Record<string, unknown>) => {
  const checked = readChange(type, { id: "evt", type, created: 1, data: { object } })
  return checked.ok ? checked.value : checked.error.extra.errors?.map(({ field }) => field)
}
const UPDATED = "customer.subscription.updated"
const seconds = (time: number) => new Date(time * 1000)

describe("a Stripe subscription event", () => {
  const base = { id: "sub", customer: "cus", status: "active" }
  const change = { kind: "snapshot", subscription: "sub", customer: "cus", status: "active" }

  it.each([
    ["on the subscription", { current_period_end: 9 }, 9],
    ["on its item", { items: { data: [{ current_period_end: 9 }] } }, 9],
    ["on the last of its items", { items: { data: [{ current_period_end: 9 }, { current_period_end: 11 }, {}] } }, 11],
    ["on both", { current_period_end: 9, items: { data: [{ current_period_end: null }] } }, 9],
  ])("readChange reads the end of a Stripe subscription's paid period if it is %s", (_, fields, end) => {
    expect(read(UPDATED, { ...base, ...fields })).toEqual({ ...change, period_end: seconds(end) })
  })

  it("a Stripe subscription event without period end is refused if active and accepted if unpaid", () => {
    expect(read(UPDATED, base)).toEqual(["data.object.items"])
    expect(read(UPDATED, { ...base, status: "trialing", items: { data: [] } })).toEqual(["data.object.items"])
    expect(read(UPDATED, { ...base, status: "unpaid" })).toEqual({ ...change, status: "unpaid", period_end: null })
  })

  it("a Stripe event for a deleted subscription is read as canceled, whatever status it states", () => {
    expect(read("customer.subscription.deleted", base)).toMatchObject({ status: "canceled" })
  })
})

const line = (end: number, fields: object = {}) => ({ amount: 5, type: "subscription", period: { end }, ...fields })

describe("a paid Stripe invoice", () => {
  const item = { type: null, parent: { type: "subscription_item_details" } }
  const change = { kind: "invoice", subscription: "sub", customer: "cus" }
  const parent = { subscription_details: { subscription: "sub" } }

  it.each([
    ["of API version 2024", { subscription: "sub", lines: { data: [line(9)] } }],
    ["of API version 2025", { parent, lines: { data: [line(9, item)] } }],
    ["with nothing to pay", { parent, lines: { data: [line(9, { amount: 0 })] } }],
    ["with an older line", { parent, lines: { data: [line(3), line(9)] } }],
    ["with a credit", { parent, lines: { data: [line(365, { amount: -5 }), line(9)] } }],
    ["with another kind of line", { parent, lines: { data: [line(365, { type: "invoiceitem" }), line(9)] } }],
  ])("a paid Stripe invoice %s pays for the period of its subscription", (_, fields) => {
    expect(read("invoice.paid", { customer: "cus", ...fields })).toEqual({ ...change, period_end: seconds(9) })
  })

  it.each([
    ["no subscription", { lines: { data: [line(9)] } }],
    ["no line", { parent, lines: { data: [] } }],
    ["only credits", { parent, lines: { data: [line(9, { amount: -1 })] } }],
  ])("a paid Stripe invoice with %s is ignored", (_, fields) => {
    expect(read("invoice.paid", { customer: "cus", ...fields })).toBe(null)
  })
})
