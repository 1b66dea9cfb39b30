import { and, count, eq, getTableColumns, gt, lte, sql } from "drizzle-orm"

import type { Db } from "../db/client.ts"
import { type Account, images, post_images, posts, texts } from "../db/schema.ts"
import { listPostImages } from "../images/store.ts"
import type { Post } from "../posts/post.ts"
import type { PostSize } from "./part.ts"

const { html: _html, ...textColumns } = getTableColumns(texts)

/** How many posts an account has. */
export const countPosts = async (db: Db, accountId: string): Promise<number> => {
  const [row] = await db.select({ posts: count() }).from(posts).where(eq(posts.account_id, accountId))
  return row?.posts ?? 0
}

interface Range {
  after: string | undefined
  until?: string | undefined
  limit: number
}

/** Posts of an account with the size of their pictures, the oldest first: what is written meanwhile comes at the end. */
export const listPostSizes = (db: Db, accountId: string, { after, until, limit }: Range): Promise<PostSize[]> =>
  db
    .select({
      id: posts.id,
      pictures: count(images.id),
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

/** A post with the bodies of all its languages, of one moment; without HTML. */
export const findWholePost = async (db: Db, { username }: Account, id: string): Promise<Post | null> => {
  const [[row], textRows, pictures] = await db.batch([
    db.select().from(posts).where(eq(posts.id, id)),
    db.select(textColumns).from(texts).where(eq(texts.post_id, id)).orderBy(texts.lang_code),
    listPostImages(db, sql`${id}`),
  ])
  if (!row) return null
  return { ...row, author: username, texts: textRows.map((text) => ({ ...text, html: null })), images: pictures }
}
