import { afterEach, describe, expect, it, vi } from "vitest"

import { UPLOAD_GRACE_SECONDS, MAX_D1_TRIES } from "../../src/limits.ts"
import { checkout, deliverEvent, eraseAccount, NOW, snapshot } from "../billing/stripe.ts"
import { accountId, stored } from "../calls.ts"
import { failing, faulty, tapD1 } from "../faults.ts"
import { auditLogOf } from "../operator/operator.ts"
import { API, call, env, newPost, OPERATOR, passSeconds, rows, runCron, stopClock, unique, upload } from "../support.ts"
import { Browser, signIn } from "./browser.ts"

afterEach(() => vi.restoreAllMocks())

/** Makes an author with a public post and an image, signed in on two browsers. */
const scene = async (vars: Partial<Env> = {}) => {
  stopClock()
  const { browser, ...author } = await signIn({}, vars)
  const { image_id, image_url } = await upload(author)
  const { slug } = await newPost(author, { image_ids: [image_id] })
  const account = await accountId(author)
  const page = async () => (await call("GET", `/@${author.username}/${slug}/`)).status
  const key = async () => (await call("GET", `${API}/account/`, { key: author.key })).status
  const erase = (username: string) => browser.post("/settings/erase/", { username })
  return { browser, ...author, account, slug, image_url, image_id, state: { page, key }, erase }
}

it("the page for erasing an account says what is deleted and asks for the username", async () => {
  const { browser, username } = await scene()
  expect((await browser.get("/settings/")).html).toContain('href="/settings/erase/"')
  const { status, html } = await browser.get("/settings/erase/")
  expect(status).toBe(200)
  for (const text of ["cannot be undone", "1 post with all", username, 'name="username"']) expect(html).toContain(text)
})

it.each(["", "x", "ANN", "everything"])(
  "erasing an account with the wrong username %j is refused and deletes nothing",
  async (typed) => {
    const { browser, account, image_id, state, erase } = await scene()
    const { status, headers, html } = await erase(typed)
    expect([status, headers.get("Content-Type")]).toEqual([400, "text/html; charset=UTF-8"])
    expect(html).toContain("username")
    expect([await state.page(), await state.key()]).toEqual([200, 200])
    expect((await stored(account)).files).toEqual([image_id])
    expect((await browser.get("/settings/")).status).toBe(200)
  },
)

it("erasing an account deletes its key, pages, images and all sessions, even those of a copied cookie", async () => {
  const { browser, username, account, image_url, state, erase } = await scene()
  const stolen = new Browser()
  for (const [name, value] of browser.cookies) stolen.cookies.set(name, value)
  const { status, html, headers } = await erase(` ${username} `)
  expect(status).toBe(200)
  expect(html).toContain("Everything is erased")
  expect(html).toContain(username)
  expect(headers.get("Cache-Control")).toBe("no-store")
  expect([...browser.cookies]).toEqual([])
  expect([await state.key(), await state.page(), (await call("GET", image_url)).status]).toEqual([401, 404, 404])
  for (const each of [browser, stolen])
    for (const answer of [await each.get("/settings/"), await each.post("/settings/erase/")])
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/sign-in/"])
  passSeconds(UPLOAD_GRACE_SECONDS + 1)
  await runCron()
  expect(await stored(account)).toMatchObject({ rows: [], files: [] })
  for (const table of ["posts", "api_keys", "sessions", "sign_in_links"])
    expect(await rows(`select * from ${table} where account_id = ?`, account), table).toEqual([])
})

it("two concurrent requests to erase one account are both answered, and the account is erased", async () => {
  const { username, state, erase } = await scene()
  const answers = await Promise.all([erase(username), erase(username)])
  expect(answers.map(({ status }) => status).every((status) => [200, 303].includes(status))).toBe(true)
  expect(await state.key()).toBe(401)
})

it("erasing an account over https removes the session cookie with the __Host- prefix", async () => {
  const { browser, username, erase } = await scene({ PUBLIC_ORIGIN: "https://blog.example", TRANSLATOR: "workers-ai" })
  expect([...browser.cookies.keys()]).toEqual(["__Host-session"])
  expect((await erase(username)).status).toBe(200)
  expect([...browser.cookies.keys()]).toEqual([])
})

it("erasing an account answers 503 and deletes nothing if the upload limiter fails, and can be retried", async () => {
  const vars: Partial<Env> = { UPLOAD_LIMITER: env.UPLOAD_LIMITER }
  const { username, state, erase } = await scene(vars)
  vars.UPLOAD_LIMITER = faulty(env.UPLOAD_LIMITER, { getByName: () => ({ erase: failing }) })
  expect((await erase(username)).status).toBe(503)
  expect([await state.page(), await state.key()]).toEqual([200, 200])
  delete vars.UPLOAD_LIMITER
  expect((await erase(username)).status).toBe(200)
})

const DELETE_ACCOUNT = /^delete from "accounts"/
const LOST = () => new Error("D1_ERROR: Network connection lost.")

/** Returns a D1 binding that loses the batch deleting an account, or its answer, and `more` further answers. */
const losing = (what: "batch" | "answer", more = 0): D1Database => {
  let isDeleting = false
  let left = -1
  return tapD1({
    before: (statements) => {
      isDeleting = left === -1 && statements.some(({ sql }) => DELETE_ACCOUNT.test(sql))
      if (isDeleting) left = more
      else if (left > 0) {
        left -= 1
        throw LOST()
      }
      if (isDeleting && what === "batch") throw LOST()
    },
    around: async (run) => {
      const answer = await run()
      if (isDeleting) throw LOST()
      return answer
    },
  })
}

it("erasing an account answers 503 and deletes nothing if the database fails, and can be retried", async () => {
  const vars: Partial<Env> = {}
  const { browser, username, account, image_id, state, erase } = await scene(vars)
  vars.DB = losing("batch")
  expect((await erase(username)).status).toBe(503)
  delete vars.DB
  expect([await state.page(), await state.key(), (await browser.get("/settings/")).status]).toEqual([200, 200, 200])
  expect((await stored(account)).files).toEqual([image_id])
  expect((await erase(username)).status).toBe(200)
  expect(await state.key()).toBe(401)
})

it("erasing an account succeeds if the database did the work and only its answer was lost", async () => {
  const vars: Partial<Env> = {}
  const { browser, username, account, state, erase } = await scene(vars)
  vars.DB = losing("answer")
  const { status, html } = await erase(username)
  expect([status, html.includes("Everything is erased"), [...browser.cookies]]).toEqual([200, true, []])
  delete vars.DB
  expect([await state.key(), await state.page()]).toEqual([401, 404])
  passSeconds(UPLOAD_GRACE_SECONDS + 1)
  await runCron()
  expect(await stored(account)).toMatchObject({ rows: [], files: [] })
})

it("erasing an account answers 503 if its outcome is unknown, and the audit log shows the erasure", async () => {
  const { username, state } = await scene()
  const path = `/operator/api/accounts/${username}/`
  const { status, headers } = await call("DELETE", path, {
    headers: OPERATOR,
    env: { DB: losing("answer", MAX_D1_TRIES) },
  })
  expect([status, headers.get("Retry-After")]).toEqual([503, expect.any(String)])
  expect(await state.key()).toBe(401)
  expect((await call("DELETE", path, { headers: OPERATOR })).status).toBe(404)
  expect((await auditLogOf(username)).at(-1)).toBe("api erase_account")
})

const GOES_ON = "subscription continues"

/** Records the log lines about erased accounts. */
const listen = () => {
  const lines: Record<string, unknown>[] = []
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(JSON.parse(line)))
  return () => lines.filter(({ message }) => message === "account.erased")
}

/** Makes an author with a subscription; with null only its checkout is known. */
const subscribed = async (status: string | null) => {
  stopClock(NOW)
  const { browser, username } = await signIn({ paid_until: null })
  const sub = unique("sub")
  await deliverEvent(checkout(sub, username))
  if (status) await deliverEvent(snapshot(sub, { status }))
  return { browser, username, sub }
}

describe("erasing an account with a subscription", () => {
  it.each(["active", "trialing", "past_due", "unpaid", "paused", "incomplete", null])(
    "erasing an account with a subscription that is %s: pages and log say that the subscription continues",
    async (status) => {
      const erased = listen()
      const { browser, username, sub } = await subscribed(status)
      expect((await browser.get("/settings/erase/")).html).toContain(GOES_ON)
      expect((await browser.post("/settings/erase/", { username })).html).toContain(GOES_ON)
      expect(erased()).toEqual([
        expect.objectContaining({ level: "warn", username, subscriptions: [sub], request_id: expect.any(String) }),
      ])
    },
  )

  it.each(["canceled", "incomplete_expired"])(
    "erasing an account with a subscription that is %s: pages and log do not mention the subscription",
    async (status) => {
      const erased = listen()
      const { browser, username } = await subscribed(status)
      expect((await browser.get("/settings/erase/")).html).not.toContain(GOES_ON)
      expect((await browser.post("/settings/erase/", { username })).html).not.toContain(GOES_ON)
      expect(erased()).toEqual([expect.objectContaining({ level: "info", username, subscriptions: [] })])
    },
  )

  it("the log of an account's erasure by the operator has the id of a subscription that continues", async () => {
    const erased = listen()
    const { username, sub } = await subscribed("active")
    await eraseAccount(username)
    expect(erased()).toEqual([expect.objectContaining({ username, subscriptions: [sub] })])
  })

  it("the settings show no payment link after a Stripe checkout whose subscription event has not arrived", async () => {
    stopClock(NOW)
    const { browser, username } = await signIn(
      { paid_until: null },
      { STRIPE_PAYMENT_LINK: "https://buy.stripe.example/abc" },
    )
    expect((await browser.get("/settings/")).html).toContain("https://buy.stripe.example/abc")
    await deliverEvent(checkout(unique("sub"), username))
    expect((await browser.get("/settings/")).html).not.toContain("https://buy.stripe.example/abc")
  })
})
