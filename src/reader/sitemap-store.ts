import { sql } from "drizzle-orm"

import type { BlogKey, BlogOwner } from "../addresses.ts"
import type { Db } from "../db/client.ts"
import { runBatch, selection } from "../db/plain-sql.ts"
import { accounts, posts, texts } from "../db/schema.ts"
import { isListed, isWhole, visibleAt } from "../db/visibility.ts"
import { MAX_SITEMAP_URLS } from "../limits.ts"
import { type Blog, NEWEST_FIRST, isOfBlog, selectBlog, toBlog } from "./store.ts"

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

/**
 * Lists the pages of an account's posts for search engines, those of the newest posts first. Pages that name another address
 * as canonical are left out. The list is one shorter than `MAX_SITEMAP_URLS`: the sitemap also has the blog's own page.
 * @returns null if there is no such account, or it is hidden
 */
export const findSitemap = async (
  db: Db,
  key: BlogKey,
  now: Date,
): Promise<{ blog: Blog; pages: SitemapPage[] } | null> => {
  const isSource = sql`"texts"."lang_code" = "posts"."primary_language" and "posts"."canonical_url" is null`
  const [account, rows] = await runBatch(db, [
    selectBlog(key),
    sql`select ${URL_OF_TEXT.columns} from "posts" inner join "texts" on "texts"."post_id" = "posts"."id"
      where ${isOfBlog(key, now)} and ${isWhole} and (${isSource} or ${isListed})
      ${NEWEST_FIRST} limit ${MAX_SITEMAP_URLS - 1}`,
  ])
  const blog = toBlog(account)
  return blog && { blog, pages: rows.map(URL_OF_TEXT.toRow) }
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
