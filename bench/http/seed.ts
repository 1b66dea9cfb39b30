// Fills the database before the first request: by SQL, not over HTTP.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { mintKey } from "../../src/accounts/key.ts"
import type { Target } from "./target.ts"

const MIGRATIONS = join(import.meta.dirname, "../../migrations")
const ROWS_AT_ONCE = 10_000
/** Accounts that upload in turn, because each may upload only so often. */
export const AUTHORS = 50

/** Returns the statements that make the tables, in order. */
export const readMigrations = (): string[] =>
  readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .flatMap((name) => readFileSync(join(MIGRATIONS, name), "utf8").split("--> statement-breakpoint"))

/** Makes the tables and paid accounts, `author-0` and so on. @returns their keys */
export const seedAccounts = async (target: Target): Promise<string[]> => {
  const keys = Array.from({ length: AUTHORS }, () => mintKey())
  const hashes = keys.map((key) => createHash("sha256").update(key).digest("hex"))
  const now = Date.now()
  const accounts = keys.map((_, i) => `('A${i}', 'author-${i}', ${now + 1e12}, 'en', '[]', ${now})`)
  // `last_used_at` is now, so that no request has to write it.
  const rows = hashes.map((hash, i) => `('${hash}', 'A${i}', 'abcd', ${now}, ${now})`)
  await target.query([
    ...readMigrations(),
    `insert into accounts (id, username, paid_until, primary_language, translation_languages, created_at)
      values ${accounts.join()}, ('other', 'other', null, 'en', '[]', ${now})`,
    `insert into api_keys (hash, account_id, last_four, created_at, last_used_at) values ${rows.join()}`,
  ])
  return keys
}

const fillFrom = (first: number, last: number): string[] => {
  const n = `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`
  return [
    // Every second post belongs to the account whose posts are listed.
    `insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
      revision, text_version, created_at, updated_at, published_at) ${n}
      select printf('0%025d', i), case when i % 2 then 'A0' else 'other' end, 'filled-' || i, 'PB', '["filled"]', '[]', 'en',
      '[]', 1, 1, 1, i, i, i from n`,
    `insert into post_labels (account_id, kind, label, post_id, status, published_at) ${n}
      select case when i % 2 then 'A0' else 'other' end, 'category', 'filled', printf('0%025d', i), 'PB', i from n`,
    `insert into texts (post_id, lang_code, title, meta_description, body, html, image_ids, versions, edited, status, warnings,
      updated_at, changed_at) ${n} select printf('0%025d', i), 'en', 'Filled ' || i, 'A post that is there.', printf('%.500c', 'b'),
      printf('%.600c', 'h'), '[]', '{"title":1,"meta_description":1,"body":1}', '[]', 'ready', '[]', i, i from n`,
  ]
}

/** Inserts posts, numbers `from` to `to`, with texts of 500 bytes. They are older than all other posts. */
export const fillPosts = async (target: Target, from: number, to: number): Promise<void> => {
  for (let first = from; first <= to; first += ROWS_AT_ONCE)
    await target.query(fillFrom(first, Math.min(first + ROWS_AT_ONCE - 1, to)))
}
