import { beforeEach, describe, expect, it, vi } from "vitest"

import { failing, tapD1 } from "../faults.ts"
import { dumpStorage } from "../storage.ts"
import { passSeconds, rows, stopClock, unique } from "../support.ts"
import {
  checkout,
  day,
  deliverAll,
  deliverEvent,
  type Event,
  event,
  invoicePaid,
  iso,
  NOW,
  paid,
  send,
  setAccount,
  sign,
  snapshot,
  subscriber,
} from "./stripe.ts"

beforeEach(() => stopClock(NOW))

const ofSubscription = (id: string) => rows("select * from subscriptions where id = ?", id)

describe("a Stripe event", () => {
  it("a Stripe event delivered twice is applied once", async () => {
    const { username, sub } = await subscriber()
    const sent = snapshot(sub)
    expect(await deliverAll(sent, sent)).toEqual(["applied", "duplicate"])
    await setAccount(username, { paid_until: iso(day(3)) })
    const before = await dumpStorage()
    passSeconds(60)
    expect(await deliverEvent(sent)).toBe("duplicate")
    expect(await dumpStorage()).toEqual(before)
  })

  it("a Stripe event delivered twice at the same time is applied once", async () => {
    const { username, sub } = await subscriber()
    const sent = snapshot(sub)
    let waiting = 0
    const both = Promise.withResolvers<void>()
    // Each has read that the event is new before either writes.
    const DB = tapD1({
      before: async (statements) => {
        if (!statements.some(({ sql }) => sql.startsWith('insert into "stripe_events"'))) return
        waiting += 1
        if (waiting === 2) both.resolve()
        await both.promise
      },
    })
    const outcomes = await Promise.all([deliverEvent(sent, { DB }), deliverEvent(sent, { DB })])
    expect(outcomes.toSorted()).toEqual(["applied", "duplicate"])
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
    expect(await ofSubscription(sub)).toMatchObject([{ revision: 2 }])
  })

  it("Stripe events of one subscription delivered at the same time are all applied", async () => {
    const { username, sub } = await subscriber()
    const ends = [10, 20, 30, 40].map((days) => snapshot(sub, { end: day(days), created: day(0) + days }))
    const outcomes = await Promise.all(ends.map((sent) => deliverEvent(sent)))
    expect(outcomes).toEqual(ends.map(() => "applied"))
    expect(await paid(username)).toEqual([iso(day(40)), "stripe"])
    expect(await ofSubscription(sub)).toMatchObject([{ revision: 5 }])
  })

  it("a Stripe event older than the stored state of its subscription changes nothing", async () => {
    const { username, sub } = await subscriber()
    await deliverAll(
      snapshot(sub, { end: day(60), created: day(0) + 2 }),
      snapshot(sub, { end: day(90), created: day(0) + 1 }),
      snapshot(sub, { status: "unpaid", created: day(0) + 1 }),
    )
    expect(await paid(username)).toEqual([iso(day(60)), "stripe"])
  })

  it("an ended Stripe subscription stays ended, whether other events arrive before or after its end", async () => {
    const { username, sub } = await subscriber()
    await deliverAll(snapshot(sub, { verb: "deleted", created: day(0) + 2 }), snapshot(sub, { created: day(0) + 1 }))
    const ended = await paid(username)
    expect(ended[0]).toBe(iso(day(0) + 2))
    await deliverAll(snapshot(sub, { created: day(0) + 3 }), invoicePaid(sub, day(90), day(0) + 4))
    expect(await paid(username)).toEqual(ended)
  })

  it.each([[["incomplete", "active"]], [["active", "incomplete"]]])(
    "two Stripe events of one second with the statuses %j leave the subscription active",
    async (states) => {
      const { username, sub } = await subscriber()
      await deliverAll(...states.map((status) => snapshot(sub, { status })))
      expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
    },
  )

  it.each(["customer.created", "invoice.payment_failed", "charge.succeeded", "toString", "__proto__"])(
    "a Stripe event of the unknown type %s is ignored",
    async (type) => {
      const before = await dumpStorage()
      expect(await deliverEvent(event(type, { id: "x", status: "active" }))).toBe("ignored")
      expect(await dumpStorage()).toEqual(before)
    },
  )

  it.each<[string, () => Event]>([
    ["a checkout of no account", () => checkout("sub_1", "nobody-of-ours")],
    ["a checkout without reference", () => checkout("sub_1", null)],
    ["a checkout without subscription", () => event("checkout.session.completed", { client_reference_id: "ann" })],
    ["an invoice without subscription", () => event("invoice.paid", { lines: { data: [] } })],
  ])("a Stripe event that belongs to no account or subscription is ignored: %s", async (_, make) => {
    const before = await dumpStorage()
    expect(await deliverEvent(make())).toBe("ignored")
    expect(await dumpStorage()).toEqual(before)
  })

  it("a Stripe checkout that is ignored because it belongs to no account logs a warning", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue()
    for (const username of ["nobody-of-ours", null]) await deliverEvent(checkout("sub_1", username))
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)).outcome)).toEqual(["ignored", "ignored"])
    warn.mockRestore()
  })

  it("a Stripe event of an unknown subscription changes no account", async () => {
    const { username, sub } = await subscriber()
    await deliverEvent(snapshot(sub))
    const accounts = await rows("select * from accounts")
    expect(await deliverEvent(snapshot(unique("sub"), { end: day(900) }))).toBe("kept")
    expect(await rows("select * from accounts")).toEqual(accounts)
    expect((await paid(username))[0]).toBe(iso(day(30)))
  })

  it("a Stripe checkout ignored for an unknown account is applied when resent after the account exists", async () => {
    const [username, sub] = [unique("late"), unique("sub")]
    const sent = checkout(sub, username)
    expect(await deliverAll(snapshot(sub), sent)).toEqual(["kept", "ignored"])
    await setAccount(username)
    expect(await deliverEvent(sent)).toBe("applied")
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
  })

  it("a Stripe event whose write fails answers 500 and is applied when it is delivered again", async () => {
    const { username, sub } = await subscriber()
    const body = JSON.stringify(snapshot(sub))
    const broken = tapD1({
      before: (statements) => (statements.some(({ sql }) => sql.startsWith("insert")) ? failing() : undefined),
    })
    expect((await send(body, await sign(body), { DB: broken })).status).toBe(500)
    expect((await send(body, await sign(body))).json.outcome).toBe("applied")
    expect((await paid(username))[0]).toBe(iso(day(30)))
  })
})
