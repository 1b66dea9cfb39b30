import { sql, type SQL } from "drizzle-orm"

import type { Db } from "../db/client.ts"
import { deleteSome, runBatch, type Statement } from "../db/plain-sql.ts"
import { CLEANUP_BATCH, MAX_ERASING_STEPS, UPLOAD_GRACE_SECONDS } from "../limits.ts"
import { noteLists } from "./lists-store.ts"

// Erases an account: few writes hide all of it, then steps delete its rows. Here alone, rows of all tables are deleted, so
// that no statement deletes many more by a cascade.

const isOwn = (id: string): SQL => sql`"account_id" = ${id}`
const deleteRows = (table: string, isIt: SQL, limit?: number): Statement =>
  sql`${deleteSome(sql`${sql.identifier(table)}`, isIt, limit)} returning 1`

/**
 * Returns the statements after which nobody reads, changes or pays for an account; its name and slugs stay taken. They write
 * the same few rows whatever it has. Safe to repeat.
 */
export const beginErasing = (id: string, now: Date): Statement[] => [
  noteLists(id, now),
  sql`update "accounts" set "erasing_at" = coalesce("erasing_at", ${now.getTime()}), "hidden" = true, "restricted" = true,
    "paid_until" = null where "id" = ${id}`,
  ...["sessions", "sign_in_links", "passkeys"].map((table) => deleteRows(table, isOwn(id))),
]

const endpointsOf = (id: string): SQL => sql`(select "id" from "webhook_endpoints" where ${isOwn(id)})`

type Delete = (id: string, limit: number, now: Date) => Statement

/** Posts of at most `limit` rows in all, if each has but a text and a category. */
const nextPosts = (id: string, limit: number): SQL =>
  sql`(select "id" from "posts" where ${isOwn(id)} order by "id" limit ${Math.ceil(limit / 4)}) as "next"`
const countOf = (table: string): SQL =>
  sql`(select count(*) from ${sql.identifier(table)} where "post_id" = "next"."id")`

/** The links to images, of which a post may have very many; posts with their other rows and a lease at most; images. */
const POSTS: Delete[] = [
  (id, limit) =>
    sql`delete from "post_images" where rowid in (select "post_images".rowid from ${nextPosts(id, limit)}
      cross join "post_images" on "post_images"."post_id" = "next"."id" limit ${limit}) returning 1`,
  (id, limit) =>
    sql`delete from "posts" where "id" in (select "id" from (select "id", sum(2 + ${countOf("texts")}
      + ${countOf("post_labels")} + ${countOf("post_images")}) over (order by "id") as "rows" from ${nextPosts(id, limit)})
      where "rows" <= ${limit}) returning 1`,
  // Their rows outlive the account until the files are deleted, after the last upload that may store one.
  (id, limit, now) =>
    sql`update "images" set "deleting_at" = ${now.getTime()},
      "cleanup_at" = max(${now.getTime()}, "created_at" + ${UPLOAD_GRACE_SECONDS * 1000})
      where rowid in (select rowid from "images" where ${isOwn(id)} and "deleting_at" is null limit ${limit})
        and not exists (select 1 from "posts" where ${isOwn(id)}) returning 1`,
]

/** Other tables of which an account may have many rows. */
const MANY = [
  "remembered_segments",
  "idempotency_keys",
  "redirects",
  "glossary_terms",
  "translated_characters",
  "abuse_counts",
  "api_keys",
]
const OTHERS: Delete[] = [
  (id, limit) => deleteRows("webhook_deliveries", sql`"endpoint_id" in ${endpointsOf(id)}`, limit),
  ...MANY.map(
    (table): Delete =>
      (id, limit) =>
        deleteRows(table, isOwn(id), limit),
  ),
]

/**
 * Deletes rows of an account that is being erased, at most `CLEANUP_BATCH` in each of `MAX_ERASING_STEPS` batches, and then
 * the account. Safe to stop at each batch and to repeat; the next run does the rest.
 */
export const eraseRows = async (db: Db, id: string, now: Date): Promise<void> => {
  let others = OTHERS
  for (let step = 0; step < MAX_ERASING_STEPS; step += 1) {
    const all = [...others, ...POSTS]
    const share = Math.floor(CLEANUP_BATCH / all.length)
    const found = await runBatch<Statement[]>(
      db,
      all.map((statement) => statement(id, share, now)),
    )
    if (others.length === 0 && found.flat().length === 0) {
      await runBatch(db, [sql`delete from "accounts" where "id" = ${id} and "erasing_at" is not null`])
      return
    }
    others = others.filter((_, i) => found[i]?.length === share)
  }
}

/** Finds the id of an account that is being erased, of another one each time; undefined if there is none. */
export const findErasing = async (db: Db): Promise<unknown> => {
  const [[row]] = await runBatch(db, [
    sql`select "id" from "accounts" indexed by "accounts_erasing" where "erasing_at" > 0 order by random() limit 1`,
  ])
  return row?.["id"]
}
