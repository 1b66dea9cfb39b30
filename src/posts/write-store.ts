import { eq, sql } from "drizzle-orm"

import { builtOnce, type Db, failedOn, placeholders, type Statement, writeOnce } from "../db.ts"
import { attachImages, failedToAttach, releaseImages } from "../images/store.ts"
import { posts } from "../tables.ts"
import type { Post } from "./post.ts"
import { deleteText, diffText, insertText, updateText } from "./text-store.ts"
import type { Text } from "./text.ts"

type Saved = "saved" | "duplicate_slug" | "lost" | "images_changed"

/** What a batch failed on: a unique slug, a lost race for the revision, a post or picture that is gone. */
const outcomeOf = (error: unknown): Saved => {
  if (failedOn(error, "UNIQUE", "posts.slug")) return "duplicate_slug"
  if (failedToAttach(error)) return "images_changed"
  if (failedOn(error, "NOT NULL", "posts.revision") || failedOn(error, "FOREIGN KEY")) return "lost"
  throw error
}

const insertRow = builtOnce((db) => [db.insert(posts).values(placeholders(posts))] as const)

/** Writes a new post with its languages and pictures, and what belongs to its writing, at once or not at all. */
export const insertPost = async (db: Db, post: Post, now: Date, along: Statement[]): Promise<Saved> => {
  const owner = { accountId: post.account_id, postId: post.id }
  const ids = post.images.map(({ id }) => id)
  const write = () =>
    db.batch([
      ...insertRow(db, post),
      ...post.texts.flatMap((text) => insertText(db, text)),
      ...(ids.length > 0 ? attachImages(db, owner, ids, now) : []),
      ...along,
    ])
  try {
    await writeOnce(
      write,
      async () => (await db.select({ id: posts.id }).from(posts).where(eq(posts.id, post.id))).length > 0,
    )
    return "saved"
  } catch (error) {
    return outcomeOf(error)
  }
}

const textStatements = (db: Db, before: Text[], after: Text[]): Statement[] => {
  const known = new Map(before.map((text) => [text.lang_code, text]))
  const kept = new Set(after.map(({ lang_code }) => lang_code))
  return [
    ...before.filter(({ lang_code }) => !kept.has(lang_code)).map((text) => deleteText(db, text)),
    ...after.flatMap((text): Statement[] => {
      const old = known.get(text.lang_code)
      if (!old) return insertText(db, text)
      const changes = diffText(old, text)
      return changes ? updateText(db, text, changes) : []
    }),
  ]
}

const imageStatements = (db: Db, before: Post, after: Post, now: Date): Statement[] => {
  const ids = after.images.map(({ id }) => id)
  if (ids.join() === before.images.map(({ id }) => id).join()) return []
  const released = before.images.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
  return [
    ...attachImages(db, { accountId: after.account_id, postId: after.id }, ids, now),
    ...releaseImages(db, after.id, released),
  ]
}

const { id: _id, account_id: _account, slug: _slug, created_at: _created, ...changing } = placeholders(posts)

const updateRow = builtOnce(
  (db) =>
    [
      db
        .update(posts)
        .set({
          ...changing,
          // Compare and swap that fails the whole batch: a lost race makes the column null, which it must not be.
          revision: sql`case when ${posts.revision} = ${sql.placeholder("revision")} then ${sql.placeholder("revision")} + 1 end`,
        })
        .where(eq(posts.id, sql.placeholder("id")))
        .returning({ id: posts.id }),
    ] as const,
)

/** Writes a changed post, at once or not at all; `lost` when anybody wrote it since it was read. */
export const savePost = async (
  db: Db,
  before: Post,
  after: Post,
  now: Date,
  along: Statement[] = [],
): Promise<Saved> => {
  try {
    const [updated] = await db.batch([
      ...updateRow(db, { ...after, revision: before.revision }),
      ...textStatements(db, before.texts, after.texts),
      ...imageStatements(db, before, after, now),
      ...along,
    ])
    return updated.length > 0 ? "saved" : "lost"
  } catch (error) {
    return outcomeOf(error)
  }
}
