import { sql, type SQL } from "drizzle-orm"

import { searchWords } from "../../packages/edgepost/src/fold.ts"
import type { Db } from "../db/client.ts"
import { type RawRow, runBatch, selection } from "../db/plain-sql.ts"
import type { LabelKind } from "../db/schema.ts"
import { POST_IMAGE } from "../images/store.ts"
import { LIST_STEP_POSTS, MAX_LIST_STEPS, MAX_SORTED_POSTS } from "../limits.ts"
import type { Caller } from "./commit.ts"
import type { ListQuery } from "./input.ts"
import { hasLabel } from "./label-store.ts"
import { asReadersSee, type Post } from "./post.ts"
import { LIGHT_TEXT, ofAuthor, POST_ROW, withImages } from "./read-store.ts"

// Lists posts for their author, in the API and on pages. Each filter is a condition here and a field of `ListQuery` in input.ts.

/** Returns the SQL condition that a post has all words of a search in its slug and titles. */
const matches = (text: string): SQL => {
  const wanted = searchWords(text)
  // Signs alone, such as quotation marks.
  if (wanted.length === 0) return sql`false`
  const words = JSON.stringify(wanted)
  const hasAll = (titles: SQL) =>
    sql`not exists (select 1 from json_each(${words}) where instr("posts"."slug" || char(10) || ${titles}, "value") = 0)`
  // A title that is not folded yet is found by its own letters, of A to Z in both cases.
  return sql`(${hasAll(sql`"posts"."folded_titles"`)} or "posts"."has_unfolded" = 1 and exists (select 1 from "texts"
    where "texts"."post_id" = "posts"."id" and ${hasAll(sql`lower(coalesce("texts"."title", ''))`)}))`
}

interface PostFilter extends ListQuery {
  /** Only posts that readers see at this time. */
  visibleAt?: Date | undefined
  /** Only published posts that readers do not see yet at this time. */
  scheduledAt?: Date | undefined
  /** Only posts whose slug and titles have all words of this text. */
  search?: string | undefined
  /** From the cursor on to newer posts, the oldest of them first. */
  isNewer?: boolean
  /** The source texts have their bodies. */
  hasBodies?: boolean
}

const AUTHOR = selection(ofAuthor)
const COLUMNS = sql`${POST_ROW.columns},
  (select ${LIGHT_TEXT.json} from "texts" where "texts"."post_id" = "posts"."id") as "all_texts",
  (select ${POST_IMAGE.json} from "post_images" inner join "images" on "images"."id" = "post_images"."image_id"
    where "post_images"."post_id" = "posts"."id") as "all_images"`

const isOf = (accountId: string): SQL => sql`"posts"."account_id" = ${accountId}`

const BODY = sql`(select "body" from "texts" where "texts"."post_id" = "posts"."id"
  and "texts"."lang_code" = "posts"."primary_language") as "source_body"`

type Filter = keyof Omit<PostFilter, "limit" | "cursor" | "isNewer" | "hasBodies">

/** Returns the SQL condition of each filter that a query has. A `+` keeps SQLite from an index in another order than the list's. */
const conditionsOf = (accountId: string, query: PostFilter): Map<Filter, SQL> => {
  const { status, tag, category, source, updated_since, visibleAt, scheduledAt, search } = query
  const isAt = (kind: LabelKind, label: string) =>
    sql`exists (select 1 from "post_labels" where ${hasLabel(accountId, kind, label)} and "post_labels"."post_id" = "posts"."id")`
  const isPublished = sql`+"posts"."status" = 'PB' and +"posts"."published_at"`
  const all = Object.entries({
    status: status && sql`+"posts"."status" = ${status}`,
    tag: tag === undefined ? undefined : isAt("tag", tag),
    category: category === undefined ? undefined : isAt("category", category),
    source: source === undefined ? undefined : sql`+"posts"."source" = ${source}`,
    updated_since: updated_since && sql`+"posts"."updated_at" >= ${updated_since.getTime()}`,
    visibleAt: visibleAt && sql`${isPublished} <= ${visibleAt.getTime()}`,
    scheduledAt: scheduledAt && sql`${isPublished} > ${scheduledAt.getTime()}`,
    search: search === undefined ? undefined : matches(search),
  } satisfies Record<Filter, SQL | undefined>)
  return new Map(all.flatMap(([name, condition]) => (condition ? [[name as Filter, condition]] : [])))
}

/** The rows in which a list looks for its posts, in the order of an index. */
interface Source {
  table: SQL
  /** Joins the posts, if they are not the rows. */
  join: SQL
  /** The column of the post's id. */
  id: SQL
  /** The condition of the rows. */
  isIn: SQL
  /** The filter that all of them meet. */
  met?: Filter
}

/** Returns the source with the fewest rows that has all posts of a list. */
const sourceOf = (accountId: string, { tag, category, source, status }: PostFilter): Source => {
  const label = tag ?? category
  if (label !== undefined) {
    const kind = tag === undefined ? "category" : "tag"
    // `cross join` makes SQLite read the rows in the order of the labels' index.
    const join = sql`cross join "posts" on "posts"."id" = "post_labels"."post_id"`
    const isIn = hasLabel(accountId, kind, label)
    return { table: sql`"post_labels"`, join, id: sql`"post_labels"."post_id"`, isIn, met: kind }
  }
  const all = { table: sql`"posts"`, join: sql``, id: sql`"posts"."id"`, isIn: isOf(accountId) }
  if (source !== undefined) return { ...all, isIn: sql`${all.isIn} and "posts"."source" = ${source}`, met: "source" }
  // SQLite uses a partial index only for its exact condition.
  return status === "DF" ? { ...all, isIn: sql`${all.isIn} and "posts"."status" = 'DF'`, met: "status" } : all
}

const beyond = (id: SQL, { cursor, isNewer }: PostFilter): SQL =>
  cursor === undefined ? sql`true` : isNewer ? sql`${id} > ${cursor}` : sql`${id} < ${cursor}`

const toPost = (row: RawRow, author: RawRow): Post => ({
  ...withImages({ ...POST_ROW.toRow(row), ...AUTHOR.toRow(author) }, POST_IMAGE.fromJson(row["all_images"])),
  texts: LIGHT_TEXT.fromJson(row["all_texts"]).map((text) => ({
    ...text,
    body: text.lang_code === row["primary_language"] ? ((row["source_body"] ?? null) as string | null) : null,
    html: null,
    pending_fields: null,
  })),
})

/** Some posts of a list. */
interface Found {
  posts: Post[]
  /** The id of the last post that was looked at; null at the end of the list. */
  end: string | null
}

const selectAuthor = (accountId: string) =>
  sql`select ${AUTHOR.columns} from "accounts" where "accounts"."id" = ${accountId}`

/** Finds at most `limit` posts of a list among its next `size` rows. A list without other filters than its source's has all of them. */
const findNext = async (db: Db, accountId: string, query: PostFilter, limit: number, size: number): Promise<Found> => {
  const { table, join, id, isIn, met } = sourceOf(accountId, query)
  const filters = conditionsOf(accountId, query)
  if (met) filters.delete(met)
  const isNext = sql`${isIn} and ${beyond(id, query)}`
  const isFound = filters.size > 0 ? sql.join([...filters.values()], sql` and `) : null
  const end = sql`(select "id" from "end")`
  // "Z" is after all ids.
  const [isRead, order] = query.isNewer
    ? [sql`${id} <= coalesce(${end}, 'Z')`, sql`${id} asc`]
    : [sql`${id} >= coalesce(${end}, '')`, sql`${id} desc`]
  const columns = query.hasBodies ? sql`${COLUMNS}, ${BODY}` : COLUMNS
  // One statement reads each row once, without sorting, and shows the last one that it may read.
  const [[author = {}], rows] = await runBatch(db, [
    selectAuthor(accountId),
    isFound
      ? sql`with "end"("id") as materialized (select ${id} from ${table} where ${isNext} order by ${order} limit 1 offset ${size - 1})
          select ${columns}, ${isFound} as "is_found", "posts"."id" = ${end} as "is_end" from ${table} ${join}
          where ${isNext} and ${isRead} and (${isFound} or ${id} = ${end}) order by ${order} limit ${limit}`
      : sql`select ${columns}, 1 as "is_found", 0 as "is_end" from ${table} ${join} where ${isNext} order by ${order} limit ${limit}`,
  ])
  const last = rows.find(({ is_end }) => is_end)
  const found = rows.filter(({ is_found }) => is_found)
  return { posts: found.map((row) => toPost(row, author)), end: last ? String(last["id"]) : null }
}

/** Returns the select of the ids of all posts that a rare filter lets through, by an index; null without such a filter. */
const selectRare = (accountId: string, { updated_since, scheduledAt }: PostFilter): SQL | null => {
  const rare = sql`select "posts"."id" from "posts" where ${isOf(accountId)} and`
  if (updated_since) return sql`${rare} "posts"."updated_at" >= ${updated_since.getTime()}`
  return scheduledAt ? sql`${rare} "posts"."status" = 'PB' and "posts"."published_at" > ${scheduledAt.getTime()}` : null
}

/** Finds at most `limit` posts of a list with a rare filter. @returns null if too many posts meet it to be sorted */
const findRare = async (db: Db, accountId: string, query: PostFilter, limit: number): Promise<Post[] | null> => {
  const rare = selectRare(accountId, query)
  if (!rare) return null
  const all = sql`${rare} limit ${MAX_SORTED_POSTS + 1}`
  const filters = [...conditionsOf(accountId, query).values(), beyond(sql`"posts"."id"`, query)]
  const [[author = {}], [counted], rows] = await runBatch(db, [
    selectAuthor(accountId),
    sql`select count(*) as "count" from (${all})`,
    sql`select ${COLUMNS} from "posts" where "posts"."id" in (${all}) and ${sql.join(filters, sql` and `)}
      order by "posts"."id" desc limit ${limit}`,
  ])
  return Number(counted?.["count"]) > MAX_SORTED_POSTS ? null : rows.map((row) => toPost(row, author))
}

/**
 * Lists an account's posts that match the query, without bodies, the newest first. It looks at a limited number of posts, so
 * that it may end before `limit` of them match.
 * @returns at most `limit` posts; `next` is the id from which the list goes on, null at its end
 */
export const listPosts = async (
  db: Db,
  accountId: string,
  query: PostFilter,
): Promise<{ posts: Post[]; next: string | null }> => {
  const { limit } = query
  const rare = await findRare(db, accountId, query, limit + 1)
  const { posts: found, ...first }: Found = rare
    ? { posts: rare, end: null }
    : await findNext(db, accountId, query, limit + 1, 2 * (limit + 1))
  let { end } = first
  for (let step = 0; step < MAX_LIST_STEPS && end !== null && found.length <= limit; step += 1) {
    const more = await findNext(db, accountId, { ...query, cursor: end }, limit + 1 - found.length, LIST_STEP_POSTS)
    found.push(...more.posts)
    end = more.end
  }
  const page = found.slice(0, limit)
  return { posts: page, next: found.length > limit ? (page.at(-1)?.id ?? null) : end }
}

/** Lists a caller's posts as `listPosts`; for a key that only reads, what readers see of them. */
export const listOwn = async (db: Db, { account, key, now }: Caller, query: PostFilter) => {
  if (key?.scope !== "read") return listPosts(db, account.id, query)
  if (account.hidden) return { posts: [], next: null }
  const { posts: found, next } = await listPosts(db, account.id, { ...query, visibleAt: now })
  return { posts: found.map(asReadersSee), next }
}
