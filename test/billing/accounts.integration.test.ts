import { beforeEach, describe, expect, it } from "vitest"

import { beforeCall } from "../faults.ts"
import { pathOf, signInOperator } from "../operator/operator.ts"
import { passSeconds, rows, runCron, stopClock, unique } from "../support.ts"
import {
  checkout,
  DAY,
  day,
  deliverAll,
  deliverEvent,
  eraseAccount,
  invoicePaid,
  iso,
  newAccount,
  NOW,
  paid,
  setAccount,
  snapshot,
  subscriber,
} from "./stripe.ts"

beforeEach(() => stopClock(NOW))

const ended = (sub: string, created = day(1)) => snapshot(sub, { verb: "deleted", status: "canceled", created })

describe("paid time set by the operator", () => {
  it("an account's paid time set by the operator is marked as set by the operator", async () => {
    expect(await paid(await newAccount())).toEqual([null, null])
    expect(await paid(await newAccount({ paid_until: iso(day(9)) }))).toEqual([iso(day(9)), "operator"])
    expect(await paid(await newAccount({ paid_until: null }))).toEqual([null, "operator"])
  })

  it("an operator PATCH without paid_until does not change the paid time that Stripe has set", async () => {
    const { username, sub } = await subscriber({ paid_until: iso(day(9)) })
    await deliverEvent(snapshot(sub))
    await setAccount(username, { hidden: true })
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
  })

  it.each([[30], [99]])(
    "paid time set by the operator to day 60 counts again after a subscription until day %i has ended",
    async (end) => {
      const { username, sub } = await subscriber({ paid_until: iso(day(60)) })
      await deliverEvent(snapshot(sub, { end: day(end) }))
      expect(await paid(username)).toEqual(end > 60 ? [iso(day(end)), "stripe"] : [iso(day(60)), "operator"])
      await deliverEvent(ended(sub))
      expect(await paid(username)).toEqual([iso(day(60)), "operator"])
    },
  )

  it.each(["unpaid", "past_due", "paused", "incomplete"])(
    "paid time set by the operator is not shortened by a Stripe subscription that is %s",
    async (status) => {
      const { username, sub } = await subscriber({ paid_until: iso(day(60)) })
      await deliverEvent(snapshot(sub, { status, end: day(99) }))
      expect(await paid(username)).toEqual([iso(day(60)), "operator"])
    },
  )

  it("paid time set by the operator replaces Stripe's until a later Stripe event extends it", async () => {
    const { username, sub } = await subscriber()
    await deliverEvent(snapshot(sub))
    await setAccount(username, { paid_until: iso(day(5)) })
    expect(await paid(username)).toEqual([iso(day(5)), "operator"])
    await deliverEvent(snapshot(sub, { end: day(60), created: day(30) }))
    expect(await paid(username)).toEqual([iso(day(60)), "stripe"])
  })

  it("after the operator removes an account's paid time, the next paying Stripe event sets it again", async () => {
    const { username, sub } = await subscriber({ paid_until: iso(day(60)) })
    await setAccount(username, { paid_until: null })
    await deliverEvent(snapshot(sub, { status: "incomplete" }))
    expect(await paid(username)).toEqual([null, "operator"])
    await deliverEvent(snapshot(sub, { created: day(1) }))
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
  })
})

it("the operator's page of an account shows its Stripe subscriptions until they end", async () => {
  const { username, sub } = await subscriber()
  await deliverEvent(snapshot(sub))
  const browser = await signInOperator()
  expect((await browser.get(pathOf(username))).html).toContain(sub)
  await deliverEvent(ended(sub))
  expect((await browser.get(pathOf(username))).html).not.toContain(sub)
})

describe("billing of an erased account", () => {
  it("erasing an account deletes its Stripe subscription data", async () => {
    const { username, sub } = await subscriber()
    await deliverEvent(snapshot(sub))
    await eraseAccount(username)
    expect(await rows("select * from subscriptions where id = ?", sub)).toEqual([])
    expect(await deliverEvent(snapshot(sub, { created: day(1) }))).toBe("kept")
  })

  const WRITE = /^insert into "stripe_events"/

  it("a Stripe checkout is ignored if its account is erased while the event is processed", async () => {
    const [username, sub] = [await newAccount(), unique("sub")]
    const DB = beforeCall(WRITE, () => eraseAccount(username))
    expect(await deliverEvent(checkout(sub, username), { DB })).toBe("ignored")
    expect(await rows("select * from subscriptions where id = ?", sub)).toEqual([])
  })

  it("a Stripe subscription event is bound to no account if the account is erased during the event", async () => {
    const { username, sub } = await subscriber()
    const DB = beforeCall(WRITE, () => eraseAccount(username))
    expect(await deliverEvent(snapshot(sub), { DB })).toBe("kept")
    expect(await rows("select account_id, revision from subscriptions where id = ?", sub)).toEqual([
      { account_id: null, revision: 1 },
    ])
  })

  it("an account created again after its erasure does not get the former account's paid time", async () => {
    const { username, sub } = await subscriber()
    await deliverEvent(snapshot(sub))
    await eraseAccount(username)
    await setAccount(username)
    await deliverEvent(snapshot(sub, { created: day(1) }))
    expect(await paid(username)).toEqual([null, null])
  })
})

describe("the cleanup of billing data", () => {
  it("the cleanup deletes Stripe events and unbound subscriptions after 30 days and keeps bound ones", async () => {
    const { username, sub } = await subscriber()
    const [unbound, old] = [unique("sub"), snapshot(sub)]
    await deliverAll(old, snapshot(unbound))
    const count = async () => {
      const [row] = await rows(
        `select (select count(*) from stripe_events where id = ?) as events,
           (select count(*) from subscriptions where id = ?) as bound,
           (select count(*) from subscriptions where id = ?) as unbound`,
        old.id,
        sub,
        unbound,
      )
      return row
    }
    passSeconds(30 * DAY)
    await runCron()
    expect(await count()).toEqual({ events: 1, bound: 1, unbound: 1 })
    passSeconds(1)
    await runCron()
    expect(await count()).toEqual({ events: 0, bound: 1, unbound: 0 })
    // An event older than the stored state changes nothing, even if its record was deleted.
    await deliverAll(snapshot(sub, { end: day(60), created: day(30) }), old, invoicePaid(sub, day(30)))
    expect(await paid(username)).toEqual([iso(day(60)), "stripe"])
  })
})
