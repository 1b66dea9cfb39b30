import { and, eq, getTableColumns, gt, gte, sql, type SQL } from "drizzle-orm"

import type { Db } from "../db/client.ts"
import { runBatch, selection } from "../db/plain-sql.ts"
import { posts } from "../db/schema.ts"
import { POST_IMAGE } from "../images/store.ts"
import type { ListQuery } from "./input.ts"
import { hasLabel } from "./label-store.ts"
import type { Post } from "./post.ts"
import { LIGHT_TEXT, ofAuthor, withImages } from "./read-store.ts"

// Lists posts for their author, in the API and on pages. Each filter is a condition here and a field of `ListQuery` in input.ts.

/** Returns the SQL condition that a post's slug or one of its titles holds a text; only A to Z match in both cases. */
const matches = (text: string): SQL => {
  // D1 refuses patterns of `like` over 50 bytes.
  const holds = (column: SQL) => sql`instr(lower(${column}), lower(${text})) > 0`
  return sql`(${holds(sql`"posts"."slug"`)} or exists
    (select 1 from "texts" where "texts"."post_id" = "posts"."id" and ${holds(sql`"texts"."title"`)}))`
}

interface PostFilter extends ListQuery {
  /** Only posts that readers see at this time. */
  visibleAt?: Date | undefined
  /** Only published posts that readers do not see yet at this time. */
  scheduledAt?: Date | undefined
  /** Only posts whose slug or title holds this text. */
  search?: string | undefined
}

const LISTED = selection(getTableColumns(posts))
const AUTHOR = selection(ofAuthor)

/** Returns the SQL source of a list, and the column of the post's id by which it is in order. */
const listFrom = (accountId: string, { tag, category }: PostFilter): { from: SQL; id: SQL } => {
  const label = tag ?? category
  if (label === undefined)
    return { from: sql`"posts" where "posts"."account_id" = ${accountId}`, id: sql`"posts"."id"` }
  const kind = tag === undefined ? "category" : "tag"
  // `cross join` makes SQLite read the rows in the order of the labels' index.
  const from = sql`"post_labels" cross join "posts" on "posts"."id" = "post_labels"."post_id"
    where ${hasLabel(accountId, kind, label)}`
  return { from, id: sql`"post_labels"."post_id"` }
}

/** Lists an account's posts that match the query, without bodies, the newest first: one more than `limit` if there is a next page. */
export const listPosts = async (db: Db, accountId: string, query: PostFilter): Promise<Post[]> => {
  const { cursor, status, tag, category, source, updated_since } = query
  const { from, id } = listFrom(accountId, query)
  const isListed = and(
    cursor === undefined ? undefined : sql`${id} < ${cursor}`,
    status === undefined ? undefined : eq(posts.status, status),
    // The `+` keeps SQLite from an index in another order than the list's.
    query.visibleAt && sql`"posts"."status" = 'PB' and +"posts"."published_at" <= ${query.visibleAt.getTime()}`,
    query.scheduledAt && and(eq(posts.status, "PB"), gt(posts.published_at, query.scheduledAt)),
    query.search === undefined ? undefined : matches(query.search),
    source === undefined ? undefined : eq(posts.source, source),
    tag === undefined || category === undefined
      ? undefined
      : sql`exists (select 1 from json_each("posts"."categories") where value = ${category})`,
    updated_since === undefined ? undefined : gte(posts.updated_at, updated_since),
  )
  // One statement reads each row once, without sorting.
  const [[author], rows] = await runBatch(db, [
    sql`select ${AUTHOR.columns} from "accounts" where "accounts"."id" = ${accountId}`,
    sql`select ${LISTED.columns},
      (select ${LIGHT_TEXT.json} from "texts" where "texts"."post_id" = "posts"."id") as "all_texts",
      (select ${POST_IMAGE.json} from "post_images" inner join "images" on "images"."id" = "post_images"."image_id"
        where "post_images"."post_id" = "posts"."id") as "all_images"
      from ${from} ${isListed ? sql`and ${isListed}` : sql``} order by ${id} desc limit ${query.limit + 1}`,
  ])
  return rows.map((row) => ({
    ...withImages({ ...LISTED.toRow(row), ...AUTHOR.toRow(author ?? {}) }, POST_IMAGE.fromJson(row["all_images"])),
    texts: LIGHT_TEXT.fromJson(row["all_texts"]).map((text) => ({
      ...text,
      body: null,
      html: null,
      pending_fields: null,
    })),
  }))
}
