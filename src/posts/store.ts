import { type SQL, and, eq, getTableColumns, sql } from "drizzle-orm"

import { noteLists } from "../accounts/lists-store.ts"
import { addTextBytes } from "../accounts/store.ts"
import { type Db, listOf } from "../db/client.ts"
import { type Statement, assignments, inserter, isRolledBack, runBatch } from "../db/plain-sql.ts"
import { type PendingFields, posts, texts } from "../db/schema.ts"
import { isListed, visibleAt } from "../db/visibility.ts"
import type { NamedVersion } from "../http/etag.ts"
import { type Links, attachImages, releaseImages, toMarked, detachImages } from "../images/lifetime.ts"
import { deletionEvents } from "../webhooks/outbox.ts"
import { attachedImages, type Post } from "./post.ts"
import { changesTextBytes, countStoredText, countStoredTexts } from "./text-bytes-store.ts"
import { type Text, changedNames, IDLE, NOTHING_PENDING } from "./text.ts"
import { foldTitles } from "./titles-store.ts"

const textColumns = getTableColumns(texts)

const isAtOne = (versions: NamedVersion[]) =>
  sql`exists (select 1 from json_each(${JSON.stringify(versions)})
    where value ->> 'version' = ${posts.version} and value ->> 'createdBy' >= ${posts.created_at})`

/**
 * Deletes an account's post if it is at one of the versions (null: any), and runs the checks of the caller, in one batch.
 * @param isTold webhooks are told of it
 * @returns the expired images that only it showed, marked for deletion; null if there was no such post; an empty array after a dry run
 */
export const deletePost = async (
  db: Db,
  {
    slug,
    accountId,
    versions,
    isTold,
  }: { slug: string; accountId: string; versions: NamedVersion[] | null; isTold: boolean },
  now: Date,
  checks: Statement[],
) => {
  const isIt = and(eq(posts.slug, slug), eq(posts.account_id, accountId), versions ? isAtOne(versions) : undefined)
  const itsId = sql`(select ${posts.id} from ${posts} where ${isIt})`
  try {
    const events = isTold ? deletionEvents(itsId, now) : []
    const answers = await runBatch(db, [
      ...events,
      noteLists(accountId, now, sql`exists (select 1 from ${posts} where ${isIt} and ${visibleAt(now)})`),
      releaseImages(db, itsId, now),
      addTextBytes(accountId, sql`-(select "posts"."text_bytes" from "posts" where "posts"."id" = ${itsId})`),
      db.delete(posts).where(isIt).returning({ id: posts.id }),
      ...checks,
    ])
    const [, marked = [], , deleted = []] = answers.slice(events.length)
    return deleted.length > 0 ? toMarked(marked) : null
  } catch (error) {
    if (isRolledBack(error)) return []
    throw error
  }
}

/** New values of columns, also as SQL. */
export type Changes<T> = { [K in keyof T]?: T[K] | SQL | undefined }

// Statements for a batch. Every write to a text increments the revision of its post.

const insertText = inserter(texts)

/** Returns the statement that changes texts. Without a new revision of their posts, it may change only what no answer shows. */
export const setText = (changes: Changes<Text>, isIt: SQL): SQL =>
  sql`update "texts" set ${assignments(textColumns, changes)} where ${isIt}`

/** Returns the SQL of `pending_fields` after changes; null removes a field, as in RFC 7396. */
export const patchPending = (changes: Record<string, unknown>): SQL =>
  sql`nullif(json_patch(coalesce("texts"."pending_fields", '{}'), ${JSON.stringify(changes)}), '{}')`

const UNFOLDED = sql`, "has_unfolded" = 1`
const waiting = (name: string): SQL => sql`"texts"."pending_fields" ->> ${name}`

/**
 * Returns statements for a batch, which show readers what waits of those texts of an account's posts that meet the condition.
 * They are as `approved` in review.ts. The second one returns the `post_id` of each text.
 */
export const approveTexts = (postIds: string[], condition: SQL, now: Date): Statement[] => {
  const orKept = (name: keyof PendingFields) => sql`coalesce(${waiting(name)}, ${sql.raw(`"texts"."${name}"`)})`
  const columns = ["title", "meta_description", "body", "body_sha256", "html"] as const
  const isIt = sql`"texts"."post_id" in ${listOf(postIds)} and ${condition}`
  const changes = {
    ...NOTHING_PENDING,
    ...Object.fromEntries(columns.map((name) => [name, orKept(name)])),
    image_ids: sql`case when ${waiting("body")} is null then "texts"."image_ids" else "texts"."pending_image_ids" end`,
    versions: sql`json_patch("texts"."versions", "texts"."pending_versions")`,
    status: sql`case "texts"."status" when 'running' then 'queued' else "texts"."status" end`,
    claim: null,
    updated_at: now,
    changed_at: now,
  }
  const isOne = sql`"posts"."id" in ${listOf(postIds)}`
  return [
    sql`update "posts" set "revision" = "posts"."revision" + 1 ${UNFOLDED}
      where ${isOne} and exists (select 1 from "texts" where "texts"."post_id" = "posts"."id" and ${condition})`,
    sql`${setText(changes, isIt)} returning "post_id"`,
    ...countStoredTexts(isOne),
  ]
}

const isEditedField = sql`exists (select 1 from json_each("texts"."edited") where "value" = "field"."key")`

/** Returns the versions of a text with 0 for each field that was not edited by hand, so that it is made again. */
const outdated = (column: "versions" | "pending_versions"): SQL =>
  sql`(select json_group_object("key", case when ${isEditedField} then "value" else 0 end)
    from json_each(${sql.raw(`"texts"."${column}"`)}) as "field")`

/** The condition that a row of `texts` is a listed translation with a field that an engine writes or has written, approved or not. */
export const isMadeByEngine = sql`"texts"."lang_code" <> "posts"."primary_language" and ${isListed}
  and ("texts"."status" = 'running' or exists (
    select 1 from json_each(json_patch("texts"."versions", "texts"."pending_versions")) as "field"
    where not ${isEditedField}))`

const { retranslate_after: _request, ...REQUEUED } = { ...IDLE, status: "queued" as const }

/** Returns statements for a batch, which queue the translations of posts to be made again, except what was edited by hand. */
export const requeueTexts = (postIds: string[], now: Date): Statement[] => {
  const isOne = sql`"posts"."id" in ${listOf(postIds)}`
  const isIt = sql`rowid in (select "texts".rowid from "posts" join "texts" on "texts"."post_id" = "posts"."id"
    where ${isOne} and ${isMadeByEngine})`
  const versions = { versions: outdated("versions"), pending_versions: outdated("pending_versions") }
  return [
    sql`update "posts" set "revision" = "posts"."revision" + 1 where ${isOne}`,
    setText({ ...REQUEUED, due_at: now, updated_at: now, ...versions }, isIt),
    ...countStoredTexts(isOne),
  ]
}

/**
 * Returns statements for a batch. If a text of the post meets the condition, they increment the post's revision, change the
 * text and count its bytes, and the second one returns its `lang_code`. Else they change nothing.
 * @param maxTextBytes fails the batch if the stored text of the account would grow beyond it
 */
export const updateText = (
  postId: string,
  changes: Changes<Text>,
  condition: SQL,
  maxTextBytes?: number,
): Statement[] => {
  const isIt = sql`"texts"."post_id" = ${postId} and ${condition}`
  return [
    sql`update "posts" set "revision" = "posts"."revision" + 1 ${"title" in changes ? UNFOLDED : sql``}
      where "posts"."id" = ${postId} and exists (select 1 from "texts" where ${isIt})`,
    sql`${setText(changes, isIt)} returning "lang_code"`,
    ...(changesTextBytes(changes) ? countStoredText(postId, maxTextBytes) : []),
  ]
}

/** Returns the image links of a post. An image that is only the cover has the position -1. */
const linksOf = (post: Post): Links => {
  const all = attachedImages(post)
  return { ids: all.map(({ id }) => id), first: post.images.length - all.length }
}
const NO_LINKS: Links = { ids: [], first: 0 }

/** Tells whether a post with this id is stored. */
export const hasPost = async (db: Db, id: string): Promise<boolean> =>
  (await db.select({ id: posts.id }).from(posts).where(eq(posts.id, id))).length > 0

/** Returns the columns by which searches find a post. */
const searched = ({ texts: all }: Post) => ({
  folded_titles: foldTitles(all.flatMap(({ title }) => title ?? []).join("\n")),
  has_unfolded: false,
})

const insertPost = inserter(posts)
/** Returns the statement that inserts the row of a post. */
export const insertRow = (post: Post): SQL => insertPost({ ...post, ...searched(post) })

const isText = (text: Text) => sql`"texts"."post_id" = ${text.post_id} and "texts"."lang_code" = ${text.lang_code}`

/** Returns the statements that make the texts of a post those of `after`. Columns that stay the same are not written. */
export const textRows = (before: Post | null, after: Post): Statement[] => {
  const known = new Map(before?.texts.map((text) => [text.lang_code, text]))
  const kept = new Set(after.texts.map((text) => text.lang_code))
  return [
    ...[...known.values()]
      .filter(({ lang_code }) => !kept.has(lang_code))
      .map((text) => sql`delete from "texts" where ${isText(text)}`),
    ...after.texts.flatMap((text) => {
      const old = known.get(text.lang_code)
      if (!old) return insertText(text)
      const changes = changedNames(old, text).map((name) => [name, text[name]] as const)
      return changes.length > 0 ? setText(Object.fromEntries(changes), isText(text)) : []
    }),
  ]
}

/** Returns the statements that make the image links of a post those of `after`. They fail the batch if an image is not usable. */
export const imageRows = (db: Db, before: Post | null, after: Post, now: Date): Statement[] => {
  const [old, links] = [before ? linksOf(before) : NO_LINKS, linksOf(after)]
  if (JSON.stringify(old) === JSON.stringify(links)) return []
  const detached = old.ids.filter((id) => !links.ids.includes(id))
  return [
    ...attachImages(db, { accountId: after.account_id, postId: after.id }, links, now),
    ...(detached.length > 0 ? detachImages(db, after.id, detached) : []),
  ]
}

const {
  id: _id,
  account_id: _account,
  slug: slugColumn,
  created_at: _created,
  text_bytes: _bytes,
  has_pending: _pending,
  ...changing
} = getTableColumns(posts)

/** Compares and swaps: a lost race sets the revision to null, which violates NOT NULL and fails the batch. */
export const swapRow = ({ revision, slug }: Post, after: Post): SQL => {
  // A column that is set costs its index a write, even if its value stays.
  const columns = after.slug === slug ? changing : { ...changing, slug: slugColumn }
  const swapped = sql`case when "posts"."revision" = ${revision} then ${revision + 1} end`
  const set = assignments(columns, { ...after, ...searched(after), revision: swapped })
  return sql`update "posts" set ${set} where "posts"."id" = ${after.id} returning "id"`
}
