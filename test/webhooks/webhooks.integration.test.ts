import { Webhook } from "standardwebhooks"
import { expect, it } from "vitest"

import { create, patch, put, remove, setAccount } from "../calls.ts"
import {
  API,
  type Author,
  call,
  deliver,
  env,
  newAuthor,
  passSeconds,
  rows,
  runCron,
  stopClock,
  unique,
} from "../support.ts"
import { receive } from "./receiver.ts"
import { add, HOOKS, newScene, queueEvents, told, URL } from "./scene.ts"

const deliveries = async ({ key }: Author) => (await call("GET", `${HOOKS}deliveries/`, { key })).json.deliveries

it("an endpoint hears of what readers see of a post, in its order, signed by Standard Webhooks", async () => {
  const { author, webhook, queue, vars } = await newScene()
  const all = receive()
  const slug = unique("told")
  await create(author, { slug, status: "DF" }, vars)
  await patch(author, slug, { title: "A draft" }, { env: vars })
  await queue.run()
  expect(all).toEqual([])
  for (const changes of [
    { status: "PB" },
    { title: "New" },
    // No event.
    { changed_at: null },
    { listed: false },
    { cover_alt: "A boat" },
    { status: "DF" },
  ]) {
    await patch(author, slug, changes, { env: vars })
    await queue.run()
  }
  await remove(author, slug, { env: vars })
  await queue.run()
  expect(told(all)).toEqual(
    ["published", "updated", "updated", "updated", "unpublished", "deleted"].map((type) => [`post.${type}`, slug]),
  )
  const [first] = all
  if (!first) throw new Error("Nothing came.")
  expect(first.json).toEqual({
    type: "post.published",
    timestamp: expect.stringMatching(/Z$/),
    data: {
      language: "en",
      post: {
        id: expect.any(String),
        slug,
        title: "A draft",
        status: "PB",
        version: 3,
        url: `http://localhost:8787/@${author.username}/${slug}/`,
        published_at: expect.stringMatching(/Z$/),
      },
    },
  })
  const verify = (body: string) => new Webhook(webhook.secret).verify(body, Object.fromEntries(first.headers))
  expect(verify(first.body)).toEqual(first.json)
  expect(() => verify(first.body.replace("PB", "DF"))).toThrow("No matching signature")
  expect([first.url, first.init.redirect, first.init.method]).toEqual([URL, "manual", "POST"])
})

it("a scheduled post is told of within 70 seconds of its time, as it is then, and not at all if it is taken back", async () => {
  const { author, queue, vars } = await newScene()
  const all = receive()
  const [slug, other, late] = [unique("later"), unique("other"), unique("late")]
  const time = new Date(Date.now() + 3_600_000).toISOString()
  await put(author, late, { published_at: time }, { env: {} })
  await add(author, "https://second.example/")
  for (const each of [slug, other]) await put(author, each, { published_at: time }, { env: vars })
  await put(author, slug, { published_at: time, title: "Changed" }, { env: vars })
  await put(author, other, { published_at: time, status: "DF" }, { env: vars })
  await runCron(vars)
  await queue.run(3590)
  expect(all).toEqual([])
  passSeconds(60)
  await runCron(vars)
  await queue.run(10)
  const ids = new Set(all.map(({ headers }) => headers.get("webhook-id")))
  expect([ids.size, all.length]).toEqual([2, 4])
  expect(all.map(({ json }) => `${json.type}: ${json.data.post.title}`).toSorted()).toEqual(
    ["A title", "A title", "Changed", "Changed"].map((title) => `post.published: ${title}`),
  )
})

it("an endpoint hears when a translation is ready", async () => {
  const { author, queue, vars } = await newScene()
  const all = receive()
  const slug = unique("translated")
  const { json } = await create(author, { slug, status: "DF", translation_languages: ["fr"] }, vars)
  passSeconds(10)
  await deliver({ post_id: json.post.id, request_id: "r" }, { env: { ...env, ...vars } })
  await runCron(vars)
  await queue.run()
  expect(told(all)).toEqual([])
  const [row] = await rows("select id from posts where slug = ?", slug)
  passSeconds(60)
  await deliver({ post_id: row?.["id"], request_id: "r" }, { env: { ...env, ...vars } })
  await runCron(vars)
  await queue.run()
  expect(all.map(({ json: sent }) => [sent.type, sent.data.language, sent.data.post.slug])).toEqual([
    ["translation.ready", "fr", slug],
  ])
})

it.each<[what: string, answer: number | null]>([
  ["answers 500", 500],
  ["does not answer in time", null],
  ["redirects", 302],
])(
  "an endpoint that %s for two hours gets each event under one id, the events of a post in their order",
  async (_, answer) => {
    const { author, queue, vars } = await newScene()
    const end = Date.now() + 2 * 3600 * 1000
    const all = receive(() => (Date.now() < end ? answer : 200))
    const [one, two] = [unique("one"), unique("two")]
    await create(author, { slug: one }, vars)
    await create(author, { slug: two }, vars)
    await patch(author, one, { title: "First" }, { env: vars })
    await patch(author, one, { title: "Last" }, { env: vars })
    await remove(author, one, { env: vars })
    // The cron runs between steps of five minutes, and the queue at each due second.
    for (let minutes = 0; minutes < 8 * 60; minutes += 5) {
      await queue.run(300)
      await runCron(vars)
    }
    expect(new Set(all.slice(-4).map(({ json }) => `${json.type} ${json.data.post.slug}`))).toEqual(
      new Set([`post.published ${one}`, `post.published ${two}`, `post.updated ${one}`, `post.deleted ${one}`]),
    )
    const of = told(all).filter(([, slug]) => slug === one)
    expect([...new Set(of.map(([type]) => type))]).toEqual(["post.published", "post.updated", "post.deleted"])
    const ids = Map.groupBy(all, ({ json }) => `${json.type} ${json.data.post.slug}`)
    for (const [event, sent] of ids)
      expect(new Set(sent.map(({ headers }) => headers.get("webhook-id"))).size, event).toBe(1)
    expect((await deliveries(author)).map(({ status }: { status: string }) => status)).toEqual(
      Array(4).fill("delivered"),
    )
  },
)

it("an event that fails for a day has failed, and an endpoint that fails for three days is switched off and told of it", async () => {
  const { author, queue, vars } = await newScene()
  const all = receive(() => 503)
  const slug = unique("gone")
  await create(author, { slug }, vars)
  for (let hour = 0; hour < 26; hour += 2) {
    await queue.run(7200)
    await runCron(vars)
  }
  expect(await deliveries(author)).toMatchObject([{ status: "failed", answer_status: 503, next_attempt_at: null }])
  expect(all.length).toBeGreaterThan(6)
  // After a quiet time it fails again.
  passSeconds(7 * 86_400)
  const isOff = []
  for (const hours of [12, 12, 12, 12, 12, 11, 1, 1, 1]) {
    const { webhooks: known } = (await call("GET", HOOKS, author)).json
    isOff.push(known[0].disabled_at !== null)
    await patch(author, slug, { title: `Again ${isOff.length}` }, { env: vars })
    for (let quarter = hours > 1 ? hours * 4 - 1 : 0; quarter < hours * 4; quarter += 1) {
      await queue.run(hours > 1 ? hours * 3600 : 900)
      await runCron(vars)
    }
  }
  // Seen after 71, 72 and 73 hours.
  expect(isOff.slice(-3)).toEqual([false, false, true])
  const { webhooks } = (await call("GET", HOOKS, author)).json
  expect(webhooks).toMatchObject([{ disabled_at: expect.any(String), failing_since: expect.any(String) }])
  const before = all.length
  await patch(author, slug, { title: "Once more" }, { env: vars })
  await queue.run(3600)
  expect(all.length).toBe(before)
})

it("an endpoint that refuses the events of one post gets those of others meanwhile", async () => {
  const { author, queue, vars } = await newScene()
  const [bad, good] = [unique("bad"), unique("good")]
  const all = receive(({ json }) => (json.data.post.slug === bad ? 500 : 200))
  await create(author, { slug: bad }, vars)
  await queue.run(60)
  await patch(author, bad, { title: "Waits" }, { env: vars })
  await queue.run(1)
  await runCron(vars)
  await queue.run(0)
  await create(author, { slug: good }, vars)
  await queue.run(1)
  expect(told(all)).toContainEqual(["post.published", good])
})

it("the events of a post come in the order of its versions, also if a request that began earlier is later", async () => {
  const { author, queue, vars } = await newScene()
  const all = receive()
  const slug = unique("late")
  await create(author, { slug }, vars)
  await queue.run(10)
  const now = Date.now()
  stopClock(new Date(now + 50_000))
  await patch(author, slug, { title: "By the later request" }, { env: vars })
  stopClock(new Date(now))
  await patch(author, slug, { status: "DF" }, { env: vars })
  stopClock(new Date(now + 60_000))
  await queue.run(10)
  await runCron(vars)
  await queue.run(60)
  expect(told(all).map(([type]) => type)).toEqual(["post.published", "post.updated", "post.unpublished"])
})

it.each([{ hidden: true }, { restricted: true }, { paid_until: "2020-01-01T00:00:00Z" }])(
  "nothing is told while an account is %j, and all of it afterwards",
  async (ended) => {
    const { author, queue, vars } = await newScene()
    const all = receive()
    await create(author, { slug: unique("quiet") }, vars)
    await setAccount(author, ended)
    await queue.run(60)
    await runCron(vars)
    await queue.run(60)
    expect(all).toEqual([])
    await setAccount(author, { hidden: false, restricted: false, paid_until: "2099-01-01T00:00:00Z" })
    await runCron(vars)
    await queue.run(60)
    expect(all.length).toBe(1)
  },
)

it("a post that is scheduled again is told of under another id, also to an endpoint that was added again", async () => {
  const { author, queue, vars } = await newScene()
  const all = receive()
  const slug = unique("again")
  const { json } = await call("GET", HOOKS, author)
  for (const _ of [1, 2]) {
    const published_at = new Date(Date.now() + 3_600_000).toISOString()
    await put(author, slug, { published_at }, { env: {} })
    for (const { id } of (await call("GET", HOOKS, author)).json.webhooks)
      await call("DELETE", `${HOOKS}${id}/`, author)
    await add(author, json.webhooks[0].url)
    await queue.run(3600)
    await runCron(vars)
    await queue.run(60)
  }
  const published = all.filter(({ json: { type, data } }) => type === "post.published" && data.post.slug === slug)
  expect(published.length).toBe(2)
  expect(new Set(published.map(({ headers }) => headers.get("webhook-id"))).size).toBe(2)
})

it("an endpoint for which too much waits is switched off, and what waits is deleted in portions a day later", async () => {
  const { author, webhook, queue, vars } = await newScene()
  receive()
  await queueEvents(webhook.id, 10_001, "'p' || i", Date.now() + 86_400_000)
  await create(author, { slug: unique("one-more") }, vars)
  await queue.run(60)
  expect((await call("GET", HOOKS, author)).json.webhooks).toMatchObject([
    { disabled_at: expect.any(String), failing_since: null },
  ])
  const waiting = []
  for (const pause of [60, 86_400, 60, 60]) {
    await runCron(vars)
    await queue.run(pause)
    const [row] = await rows(
      "select count(*) as count from webhook_deliveries where endpoint_id = ? and due_at is not null",
      webhook.id,
    )
    waiting.push(row?.["count"])
  }
  expect(waiting).toEqual([10_001, 10_001, 9951, 9901])
})

it("a write that does not happen tells nothing: a dry run, another version, a body that is refused", async () => {
  const { author, queue, vars } = await newScene()
  const all = receive()
  const slug = unique("refused")
  await create(author, { slug, status: "DF" }, vars)
  const answers = [
    await call("PATCH", `${API}/posts/${slug}/?dry_run=true`, {
      key: author.key,
      json: { lang_code: "en", primary_language: "en", translation_languages: [], status: "PB" },
      env: vars,
    }),
    await patch(author, slug, { status: "PB" }, { ifMatch: '"7"', env: vars }),
    await patch(author, slug, { status: "PB", body: "> ".repeat(5000) }, { env: vars }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 412, 400])
  await queue.run(60)
  expect([all, await rows("select 1 from webhook_deliveries where data like ?", `%${slug}%`)]).toEqual([[], []])
})

it("a slow endpoint holds up no other account's events, and gets a thousand of its own", async () => {
  const { webhook, queue, vars } = await newScene()
  const other = await newAuthor()
  await add(other, "https://quick.example/")
  const all = receive(({ url }) => {
    if (url === URL) passSeconds(5)
    return 200
  })
  await queueEvents(webhook.id, 1000)
  await runCron(vars)
  await create(other, { slug: unique("quick") }, vars)
  const began = Date.now()
  await queue.run(60)
  const quick = all.findIndex(({ url }) => url === "https://quick.example/")
  expect(quick).toBeGreaterThanOrEqual(0)
  expect(quick).toBeLessThan(12)
  expect(Date.now() - began).toBeLessThanOrEqual(70_000)
  for (let hour = 0; hour < 3; hour += 1) await queue.run(3600)
  expect(all.filter(({ url }) => url === URL).length).toBe(1000)
})

it.each([
  ["http://hooks.example/", "https"],
  ["https://10.0.0.1/", "IP address"],
  ["https://[fd00::1]/", "IP address"],
  ["https://0x7f000001/", "IP address"],
  ["https://nas.local/", "private network"],
  ["https://printer/", "private network"],
  ["https://printer./", "private network"],
  ["https://a:b@hooks.example/", "password"],
  ["https://hooks.example/#a", "fragment"],
  ["http://localhost:8787/", "the service itself"],
  ["https://blog.example/", "the service itself"],
  ["https://blog.example./", "the service itself"],
  ["https://admin.blog.example/a", "below it"],
  ["https://hooks.example:8443/", "a port"],
  ["https://hooks.example:22/", "a port"],
  ["not an address", "an address such as"],
])("an endpoint at %s is refused", async (url, words) => {
  const { key } = await newAuthor()
  const vars = {
    PUBLIC_ORIGIN: "https://blog.example",
    TRANSLATOR: "apertium",
    APERTIUM_URL: "https://a.example",
  } as unknown as Partial<Env>
  const { status, json } = await call("POST", HOOKS, {
    key,
    json: { url },
    ...(!url.includes("8787") && { env: vars, origin: "https://blog.example" }),
  })
  expect([status, json.errors?.[0]?.field ?? json.code]).toEqual([400, "url"])
  expect(json.errors[0].message).toContain(words)
})

it("the host of a blog of the service is no endpoint", async () => {
  const host = `${unique("blog")}.example`
  const { key } = await newAuthor({ blog_host: host })
  const { status, json } = await call("POST", HOOKS, { key, json: { url: `https://${host}./` } })
  expect([status, json.errors[0].message]).toEqual([400, expect.stringContaining("a blog of the service")])
})

it("an account has five endpoints, each address once, and deletes its own alone", async () => {
  const [author, other] = [await newAuthor(), await newAuthor()]
  const first = await add(author, "https://one.example/")
  const again = await call("POST", HOOKS, { key: author.key, json: { url: "https://one.example" } })
  expect([again.status, again.json.errors[0].message]).toEqual([400, "This address is there already."])
  for (const name of ["two", "three", "four", "five"]) await add(author, `https://${name}.example/`)
  expect((await call("POST", HOOKS, { key: author.key, json: { url: "https://six.example/" } })).status).toBe(400)
  expect((await call("DELETE", `${HOOKS}${first.id}/`, { key: other.key })).status).toBe(404)
  expect((await call("DELETE", `${HOOKS}${first.id}/`, { key: author.key })).status).toBe(204)
  expect((await call("GET", HOOKS, { key: author.key })).json.webhooks.length).toBe(4)
})

it("webhooks are neither there nor written if the operator has not switched them on", async () => {
  const { author, queue, vars } = await newScene()
  const off = { ...vars, WEBHOOKS: "" } as unknown as Partial<Env>
  expect((await call("GET", HOOKS, { key: author.key, env: off })).status).toBe(404)
  await create(author, { slug: unique("quiet") }, off)
  expect([queue.sent, await deliveries(author)]).toEqual([[], []])
})
