import { expect, it } from "vitest"

import { signIn } from "../author-pages/browser.ts"
import { create, patch } from "../calls.ts"
import { API, call, runCron, stopClock, unique } from "../support.ts"
import { newQueue, receive, type Received } from "./receiver.ts"

const PAGE = "/settings/webhooks/"
const HOOKS = `${API}/webhooks/`
const HOUR = 3600

/** Makes an author with an endpoint. */
const newScene = async () => {
  stopClock()
  const { vars, run } = newQueue()
  const { browser, ...author } = await signIn({}, vars)
  const { key } = author
  const { json } = await call("POST", HOOKS, { key, json: { url: "https://hooks.example/" } })
  const { id } = json.webhook
  return {
    author,
    vars,
    run,
    browser,
    publish: (slug: string) => create(author, { slug }, vars),
    endpoint: async () => (await call("GET", HOOKS, { key })).json.webhooks[0],
    deliveries: async () => (await call("GET", `${HOOKS}deliveries/`, { key })).json.deliveries,
    /** Lets hours pass, in which the cron runs now and then. */
    pass: async (hours: number) => {
      for (let passed = 0; passed < hours; passed += 1) {
        await runCron(vars)
        await run(HOUR)
      }
      await runCron(vars)
      await run()
    },
    switchOn: () => browser.post(`${PAGE}test/`, { id }),
  }
}

const told = (all: Received[]) => all.map(({ json }) => `${json.type} ${json.data.post?.slug ?? ""}`)

it.each<[status: number, retryAfter: () => string, seconds: number]>([
  [429, () => "100", 100],
  [503, () => new Date(Date.now() + 100_000).toUTCString(), 100],
  [301, () => "100", 100],
  [429, () => "1000000", 6 * HOUR],
])(
  "an endpoint that answers %i with Retry-After gets the event at that time, within six hours, and has not failed",
  async (status, retryAfter, seconds) => {
    const { run, vars, publish, endpoint, deliveries, browser } = await newScene()
    const all = receive((_, nth) => (nth < 4 ? [status, retryAfter()] : 204))
    await publish(unique("later"))
    await run()
    expect((await browser.get(PAGE)).html).toContain(`last answer ${status}`)
    for (const nth of [1, 2, 3]) {
      expect(await endpoint()).toMatchObject({ failing_since: null, disabled_at: null })
      expect(await deliveries()).toMatchObject([{ status: "waiting", attempts: 0, answer_status: status }])
      await run(seconds - 2)
      expect(all.length).toBe(nth)
      await run(2)
      await runCron(vars)
      await run()
      expect(all.length).toBe(nth + 1)
    }
    expect(await deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }])
  },
)

it.each(["soon", "-100", "0", "Sun, 06 Nov 1994 08:49:37 GMT"])(
  "an endpoint that answers 503 with Retry-After %s has failed as without",
  async (retryAfter) => {
    const { run, publish, endpoint, deliveries } = await newScene()
    const all = receive(() => [503, retryAfter])
    await publish(unique("failed"))
    await run(9)
    expect(all.length).toBe(1)
    await run(41)
    expect(all.length).toBe(3)
    expect(await endpoint()).toMatchObject({ failing_since: expect.any(String) })
    expect(await deliveries()).toMatchObject([{ attempts: 3 }])
  },
)

it("an event for which an endpoint asks to wait for ever has failed after a day, and the endpoint stays on", async () => {
  const { publish, endpoint, deliveries, pass } = await newScene()
  const all = receive(() => [429, "20000"])
  const slug = unique("never")
  await publish(slug)
  await pass(31)
  expect(await deliveries()).toMatchObject([{ status: "failed", answer_status: 429 }])
  expect(await endpoint()).toMatchObject({ failing_since: null, disabled_at: null })
  // At once, and every six hours, since the cron of this test runs each hour.
  expect(told(all).filter((event) => event.endsWith(slug)).length).toBe(5)
})

it("an endpoint that answers 410 is switched off at once, and gets what waited if it is switched on within a day", async () => {
  const { author, vars, run, publish, endpoint, deliveries, browser, pass, switchOn } = await newScene()
  const all = receive((_, nth) => (nth === 1 ? 410 : 200))
  const slugs = ["one", "two", "three"].map(unique)
  for (const slug of slugs) await publish(slug)
  await patch(author, slugs[0] ?? "", { title: "Changed" }, { env: vars })
  await run()
  expect(told(all)).toEqual([`post.published ${slugs[0]}`])
  expect(await endpoint()).toMatchObject({ disabled_at: expect.any(String), disabled_reason: "gone" })
  expect((await browser.get(PAGE)).html).toContain("It has answered 410, so it has been told of nothing since")
  // What happens meanwhile is not told, and takes nothing of what waits.
  await publish(unique("meanwhile"))
  await patch(author, slugs[0] ?? "", { title: "Changed again" }, { env: vars })
  await pass(23)
  expect(all.length).toBe(1)
  await switchOn()
  await pass(1)
  expect(await endpoint()).toMatchObject({ failing_since: null, disabled_at: null, disabled_reason: null })
  expect(told(all.slice(1)).toSorted()).toEqual(
    [...slugs.map((slug) => `post.published ${slug}`), `post.updated ${slugs[0]}`, "test "].toSorted(),
  )
  expect(new Set((await deliveries()).map(({ status }: { status: string }) => status))).toEqual(new Set(["delivered"]))
})

it("an endpoint that is switched on more than a day after its 410 gets a test and later events, nothing of before", async () => {
  const { publish, pass, switchOn } = await newScene()
  const all = receive((_, nth) => (nth === 1 ? 410 : 200))
  await publish(unique("before"))
  await pass(25)
  await switchOn()
  const later = unique("later")
  await publish(later)
  await pass(1)
  expect(told(all.slice(1))).toEqual(["test ", `post.published ${later}`])
})
