// Measures lists of posts with long and with empty bodies, at a service of its own on this machine. See README.md.
import { glob } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

import { main } from "../../scripts/cli.ts"
import { startBenchService } from "../service.ts"
import { median, setting, table } from "../shared.ts"

const ROUNDS = setting("ROUNDS", 60)
const POSTS = 100
const LANGUAGES = ["en", "fr", "de", "es"]
const BODY = "y".repeat(250_000)
const HTML = "x".repeat(1_000_000)

/** Finds the service's database below its folder. */
const openDatabase = async (store: string): Promise<DatabaseSync> => {
  for await (const path of glob(join(store, "v3", "d1", "*", "*.sqlite"))) {
    const db = new DatabaseSync(path)
    if (db.prepare("select 1 from sqlite_master where name = 'texts'").get()) return db
    db.close()
  }
  throw new Error("The service has no database.")
}

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

await main(async () => {
  const { origin, store, newKey, stop } = await startBenchService()
  try {
    const keys = new Map<string, string>()
    for (const name of ["long", "empty"]) keys.set(name, await newKey(name))
    const db = await openDatabase(store)
    fill(db, "long", BODY, HTML)
    fill(db, "empty", "", "")
    db.close()
    const times: Record<string, number[]> = { long: [], empty: [] }
    for (let round = 0; round < ROUNDS + 5; round++)
      for (const [name, key] of keys) {
        const began = performance.now()
        const answer = await fetch(`${origin}/api/blogcontroller/posts/?limit=100`, { headers: { "X-API-KEY": key } })
        const { posts } = (await answer.json()) as { posts: unknown[] }
        if (posts.length !== POSTS) throw new Error(`The list of ${name} has ${posts.length} posts.`)
        // The first rounds warm up.
        if (round >= 5) times[name]?.push(performance.now() - began)
      }
    const [long, empty] = [median(times.long ?? []), median(times.empty ?? [])]
    console.log(
      table([
        ["long", "empty", "ratio"],
        [`${long.toFixed(1)} ms`, `${empty.toFixed(1)} ms`, (long / empty).toFixed(2)],
      ]),
    )
  } finally {
    await stop()
  }
})
