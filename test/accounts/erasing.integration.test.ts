import { afterEach, beforeEach, expect, it, vi } from "vitest"

import { signIn, whereTo } from "../author-pages/browser.ts"
import { checkout, deliverEvent, NOW, snapshot } from "../billing/stripe.ts"
import { accountId, eraseAccount, setAccount } from "../calls.ts"
import { tapD1 } from "../faults.ts"
import { pathOf, signInOperator } from "../operator/operator.ts"
import {
  API,
  type Author,
  call,
  env,
  newAuthor,
  newPost,
  OPERATOR,
  rows,
  runCron,
  stopClock,
  unique,
  upload,
} from "../support.ts"

beforeEach(() => stopClock(NOW))
afterEach(() => vi.restoreAllMocks())

const MARK = /^update "accounts" set "erasing_at"/
const STEP = /^delete from "post_images" where rowid/

/** Matches the calls of the job: it finds an account, deletes rows and at last the account. */
const OF_JOB = /"accounts_erasing"|^delete from "(?:post_images|accounts)"/

const isIn = (like: RegExp, statements: { sql: string }[]): boolean => statements.some(({ sql }) => like.test(sql))

/** A database that fails the steps of the job, so that an erased account keeps its rows. */
const withoutJob = (): D1Database =>
  tapD1({
    before: (statements) => {
      if (isIn(STEP, statements)) throw new Error("D1_ERROR: Network connection lost.")
    },
  })

const erase = ({ username }: Author, DB: D1Database) =>
  call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR, env: { DB } })

const n = (to: number): string => `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${to})`

/** Gives an account many rows, by SQL: posts with two texts, three labels and an image each, one of them with 600 images. */
const fill = async (author: Author, posts: number): Promise<string> => {
  const id = await accountId(author)
  const of = (kind: string) => `'${id}' || '${kind}' || n`
  const text = (
    lang: string,
  ) => `insert into texts (post_id, lang_code, image_ids, versions, edited, status, warnings, updated_at, changed_at)
    ${n(posts)} select ${of("p")}, '${lang}', '[]', '{}', '[]', 'ready', '[]', 0, 0 from n`
  const inserts = [
    `insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
      revision, text_version, created_at, updated_at) ${n(posts)} select ${of("p")}, '${id}', ${of("s")}, 'DF', '[]', '[]', 'en', '[]', 1, 1, 1, 0, 0 from n`,
    text("en"),
    text("fr"),
    ...["a", "b", "c"].map(
      (label) =>
        `insert into post_labels (account_id, kind, label, post_id, status) ${n(posts)} select '${id}', 'tag', '${label}', ${of("p")}, 'DF' from n`,
    ),
    `insert into images (id, account_id, bytes, width, height, created_at, expires_at) ${n(posts + 600)} select ${of("i")}, '${id}', 1, 1, 1, 0, 0 from n`,
    `insert into post_images (post_id, image_id, position) ${n(posts)} select ${of("p")}, ${of("i")}, 0 from n`,
    `insert into post_images (post_id, image_id, position) ${n(600)} select '${id}p7', '${id}i' || (n + ${posts}), n from n`,
    `insert into remembered_segments (account_id, engine, from_code, to_code, hash, made_at, used_at) ${n(1200)} select '${id}', 'e', 'en', 'fr', n, 0, 0 from n`,
    `insert into redirects (account_id, path, source, target) ${n(700)} select '${id}', '/' || n, '', '/' from n`,
    `insert into webhook_endpoints (id, account_id, url, created_at) values ('${id}w', '${id}', '', 0)`,
    `insert into webhook_deliveries (event_id, endpoint_id, type, data, starts_at) ${n(900)} select n, '${id}w', 'test', '{}', 0 from n`,
    `insert into glossary_terms (account_id, term, keep, translations) ${n(60)} select '${id}', n, 1, '{}' from n`,
    `insert into api_keys (hash, account_id, name, last_four, created_at, revoked_at) ${n(60)} select ${of("k")}, '${id}', n, '', 0, 1 from n`,
  ]
  await env.DB.batch(inserts.map((sql) => env.DB.prepare(sql)))
  return id
}

const OWN = [
  "posts",
  "post_labels",
  "api_keys",
  "sessions",
  "sign_in_links",
  "passkeys",
  "subscriptions",
  "redirects",
  "glossary_terms",
  "remembered_segments",
  "webhook_endpoints",
  "idempotency_keys",
  "abuse_counts",
  "translated_characters",
]

/** Counts the rows that an account has, images that are not marked included. */
const countRows = async (id: string): Promise<number> => {
  const queries = [
    ...OWN.map((table) => `select count(*) as n from ${table} where account_id = '${id}'`),
    `select count(*) as n from images where account_id = '${id}' and deleting_at is null`,
    `select count(*) as n from accounts where id = '${id}'`,
    ...["texts", "post_images"].map((table) => `select count(*) as n from ${table} where post_id glob '${id}*'`),
    `select count(*) as n from webhook_deliveries where endpoint_id = '${id}w'`,
  ]
  const answers = await env.DB.batch<{ n: number }>(queries.map((sql) => env.DB.prepare(sql)))
  return answers.reduce((sum, { results }) => sum + (results[0]?.n ?? 0), 0)
}

it("the first write of an erasure has the same few rows at 500 and 8,000 posts, and the job deletes at most 500 rows a step", async () => {
  const written: number[] = []
  for (const posts of [8000, 500]) {
    const author = await newAuthor()
    const id = await fill(author, posts)
    const DB = tapD1({
      around: async (ask, statements) => {
        if (isIn(STEP, statements)) throw new Error("Not now.")
        const answer = await ask()
        if (isIn(MARK, statements))
          written.push((answer as D1Result[]).reduce((sum, { meta }) => sum + meta.rows_written, 0))
        return answer
      },
    })
    expect((await erase(author, DB)).status).toBe(204)
    if (posts === 8000) continue
    const steps: number[] = []
    const most = { read: 0, written: 0 }
    const counting = tapD1({
      around: async (ask, statements) => {
        if (!isIn(STEP, statements)) return ask()
        const before = await countRows(id)
        const answer = await ask()
        steps.push(before - (await countRows(id)))
        for (const [name, key] of [
          ["read", "rows_read"],
          ["written", "rows_written"],
        ] as const)
          most[name] = Math.max(
            most[name],
            (answer as D1Result[]).reduce((sum, { meta }) => sum + meta[key], 0),
          )
        return answer
      },
    })
    for (let run = 0; run < 9 && (await rows("select 1 from accounts where id = ?", id)).length > 0; run += 1)
      await runCron({ DB: counting })
    expect(await countRows(id)).toBe(0)
    expect([Math.max(...steps) <= 500, most.read <= 6 * 500, most.written <= 5 * 500]).toEqual([true, true, true])
  }
  expect(written[0]).toBe(written[1])
  expect(written[0]).toBeLessThanOrEqual(40)
})

const asking = (path: string, answer: Promise<{ status: number }>): [string, Promise<{ status: number }>] => [
  path,
  answer,
]

/** Makes a signed-in author with a post, an image, a draft and a link, and lists what anybody is answered about the account. */
const newScene = async () => {
  const { browser, ...author } = await signIn()
  const { username, key } = author
  const { image_id, image_url } = await upload(author)
  const { slug } = await newPost(author, { image_ids: [image_id], tags: "sea" })
  const { preview_url } = await newPost(author, { status: "DF" })
  const sub = unique("sub")
  await deliverEvent(checkout(sub, username))
  await deliverEvent(snapshot(sub, { status: "active" }))
  const link = await call("POST", `/operator/api/accounts/${username}/sign-in-links/`, { headers: OPERATOR })
  const [session] = await rows("select * from sessions where account_id = ?", await accountId(author))
  const pages = ["", "tags/", "tags/sea/", "feed.atom", "sitemap.xml", `${slug}/`].map(
    (path) => `/@${username}/${path}`,
  )
  /** Lists what can be read that is not refused. */
  const readable = async (): Promise<string[]> => {
    // A session that was opened while the account was being erased.
    const columns = Object.keys(session ?? {})
    await rows(
      `insert or ignore into sessions (${columns.join()}) select ${columns.map(() => "?").join()}
        where exists (select 1 from accounts where username = '${username}')`,
      ...Object.values(session ?? {}),
    )
    const own = ["account/", "posts/", `posts/${slug}/`, "account/glossary/", "account/webhooks/"]
    const asked: [path: string, answer: Promise<{ status: number }>][] = [
      ...[...pages, image_url, new URL(preview_url).pathname].map((path) => asking(path, call("GET", path))),
      ...own.map((path) => asking(path, call("GET", `${API}/${path}`, { key }))),
      asking("/micropub/", call("GET", "/micropub/?q=source", { headers: { Authorization: `Bearer ${key}` } })),
      ...["/settings/", "/settings/posts/", "/settings/export/"].map((path) => asking(path, browser.get(path))),
      asking("the link", browser.get(new URL(link.json.sign_in_url).pathname)),
    ]
    const found = await Promise.all(asked.map(async ([path, answer]) => [path, (await answer).status] as const))
    return found.filter(([, status]) => status < 300).map(([path]) => path)
  }
  const repeat = async (): Promise<void> => {
    expect([204, 404]).toContain((await eraseAccount(author)).status)
    await runCron()
    expect(await rows("select 1 from accounts where username = ?", username)).toEqual([])
  }
  return { ...author, slug, sub, readable, repeat }
}

it("of an account that is being erased nothing is readable or paid, and its name and slugs are taken until the job is done", async () => {
  const author = await newScene()
  const { username, slug, sub, readable } = author
  expect((await readable()).length).toBeGreaterThan(15)
  expect((await erase(author, withoutJob())).status).toBe(204)
  expect(await readable()).toEqual([])
  await deliverEvent(snapshot(sub, { status: "active" }))
  await deliverEvent(checkout(unique("sub"), username))
  expect(await rows("select paid_until, hidden, restricted from accounts where username = ?", username)).toEqual([
    { paid_until: null, hidden: 1, restricted: 1 },
  ])
  const path = `/operator/api/accounts/${username}/`
  const shown = await call("GET", path, { headers: OPERATOR })
  expect([shown.status, shown.json.account.erasing]).toEqual([200, true])
  const changed = await setAccount(author, { hidden: false, paid_until: "2099-01-01T00:00:00Z" })
  expect([changed.status, changed.json.errors[0].message]).toEqual([400, expect.stringContaining("being erased")])
  for (const below of ["keys/", "sign-in-links/"])
    expect((await call("POST", `${path}${below}`, { headers: OPERATOR })).status).toBe(404)
  const operator = await signInOperator()
  expect((await operator.get(`/operator/?prefix=${username}`)).html).toContain("Being erased")
  expect((await operator.get(pathOf(username))).status).toBe(404)
  const refused = await operator.post("/operator/accounts/", { username })
  expect([refused.status, refused.html]).toEqual([400, expect.stringContaining("being erased")])
  const other = await newAuthor()
  const taken = await call("PUT", `${API}/posts/${slug}/`, {
    key: other.key,
    json: { title: "T", categories: "a", meta_description: "d", body: "b" },
  })
  expect(taken.status).toBe(403)
  expect((await eraseAccount(author)).status).toBe(204)
  expect((await eraseAccount(author)).status).toBe(404)
  expect(whereTo(await operator.post("/operator/accounts/", { username }))[0]).toBe(303)
})

it.each(["before", "after"] as const)(
  "an erasure whose database fails %s the effect of any one call leaves nothing readable once it has begun, and a repetition completes it",
  async (when) => {
    for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue()
    let least = Infinity
    for (const act of ["request", "job"] as const)
      for (let nth = 1; ; nth += 1) {
        const author = await newScene()
        if (act === "job") await erase(author, withoutJob())
        let calls = 0
        const DB = tapD1({
          around: async (ask, statements) => {
            if (act === "job" && !isIn(OF_JOB, statements)) return ask()
            calls += 1
            if (calls !== nth) return ask()
            if (when === "after") await ask()
            throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.")
          },
        })
        if (act === "job") await runCron({ DB })
        else await erase(author, DB)
        const [left] = await rows("select erasing_at from accounts where username = ?", author.username)
        const hasBegun = left?.["erasing_at"] !== null
        expect(hasBegun ? await author.readable() : [], `${act}, call ${nth}`).toEqual([])
        await author.repeat()
        if (calls < nth) {
          least = Math.min(least, calls)
          break
        }
      }
    expect(least).toBeGreaterThan(3)
  },
)
