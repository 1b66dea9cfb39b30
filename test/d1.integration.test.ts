import { afterAll, beforeEach, describe, expect, it } from "vitest"

import { checkout, deliverEvent, snapshot } from "./billing/stripe.ts"
import { create, get, patch, put, remove, statusOf } from "./calls.ts"
import { failing, faulty, type Statement, tapD1 } from "./faults.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  countingD1,
  deliver,
  env,
  fileForm,
  newPng,
  newAuthor,
  newPost,
  OPERATOR,
} from "./support.ts"
import {
  passSeconds,
  png,
  recordWakeUps,
  rows,
  runCron,
  runTranslations,
  stopClock,
  TRANSLATION_QUEUE,
} from "./support.ts"
import { unique, upload } from "./support.ts"

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  // The key's last use is written at most hourly and counted separately.
  await call("GET", `${API}/account/`, { key: ann.key })
})

type Uploaded = Awaited<ReturnType<typeof upload>>
const idsOf = (images: Uploaded[]): string[] => images.map(({ image_id }) => image_id)
const show = (images: Uploaded[]): string => images.map(({ image_url }) => `![](${image_url})`).join("")

const times = async <T>(count: number, act: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let i = 0; i < count; i++) results.push(await act())
  return results
}

/** A published post with translations that are ready. */
const translated = async (author: Author, languages: string[], images: Uploaded[] = []): Promise<string> => {
  const wakeUps = recordWakeUps()
  const input = { body: `Words ${show(images)}`, image_ids: idsOf(images), translation_languages: languages }
  const { json } = await create(author, input, { TRANSLATIONS: wakeUps.queue })
  await runTranslations(wakeUps)
  return json.post.slug
}

describe("number of D1 calls of a successful request", () => {
  type Act = (faults: { DB: D1Database }) => Promise<number>

  it.each<[string, number, number, () => Promise<Act>]>([
    ["create", 2, 201, async () => (DB) => statusOf(create(ann, {}, DB))],
    [
      "create with translations",
      2,
      201,
      async () => (DB) => statusOf(create(ann, { translation_languages: ["fr", "de", "ja"] }, DB)),
    ],
    [
      "create with fresh image_ids, listed and shown",
      2,
      201,
      async () => {
        const images = await times(8, () => upload(ann))
        const input = { image_ids: idsOf(images.slice(2)), body: show(images) }
        return (DB) => statusOf(create(ann, input, DB))
      },
    ],
    [
      "PATCH",
      3,
      200,
      async () => {
        const { slug } = await newPost(ann)
        return (DB) => statusOf(patch(ann, slug, { title: "New", body: "New" }, { env: DB }))
      },
    ],
    [
      "PATCH with image_ids, fresh, kept and released",
      3,
      200,
      async () => {
        const [kept, released, fresh] = await times(3, () => upload(ann))
        if (!kept || !released || !fresh) throw new Error("Three were uploaded.")
        const { slug } = await newPost(ann, { image_ids: idsOf([kept, released]) })
        const change = { body: show([kept, fresh]), image_ids: idsOf([fresh, kept]) }
        return (DB) => statusOf(patch(ann, slug, change, { env: DB }))
      },
    ],
    [
      "PATCH of a post with 3 translations",
      3,
      202,
      async () => {
        const languages = ["fr", "de", "ja"]
        const slug = await translated(ann, languages)
        const change = { title: "New", body: "New", translation_languages: languages }
        return (DB) => statusOf(patch(ann, slug, change, { env: DB }))
      },
    ],
    [
      "PATCH that changes nothing",
      3,
      200,
      async () => {
        const { slug } = await newPost(ann)
        return (DB) => statusOf(patch(ann, slug, {}, { env: DB }))
      },
    ],
    [
      "PUT that creates a post with images and a cover",
      3,
      201,
      async () => {
        const images = await times(3, () => upload(ann))
        const [cover_image_id] = idsOf(images)
        return (DB) => statusOf(put(ann, unique("put"), { body: show(images), cover_image_id }, { env: DB }))
      },
    ],
    [
      "PUT that replaces a post and its images",
      3,
      200,
      async () => {
        const [kept, cover, fresh] = await times(3, () => upload(ann))
        if (!kept || !cover || !fresh) throw new Error("Three were uploaded.")
        const { slug } = await newPost(ann, { body: show([kept]), cover_image_id: cover.image_id })
        const change = { body: show([kept, fresh]), title: "New", cover_image_id: kept.image_id }
        return (DB) => statusOf(put(ann, slug, change, { env: DB }))
      },
    ],
    [
      "list",
      2,
      200,
      async () => {
        await translated(ann, ["fr", "de"], [await upload(ann)])
        return (DB) => statusOf(call("GET", `${API}/posts/?source=cli`, { key: ann.key, env: DB }))
      },
    ],
    [
      "DELETE",
      3,
      204,
      async () => {
        const { slug } = await newPost(ann)
        return (DB) => statusOf(remove(ann, slug, { env: DB }))
      },
    ],
    [
      "DELETE with images and translations",
      3,
      204,
      async () => {
        const slug = await translated(ann, ["fr", "de"], await times(8, () => upload(ann)))
        return (DB) => statusOf(remove(ann, slug, { env: DB, ifMatch: '"1.1"' }))
      },
    ],
    [
      "GET of a post",
      2,
      200,
      async () => {
        const slug = await translated(ann, ["fr", "de"], [await upload(ann)])
        return (DB) => statusOf(call("GET", `${API}/posts/${slug}/?lang_code=fr`, { key: ann.key, env: DB }))
      },
    ],
    [
      "upload",
      4,
      201,
      async () => {
        const body = fileForm(await png())
        return (DB) => statusOf(call("POST", `${API}/image-upload/`, { key: ann.key, body, env: DB }))
      },
    ],
    [
      "upload of the same bytes again",
      2,
      200,
      async () => {
        const file = await newPng()
        await upload(ann, file)
        return (DB) => statusOf(call("POST", `${API}/image-upload/`, { key: ann.key, body: fileForm(file), env: DB }))
      },
    ],
    [
      "lookup of images by their bytes",
      2,
      200,
      async () => {
        const hashes = (await times(3, () => upload(ann))).map(({ source_sha256 }) => source_sha256)
        return (DB) => statusOf(call("GET", `${API}/images/?source_sha256=${hashes.join()}`, { key: ann.key, env: DB }))
      },
    ],
    [
      "attached image",
      1,
      200,
      async () => {
        const image = await upload(ann)
        await newPost(ann, { image_ids: [image.image_id] })
        return (DB) => statusOf(call("GET", image.image_url, { env: DB }))
      },
    ],
    [
      "public page",
      1,
      200,
      async () => {
        const slug = await translated(ann, ["fr", "de"], [await upload(ann)])
        return (DB) => statusOf(call("GET", `/@${ann.username}/${slug}/`, { env: DB }))
      },
    ],
    ...["", "categories/news/", "feed.atom", "feed.json", "sitemap.xml"].map(
      (path): [string, number, number, () => Promise<Act>] => [
        `blog, /@author/${path}`,
        1,
        200,
        async () => {
          await translated(ann, ["fr"], [await upload(ann)])
          return (DB) => statusOf(call("GET", `/@${ann.username}/${path}`, { env: DB }))
        },
      ],
    ),
    [
      "translated public page",
      1,
      200,
      async () => {
        const slug = await translated(ann, ["fr", "de"], [await upload(ann)])
        return (DB) => statusOf(call("GET", `/@${ann.username}/${slug}/fr/`, { env: DB }))
      },
    ],
  ])("a successful request (%s) makes at most %i calls to D1", async (_, most, status, prepare) => {
    const act = await prepare()
    const { DB, calls } = countingD1()
    expect(await act({ DB })).toBe(status)
    expect(calls()).toBeGreaterThan(0)
    expect(calls()).toBeLessThanOrEqual(most)
  })
})

const ok = async (sent: Promise<Answer>): Promise<Answer> => {
  const answer = await sent
  expect(answer.status, answer.text).toBeLessThan(400)
  return answer
}

/** Returns every distinct statement that the service sends while each operation runs once. */
const recordStatements = async (): Promise<Statement[]> => {
  const seen = new Map<string, Statement>()
  const DB = tapD1({
    before: (statements) => {
      for (const statement of statements) seen.set(statement.sql, statement)
    },
  })
  const wakeUps = recordWakeUps()
  const faults = { DB, TRANSLATIONS: wakeUps.queue }
  const as = { key: ann.key, env: faults }
  const operate = { headers: OPERATOR, env: faults }
  const account = `/operator/api/accounts/${unique("operated")}/`
  await ok(call("PATCH", account, { ...operate, json: { paid_until: "2099-01-01T00:00:00Z" } }))
  await ok(call("GET", account, operate))
  await ok(call("POST", `${account}keys/`, operate))
  await ok(call("DELETE", account, operate))
  passSeconds(7200)
  await ok(call("GET", `${API}/account/`, as))
  expect(await deliverEvent(checkout("sub_1", ann.username), faults)).toBe("applied")
  expect(await deliverEvent(snapshot("sub_1"), faults)).toBe("applied")

  const send = async () => ok(call("POST", `${API}/image-upload/`, { ...as, body: fileForm(await newPng()) }))
  const [first, second, third] = (await times(3, send)).map(({ json }) => json)
  const known = `${API}/images/?source_sha256=${first.source_sha256},${second.source_sha256}`
  await ok(call("GET", known, as))
  await ok(call("GET", known.replace("source_sha256", "original_sha256"), as))
  const noTickets = { ...faults, IMAGE_TICKETS: faulty(env.IMAGE_TICKETS, { get: failing }) }
  const input = { image_ids: idsOf([first, second]), translation_languages: ["fr", "de", "ja"] }
  const { slug } = (await ok(create(ann, input, noTickets))).json.post
  expect(await statusOf(create(ann, { slug }, faults))).toBe(400)
  await ok(create(ann, { image_ids: [third.image_id] }, faults))

  const queries = [
    "",
    "?status=PB",
    "?source=cli",
    "?tag=t",
    "?category=news",
    "?updated_since=2020-01-01T00:00:00Z",
    "?limit=1",
  ]
  const all = "?status=PB&source=cli&tag=t&category=news&updated_since=2020-01-01T00:00:00Z&limit=5"
  for (const query of [...queries, all]) await ok(call("GET", `${API}/posts/${query}`, as))
  const { next_cursor } = (await call("GET", `${API}/posts/?limit=1`, as)).json
  for (const query of [`?cursor=${next_cursor}`, `${all}&cursor=${next_cursor}`])
    await ok(call("GET", `${API}/posts/${query}`, as))

  await deliver({ post_id: "nobody", request_id: "r" }, { env: faults })
  await runTranslations(wakeUps, faults)
  await ok(call("GET", `${API}/posts/${slug}/?lang_code=fr`, as))
  await ok(call("GET", `${API}/posts/${slug}/translations/`, as))
  await ok(call("POST", `${API}/posts/${slug}/translations/fr/`, { ...as, json: { discard_edits: ["title"] } }))
  await deliver(wakeUps.sent[0]?.body, { queue: `${TRANSLATION_QUEUE}-dead`, env: faults })
  await ok(call("DELETE", `${API}/posts/${slug}/translations/de/`, as))
  const change = { body: "b", image_ids: [second.image_id], translation_languages: ["fr"] }
  await ok(patch(ann, slug, change, { env: faults }))
  await ok(patch(ann, slug, { ...change, lang_code: "fr", title: "t" }, { env: faults }))
  await runTranslations(wakeUps, faults)

  const draft = unique("draft")
  await ok(put(ann, draft, { status: "DF", cover_image_id: second.image_id }, { env: faults }))
  await ok(put(ann, draft, { status: "DF", source: "cli" }, { env: faults }))
  const link = await ok(call("POST", `${API}/posts/${draft}/preview/`, as))
  await ok(call("GET", new URL(link.json.preview_url).pathname, { env: faults }))
  const reader = { headers: OPERATOR, json: { name: "reader", scope: "read" } }
  const { api_key } = (await ok(call("POST", `/operator/api/accounts/${ann.username}/keys/`, reader))).json
  await ok(call("GET", `${API}/posts/`, { key: api_key, env: faults }))
  await ok(call("GET", known, { key: api_key, env: faults }))

  const lists = ["", "?page=2&lang=fr", "tags/t/", "categories/news/", "feed.atom?lang=fr", "sitemap.xml"]
  for (const path of lists) await call("GET", `/@${ann.username}/${path}`, { env: faults })
  await ok(call("GET", `/@${ann.username}/${slug}/`, { env: faults }))
  await ok(call("GET", `/@${ann.username}/${slug}/fr/`, { env: faults }))
  await ok(call("GET", second.image_url, { env: faults }))
  await create(ann, { translation_languages: ["fr"] }, { DB })
  passSeconds(7200)
  await runCron(faults)
  expect(await statusOf(remove(ann, slug, { ifMatch: '"1.1"', env: faults }))).toBe(412)
  await ok(remove(ann, slug, { env: faults }))
  expect(await statusOf(get(ann, slug))).toBe(404)
  return [...seen.values()]
}

const TABLES = [
  "accounts",
  "api_keys",
  "subscriptions",
  "stripe_events",
  "posts",
  "texts",
  "leases",
  "images",
  "post_images",
]
const SCAN = new RegExp(`^SCAN (${TABLES.join("|")})\\b`)

describe("query plans with 10 000 rows", () => {
  const ROWS = 10_000
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})`

  const SEED = [
    `insert into accounts (id, username, primary_language, translation_languages, created_at)
     select 'A' || i, 'seeded-' || i, 'en', '[]', i from n`,
    `insert into api_keys (hash, account_id, last_four, created_at, revoked_at)
     select 'K' || i, 'A' || (i / 2 + 1), 'abcd', i, case when i % 2 then i end from n`,
    `insert into subscriptions (id, account_id, paid_until, revision, updated_at)
     select 'S' || i, case when i % 2 then 'A' || (i / 2 + 1) end, i, 1, 9e15 + i from n`,
    `insert into stripe_events (id, handled_at) select 'E' || i, 9e15 + i from n`,
    `insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
       revision, text_version, created_at, updated_at, published_at)
     select printf('P%025d', i), 'A' || (i % 100 + 1), 'seeded-' || i, 'PB', '["c"]', '["t"]', 'en', '["fr"]', 1, 1, 1, i, i, i from n`,
    `insert into texts (post_id, lang_code, title, meta_description, body, html, image_ids, versions, edited, status, warnings,
       updated_at, changed_at) select printf('P%025d', i), 'en', 't', 'm', 'b', 'b', '[]', '{}', '[]', 'ready', '[]', i, i from n`,
    `insert into texts (post_id, lang_code, image_ids, versions, edited, status, due_at, warnings, updated_at, changed_at)
     select printf('P%025d', i), 'fr', '[]', '{}', '[]', case when i % 3 then 'ready' else 'queued' end, 9e15 + i, '[]', i, i from n`,
    `insert into leases (post_id, token, expires_at) select printf('P%025d', i), 'T' || i, i from n`,
    `insert into images (id, account_id, bytes, width, height, created_at, expires_at, cleanup_at)
     select printf('I%025d', i), 'A' || (i % 100 + 1), 1, 1, 1, i, i, case when i % 2 then 9e15 + i end from n`,
    `insert into post_images (post_id, image_id, position)
     select printf('P%025d', i), printf('I%025d', i), 0 from n where i % 2 = 0
     union all select printf('P%025d', i), printf('I%025d', i + 1), 1 from n where i % 2 = 1`,
  ]

  const seed = async (): Promise<void> => {
    await env.DB.batch(SEED.map((sql) => env.DB.prepare(sql.replace(/ select /, `\n${numbers} select `))))
    await env.DB.prepare("analyze").run()
  }

  afterAll(async () => {
    // The service's database has no statistics, and those of this one would change the plans of later tests.
    await env.DB.batch(["delete from sqlite_stat1", "analyze sqlite_schema"].map((sql) => env.DB.prepare(sql)))
  })

  it("no SQL query of the service scans a whole table of 10 000 rows", async () => {
    const statements = await recordStatements()
    await seed()
    const scans: { sql: string; plan: string[] }[] = []
    for (const { sql, values } of statements) {
      const plan = (await rows(`explain query plan ${sql}`, ...values)).map(({ detail }) => String(detail))
      if (plan.some((step) => SCAN.test(step))) scans.push({ sql, plan })
    }
    expect(scans).toEqual([])
    for (const table of TABLES) {
      const [{ count } = {}] = await rows(`select count(*) as count from ${table}`)
      expect(count, table).toBeGreaterThanOrEqual(ROWS)
      expect(statements.filter(({ sql }) => sql.includes(`"${table}"`)).length, table).toBeGreaterThan(0)
    }
  })

  it("every foreign key has an index, so that no delete scans a whole table of 10 000 rows", async () => {
    const keys = await Promise.all(
      TABLES.map((table) => rows(`select ? as owner, "from" as name from pragma_foreign_key_list(?)`, table, table)),
    )
    expect(keys.flat().length).toBeGreaterThan(0)
    for (const { owner, name } of keys.flat()) {
      const indexes = await rows(
        `select i.name from pragma_index_list(?) i, pragma_index_info(i.name) c where c.seqno = 0 and c.name = ? and not i.partial`,
        owner,
        name,
      )
      expect(indexes.length, `an index that begins with ${String(owner)}.${String(name)}`).toBeGreaterThan(0)
    }
  })
})
