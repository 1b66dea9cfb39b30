import { expect, it } from "vitest"

import { patch, put, remove, setAccount } from "../calls.ts"
import { failing, faulty } from "../faults.ts"
import { insertPosts } from "../many-posts.ts"
import { env as bindings, rows, runCron, unique } from "../support.ts"
import { receive } from "./receiver.ts"
import { add, newScene, told } from "./scene.ts"

const ahead = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

it("250 posts of the same time are each told once, by one id at both endpoints, within their minute", async () => {
  const { author, queue, vars } = await newScene()
  await add(author, "https://second.example/")
  const prefix = unique("same")
  await insertPosts(author, prefix, 250, { status: "PB", published_at: Date.now() + 3_600_000 })
  await runCron(vars)
  await queue.run(3600)
  const all = receive()
  await runCron(vars)
  await queue.run(59)
  expect(all).toHaveLength(500)
  const ids = Map.groupBy(all, ({ json }) => String(json.data.post.slug))
  expect(ids.size).toBe(250)
  for (const [slug, sent] of ids) {
    expect(sent.map(({ json }) => json.type)).toEqual(["post.published", "post.published"])
    expect(new Set(sent.map(({ headers }) => headers.get("webhook-id"))).size, slug).toBe(1)
    expect(new Set(sent.map(({ json }) => json.timestamp)).size).toBe(1)
  }
  expect([...ids.values()].flat()[0]?.headers.get("webhook-id")).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/)
  await runCron(vars)
  await queue.run(600)
  expect(all).toHaveLength(500)
})

it.each(["the queue", "the answer of the database"])(
  "a scheduled post is told once, a minute later, if %s fails the job after its write",
  async (what) => {
    const { author, queue, vars } = await newScene()
    const slug = unique("later")
    await put(author, slug, { published_at: ahead(3600) }, { env: vars })
    const all = receive()
    await runCron(vars)
    await queue.run(3600)
    const DB = faulty(bindings.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        const answers = await bindings.DB.batch(statements)
        return JSON.stringify(answers).includes("account_id") ? failing() : answers
      },
    })
    await runCron(
      what === "the queue" ? { WEBHOOK_EVENTS: faulty(queue.queue, { sendBatch: failing }) } : { ...vars, DB },
    )
    await queue.run(60)
    expect(all).toEqual([])
    for (const _ of [1, 2]) {
      await runCron(vars)
      await queue.run(60)
    }
    expect(told(all)).toEqual([["post.published", slug]])
  },
)

it.each<[string, (...args: Parameters<typeof remove>) => Promise<unknown>, string[]]>([
  ["is saved", (author, slug, options) => patch(author, slug, { title: "Changed" }, options), ["published", "updated"]],
  [
    "is withdrawn",
    (author, slug, options) => patch(author, slug, { status: "DF" }, options),
    ["published", "unpublished"],
  ],
  ["is deleted", remove, ["published", "deleted"]],
  [
    "is scheduled again",
    (author, slug, options) => patch(author, slug, { published_at: ahead(600) }, options),
    ["published", "unpublished", "published"],
  ],
])("a post that %s between its time and the job is told of in order, each event once", async (_, write, events) => {
  const { author, queue, vars } = await newScene()
  const slug = unique("between")
  await put(author, slug, { published_at: ahead(3600) }, { env: vars })
  const all = receive()
  await runCron(vars)
  await queue.run(3601)
  expect(all).toEqual([])
  // Without the message that starts a run.
  await write(author, slug, { env: {} })
  for (let minute = 0; minute < 12; minute += 1) {
    await runCron(vars)
    await queue.run(60)
  }
  expect(told(all)).toEqual(events.map((event) => [`post.${event}`, slug]))
  expect(new Set(all.map(({ headers }) => headers.get("webhook-id"))).size).toBe(events.length)
  expect(all[0]?.json.data.post).toMatchObject({ title: "A title", status: "PB" })
})

it("a scheduled post that was told of is told of as changed when it is saved for the first time since", async () => {
  const { author, queue, vars } = await newScene()
  const [slug, next] = [unique("told"), unique("next")]
  await put(author, slug, { published_at: ahead(600) }, { env: vars })
  await put(author, next, { published_at: ahead(86_400) }, { env: vars })
  const all = receive()
  await queue.run(600)
  await runCron(vars)
  await queue.run(60)
  // The endpoint no longer has the event.
  await rows("delete from webhook_deliveries")
  await patch(author, slug, { title: "Changed" }, { env: vars })
  await queue.run(60)
  expect(told(all)).toEqual([
    ["post.published", slug],
    ["post.updated", slug],
  ])
})

it("a post that is scheduled again or withdrawn before its time is not told of then", async () => {
  const { author, queue, vars } = await newScene()
  const [later, never, gone] = [unique("later"), unique("never"), unique("gone")]
  for (const slug of [later, never, gone]) await put(author, slug, { published_at: ahead(600) }, { env: vars })
  const all = receive()
  await runCron(vars)
  await queue.run(60)
  await patch(author, later, { published_at: ahead(1200) }, { env: vars })
  await patch(author, never, { status: "DF" }, { env: vars })
  await remove(author, gone, { env: vars })
  await queue.run(800)
  await runCron(vars)
  await queue.run(60)
  expect(told(all)).toEqual([["post.deleted", gone]])
  await queue.run(600)
  await runCron(vars)
  await queue.run(60)
  expect(told(all).slice(1)).toEqual([["post.published", later]])
})

it("what the version of before has stored ahead is told of once, and not at all once it is withdrawn, scheduled again or deleted", async () => {
  const { author, webhook, queue, vars } = await newScene()
  const slugs = ["stays", "withdrawn", "again", "gone"].map((name) => unique(name))
  const [stays = "", withdrawn = "", again = "", gone = ""] = slugs
  for (const slug of slugs) {
    await put(author, slug, { published_at: ahead(600) }, { env: vars })
    await rows(
      `insert into webhook_deliveries (event_id, endpoint_id, post_id, type, data, starts_at, due_at)
        select 'evt_' || id, ?, id, 'post.published', json_object('slug', slug, 'published_at', published_at), published_at, published_at
        from posts where slug = ?`,
      webhook.id,
      slug,
    )
  }
  const all = receive()
  await runCron(vars)
  await queue.run(60)
  await patch(author, withdrawn, { status: "DF" }, { env: vars })
  await patch(author, again, { published_at: ahead(1200) }, { env: vars })
  await remove(author, gone, { env: vars })
  await queue.run(700)
  await runCron(vars)
  await queue.run(60)
  expect(told(all)).toEqual([
    ["post.deleted", gone],
    ["post.published", stays],
  ])
  await queue.run(600)
  await runCron(vars)
  await queue.run(60)
  expect(told(all).slice(2)).toEqual([["post.published", again]])
})

it("what waits of an account that is not served is looked at four times an hour, and told of within 16 minutes afterwards", async () => {
  const { author, queue, vars } = await newScene()
  await put(author, unique("later"), { published_at: ahead(60) }, { env: vars })
  await setAccount(author, { hidden: true })
  const all = receive()
  /** Lets the job and the queue run every minute. @returns the messages that the job has sent */
  const pass = async (minutes: number): Promise<number> => {
    let sent = 0
    for (let minute = 0; minute < minutes; minute += 1) {
      await runCron(vars)
      sent += queue.sent.length
      await queue.run(60)
    }
    return sent
  }
  expect([await pass(10), await pass(150), await pass(60)]).toEqual([11, 26, 4])
  expect(all).toEqual([])
  await setAccount(author, { hidden: false })
  await pass(16)
  expect(told(all)).toEqual([["post.published", expect.any(String)]])
})

it("a failed attempt leaves the endpoint alone for a tenth of the time since the first, at most 15 minutes, until it works", async () => {
  const { author, queue, vars } = await newScene()
  const began = Date.now()
  let works = false
  const times: number[] = []
  receive(() => {
    times.push((Date.now() - began) / 1000)
    return works ? 200 : 503
  })
  for (let nth = 0; nth < 40; nth += 1) await put(author, unique("many"), {}, { env: vars })
  await queue.run(5 * 3600)
  const pauses = times
    .slice(1)
    .map((time, i) => [time - (times[i] ?? 0), Math.min(900, Math.max(10, (times[i] ?? 0) / 10))])
  for (const [pause = 0, wanted = 0] of pauses) expect(pause).toBeGreaterThanOrEqual(wanted)
  expect([times.length > 30, times.length < 80], times.join()).toEqual([true, true])
  works = true
  const before = times.length
  await queue.run(900)
  expect(times.length - before).toBe(40)
})

it("an endpoint that refuses the events of a post with 3,000 that wait gets those of another post within minutes", async () => {
  const { author, webhook, queue, vars } = await newScene()
  const [bad, good] = [unique("bad"), unique("good")]
  await put(author, bad, {}, { env: {} })
  await rows(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
      insert into webhook_deliveries (event_id, endpoint_id, post_id, type, data, starts_at, due_at)
      select 'evt_z' || i, ?, id, 'post.updated', json_object('slug', slug), ?, ? from posts, n where slug = ?`,
    webhook.id,
    Date.now(),
    Date.now(),
    bad,
  )
  const all = receive(({ json }) => (json.data.post.slug === bad ? 500 : 200))
  await runCron(vars)
  await queue.run(70)
  await put(author, good, {}, { env: vars })
  await queue.run(120)
  await runCron(vars)
  await queue.run(60)
  expect(told(all)).toContainEqual(["post.published", good])
  expect(new Set(told(all).map(([type, slug]) => `${type} ${slug === bad}`))).toEqual(
    new Set(["post.published true", "post.published false"]),
  )
})
