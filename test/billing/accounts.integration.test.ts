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

describe("time that the operator gave", () => {
  it("is the operator's", async () => {
    expect(await paid(await newAccount())).toEqual([null, null])
    expect(await paid(await newAccount({ paid_until: iso(day(9)) }))).toEqual([iso(day(9)), "operator"])
    expect(await paid(await newAccount({ paid_until: null }))).toEqual([null, "operator"])
  })

  it("is not touched by a PATCH of something else", async () => {
    const { username, sub } = await subscriber({ paid_until: iso(day(9)) })
    await deliverEvent(snapshot(sub))
    await setAccount(username, { hidden: true })
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
  })

  it.each([[30], [99]])("is not shortened by a subscription until day %i that ends", async (end) => {
    const { username, sub } = await subscriber({ paid_until: iso(day(60)) })
    await deliverEvent(snapshot(sub, { end: day(end) }))
    expect(await paid(username)).toEqual(end > 60 ? [iso(day(end)), "stripe"] : [iso(day(60)), "operator"])
    await deliverEvent(ended(sub))
    expect(await paid(username)).toEqual([iso(day(60)), "operator"])
  })

  it.each(["unpaid", "past_due", "paused", "incomplete"])(
    "is not shortened by a subscription that is %s",
    async (status) => {
      const { username, sub } = await subscriber({ paid_until: iso(day(60)) })
      await deliverEvent(snapshot(sub, { status, end: day(99) }))
      expect(await paid(username)).toEqual([iso(day(60)), "operator"])
    },
  )

  it("replaces time of Stripe, until that is extended", async () => {
    const { username, sub } = await subscriber()
    await deliverEvent(snapshot(sub))
    await setAccount(username, { paid_until: iso(day(5)) })
    expect(await paid(username)).toEqual([iso(day(5)), "operator"])
    await deliverEvent(snapshot(sub, { end: day(60), created: day(30) }))
    expect(await paid(username)).toEqual([iso(day(60)), "stripe"])
  })

  it("taken away leaves what Stripe says next", async () => {
    const { username, sub } = await subscriber({ paid_until: iso(day(60)) })
    await setAccount(username, { paid_until: null })
    await deliverEvent(snapshot(sub, { status: "incomplete" }))
    expect(await paid(username)).toEqual([null, "operator"])
    await deliverEvent(snapshot(sub, { created: day(1) }))
    expect(await paid(username)).toEqual([iso(day(30)), "stripe"])
  })
})

it("the operator sees the subscriptions of an account that go on", async () => {
  const { username, sub } = await subscriber()
  await deliverEvent(snapshot(sub))
  const browser = await signInOperator()
  expect((await browser.get(pathOf(username))).html).toContain(sub)
  await deliverEvent(ended(sub))
  expect((await browser.get(pathOf(username))).html).not.toContain(sub)
})

describe("an erased account", () => {
  it("takes what is known of its subscriptions along", async () => {
    const { username, sub } = await subscriber()
    await deliverEvent(snapshot(sub))
    await eraseAccount(username)
    expect(await rows("select * from subscriptions where id = ?", sub)).toEqual([])
    expect(await deliverEvent(snapshot(sub, { created: day(1) }))).toBe("kept")
  })

  const WRITE = /^insert into "stripe_events"/

  it("while its checkout is handled is no account", async () => {
    const [username, sub] = [await newAccount(), unique("sub")]
    const DB = beforeCall(WRITE, () => eraseAccount(username))
    expect(await deliverEvent(checkout(sub, username), { DB })).toBe("ignored")
    expect(await rows("select * from subscriptions where id = ?", sub)).toEqual([])
  })

  it("while news of its subscription are handled leaves them to nobody", async () => {
    const { username, sub } = await subscriber()
    const DB = beforeCall(WRITE, () => eraseAccount(username))
    expect(await deliverEvent(snapshot(sub), { DB })).toBe("kept")
    expect(await rows("select account_id, revision from subscriptions where id = ?", sub)).toEqual([
      { account_id: null, revision: 1 },
    ])
  })

  it("and made again does not get what the former one paid for", async () => {
    const { username, sub } = await subscriber()
    await deliverEvent(snapshot(sub))
    await eraseAccount(username)
    await setAccount(username)
    await deliverEvent(snapshot(sub, { created: day(1) }))
    expect(await paid(username)).toEqual([null, null])
  })
})

describe("the sweep", () => {
  it("forgets events and unbound subscriptions after 30 days, and nothing that is bound", async () => {
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
    // What is older than what is known changes nothing, remembered or not.
    await deliverAll(snapshot(sub, { end: day(60), created: day(30) }), old, invoicePaid(sub, day(30)))
    expect(await paid(username)).toEqual([iso(day(60)), "stripe"])
  })
})
