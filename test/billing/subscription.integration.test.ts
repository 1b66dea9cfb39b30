import { beforeEach, describe, expect, it } from "vitest"

import { call, OPERATOR, passSeconds, rows, stopClock, unique } from "../support.ts"
import {
  checkout,
  DAY,
  day,
  deliverAll,
  deliverEvent,
  invoicePaid,
  iso,
  newAccount,
  NOW,
  paid,
  snapshot,
  subscriber,
} from "./stripe.ts"

beforeEach(() => stopClock(NOW))

const ofSubscription = (id: string) => rows("select * from subscriptions where id = ?", id)

describe("a Stripe subscription", () => {
  it("a Stripe subscription sets an account's paid time at checkout, on renewals and at its end", async () => {
    const { username, sub } = await subscriber()
    expect(await paid(username)).toEqual([null, null])
    expect(await deliverAll(snapshot(sub, { verb: "created" }), invoicePaid(sub, day(30)))).toEqual([
      "applied",
      "applied",
    ])
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])

    passSeconds(30 * DAY)
    await deliverEvent(snapshot(sub, { end: day(60), created: day(30) }))
    expect(await paid(username)).toEqual([iso(day(60)), "stripe"])

    passSeconds(DAY)
    await deliverEvent(snapshot(sub, { end: day(60), created: day(31), verb: "deleted", status: "canceled" }))
    expect(await paid(username)).toEqual([iso(day(31)), "stripe"])
  })

  it("a Stripe subscription gives its account API access, and the end of the subscription takes it away", async () => {
    const { username, sub } = await subscriber({ paid_until: iso(day(1)) })
    const keys = `/operator/api/accounts/${username}/keys/`
    const { json } = await call("POST", keys, { headers: OPERATOR })
    const statusOf = async () => (await call("GET", "/api/blogcontroller/account/", { key: json.api_key })).status
    passSeconds(DAY)
    expect(await statusOf()).toBe(403)
    await deliverEvent(snapshot(sub))
    expect(await statusOf()).toBe(200)
    await deliverEvent(snapshot(sub, { verb: "deleted", created: day(1) }))
    expect(await statusOf()).toBe(403)
  })

  it("a Stripe subscription event that arrives before its checkout is applied once the checkout arrives", async () => {
    const [username, sub] = [await newAccount(), unique("sub")]
    const early = [snapshot(sub, { status: "incomplete", verb: "created" }), snapshot(sub), invoicePaid(sub, day(30))]
    expect(await deliverAll(...early)).toEqual(["kept", "kept", "kept"])
    expect(await paid(username)).toEqual([null, null])
    expect(await deliverEvent(checkout(sub, username))).toBe("applied")
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
    expect(await ofSubscription(sub)).toMatchObject([{ customer_id: "cus_1", status: "active" }])
  })

  it("a Stripe subscription that ended before its checkout arrives gives no paid time beyond its end", async () => {
    const [username, sub] = [await newAccount(), unique("sub")]
    await deliverAll(snapshot(sub), snapshot(sub, { verb: "deleted", created: day(0) + 5 }), checkout(sub, username))
    expect((await paid(username))[0]).toBe(iso(day(0) + 5))
  })

  it("of an account's two Stripe subscriptions the later end counts, and ending one keeps the other", async () => {
    const { username, sub } = await subscriber()
    const other = unique("sub")
    await deliverAll(checkout(other, username), snapshot(sub, { end: day(30) }), snapshot(other, { end: day(90) }))
    expect(await paid(username)).toEqual([iso(day(90)), "stripe"])
    await deliverEvent(snapshot(other, { verb: "deleted", created: day(1) }))
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
  })

  it("a Stripe subscription stays bound to the account of its first checkout", async () => {
    const { username, sub } = await subscriber()
    const other = await newAccount()
    await deliverAll(checkout(sub, other), snapshot(sub))
    expect([await paid(username), await paid(other)]).toEqual([
      [iso(day(30)), "stripe"],
      [null, null],
    ])
  })

  it("a Stripe invoice of a renewal extends the paid time before the subscription event arrives", async () => {
    const { username, sub } = await subscriber()
    await deliverAll(snapshot(sub), invoicePaid(sub, day(60), day(30)))
    expect((await paid(username))[0]).toBe(iso(day(60)))
  })
})
