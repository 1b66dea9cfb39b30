import { sql, type SQL } from "drizzle-orm"

import type { BlogKey } from "../addresses.ts"
import type { Db } from "../db/client.ts"
import { runBatch, selection, type RawRow } from "../db/plain-sql.ts"
import { accounts, images, posts, texts } from "../db/schema.ts"
import { listedAt, visibleAt } from "../db/visibility.ts"
import type { StoredWidths } from "../images/image.ts"
import { MAX_COUNTED_PAGES, MAX_FEED_BYTES, MAX_FEED_POSTS, MAX_FEED_POST_BYTES, READER_PAGE_SIZE } from "../limits.ts"
import { hasLabel } from "../posts/label-store.ts"
import type { Readable } from "../posts/post.ts"

// Statements of the pages that readers see. Each page is one call of D1 and reads no body that it does not show.

const BLOG = selection({
  username: accounts.username,
  blog_host: accounts.blog_host,
  blog_title: accounts.blog_title,
  blog_description: accounts.blog_description,
  author_name: accounts.author_name,
  primary_language: accounts.primary_language,
  shows_translation_note: accounts.shows_translation_note,
  hidden: accounts.hidden,
})
/** An account as readers see it. */
export type Blog = ReturnType<typeof BLOG.toRow>

const READABLE = selection({
  slug: posts.slug,
  status: posts.status,
  categories: posts.categories,
  tags: posts.tags,
  primary_language: posts.primary_language,
  translation_languages: posts.translation_languages,
  published_at: posts.published_at,
  canonical_url: posts.canonical_url,
  author_name: posts.author_name,
  cover_alt: posts.cover_alt,
  listed: posts.listed,
  author: accounts.username,
  blog_host: accounts.blog_host,
})
const IMAGE = selection({
  id: images.id,
  width: images.width,
  height: images.height,
  smaller_widths: images.smaller_widths,
})
const lightText = {
  lang_code: texts.lang_code,
  title: texts.title,
  meta_description: texts.meta_description,
  versions: texts.versions,
  edited: texts.edited,
  changed_at: texts.changed_at,
}
const LIGHT_TEXT = selection(lightText)
const TEXT = selection({ ...lightText, html: texts.html })

const ENTRY = selection({
  id: posts.id,
  slug: posts.slug,
  primary_language: posts.primary_language,
  categories: posts.categories,
  tags: posts.tags,
  published_at: posts.published_at,
  author_name: posts.author_name,
  lang_code: texts.lang_code,
  title: texts.title,
  meta_description: texts.meta_description,
  changed_at: texts.changed_at,
  cover_id: images.id,
  cover_width: images.width,
  cover_height: images.height,
  cover_smaller: images.smaller_widths,
})
/** A post in a list for readers, with one of its texts. */
export type ListEntry = ReturnType<typeof ENTRY.toRow>

/** Returns the language of a list: the one in its address if an entry is in it, else the blog's. */
export const languageOf = ({
  blog,
  entries,
  lang,
}: {
  blog: Blog
  entries: Pick<ListEntry, "lang_code">[]
  lang: string | null
}): string => (lang !== null && entries.some(({ lang_code }) => lang_code === lang) ? lang : blog.primary_language)

/** Returns the time of a text's last change for readers: its own, or its publication if that is later. */
export const updatedAt = ({ changed_at, published_at }: { changed_at: Date; published_at: Date | null }): Date =>
  published_at && published_at > changed_at ? published_at : changed_at

const NEWEST_FIRST = sql`order by "posts"."published_at" desc, "posts"."id" desc`

/** Returns the SQL condition of the text to show in a list: that in `lang` if readers find it, else the source text. */
const isShown = (lang: string | null): SQL =>
  lang === null
    ? sql`"texts"."lang_code" = "posts"."primary_language"`
    : sql`"texts"."lang_code" = coalesce(
        (select "other"."lang_code" from "texts" as "other", json_each("posts"."translation_languages") as "listed"
          where "other"."post_id" = "posts"."id" and "other"."lang_code" = ${lang} and "listed"."value" = ${lang}
            and (select count(*) from json_each("other"."versions")) = 3),
        "posts"."primary_language")`

/**
 * Returns the SQL select of the entries of posts, unsorted, which reads each row once. `toEntries` decodes its rows.
 * @param ids a select of one column `id`
 */
const selectEntries = (ids: SQL, lang: string | null, more = sql``): SQL =>
  sql`select ${ENTRY.columns}${more} from ${ids} as "chosen" cross join "posts" on "posts"."id" = "chosen"."id"
    cross join "texts" on "texts"."post_id" = "posts"."id" and ${isShown(lang)}
    left join "images" on "images"."id" = "posts"."cover_image_id"`

const newestFirst = (a: ListEntry, b: ListEntry): number =>
  Number(b.published_at) - Number(a.published_at) || (a.id < b.id ? 1 : -1)

/** Decodes rows of `selectEntries` to entries, the newest first. */
const toEntries = (rows: RawRow[]): ListEntry[] => rows.map(ENTRY.toRow).toSorted(newestFirst)

const isKeyed = (blog: BlogKey): SQL =>
  "username" in blog ? sql`"accounts"."username" = ${blog.username}` : sql`"accounts"."blog_host" = ${blog.blog_host}`

export const selectBlog = (blog: BlogKey): SQL => sql`select ${BLOG.columns} from "accounts" where ${isKeyed(blog)}`

/** Returns an SQL subquery for the id of a blog's account; it has no row if that is hidden. */
export const accountOf = (blog: BlogKey): SQL =>
  sql`(select "id" from "accounts" where ${isKeyed(blog)} and not "accounts"."hidden")`

/** Returns the SQL condition that a post is one of the account's that readers see at `now`. */
export const isOfBlog = (blog: BlogKey, now: Date): SQL =>
  sql`"posts"."account_id" = ${accountOf(blog)} and ${visibleAt(now)}`

/** Decodes the account of a page. @returns null if there is none, or it is hidden */
export const toBlog = ([row]: RawRow[]): Blog | null => {
  const blog = row ? BLOG.toRow(row) : null
  return blog?.hidden ? null : blog
}

/** Finds the account of a blog; null if there is none, or it is hidden. */
export const findBlog = async (db: Db, key: BlogKey): Promise<Blog | null> => {
  const [account] = await runBatch(db, [selectBlog(key)])
  return toBlog(account)
}

/** A list of an account's posts: all, or those with a tag or in a category, on pages from 1 on. */
export interface ListedPosts {
  key: BlogKey
  tag?: string
  category?: string
  page: number
  /** The slug of the last post of the page before, after which the page begins. */
  after?: string | undefined
  /** The slug of the first post of the page after, before which the page ends. Without both D1 reads all pages before. */
  before?: string | undefined
}

/** Tells whether a page is found from the page after it. */
const endsBefore = ({ after, before }: ListedPosts): boolean => after === undefined && before !== undefined

/** Returns the SQL select of the ids on a page of a list, and of one more if there is a next page; not with `before`. */
const selectPage = (listed: ListedPosts, now: Date): SQL => {
  const { key, tag, category, page, after, before } = listed
  const label = tag ?? category
  const account = accountOf(key)
  const [table, id, isIn] =
    label === undefined
      ? [sql`"posts"`, sql`"id"`, sql`"account_id" = ${account} and "posts"."listed" = 1`]
      : [sql`"post_labels"`, sql`"post_id"`, hasLabel(account, tag === undefined ? "category" : "tag", label)]
  const isBefore = endsBefore(listed)
  const [isNext, order] = isBefore ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const isSeen = sql`${table}."published_at" <= ${now.getTime()}`
  // Posts that readers do not see here must not be told apart.
  const isBeside = sql`(${table}."published_at", ${id}) ${isNext}
    (select "last"."published_at", "last"."id" from "posts" as "last" where "last"."slug" = ${after ?? before}
      and "last"."account_id" = ${account} and "last"."status" = 'PB' and "last"."published_at" <= ${now.getTime()})`
  // With `+`, SQLite searches its index for the place of the last post, not for the time.
  const isVisible =
    after === undefined ? (isBefore ? sql`${isSeen} and ${isBeside}` : isSeen) : sql`+${isSeen} and ${isBeside}`
  const pages = (after ?? before) === undefined ? Math.min(Math.max(page, 1), MAX_COUNTED_PAGES) - 1 : 0
  return sql`(select ${id} as "id" from ${table} where ${isIn} and ${table}."status" = 'PB' and ${isVisible}
    order by ${table}."published_at" ${order}, ${id} ${order}
    limit ${READER_PAGE_SIZE + (isBefore ? 0 : 1)} offset ${READER_PAGE_SIZE * pages})`
}

/**
 * Reads a page of an account's posts that readers see at `now`, the newest first.
 * @param lang the language of the texts, if a post has it
 * @returns null if there is no such account, or it is hidden
 */
export const findListed = async (
  db: Db,
  listed: ListedPosts,
  lang: string | null,
  now: Date,
): Promise<{ blog: Blog; entries: ListEntry[]; hasOlder: boolean } | null> => {
  const [account, rows] = await runBatch(db, [selectBlog(listed.key), selectEntries(selectPage(listed, now), lang)])
  const blog = toBlog(account)
  const entries = toEntries(rows)
  const hasOlder = endsBefore(listed) || entries.length > READER_PAGE_SIZE
  return blog && { blog, entries: entries.slice(0, READER_PAGE_SIZE), hasOlder }
}

/**
 * Reads the newest posts of an account for its feed, at most `MAX_FEED_POSTS`, with their HTML until it has `MAX_FEED_BYTES`
 * in all: `html` of the posts after that, and of one with more than `MAX_FEED_POST_BYTES`, is null.
 * @returns null if there is no such account, or it is hidden
 */
export const findFeed = async (
  db: Db,
  key: BlogKey,
  lang: string | null,
  now: Date,
): Promise<{ blog: Blog; entries: (ListEntry & { html: string | null })[] } | null> => {
  const ids = sql`(select "posts"."id" from "posts" where "posts"."account_id" = ${accountOf(key)} and ${listedAt(now)}
    ${NEWEST_FIRST} limit ${MAX_FEED_POSTS})`
  const size = sql`octet_length("texts"."html")`
  // Summed by D1, which would send megabytes of HTML that is not shown.
  const all = sql`sum(${size}) over (${NEWEST_FIRST})`
  const html = sql`, case when ${size} <= ${MAX_FEED_POST_BYTES} and ${all} <= ${MAX_FEED_BYTES} then "texts"."html" end as "html"`
  const [account, rows] = await runBatch(db, [selectBlog(key), selectEntries(ids, lang, html)])
  const blog = toBlog(account)
  const entries = rows.map((row) => ({ ...ENTRY.toRow(row), html: row["html"] as string | null }))
  return blog && { blog, entries: entries.toSorted(newestFirst) }
}

/** A post as its page shows it. */
export interface PageOfPost {
  post: Readable
  /** The images of the post, in no order. */
  images: StoredWidths[]
  blog: Blog
  older: ListEntry | null
  newer: ListEntry | null
}

/** Returns the SQL select of the posts before and after the one with this slug, of those that lists show; none for a page. */
const selectNeighbours = (slug: string, lang: string | null, now: Date): SQL => {
  const account = sql`(select "account_id" from "posts" where "slug" = ${slug})`
  const place = sql`(select "this"."published_at", "this"."id" from "posts" as "this" where "this"."slug" = ${slug} and "this"."listed")`
  const isOlder = sql`, ("posts"."published_at", "posts"."id") < ${place} as "is_older"`
  const next = (isVisible: SQL, isNext: SQL, order: SQL) =>
    sql`select * from (select "posts"."id" from "posts" where "posts"."account_id" = ${account} and ${isVisible}
      and ("posts"."published_at", "posts"."id") ${isNext} ${place} ${order} limit 1)`
  // `+` makes SQLite search its index for the place, not for the time: that would read every newer post of the account.
  const isVisible = sql`"posts"."status" = 'PB' and "posts"."listed" = 1 and +"posts"."published_at" <= ${now.getTime()}`
  const older = next(isVisible, sql`<`, NEWEST_FIRST)
  const newer = next(listedAt(now), sql`>`, sql`order by "posts"."published_at", "posts"."id"`)
  return selectEntries(sql`(${older} union all ${newer})`, lang, isOlder)
}

/**
 * Reads a post, its account and its neighbours as readers see them, in one call of D1; also a draft, which the caller must
 * check. Neighbours are in `lang` if they have it.
 * @param key the account and slug, or the secret of a preview link that works at `now`
 * @param lang the one language whose text has its HTML; null for the source language
 * @returns `page` null if the account has no such post; `blog` null if there is no such account or preview, or it is hidden;
 * `exists` true if there is such a post, also of a hidden account. A missing text is missing in `texts`
 */
export const findPage = async (
  db: Db,
  key: { blog: BlogKey; slug: string } | { preview_token: string },
  lang: string | null,
  now: Date,
): Promise<{ exists: boolean; blog: Blog | null; page: PageOfPost | null }> => {
  const isIt =
    "slug" in key
      ? sql`"posts"."slug" = ${key.slug}`
      : sql`"posts"."preview_token" = ${key.preview_token} and "posts"."preview_expires_at" > ${now.getTime()}`
  const ofPost = sql`from "posts" inner join "accounts" on "accounts"."id" = "posts"."account_id" where ${isIt}`
  const [account, [row], textRows, imageRows, neighbours = []] = await runBatch(db, [
    "slug" in key ? selectBlog(key.blog) : sql`select ${BLOG.columns} ${ofPost}`,
    sql`select ${READABLE.columns} ${ofPost}`,
    sql`select ${LIGHT_TEXT.columns},
      case when "texts"."lang_code" = coalesce(${lang}, "posts"."primary_language") then "texts"."html" end as "html"
      from "texts" inner join "posts" on "posts"."id" = "texts"."post_id" where ${isIt}`,
    sql`select ${IMAGE.columns}, "images"."id" = "posts"."cover_image_id" as "is_cover" from "posts"
      inner join "post_images" on "post_images"."post_id" = "posts"."id"
      inner join "images" on "images"."id" = "post_images"."image_id" where ${isIt}`,
    ...("slug" in key ? [selectNeighbours(key.slug, lang, now)] : []),
  ])
  const blog = toBlog(account)
  const found = row && READABLE.toRow(row)
  if (!blog || found?.author !== blog.username) return { exists: found !== undefined, blog, page: null }
  const cover = imageRows.find((image) => image["is_cover"] === 1)
  const post: Readable = {
    ...found,
    texts: textRows.map(TEXT.toRow),
    cover: cover ? IMAGE.toRow(cover) : null,
  }
  const neighbour = (isOlder: number): ListEntry | null => {
    const next = neighbours.find((entry) => entry["is_older"] === isOlder)
    return next ? ENTRY.toRow(next) : null
  }
  const page = { post, images: imageRows.map(IMAGE.toRow), blog, older: neighbour(1), newer: neighbour(0) }
  return { exists: true, blog, page }
}
