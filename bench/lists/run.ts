// Measures lists of posts with long and with empty bodies, and of many and of few posts, at a service of its own. See README.md.
import type { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"

import { main } from "../../scripts/cli.ts"
import { openDatabase, startBenchService } from "../service.ts"
import { median, setting, table } from "../shared.ts"

const ROUNDS = setting("ROUNDS", 60)
const POSTS = 100
/** Posts of the blog whose lists must not take longer than those of one with `POSTS`. */
const MANY = setting("MANY", 10_000)
const LABELS = { category: 10, tag: 20 }
const LANGUAGES = ["en", "fr", "de", "es"]
const BODY = "y".repeat(250_000)
const HTML = "x".repeat(1_000_000)

/** Gives an account posts in four languages. */
const fill = (db: DatabaseSync, username: string, body: string, html: string): void => {
  const account = db.prepare("select id from accounts where username = ?").get(username) as { id: string }
  const post = db.prepare(`insert into posts (id, account_id, slug, status, categories, tags, primary_language,
    translation_languages, version, revision, text_version, created_at, updated_at)
    values (?, ?, ?, 'PB', '["news"]', '[]', 'en', '["fr","de","es"]', 1, 1, 1, 0, 0)`)
  const text = db.prepare(`insert into texts (post_id, lang_code, title, meta_description, image_ids, versions, edited,
    status, warnings, updated_at, changed_at, body, html)
    values (?, ?, 'A title', 'A description', '[]', '{"title":1,"meta_description":1,"body":1}', '[]', 'ready', '[]', 0, 0, ?, ?)`)
  for (let i = 0; i < POSTS; i++) {
    const id = `${username}-${i}`
    post.run(id, account.id, id)
    for (const lang of LANGUAGES) text.run(id, lang, body, html)
  }
}

const names = (most: number): string => JSON.stringify(Array.from({ length: most }, (_, n) => `label ${n}`))

/** Gives an account published posts which all have the same 30 labels. */
const fillLabelled = (db: DatabaseSync, username: string, count: number): void => {
  const posts = `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count}),
    post as (select accounts.id as account, printf('%s-%06d', username, n) as id, n from accounts, number where username = ?)`
  const versions = JSON.stringify({ title: 1, meta_description: 1, body: 1 })
  const statements = [
    `insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
      revision, text_version, created_at, updated_at, published_at)
     ${posts} select id, account, id, 'PB', '${names(LABELS.category)}', '${names(LABELS.tag)}', 'en', '[]', 1, 1, 1, n, n, n
     from post`,
    `insert into texts (post_id, lang_code, title, meta_description, image_ids, versions, edited, status, warnings,
      updated_at, changed_at, body, html)
     ${posts} select id, 'en', 'A title', 'A description', '[]', '${versions}', '[]', 'ready', '[]', n, n, '', '' from post`,
    ...Object.entries({ category: "categories", tag: "tags" }).map(
      ([kind, column]) => `insert into post_labels (account_id, kind, label, post_id, status, published_at)
        ${posts} select account, '${kind}', value, posts.id, status, published_at
        from post join posts on posts.id = post.id, json_each(${column})`,
    ),
  ]
  for (const sql of statements) db.prepare(sql).run(username)
}

/** Sends GETs to two sides in turn. @returns the median milliseconds of each side */
const race = async (sides: (() => Promise<Response>)[]): Promise<number[]> => {
  const times = sides.map((): number[] => [])
  for (let round = 0; round < ROUNDS + 5; round++)
    for (const [i, send] of sides.entries()) {
      const began = performance.now()
      await (await send()).text()
      // The first rounds warm up.
      if (round >= 5) times[i]?.push(performance.now() - began)
    }
  return times.map(median)
}

const rowOf = (name: string, [first = 0, second = 0]: number[]): string[] => [
  name,
  `${first.toFixed(1)} ms`,
  `${second.toFixed(1)} ms`,
  (first / second).toFixed(2),
]

await main(async () => {
  const { origin, store, newKey, stop } = await startBenchService()
  try {
    const keys = new Map<string, string>()
    for (const name of ["long", "empty", "many", "few"]) keys.set(name, await newKey(name))
    const db = await openDatabase(store)
    fill(db, "long", BODY, HTML)
    fill(db, "empty", "", "")
    fillLabelled(db, "many", MANY)
    fillLabelled(db, "few", POSTS)
    db.close()
    // The service has closed idle connections while the database was filled, which takes all of this thread.
    await sleep(100)
    const list = (name: string, query = "") => {
      const headers = { "X-API-KEY": keys.get(name) ?? "" }
      return fetch(`${origin}/api/blogcontroller/posts/?limit=100${query}`, { headers })
    }
    for (const name of keys.keys()) {
      const { posts } = await (await list(name)).json<{ posts: unknown[] }>()
      if (posts.length !== POSTS) throw new Error(`The list of ${name} has ${posts.length} posts.`)
    }
    const bodies = await race(["long", "empty"].map((name) => () => list(name)))
    console.log(table([["list of 100 posts", "long bodies", "empty bodies", "ratio"], rowOf("of all", bodies)]))
    const rows = []
    const pages = { index: "", tag: "tags/label%201/", category: "categories/label%202/", "absent tag": "tags/none/" }
    for (const [name, path] of Object.entries({ ...pages, feed: "feed.atom" }))
      rows.push(rowOf(name, await race(["many", "few"].map((blog) => () => fetch(`${origin}/@${blog}/${path}`)))))
    for (const [name, query] of Object.entries({ "list of 100": "", "list of 100 by tag": "&tag=label%201" }))
      rows.push(rowOf(name, await race(["many", "few"].map((blog) => () => list(blog, query)))))
    console.log(table([["read", `of ${MANY} posts`, `of ${POSTS} posts`, "ratio"], ...rows]))
  } finally {
    await stop()
  }
})
