import { expect, it } from "vitest"

import { accountId, create } from "../calls.ts"
import { insertPosts } from "../many-posts.ts"
import { call, deliver, env as bindings, newAuthor, passSeconds, rows, runCron, stopClock, unique } from "../support.ts"
import { receive } from "./receiver.ts"
import { add, countRows, HOOKS, newScene, queueEvents } from "./scene.ts"

it("adding or deleting an endpoint and saving a scheduled post write at most 15 rows about webhooks, with 5,000 scheduled posts", async () => {
  stopClock()
  const author = await newAuthor()
  await insertPosts(author, unique("later"), 5000, { status: "PB", published_at: Date.now() + 3_600_000 })
  const { env, take } = countRows()
  const { id } = await add(author, "https://hooks.example/", env)
  const added = take()
  const published_at = new Date(Date.now() + 60_000).toISOString()
  const before = await call("GET", HOOKS, { key: author.key })
  await create(author, { slug: unique("sooner"), published_at }, env)
  const [row] = await rows("select next_at, next_post from webhook_endpoints where id = ?", id)
  expect(row).toEqual({ next_at: Date.now(), next_post: "" })
  const saved = take()
  await call("DELETE", `${HOOKS}${id}/`, { key: author.key, env })
  const deleted = take()
  expect(before.json.webhooks).toHaveLength(1)
  for (const { read, written } of [added, deleted])
    expect([read <= 40, written <= 15], `${read}, ${written}`).toEqual([true, true])
  // The batch writes the post as well.
  expect([saved.read <= 60, saved.written <= 25], `${saved.read}, ${saved.written}`).toEqual([true, true])
  expect(await rows("select event_id from webhook_deliveries where endpoint_id = ?", id)).toEqual([])
})

it.each([
  ["fails", 500, 1, "'p' || i"],
  ["takes all", 200, 1, "'p' || i"],
  ["fails for the only post", 500, 1, "'p'"],
  ["fails at five endpoints", 500, 5, "'p' || i"],
])(
  "a run with 5,000 due for each endpoint reads at most 500 rows, also while the endpoints are left alone, if the receiver %s",
  async (_, status, endpoints, post) => {
    const { author, webhook, vars } = await newScene()
    const all = [webhook]
    for (let nth = 2; nth <= endpoints; nth += 1) all.push(await add(author, `https://${nth}.example/`))
    for (const { id } of all) await queueEvents(id, 5000, post)
    const received = receive(() => status)
    const message = { account_id: await accountId(author) }
    const { env, take } = countRows()
    const costs = []
    for (const pause of [0, 0, 10, 100]) {
      passSeconds(pause)
      await deliver(message, { queue: "edgepost-webhooks", env: { ...bindings, ...vars, ...env } })
      costs.push(take().read)
    }
    expect(Math.max(...costs), costs.join()).toBeLessThanOrEqual(500)
    expect(received.length).toBeGreaterThanOrEqual(endpoints)
  },
)

it("the minute's job reads at most 500 rows a step, with 10,000 due at a receiver that fails and 250 other endpoints with work", async () => {
  const { webhook, vars } = await newScene()
  await queueEvents(webhook.id, 10_000)
  await rows(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
    insert into accounts (id, username, primary_language, translation_languages, created_at)
    select 'w' || i, 'w' || i, 'en', '[]', 0 from n`)
  await rows(
    `insert into webhook_endpoints (id, account_id, url, created_at, wake_at)
      select id, id, 'https://x.example/', 0, ? from accounts where id like 'w%'`,
    Date.now(),
  )
  const { env, take } = countRows()
  const sent: number[] = []
  const WEBHOOK_EVENTS = {
    sendBatch: (messages: unknown[]) => Promise.resolve(void sent.push(messages.length)),
  } as unknown as Queue
  await runCron({ ...vars, ...env, WEBHOOK_EVENTS })
  expect(take().most).toBeLessThanOrEqual(500)
  expect(sent.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(251)
  await runCron({ ...vars, ...env, WEBHOOK_EVENTS })
  expect(take().read).toBeLessThanOrEqual(10)
})

it("the list of deliveries reads at most 210 rows for each endpoint, whatever waits", async () => {
  const { author, webhook } = await newScene()
  await queueEvents(webhook.id, 5000)
  const { env, take } = countRows()
  expect((await call("GET", `${HOOKS}deliveries/`, { key: author.key, env })).json.deliveries).toHaveLength(50)
  expect(take().read).toBeLessThanOrEqual(210)
})
