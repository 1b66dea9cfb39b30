import { expect, it, vi } from "vitest"

import { checkout, deliverEvent, snapshot } from "../billing/stripe.ts"
import { accountId, eraseAccount, setAccount } from "../calls.ts"
import { failing, faulty, measuredD1, tapD1 } from "../faults.ts"
import { insertPosts } from "../many-posts.ts"
import { pathOf, seenOf, signInOperator } from "../operator/operator.ts"
import {
  API,
  type Author,
  call,
  deliver,
  env,
  OPERATOR,
  passSeconds,
  rows,
  runCron,
  runTranslations,
} from "../support.ts"
import { type Desk, newDesk, newQueued, setUpTranslations } from "./author.ts"
import { holdEngine, watchEngine } from "./engine.ts"

// What waits of accounts that are not served, or have no characters left today.

setUpTranslations()

const PAST = "2020-01-01T00:00:00Z"
const FUTURE = "2099-01-01T00:00:00Z"
/** Posts and texts of one step of the scheduled job, and its steps. */
const [A_STEP, STEPS] = [10, 100]

/** Inserts posts whose French text waits, all since the same moment a day ago. */
const insertWaiting = async (author: Author, posts: number): Promise<void> => {
  await insertPosts(author, `${author.username}-`, posts)
  await rows(`update posts set translation_languages = '["fr"]' where id like '01M%'`)
  await rows(`insert into texts (post_id, lang_code, image_ids, versions, edited, status, warnings, updated_at, changed_at, due_at)
    select id, 'fr', '[]', '{}', '[]', 'queued', '[]', 0, 0, ${Date.now()} - 86400000 from posts where id like '01M%'`)
}

/** Runs work with a database that counts the rows read: of all its calls, and of the one that reads the most. */
const countRows = async (work: (changes: Partial<Env>) => Promise<unknown>) => {
  const { DB, sum, calls } = measuredD1()
  await work({ DB })
  return { all: sum.rows_read, most: Math.max(...calls.map(({ rows_read }) => rows_read)) }
}

const patchAccount = (desk: Desk, json: unknown, changes: Partial<Env> = {}) =>
  call("PATCH", `/operator/api/accounts/${desk.username}/`, {
    headers: OPERATOR,
    json,
    env: { ...desk.env, ...changes },
  })

const pausedOf = async (author: Author): Promise<number> =>
  (await rows("select * from paused_posts where account_id = ?", await accountId(author))).length

/** Runs the scheduled job a minute later. @returns the number of posts that it wakes */
const nextMinute = async ({ env: own, wakeUps }: Desk, changes: Partial<Env> = {}): Promise<number> => {
  passSeconds(60)
  wakeUps.sent.splice(0)
  await runCron({ ...own, ...changes })
  return wakeUps.sent.length
}

it("what waits of a lapsed account costs the scheduled job, /healthz/ and an operator's change the same, however much it is", async () => {
  const costs = []
  for (const posts of [50, 1050]) {
    const desk = await newDesk({ paid_until: PAST })
    await insertWaiting(desk, posts)
    passSeconds(3600)
    const health = await countRows((changes) => call("GET", "/healthz/", { env: changes }))
    // The first minutes take the texts out of the index of what is due.
    const first = await countRows((changes) => nextMinute(desk, changes))
    await nextMinute(desk)
    expect(await pausedOf(desk)).toBe(posts)
    const later = await countRows((changes) => nextMinute(desk, changes))
    const change = await countRows((changes) => patchAccount(desk, { paid_until: FUTURE }, changes))
    expect(desk.wakeUps.sent).toHaveLength(A_STEP)
    expect(Math.max(first.most, health.all, later.all, change.all)).toBeLessThan(200)
    costs.push([health.all, later.all, change.all])
  }
  // Other tests leave a row or two for other jobs of the minute.
  for (const [i, many] of (costs[1] ?? []).entries())
    expect(Math.abs(many - (costs[0]?.[i] ?? 0))).toBeLessThanOrEqual(5)
})

const BROKEN = { TRANSLATIONS: faulty(env.TRANSLATIONS, { send: failing, sendBatch: failing }) }
const ONE_DAY = 24 * 60 * 60

type Change = (desk: Desk) => Promise<unknown>
const onPage =
  (form: string, fields: Record<string, string>): Change =>
  async ({ username }) => {
    const browser = await signInOperator(BROKEN)
    const seen = await seenOf(browser, username)
    expect((await browser.post(`${pathOf(username)}${form}/`, { seen, ...fields })).headers.get("Location")).toContain(
      "saved",
    )
  }
const pays: Change = async ({ username }) => {
  const end = Date.now() / 1000 + ONE_DAY
  const created = Math.floor(Date.now() / 1000)
  await deliverEvent(checkout(username, username, created))
  await deliverEvent(snapshot(username, { end: Math.floor(end), created }))
}
const patches =
  (json: unknown): Change =>
  (desk) =>
    patchAccount(desk, json, BROKEN)

/** The account's paid time ends. */
const lapses: Change = async (desk) => {
  await patchAccount(desk, { paid_until: new Date(Date.now() + 1000).toISOString() })
  passSeconds(1)
}

it.each<[string, string, Change, Change]>([
  ["restricted", "a PATCH", patches({ restricted: true }), patches({ restricted: false })],
  ["hidden", "a PATCH", patches({ hidden: true }), patches({ hidden: false })],
  ["unpaid", "a PATCH", patches({ paid_until: PAST }), patches({ paid_until: FUTURE })],
  [
    "restricted",
    "the operator's page",
    onPage("restricted", { value: "true" }),
    onPage("restricted", { value: "false" }),
  ],
  ["hidden", "the operator's page", onPage("hidden", { value: "true" }), onPage("hidden", { value: "false" })],
  ["unpaid", "the operator's page", lapses, onPage("paid-until", { paid_until: "2099-01-01" })],
  ["unpaid", "a payment at Stripe", lapses, pays],
])(
  "translations of a %s account are paused, and go on a minute after it is served again by %s, if no message was sent",
  async (_, _by, pause, resume) => {
    const { desk, slug } = await newQueued({ translation_languages: ["fr", "de"] })
    await pause(desk)
    expect([await nextMinute(desk), await nextMinute(desk), await pausedOf(desk)]).toEqual([0, 0, 1])
    await resume(desk)
    expect(await nextMinute(desk)).toBe(1)
    await desk.run()
    expect(await desk.translations(slug)).toMatchObject({ fr: { status: "ready" }, de: { status: "ready" } })
    expect(await pausedOf(desk)).toBe(0)
    expect(await rows("select resumes_at from accounts where username = ?", desk.username)).toEqual([
      { resumes_at: null },
    ])
  },
)

/** Creates a post whose French text is paused, since its account is hidden: its author may still change it. */
const newPaused = async () => {
  const post = await newQueued()
  await patchAccount(post.desk, { hidden: true })
  await nextMinute(post.desk)
  expect(await nextMinute(post.desk)).toBe(0)
  expect(await pausedOf(post.desk)).toBe(1)
  const show = async () => {
    await patchAccount(post.desk, { hidden: false })
    await post.run()
  }
  return { ...post, show }
}

it("a text that its author changes while it is paused is translated as it is then, once its account is served again", async () => {
  const { desk, patch, run, show, bodyIn } = await newPaused()
  const calls = watchEngine()
  await patch({ body: "Newer words" })
  await run()
  await nextMinute(desk)
  expect(await nextMinute(desk)).toBe(0)
  await show()
  expect([calls.length, await bodyIn(), await pausedOf(desk)]).toEqual([1, "Newer·fr words·fr", 0])
})

it.each<[string, (post: Awaited<ReturnType<typeof newPaused>>) => Promise<unknown>]>([
  ["post that is deleted", ({ desk, slug }) => desk.send("DELETE", `${slug}/`)],
  ["post whose account is erased", ({ desk }) => eraseAccount(desk)],
])("a paused %s is paused no more, and starts no translation", async (_, end) => {
  const post = await newPaused()
  await end(post)
  expect(await rows("select * from paused_posts")).toEqual([])
  await post.show()
  expect(await nextMinute(post.desk)).toBe(0)
})

it("a text whose run dies while its account is restricted is paused, and translated once the account is served again", async () => {
  const { desk, translation } = await newQueued()
  const engine = holdEngine()
  const [wakeUp] = desk.wakeUps.sent.splice(0)
  passSeconds(5)
  const dead = deliver(wakeUp?.body, { env: desk.env })
  const held = await engine.next()
  await setAccount(desk, { restricted: true })
  // The run has its lease for 15 minutes.
  expect([await nextMinute(desk), await pausedOf(desk)]).toEqual([0, 0])
  passSeconds(15 * 60)
  expect([await nextMinute(desk), await pausedOf(desk)]).toEqual([0, 1])
  watchEngine()
  await patchAccount(desk, { restricted: false })
  await desk.run()
  expect((await translation()).status).toBe("ready")
  held.finish()
  await dead
})

it("a text is not paused if its account is served again while the scheduled job looks at it", async () => {
  const { desk, slug } = await newQueued()
  await setAccount(desk, { hidden: true })
  let isShown = false
  const DB = tapD1({
    before: async ([first]) => {
      if (isShown || !first?.sql.startsWith('insert into "paused_posts"')) return
      isShown = true
      await setAccount(desk, { hidden: false })
    },
  })
  passSeconds(60)
  await nextMinute(desk, { DB })
  expect([isShown, await pausedOf(desk), await nextMinute(desk)]).toEqual([true, 0, 1])
  await desk.run()
  expect((await desk.translations(slug))["fr"]?.status).toBe("ready")
})

/** Returns the places, in the order of sending, of an author's posts among those that the scheduled job has woken. */
const placesOf = async (author: Author, { wakeUps: { sent } }: Desk): Promise<number[]> => {
  const own = await rows("select id from posts where account_id = ?", await accountId(author))
  const ids = new Set(own.map(({ id }) => id))
  return sent.flatMap(({ body }, i) => (ids.has(body.post_id) ? i : []))
}

it("texts over the day's limit of characters go on the next day in turns of their accounts, and stop at its limit", async () => {
  vi.setSystemTime("2026-11-20T22:00:00Z")
  // The first ones of a day always fit.
  const LIMITED = { TRANSLATED_CHARACTERS_PER_DAY: "1" } as Partial<Env>
  const many = await newDesk()
  await insertWaiting(many, 25)
  expect(await nextMinute(many)).toBe(25)
  await runTranslations(many.wakeUps, LIMITED)
  const { desk: one } = await newQueued()
  await newQueued({ title: "Another one", body: "Other words." }, one)
  await runTranslations(one.wakeUps, LIMITED)
  expect([await pausedOf(many), await pausedOf(one), await nextMinute(many)]).toEqual([24, 1, 0])

  vi.setSystemTime("2026-11-21T00:02:00Z")
  expect(await nextMinute(many)).toBe(25)
  const places = await placesOf(one, many)
  expect(places).toHaveLength(1)
  expect(Math.max(...places)).toBeLessThan(2 * A_STEP)
  await runTranslations(many.wakeUps, LIMITED)
  expect([await pausedOf(many), await pausedOf(one), await nextMinute(many)]).toEqual([23, 0, 0])
})

it("1,050 paused posts go on within two minutes of the operator's change", async () => {
  const desk = await newDesk({ hidden: true })
  await insertWaiting(desk, 1050)
  await nextMinute(desk)
  await nextMinute(desk)
  await patchAccount(desk, { hidden: false })
  expect(desk.wakeUps.sent).toHaveLength(A_STEP)
  const woken = [await nextMinute(desk), await nextMinute(desk)]
  // What no run has taken yet is overdue, so that it is woken again.
  expect([woken[0], await pausedOf(desk)]).toEqual([A_STEP * STEPS + A_STEP, 0])
})

it("a glossary's retranslation wakes the posts that it has queued, and no others of the account", async () => {
  const { desk, slug, run } = await newQueued({ body: "A cloud over the words." })
  await run()
  await newQueued({ body: "Other words." }, desk)
  desk.wakeUps.sent.splice(0)
  const path = `${API}/account/glossary/retranslate/`
  await call("POST", path, { key: desk.key, env: desk.env, json: { terms: ["cloud"] } })
  const [queued] = await rows("select id from posts where slug = ?", slug)
  expect(desk.wakeUps.sent.map(({ body }) => body.post_id)).toEqual([queued?.["id"]])
})
