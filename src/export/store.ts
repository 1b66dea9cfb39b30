import { and, count, eq, getTableColumns, gt, lte, sql } from "drizzle-orm"

import type { Db } from "../db.ts"
import { listPostImages } from "../images/store.ts"
import { MAX_EXPORT_POSTS } from "../limits.ts"
import type { Post } from "../posts/post.ts"
import { type Account, posts, texts } from "../tables.ts"

const { html: _html, ...textColumns } = getTableColumns(texts)

/** How many posts an account has, those made before this one and itself if it is given. */
export const countPosts = async (db: Db, accountId: string, until?: string): Promise<number> => {
  const isCounted = and(eq(posts.account_id, accountId), until === undefined ? undefined : lte(posts.id, until))
  const [row] = await db.select({ posts: count() }).from(posts).where(isCounted)
  return row?.posts ?? 0
}

/** Ids of an account's posts, the oldest first: what is written meanwhile comes at the end. */
export const listPostIds = async (
  db: Db,
  accountId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> => {
  const rows = await db
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.account_id, accountId), after === undefined ? undefined : gt(posts.id, after)))
    .orderBy(posts.id)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** The posts with which all parts of an export but the last end, the oldest first. */
export const listParts = async (db: Db, accountId: string): Promise<string[]> => {
  const rows = await db.all<{ id: string }>(
    sql`select id from (select id, row_number() over (order by id) as n, count(*) over () as total from posts
      where account_id = ${accountId}) where n % ${MAX_EXPORT_POSTS} = 0 and n < total order by id`,
  )
  return rows.map(({ id }) => id)
}

/** A post with the bodies of all its languages, of one moment; without HTML. */
export const findWholePost = async (db: Db, { username }: Account, id: string): Promise<Post | null> => {
  const [[row], textRows, images] = await db.batch([
    db.select().from(posts).where(eq(posts.id, id)),
    db.select(textColumns).from(texts).where(eq(texts.post_id, id)).orderBy(texts.lang_code),
    listPostImages(db, sql`${id}`),
  ])
  if (!row) return null
  return { ...row, author: username, texts: textRows.map((text) => ({ ...text, html: null })), images }
}
