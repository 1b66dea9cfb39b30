import { type SQL, and, eq, getTableColumns, gt, gte, inArray, sql } from "drizzle-orm"

import { type Db, listOf } from "../db/client.ts"
import { type RawRow, runBatch, selection } from "../db/plain-sql.ts"
import { accounts, type PostRow, posts, texts } from "../db/schema.ts"
import { visibleAt } from "../db/visibility.ts"
import type { UsableImage } from "../images/image.ts"
import { POST_IMAGE, selectPostImages, selectUsable, toUsable } from "../images/store.ts"
import type { ListQuery } from "./input.ts"
import { hasLabel } from "./label-store.ts"
import { type Post, splitImages } from "./post.ts"

// Reads of posts with their texts and images. `store.ts` writes them.

const textColumns = getTableColumns(texts)
const { body: _body, html: _html, ...lightTextColumns } = textColumns
const ofAuthor = { author: accounts.username, hidden: accounts.hidden }

const POST = selection({ ...getTableColumns(posts), ...ofAuthor })
const TEXT = selection(textColumns)
const LIGHT_TEXT = selection(lightTextColumns)

const OF_POSTS = sql`from "posts" inner join "accounts" on "accounts"."id" = "posts"."account_id"`
const OF_TEXTS = sql`from "texts" inner join "posts" on "posts"."id" = "texts"."post_id"`

export interface LoadOptions {
  /** Another language whose body to read, beside the source language. */
  lang?: string | undefined
  /** Images that the change names. */
  wanted?: { accountId: string; ids: string[] } | undefined
}

export interface Loaded {
  post: Post & { hidden: boolean }
  /** The wanted images that the account has. */
  found: UsableImage[]
}

type Key = { slug: string } | { id: string }

/** Returns the SQL selects of a post, its texts and its images. Texts have body and HTML in the source language and in `lang` only. */
export const selectPost = (key: Key, lang = ""): [SQL, SQL, SQL] => {
  const isIt = "slug" in key ? sql`"posts"."slug" = ${key.slug}` : sql`"posts"."id" = ${key.id}`
  const isWanted = sql`"texts"."lang_code" in ("posts"."primary_language", ${lang})`
  return [
    sql`select ${POST.columns} ${OF_POSTS} where ${isIt}`,
    sql`select ${LIGHT_TEXT.columns}, case when ${isWanted} then "texts"."body" end as "body",
      case when ${isWanted} then "texts"."html" end as "html" ${OF_TEXTS} where ${isIt}`,
    selectPostImages(sql`(select "posts"."id" from "posts" where ${isIt})`),
  ]
}

const withImages = <T extends PostRow>(post: T, attached: ReturnType<typeof POST_IMAGE.toRow>[]) => ({
  ...post,
  ...splitImages(
    post.cover_image_id,
    attached.map(({ post_id: _post, ...image }) => image),
  ),
})

/** Decodes the rows of `selectPost` to a post with texts and images. @returns null if there is no such post */
export const toPost = ([[row], textRows, imageRows]: [RawRow[], RawRow[], RawRow[]]) =>
  row ? { ...withImages(POST.toRow(row), imageRows.map(POST_IMAGE.toRow)), texts: textRows.map(TEXT.toRow) } : null

/**
 * Reads a post by its slug or id with its images and texts, in one call of D1. Bodies are read in the source language and
 * `lang`; others are null.
 * @param options `wanted`: ids of images of an account, which `found` then lists if they can be used or have expired
 * @returns null if there is no such post
 */
export const findPost = async (db: Db, key: Key, { lang, wanted }: LoadOptions = {}): Promise<Loaded | null> => {
  const wantedImages = wanted?.ids.length ? [selectUsable(wanted.accountId, wanted.ids)] : []
  const [row, textRows, imageRows, found = []] = await runBatch(db, [...selectPost(key, lang), ...wantedImages])
  const post = toPost([row, textRows, imageRows])
  return post && { post, found: found.map(toUsable) }
}

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
    query.visibleAt && visibleAt(query.visibleAt),
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
    texts: LIGHT_TEXT.fromJson(row["all_texts"]).map((text) => ({ ...text, body: null, html: null })),
  }))
}

/** Finds those of the slugs that posts have, of any account, with the ids of their accounts. */
export const findTakenSlugs = (db: Db, slugs: string[]) =>
  db
    .select({ slug: posts.slug, account_id: posts.account_id })
    .from(posts)
    .where(inArray(posts.slug, listOf(slugs)))
