import { type SQL, getTableColumns, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"

import { addTextBytes } from "../accounts/store.ts"
import type { Statement } from "../db/plain-sql.ts"
import { posts, texts } from "../db/schema.ts"
import { isListed, isPending } from "../db/visibility.ts"
import { LABEL_ROW_BYTES, POST_ROW_BYTES, TEXT_ROW_BYTES } from "../limits.ts"

// The stored text of an account: each post counts `posts.text_bytes`, and `accounts.text_bytes` is their sum. The same statement
// notes in `posts.has_pending` that some of a listed translation waits for approval, since each write of a text ends with it.

/** Columns of a limited length that no author fills, which the bytes of each row cover. */
const COVERED = new Set([
  "id",
  "account_id",
  "post_id",
  "status",
  "claim",
  "error",
  "cover_image_id",
  "preview_token",
  "body_sha256",
])

/** Returns the names of the columns whose UTF-8 bytes count: all texts and lists but those that the row's bytes cover. */
const countedColumns = (table: SQLiteTable): string[] =>
  Object.values(getTableColumns(table))
    .filter((column) => column.getSQLType() === "text" && !COVERED.has(column.name))
    .map(({ name }) => name)

const COUNTED_OF_TEXT = countedColumns(texts)

/** Returns the sum of the UTF-8 bytes of columns as SQL. SQLite tells a length without reading the value. */
const bytesOf = (table: "posts" | "texts", columns: string[]): SQL =>
  sql.raw(columns.map((name) => `coalesce(octet_length("${table}"."${name}"), 0)`).join(" + "))

const BYTES_OF_POST = sql`${sql.raw(String(POST_ROW_BYTES))} + ${bytesOf("posts", countedColumns(posts))}
  + (select coalesce(sum(${sql.raw(String(TEXT_ROW_BYTES))} + ${bytesOf("texts", COUNTED_OF_TEXT)}), 0) from "texts"
    where "texts"."post_id" = "posts"."id")
  + (select coalesce(sum(${sql.raw(String(LABEL_ROW_BYTES))} + 2 * octet_length("post_labels"."label")), 0)
    from "post_labels" where "post_labels"."post_id" = "posts"."id")`

const HAS_PENDING = sql`exists (select 1 from "texts" where "texts"."post_id" = "posts"."id"
  and ${isPending} and ${isListed})`

/** Tells whether a change of these columns of `texts` changes the bytes that count. */
export const changesTextBytes = (changes: object): boolean => COUNTED_OF_TEXT.some((name) => name in changes)

/**
 * Returns the statements that count posts of one account, their labels and texts again after a write, at the end of its batch.
 * They fail the batch, as `isTextFull` tells, if the stored text of the account grows beyond `limit` (UTF-8 bytes).
 */
export const countStoredTexts = (isIt: SQL, limit?: number): Statement[] => [
  addTextBytes(
    sql`(select "account_id" from "posts" where ${isIt} limit 1)`,
    sql`(select sum(${BYTES_OF_POST} - "posts"."text_bytes") from "posts" where ${isIt})`,
    limit,
  ),
  sql`update "posts" set "text_bytes" = ${BYTES_OF_POST}, "has_pending" = ${HAS_PENDING} where ${isIt}`,
]

/** Returns the statements that count one post again, as `countStoredTexts`. */
export const countStoredText = (postId: string, limit?: number): Statement[] =>
  countStoredTexts(sql`"posts"."id" = ${postId}`, limit)
