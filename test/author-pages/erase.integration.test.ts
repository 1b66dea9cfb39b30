import { afterEach, beforeEach, expect, it, vi } from "vitest"

import { MAX_D1_TRIES, UPLOAD_GRACE_SECONDS } from "../../src/limits.ts"
import { checkout, deliverEvent, NOW, snapshot } from "../billing/stripe.ts"
import { accountId, eraseAccount, statusOf, stored } from "../calls.ts"
import { failing, faulty, tapD1 } from "../faults.ts"
import { again } from "../faults/pages.ts"
import { auditLogOf } from "../operator/operator.ts"
import { API, call, env, newPost, OPERATOR, passSeconds, rows, runCron, stopClock, unique, upload } from "../support.ts"
import { signIn, whereTo } from "./browser.ts"

beforeEach(() => stopClock(NOW))
afterEach(() => vi.restoreAllMocks())

/** Makes an author with a public post and an image, signed in on a browser. */
const newScene = async (vars: Partial<Env> = {}) => {
  const { browser, ...author } = await signIn({}, vars)
  const { image_id, image_url } = await upload(author)
  const { slug } = await newPost(author, { image_ids: [image_id] })
  const account = await accountId(author)
  /** Returns the statuses of the author's post, API key and image. */
  const state = () =>
    Promise.all([
      statusOf(call("GET", `/@${author.username}/${slug}/`)),
      statusOf(call("GET", `${API}/account/`, { key: author.key })),
      statusOf(call("GET", image_url)),
    ])
  const erase = (username = author.username) => browser.post("/settings/erase/", { username })
  const leftAfterCleanup = async () => {
    passSeconds(UPLOAD_GRACE_SECONDS + 1)
    await runCron()
    return stored(account)
  }
  return { browser, ...author, account, image_id, state, erase, leftAfterCleanup }
}
const COMPLETE = [200, 200, 200]
const ERASED = [404, 401, 404]

it.each(["", "x", "ANN", "everything"])(
  "erasing an account with the wrong username %j is refused, marks the username and deletes nothing",
  async (typed) => {
    const { browser, username, account, image_id, state, erase } = await newScene()
    const { status, headers, html } = await erase(typed)
    expect([status, headers.get("Content-Type")]).toEqual([400, "text/html; charset=UTF-8"])
    expect(html).toMatch(new RegExp(`<input id="username"[^>]* value="${typed}"`))
    expect(html).toMatch(new RegExp(`id="username-error"[^>]*>.*Type ${username}`))
    expect(await state()).toEqual(COMPLETE)
    expect((await stored(account)).files).toEqual([image_id])
    expect((await browser.get("/settings/")).status).toBe(200)
  },
)

it("erasing an account, which its page describes, deletes key, pages, images and all sessions, even of a copied cookie", async () => {
  const { browser, username, account, state, erase, leftAfterCleanup } = await newScene()
  expect((await browser.get("/settings/")).html).toContain('href="/settings/erase/"')
  const page = (await browser.get("/settings/erase/")).html
  for (const text of ["cannot be undone", "1 post with all", username, 'name="username"']) expect(page).toContain(text)
  const stolen = again(browser, {})
  const { status, html, headers } = await erase(` ${username} `)
  expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"])
  for (const text of ["Everything is erased", username]) expect(html).toContain(text)
  expect([...browser.cookies]).toEqual([])
  expect(await state()).toEqual(ERASED)
  for (const each of [browser, stolen])
    for (const answer of [await each.get("/settings/"), await each.post("/settings/erase/")])
      expect(whereTo(answer)).toEqual([303, "/sign-in/"])
  expect(await leftAfterCleanup()).toMatchObject({ rows: [], files: [] })
  for (const table of ["posts", "api_keys", "sessions", "sign_in_links"])
    expect(await rows(`select * from ${table} where account_id = ?`, account), table).toEqual([])
})

it("two concurrent requests to erase one account are both answered, and the account is erased", async () => {
  const { state, erase } = await newScene()
  const answers = await Promise.all([erase(), erase()])
  for (const { status } of answers) expect([200, 303]).toContain(status)
  expect(await state()).toEqual(ERASED)
})

it("erasing an account over https removes the session cookie with the __Host- prefix", async () => {
  const { browser, erase } = await newScene({ PUBLIC_ORIGIN: "https://blog.example", TRANSLATOR: "workers-ai" })
  expect([...browser.cookies.keys()]).toEqual(["__Host-session"])
  expect((await erase()).status).toBe(200)
  expect([...browser.cookies.keys()]).toEqual([])
})

const MARK_ACCOUNT = /^update "accounts" set "erasing_at"/
const LOST = () => new Error("D1_ERROR: Network connection lost.")

/** Returns a D1 binding that loses the batch that begins to erase an account, or its answer, and `more` further calls. */
const losing = (what: "batch" | "answer", more = 0): D1Database => {
  let lost = 0
  return tapD1({
    around: async (run, statements) => {
      const isErasing = lost === 0 && statements.some(({ sql }) => MARK_ACCOUNT.test(sql))
      if (!isErasing && (lost === 0 || lost > more)) return run()
      lost += 1
      if (isErasing && what === "answer") await run()
      throw LOST()
    },
  })
}

it.each<[string, () => Partial<Env>]>([
  ["upload limiter", () => ({ UPLOAD_LIMITER: faulty(env.UPLOAD_LIMITER, { getByName: () => ({ erase: failing }) }) })],
  ["database", () => ({ DB: losing("batch") })],
])("erasing an account answers 503 and deletes nothing if the %s fails, and can be retried", async (_, faults) => {
  const { browser, username, account, image_id, state, erase } = await newScene()
  const unlucky = again(browser, faults())
  expect((await unlucky.post("/settings/erase/", { username })).status).toBe(503)
  expect([await state(), (await again(unlucky, {}).get("/settings/")).status]).toEqual([COMPLETE, 200])
  expect((await stored(account)).files).toEqual([image_id])
  expect((await erase()).status).toBe(200)
  expect(await state()).toEqual(ERASED)
})

it("erasing an account succeeds if the database did the work and only its answer was lost", async () => {
  const { browser, username, state, leftAfterCleanup } = await newScene()
  const unlucky = again(browser, { DB: losing("answer") })
  const { status, html } = await unlucky.post("/settings/erase/", { username })
  expect([status, html, [...unlucky.cookies]]).toEqual([200, expect.stringContaining("Everything is erased"), []])
  expect(await state()).toEqual(ERASED)
  expect(await leftAfterCleanup()).toMatchObject({ rows: [], files: [] })
})

it("erasing an account answers 503 if its outcome is unknown, and the audit log shows the erasure", async () => {
  const author = await newScene()
  const faults = { DB: losing("answer", MAX_D1_TRIES) }
  const path = `/operator/api/accounts/${author.username}/`
  const { status, headers } = await call("DELETE", path, { headers: OPERATOR, env: faults })
  expect([status, headers.get("Retry-After")]).toEqual([503, expect.any(String)])
  expect(await author.state()).toEqual(ERASED)
  expect((await eraseAccount(author)).status).toBe(204)
  expect((await auditLogOf(author.username)).at(-1)).toBe("api erase_account")
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
const newSubscriber = async (status: string | null) => {
  const author = await signIn({ paid_until: null }, { STRIPE_PAYMENT_LINK: "https://buy.stripe.example/abc?a=b" })
  const link = `href="https://buy.stripe.example/abc?a=b&amp;client_reference_id=${author.username}"`
  const showsLink = async () => (await author.browser.get("/settings/")).html.includes(link)
  expect(await showsLink(), "the payment link before a subscription").toBe(true)
  const sub = unique("sub")
  await deliverEvent(checkout(sub, author.username))
  if (status) await deliverEvent(snapshot(sub, { status }))
  return { ...author, sub, showsLink }
}

it.each([
  ...["active", "trialing", "past_due", "unpaid", "paused", "incomplete", null].map(
    (status) => [status, true] as const,
  ),
  ...["canceled", "incomplete_expired"].map((status) => [status, false] as const),
])(
  "with a subscription that is %s, settings without payment link, the page for erasing and the log say that it continues: %s",
  async (status, continues) => {
    const erased = listen()
    const { browser, username, sub, showsLink } = await newSubscriber(status)
    expect(await showsLink()).toBe(!continues)
    const page = await browser.get("/settings/erase/")
    const answer = await browser.post("/settings/erase/", { username })
    expect([page.html.includes(GOES_ON), answer.html.includes(GOES_ON)]).toEqual([continues, continues])
    const details = continues ? { level: "warn", subscriptions: [sub] } : { level: "info", subscriptions: [] }
    expect(erased()).toEqual([expect.objectContaining({ ...details, username, request_id: expect.any(String) })])
  },
)

it("the settings and the log of the operator's erasure name a subscription that is past due", async () => {
  const erased = listen()
  const { browser, username, sub } = await newSubscriber("past_due")
  expect((await browser.get("/settings/")).html).toContain("a subscription of this account that is not paid for now")
  await eraseAccount({ username })
  expect(erased()).toEqual([expect.objectContaining({ username, subscriptions: [sub] })])
})
