import { Webhook } from "standardwebhooks"
import { expect, it } from "vitest"

import { hmac } from "../../src/tokens.ts"
import { Browser, fieldOf, newLink, signIn, whereTo } from "../author-pages/browser.ts"
import { create } from "../calls.ts"
import { failing, tapD1 } from "../faults.ts"
import { API, type Author, call, env, OPERATOR, passSeconds, rows, runCron, stopClock, unique } from "../support.ts"
import { newQueue, receive, type Received } from "./receiver.ts"

const PAGE = "/settings/webhooks/"
const HOOKS = `${API}/webhooks/`
const DAY = 86_400

/** Returns the secret of an endpoint of an earlier version. */
const derivedOf = async (id: string, token = OPERATOR.Authorization.replace("Bearer ", "")): Promise<string> =>
  `whsec_${(await hmac(new TextEncoder().encode(token), `webhook ${id}`)).toBase64()}`

const verifies = (secret: string, { body, headers }: Received): boolean => {
  // The library takes messages of five minutes.
  const at = Date.now()
  passSeconds((Number(headers.get("webhook-timestamp")) * 1000 - at) / 1000)
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers))
    return true
  } catch {
    return false
  } finally {
    stopClock(new Date(at))
  }
}

const add = async ({ key }: Author, url: string, vars: Partial<Env> = {}) =>
  call("POST", HOOKS, { key, json: { url }, env: vars, headers: { "Idempotency-Key": unique("key") } })

/** Makes an author with an endpoint. @param isOld as an earlier version has made it */
const newScene = async ({ isOld = false } = {}) => {
  stopClock()
  const { queue, vars, run, sent } = newQueue()
  const { browser, ...author } = await signIn({}, vars)
  const { json } = await add(author, "https://hooks.example/")
  const { id } = json.webhook
  if (isOld) await rows("update webhook_endpoints set secret = null where id = ?", id)
  const secret: string = isOld ? await derivedOf(id) : json.webhook.secret
  const publish = () => create(author, { slug: unique("told") }, vars)
  return { queue, vars, run, sent, browser, author, id, secret, publish }
}

/** Returns the secret that the page shows. */
const shownBy = async (browser: Browser): Promise<string> => {
  const { html } = await browser.get(PAGE)
  return /<code>(whsec_[^<]*)<\/code>/.exec(html)?.[1]?.replaceAll("&#43;", "+") ?? html
}

/** Returns the browser for a service with other bindings. */
const copyOf = (browser: Browser, faults: Partial<Env>): Browser => {
  const copy = new Browser(faults)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

/** Sends the form of a new secret as the page has it now. */
const rotate = async (browser: Browser, id: string) => {
  const seen = fieldOf((await browser.get(PAGE)).html, "seen") ?? ""
  return whereTo(await browser.post(`${PAGE}rotate/`, { id, seen }))
}
const SAVED = [303, `${PAGE}?saved=1`]
const UNCHANGED = [303, `${PAGE}?unchanged=1`]

it("a new endpoint has a random secret, shown by POST and to a recent sign-in alone, and stored encrypted for it", async () => {
  const { author, browser, secret, id, publish, run } = await newScene()
  const [row] = await rows("select secret from webhook_endpoints where id = ?", id)
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect([row?.["secret"], secret]).not.toContain(await derivedOf(id))
  expect(atob(String(row?.["secret"]))).not.toContain(secret)
  expect(await shownBy(browser)).toBe(secret)
  expect((await call("GET", HOOKS, author)).text).not.toContain("secret")
  // A repeated request shows none: the address is there.
  const again = await add(author, "https://hooks.example/")
  expect([again.status, again.text.includes("whsec_")]).toEqual([400, false])
  expect(JSON.stringify(await rows("select * from idempotency_keys"))).not.toContain("whsec_")
  const all = receive()
  await publish()
  await run()
  expect(all.map((each) => verifies(secret, each))).toEqual([true])
  passSeconds(600)
  const { html } = await browser.get(PAGE)
  expect([html.includes("whsec_"), html.includes(`href="${PAGE}again/"`)]).toEqual([false, true])
  await browser.post(await newLink(author.username))
  expect(await shownBy(browser)).toBe(secret)
})

it("an endpoint of an earlier version goes on with its secret, and is rotated with both signatures for a day", async () => {
  const { vars, run, browser, author, id, secret, publish } = await newScene({ isOld: true })
  const all = receive()
  const tell = async (faults: Partial<Env> = {}) => {
    await publish()
    await run(1, { ...vars, ...faults })
    return all.at(-1) as Received
  }
  expect(await shownBy(browser)).toBe(secret)
  expect(verifies(secret, await tell())).toBe(true)
  expect(await rotate(browser, id)).toEqual(SAVED)
  const second = await shownBy(browser)
  // The operator's token may be another one at once.
  const other = { OPERATOR_TOKEN: "another-token-of-at-least-32-characters" } as Partial<Env>
  const both = await tell(other)
  expect([verifies(secret, both), verifies(second, both)]).toEqual([true, true])
  const [newest] = (both.headers.get("webhook-signature") ?? "").split(" ")
  const first = {
    ...both,
    headers: new Headers({ ...Object.fromEntries(both.headers), "webhook-signature": newest ?? "" }),
  }
  expect([verifies(secret, first), verifies(second, first)]).toEqual([false, true])
  // A form that is sent again, or one of now, loses neither.
  for (const seen of ["0", String(Date.now())])
    expect(whereTo(await browser.post(`${PAGE}rotate/`, { id, seen }))).toEqual(UNCHANGED)
  expect(await shownBy(browser)).toBe(second)
  passSeconds(DAY - 5)
  const last = await tell()
  expect([verifies(secret, last), verifies(second, last)]).toEqual([true, true])
  passSeconds(5)
  const after = await tell()
  expect([verifies(secret, after), verifies(second, after)]).toEqual([false, true])
  await browser.post(await newLink(author.username))
  expect(await rotate(browser, id)).toEqual(SAVED)
  const third = await shownBy(browser)
  const later = await tell()
  expect([secret, second, third].map((each) => verifies(each, later))).toEqual([false, true, true])
})

it("nobody makes a new secret for the endpoint of another author", async () => {
  const { id, secret, browser } = await newScene()
  const { browser: other } = await signIn()
  expect(whereTo(await other.post(`${PAGE}rotate/`, { id, seen: "0" }))).toEqual(UNCHANGED)
  expect(await shownBy(browser)).toBe(secret)
})

it.each(["before", "after"])(
  "a rotation whose calls of the database fail one after another, %s their effect, leaves every event verifiable",
  async (when) => {
    let count = 1
    for (let nth = 1; count >= nth - 1; nth += 1) {
      const { vars, run, id, secret, publish, browser } = await newScene({ isOld: nth % 2 === 0 })
      const all = receive()
      count = 0
      const DB = tapD1({
        around: async (make) => {
          count += 1
          if (count !== nth) return make()
          if (when === "after") await make()
          return failing()
        },
      })
      await publish()
      await copyOf(browser, { ...vars, DB }).post(`${PAGE}rotate/`, { id, seen: "0" })
      const told = await shownBy(browser)
      await publish()
      await run(60)
      expect(all.length, `call ${nth}`).toBe(2)
      for (const each of all)
        expect([verifies(secret, each), verifies(told, each)], `call ${nth}`).toEqual([true, true])
      // Sent again, it has taken effect once.
      await browser.post(`${PAGE}rotate/`, { id, seen: "0" })
      await publish()
      await run(60)
      const event = all.at(-1) as Received
      const shown = await shownBy(browser)
      expect([shown === secret, verifies(secret, event), verifies(shown, event)]).toEqual([false, true, true])
      expect([secret, shown]).toContain(told)
    }
    expect(count).toBeGreaterThan(1)
  },
)

it("an event is verifiable if its endpoint is rotated before any one call of the run that delivers it", async () => {
  let calls = 1
  for (let nth = 1; nth <= calls; nth += 1) {
    const { vars, run, browser, id, secret, publish } = await newScene({ isOld: nth % 2 === 0 })
    const all = receive()
    await publish()
    let count = 0
    const rotated: unknown[] = []
    const before = async () => {
      count += 1
      if (count === nth) rotated.push(await rotate(browser, id))
    }
    await run(60, { ...vars, DB: tapD1({ before }) })
    calls = Math.max(calls, count)
    expect([rotated, all.map((each) => verifies(secret, each))]).toEqual([[SAVED], [true]])
  }
  expect(calls).toBeGreaterThan(2)
})

it("without WEBHOOK_SECRET, endpoints of before go on, and none is added or rotated, which says what is missing", async () => {
  const { run, vars, browser, author, id, secret, publish } = await newScene({ isOld: true })
  const all = receive()
  const none = { WEBHOOK_SECRET: "" } as Partial<Env>
  await publish()
  await run(1, { ...vars, ...none })
  expect(all.map((each) => verifies(secret, each))).toEqual([true])
  const { status, json } = await add(author, "https://second.example/", none)
  expect([status, json.code, json.detail]).toEqual([
    500,
    "misconfigured",
    "WEBHOOK_SECRET is not set. Ask the operator of the service to set it.",
  ])
  const without = copyOf(browser, none)
  expect((await without.post(PAGE, { url: "https://second.example/" })).html).toContain("WEBHOOK_SECRET is not set")
  expect((await without.post(`${PAGE}rotate/`, { id, seen: "0" })).html).toContain("WEBHOOK_SECRET is not set")
  expect(await rows("select url, secret from webhook_endpoints where id = ?", id)).toEqual([
    { url: "https://hooks.example/", secret: null },
  ])
  expect(await shownBy(without)).toBe(secret)
  const short = { WEBHOOK_SECRET: "short" } as Partial<Env>
  expect((await call("GET", HOOKS, { ...author, env: short })).json.detail).toContain("WEBHOOK_SECRET must have")
})

it("WEBHOOK_SECRET is rotated by a second one, and an event waits while none decrypts, or the row has another's secret", async () => {
  const { run, vars, browser, author, id, secret, publish } = await newScene()
  const other = (await add(author, "https://other.example/")).json.webhook
  const [old, next] = [env.WEBHOOK_SECRET, "another-secret-of-at-least-32-characters"]
  const having = (WEBHOOK_SECRET: string) => ({ ...vars, WEBHOOK_SECRET }) as Partial<Env>
  const all = receive()
  await publish()
  await run(1, having(next))
  expect(all).toEqual([])
  expect((await copyOf(browser, having(next)).get(PAGE)).html).toContain("cannot be read: make a new one")
  await rows(
    "update webhook_endpoints set secret = (select secret from webhook_endpoints where id = ?) where id = ?",
    id,
    other.id,
  )
  // The failed run has its lease for some minutes.
  await run(200, having(next))
  await runCron(having(next))
  await run(60, having(`${next}, ${old}`))
  expect(all.map(({ url }) => url)).toEqual(["https://hooks.example/"])
  expect(verifies(secret, all[0] as Received)).toBe(true)
  // A new secret ends what cannot be read.
  const rotated = copyOf(browser, having(`${next},${old}`))
  await rotated.post(`${PAGE}rotate/`, { id: other.id, seen: "0" })
  await run(200, having(next))
  await runCron(having(next))
  await run(60, having(next))
  const event = all.find(({ url }) => url === "https://other.example/") as Received
  const { html } = await copyOf(browser, having(next)).get(PAGE)
  const [, shown = ""] = /<code>(whsec_[^<]*)<\/code>/.exec(html) ?? []
  expect(verifies(shown, event)).toBe(true)
})
