import { sql } from "drizzle-orm"

import type { BlogKey, BlogOwner } from "../addresses.ts"
import type { Db } from "../db/client.ts"
import { runBatch, selection } from "../db/plain-sql.ts"
import { accounts, posts, texts } from "../db/schema.ts"
import { isListed, isWhole, visibleAt } from "../db/visibility.ts"
import { MAX_POST_TEXTS, MAX_SITEMAP_URLS } from "../limits.ts"
import { type Blog, isOfBlog, selectBlog, toBlog } from "./store.ts"

// Statements of sitemaps: which pages readers find.

const URL_OF_TEXT = selection({
  slug: posts.slug,
  primary_language: posts.primary_language,
  lang_code: texts.lang_code,
  published_at: posts.published_at,
  changed_at: texts.changed_at,
})
const OWNER = selection({ username: accounts.username, blog_host: accounts.blog_host })
/** A page of a post in one language. */
export type SitemapPage = ReturnType<typeof URL_OF_TEXT.toRow>

/** Posts of a part of a sitemap: with the blog's own page they have at most `MAX_SITEMAP_URLS` addresses. */
const POSTS_OF_PART = Math.floor((MAX_SITEMAP_URLS - 1) / MAX_POST_TEXTS)

const OLDEST_FIRST = sql`order by "posts"."published_at", "posts"."id"`

/**
 * Lists the pages of an account's posts for search engines, those of the oldest posts first. Pages that name another address
 * as canonical are left out.
 * @param part the slug of the post at which a part of the sitemap begins; without it the sitemap is whole
 * @returns null if there is no such account, or it is hidden. `pages` is null if there is no such part, or the whole has more
 * than `MAX_SITEMAP_URLS` addresses, the blog's own page included
 */
export const findSitemap = async (
  db: Db,
  key: BlogKey,
  part: string | undefined,
  now: Date,
): Promise<{ blog: Blog; pages: SitemapPage[] | null } | null> => {
  const isWholeMap = part === undefined
  const isOwn = isOfBlog(key, now)
  const isOfPart = isWholeMap
    ? sql`true`
    : sql`("posts"."published_at", "posts"."id") >= (
        select "posts"."published_at", "posts"."id" from "posts" where ${isOwn} and "posts"."slug" = ${part})`
  const isSource = sql`"texts"."lang_code" = "posts"."primary_language" and "posts"."canonical_url" is null`
  const [account, rows] = await runBatch(db, [
    selectBlog(key),
    sql`select ${URL_OF_TEXT.columns} from (select "posts"."id" from "posts" where ${isOwn} and ${isOfPart}
        ${OLDEST_FIRST} limit ${isWholeMap ? MAX_SITEMAP_URLS : POSTS_OF_PART}) as "chosen"
      cross join "posts" on "posts"."id" = "chosen"."id"
      cross join "texts" on "texts"."post_id" = "posts"."id" and ${isWhole} and (${isSource} or ${isListed})
      limit ${MAX_SITEMAP_URLS}`,
  ])
  const blog = toBlog(account)
  const isThere = isWholeMap ? rows.length < MAX_SITEMAP_URLS : rows.length > 0
  return blog && { blog, pages: isThere ? rows.map(URL_OF_TEXT.toRow) : null }
}

/** Lists the slugs of the posts at which the parts of an account's sitemap begin. Reads an index alone, whatever posts have. */
export const listSitemapParts = async (db: Db, key: BlogKey, now: Date): Promise<string[]> => {
  const numbered = sql`select "posts"."id", row_number() over (${OLDEST_FIRST}) - 1 as "place" from "posts" where ${isOfBlog(key, now)}`
  const [rows] = await runBatch(db, [
    sql`select "posts"."slug" from (${numbered}) as "numbered" cross join "posts" on "posts"."id" = "numbered"."id"
      where "place" % ${POSTS_OF_PART} = 0 order by "place"`,
  ])
  return rows.map(({ slug }) => String(slug))
}

/** Lists the accounts with a post that readers see, hidden ones left out; by default at most `MAX_SITEMAP_URLS`. */
export const listBlogs = async (db: Db, now: Date, limit = MAX_SITEMAP_URLS): Promise<BlogOwner[]> => {
  const [rows] = await runBatch(db, [
    sql`select ${OWNER.columns} from "accounts" where "hidden" = 0 and exists
      (select 1 from "posts" where "posts"."account_id" = "accounts"."id" and ${visibleAt(now)})
      order by "id" limit ${limit}`,
  ])
  return rows.map(OWNER.toRow)
}
