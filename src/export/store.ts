import { and, count, eq, getTableColumns, gt, lte, sql } from "drizzle-orm"

import type { Db } from "../db/client.ts"
import { countSome, runBatch, selection } from "../db/plain-sql.ts"
import { type Account, images, post_images, posts, texts } from "../db/schema.ts"
import { isKept } from "../db/visibility.ts"
import { POST_IMAGE, selectPostImages } from "../images/store.ts"
import { type Post, splitImages } from "../posts/post.ts"
import { POST_ROW } from "../posts/read-store.ts"
import type { PostSize } from "./part.ts"

const { html: _html, pending_fields: _pending, ...textColumns } = getTableColumns(texts)
const TEXT = selection(textColumns)

/** Counts the posts of an account, including drafts, as `countSome`. */
export const countPosts = async (db: Db, accountId: string): Promise<number> => {
  const [[row]] = await runBatch(db, [
    sql`select ${countSome(sql`"posts" where "account_id" = ${accountId}`)} as "posts"`,
  ])
  return Number(row?.["posts"])
}

interface Range {
  after: string | undefined
  until?: string | undefined
  limit: number
}

/** Lists posts with the number and bytes of their images, the oldest first, with ids after `after` up to `until` (undefined: no bound). */
export const listPostSizes = (db: Db, accountId: string, { after, until, limit }: Range): Promise<PostSize[]> =>
  db
    .select({
      id: posts.id,
      images: count(images.id),
      bytes: sql<number>`coalesce(sum(${images.bytes}), 0)`,
    })
    .from(posts)
    .leftJoin(post_images, eq(post_images.post_id, posts.id))
    .leftJoin(images, eq(images.id, post_images.image_id))
    .where(
      and(
        eq(posts.account_id, accountId),
        after === undefined ? undefined : gt(posts.id, after),
        until === undefined ? undefined : lte(posts.id, until),
      ),
    )
    .groupBy(posts.id)
    .orderBy(posts.id)
    .limit(limit)

/** Reads a post with the texts of all its languages and its images in one transaction, without HTML; null if it does not exist. */
export const findWholePost = async (
  db: Db,
  { username, blog_host, translation_review }: Account,
  id: string,
): Promise<Post | null> => {
  const [[row], textRows, imageRows] = await runBatch(db, [
    sql`select ${POST_ROW.columns} from ${posts} inner join "accounts" on "accounts"."id" = "posts"."account_id" and ${isKept}
      where ${posts.id} = ${id}`,
    sql`select ${TEXT.columns} from ${texts} where ${texts.post_id} = ${id} order by ${texts.lang_code}`,
    selectPostImages(sql`(${id})`),
  ])
  if (!row) return null
  const post = POST_ROW.toRow(row)
  return {
    ...post,
    ...splitImages(post.cover_image_id, imageRows.map(POST_IMAGE.toRow)),
    author: username,
    blog_host,
    account_review: translation_review,
    texts: textRows.map((text) => ({ ...TEXT.toRow(text), html: null, pending_fields: null })),
  }
}
