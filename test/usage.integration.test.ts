import { expect, it, vi } from "vitest"

import { openD1 } from "../src/db/client.ts"
import { LARGE_STEPS } from "../src/limits.ts"
import { create, patch } from "./calls.ts"
import { failing, measuredD1, tapD1 } from "./faults.ts"
import { insertPosts } from "./many-posts.ts"
import { addressOf, sendEntry, sendJson } from "./micropub/client.ts"
import {
  API,
  type Author,
  call,
  deliver,
  env,
  newAuthor,
  newPost,
  OPERATOR,
  postInput,
  recordWakeUps,
  rows,
  runCron,
  unique,
  upload,
} from "./support.ts"

/** Returns the log lines written while `act` runs. */
const logged = async (act: () => Promise<unknown>): Promise<Record<string, unknown>[]> => {
  const spies = (["info", "error"] as const).map((level) => vi.spyOn(console, level).mockReturnValue())
  await act()
  const lines = spies.flatMap((spy) => spy.mock.calls.map(([line]) => JSON.parse(String(line))))
  for (const spy of spies) spy.mockRestore()
  return lines
}

const usageOf = ({ d1_calls, rows_read, rows_written }: Record<string, unknown> = {}) => ({
  d1_calls,
  rows_read,
  rows_written,
})

/** Makes an author whose key was just used, so that its use is not written again. */
const settled = async (): Promise<Author> => {
  const author = await newAuthor()
  await call("GET", `${API}/account/`, { key: author.key })
  return author
}

it.each<[string, number, (author: Author) => Promise<(DB: D1Database) => Promise<unknown>>]>([
  ["create", 2, async (author) => (DB) => create(author, {}, { DB })],
  [
    "create of a slug that is taken",
    3,
    async (author) => {
      const { slug } = await newPost(author)
      return (DB) => create(author, { slug }, { DB })
    },
  ],
  [
    "GET of a post",
    1,
    async (author) => {
      const { slug } = await newPost(author)
      return (DB) => call("GET", `${API}/posts/${slug}/`, { key: author.key, env: { DB } })
    },
  ],
  [
    "list",
    2,
    async ({ key }) =>
      (DB) =>
        call("GET", `${API}/posts/`, { key, env: { DB } }),
  ],
  [
    "public page",
    1,
    async (author) => {
      const { slug } = await newPost(author)
      return (DB) => call("GET", `/@${author.username}/${slug}/`, { env: { DB } })
    },
  ],
  [
    "image",
    1,
    async (author) => {
      const { image_url } = await upload(author)
      return (DB) => call("GET", image_url, { env: { DB } })
    },
  ],
  [
    "an unknown key",
    1,
    async () => async (DB) => {
      const { key } = await newAuthor()
      await rows("delete from api_keys")
      return call("GET", `${API}/account/`, { key, env: { DB } })
    },
  ],
])("the request log has the D1 usage of the request: %s", async (_, calls, prepare) => {
  const act = await prepare(await settled())
  const { DB, sum } = measuredD1()
  const lines = await logged(() => act(DB))
  const line = lines.findLast(({ message }) => message === "request.finished")
  expect(usageOf(line)).toEqual(sum)
  expect(sum.d1_calls).toBe(calls)
})

it("the request log shows rows written for creating a post and none for a GET", async () => {
  const author = await settled()
  const [made] = await logged(() => create(author))
  const [got] = await logged(() => call("GET", `${API}/posts/`, { key: author.key }))
  // The rows of post, text and their indexes.
  expect(usageOf(made)).toMatchObject({ d1_calls: 2, rows_written: expect.any(Number) })
  expect(Number(made?.["rows_written"])).toBeGreaterThanOrEqual(2)
  expect(usageOf(got)).toMatchObject({ d1_calls: 2, rows_written: 0 })
})

it("a list by a key that only reads reads the rows that it shows, however many posts there are", async () => {
  const author = await newAuthor()
  await insertPosts(author, unique("many-"), 300, { status: "PB", published_at: 1 })
  const path = `/operator/api/accounts/${author.username}/keys/`
  const { json } = await call("POST", path, { headers: OPERATOR, json: { name: "site", scope: "read" } })
  const { DB, sum } = measuredD1()
  const list = await call("GET", `${API}/posts/?limit=10`, { key: json.api_key, env: { DB } })
  expect(list.json.posts).toHaveLength(10)
  expect(sum.rows_read).toBeLessThanOrEqual(8 * 20 + 40)
})

it("finished and failed translation runs and the cron log their D1 usage", async () => {
  const author = await settled()
  const { queue, sent } = recordWakeUps()
  await create(author, { translation_languages: ["fr"] }, { TRANSLATIONS: queue })
  const body = sent[0]?.body
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 })
  const failed = await logged(() => deliver(body, { env: { DB: tapD1({ before: failing }) } }))
  // The claim, and the attempt to return the lease.
  expect(failed).toMatchObject([
    {
      message: "translation.run_failed",
      attempts: 1,
      ms: expect.any(Number),
      d1_calls: 2,
      rows_read: 0,
      rows_written: 0,
    },
  ])
  const { DB, sum } = measuredD1()
  const done = await logged(() => deliver(body, { env: { DB, TRANSLATIONS: queue } }))
  expect(done.map((line) => [line["message"], usageOf(line)])).toEqual([["translation.run_finished", sum]])
  expect(done[0]).toMatchObject({ account: author.username, request_id: expect.any(String), ms: expect.any(Number) })
  expect(sum.rows_written).toBeGreaterThan(0)
  const cron = measuredD1()
  const [line] = await logged(() => runCron({ DB: cron.DB }))
  expect(line).toMatchObject({ level: "info", message: "cron.finished", ms: expect.any(Number), ...cron.sum })
  expect(cron.sum.d1_calls).toBeGreaterThan(3)
})

it.each([
  "select 1 as one",
  `select 'a, from b' as "x, y", max(1, 2), (select count(*) from accounts) as n from accounts limit 1`,
  `select distinct "username", "id" from "accounts" order by "id", "username"`,
  `select "accounts"."id", "accounts"."created_at" as "made" from "accounts" left join "posts" on "posts"."account_id" = "accounts"."id"`,
  "select json_array('from', 1, 2), id from accounts where username in ('a', 'b')",
  "select * from (select 1 as a) where 0",
])("raw() of the D1 wrapper returns the same rows as D1 for: %s", async (sql) => {
  await newAuthor()
  const { DB } = openD1(env.DB)
  expect(await DB.prepare(sql).raw()).toEqual(await env.DB.prepare(sql).raw())
})

const insertReturning = (d1: D1Database): Promise<unknown[][]> =>
  d1
    .prepare(
      `insert into accounts (id, username, primary_language, translation_languages, created_at)
 values (?, ?, 'en', '[]', 1) on conflict do nothing returning "primary_language", "created_at"`,
    )
    .bind(unique("id"), unique("name"))
    .raw()

it("raw() of the D1 wrapper returns the same rows as D1 for an insert with returning", async () => {
  const ours = await insertReturning(openD1(env.DB).DB)
  expect(ours).toEqual([["en", 1]])
  expect(ours).toEqual(await insertReturning(env.DB))
})

it("the D1 usage of concurrent requests is logged separately for each request", async () => {
  const { key } = await settled()
  const { DB, sum } = measuredD1()
  const lines = await logged(() =>
    Promise.all([1, 2, 3].map(() => call("POST", `${API}/posts/`, { key, json: postInput(), env: { DB } }))),
  )
  // Each concurrent request has its own account.
  expect(lines.map((line) => line["d1_calls"])).toEqual([2, 2, 2])
  expect(lines.reduce((rowsWritten, line) => rowsWritten + Number(line["rows_written"]), 0)).toBe(sum.rows_written)
})

it("the number of D1 rows that a PATCH of a post reads does not grow with the account's images", async () => {
  const author = await settled()
  const { slug } = await newPost(author)
  const readBy = async (body: string) => {
    const { DB, sum } = measuredD1()
    expect((await patch(author, slug, { body }, { env: { DB } })).status).toBe(200)
    return sum.rows_read
  }
  const before = await readBy("One.")
  for (let i = 0; i < 3; i++) await upload(author)
  expect(await readBy("Other.")).toBe(before)
})

it("the steps of converting a text are in the request log, and many of them are summed for the account and the operator", async () => {
  const author = await settled()
  const html = "<p>Words of a <b>text</b>.</p>".repeat(10)
  const lines = await logged(async () => {
    await create(author, { body: "*a* b ".repeat(8000) })
    await call("POST", `${API}/posts/?dry_run=true`, {
      key: author.key,
      json: postInput({ body: "*a* b ".repeat(8000) }),
    })
    await create(author)
    await sendEntry(author, { content: [{ html }] })
    await call("GET", `${API}/posts/`, { key: author.key })
  })
  const [first, dry, small, ofHtml, none] = lines.map(({ steps }) => Number(steps))
  expect([first, dry]).toEqual([first, first])
  expect(Number(first)).toBeGreaterThan(LARGE_STEPS)
  expect(Number(small)).toBeLessThan(10_000)
  // Twenty elements, and the Markdown that is made of them.
  expect(Number(ofHtml)).toBeGreaterThan(6000)
  expect(none).toBeNaN()
  expect(await rows("select kind, count from abuse_counts")).toEqual([{ kind: "steps", count: 2 * Number(first) }])
})

it("a draft key that changes a published post by Micropub is refused before its HTML is converted", async () => {
  const author = await settled()
  const url = await addressOf(sendEntry(author, { content: ["Readers see it."] }))
  const scope = { name: "draft", scope: "draft" }
  const made = await call("POST", `/operator/api/accounts/${author.username}/keys/`, { headers: OPERATOR, json: scope })
  const change = { action: "update", url, replace: { content: [{ html: "<p>Not allowed.</p>" }] } }
  const [line] = await logged(() => sendJson({ ...author, key: made.json.api_key }, change))
  expect([line?.["status"], line?.["steps"]]).toEqual([403, undefined])
})
