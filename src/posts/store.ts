import { type SQL, and, eq, getTableColumns, gte, inArray, lt, sql } from "drizzle-orm"

import { addTextBytes, isTextFull } from "../accounts/store.ts"
import { type Db, failedOn, listOf, writeOnce } from "../db/client.ts"
import {
  type RawRow,
  type Statement,
  assignments,
  inserter,
  isRolledBack,
  runBatch,
  selection,
} from "../db/plain-sql.ts"
import { accounts, images, type PostRow, posts, texts } from "../db/schema.ts"
import { visibleAt } from "../db/visibility.ts"
import type { NamedVersion } from "../http/etag.ts"
import type { UsableImage } from "../images/image.ts"
import {
  type Links,
  POST_IMAGE,
  attachImages,
  failedToAttach,
  releaseImages,
  toMarked,
  detachImages,
  selectPostImages,
  selectUsable,
  toUsable,
} from "../images/store.ts"
import { attachedImages, type Post, type Readable, splitImages } from "./post.ts"
import type { ListQuery } from "./schema.ts"
import { type Text, changedNames } from "./text.ts"

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
  ...ofAuthor,
})
const COVER = selection({ id: images.id, width: images.width, height: images.height })
const lightReadableText = {
  lang_code: texts.lang_code,
  title: texts.title,
  meta_description: texts.meta_description,
  versions: texts.versions,
}
const LIGHT_READABLE_TEXT = selection(lightReadableText)
const READABLE_TEXT = selection({ ...lightReadableText, html: texts.html })

/**
 * Reads what readers see of a post, also if it is a draft or its account is hidden (`hidden`): the caller must check.
 * @param key the slug, or the secret of a preview link that works at `now`
 * @param lang the one language whose text has its HTML; null for the source language
 * @returns null without a post; a missing text is missing in `texts`
 */
export const findReadable = async (
  db: Db,
  key: { slug: string } | { preview_token: string; now: Date },
  lang: string | null,
): Promise<(Readable & { hidden: boolean }) | null> => {
  const isIt =
    "slug" in key
      ? sql`"posts"."slug" = ${key.slug}`
      : sql`"posts"."preview_token" = ${key.preview_token} and "posts"."preview_expires_at" > ${key.now.getTime()}`
  const [[row], textRows, [cover]] = await runBatch(db, [
    sql`select ${READABLE.columns} ${OF_POSTS} where ${isIt}`,
    sql`select ${LIGHT_READABLE_TEXT.columns},
      case when "texts"."lang_code" = coalesce(${lang}, "posts"."primary_language") then "texts"."html" end as "html"
      ${OF_TEXTS} where ${isIt}`,
    sql`select ${COVER.columns} from "posts" inner join "images" on "images"."id" = "posts"."cover_image_id" where ${isIt}`,
  ])
  if (!row) return null
  return { ...READABLE.toRow(row), texts: textRows.map(READABLE_TEXT.toRow), cover: cover ? COVER.toRow(cover) : null }
}

const contains = (column: typeof posts.tags | typeof posts.categories, value: string): SQL =>
  sql`exists (select 1 from json_each(${column}) where value = ${value})`

/**
 * Lists an account's posts that match the query, without bodies, the newest first: one more than `limit` if there is a next
 * page. With `visibleAt` only those that readers see at that time.
 */
export const listPosts = async (
  db: Db,
  accountId: string,
  query: ListQuery & { visibleAt?: Date },
): Promise<Post[]> => {
  const { cursor, status, tag, category, source, updated_since } = query
  const isListed = and(
    eq(posts.account_id, accountId),
    cursor === undefined ? undefined : lt(posts.id, cursor),
    status === undefined ? undefined : eq(posts.status, status),
    query.visibleAt && visibleAt(query.visibleAt),
    source === undefined ? undefined : eq(posts.source, source),
    tag === undefined ? undefined : contains(posts.tags, tag),
    category === undefined ? undefined : contains(posts.categories, category),
    updated_since === undefined ? undefined : gte(posts.updated_at, updated_since),
  )
  const page = sql`(select "posts"."id" from "posts" where ${isListed} order by "posts"."id" desc limit ${query.limit + 1})`
  const [rows, textRows, imageRows] = await runBatch(db, [
    sql`select ${POST.columns} ${OF_POSTS} where "posts"."id" in ${page} order by "posts"."id" desc`,
    sql`select ${LIGHT_TEXT.columns} from "texts" where "texts"."post_id" in ${page}`,
    selectPostImages(page),
  ])
  const allTexts = textRows.map((text) => ({ ...LIGHT_TEXT.toRow(text), body: null, html: null }))
  const allImages = imageRows.map(POST_IMAGE.toRow)
  return rows.map(POST.toRow).map((post) => ({
    ...withImages(
      post,
      allImages.filter(({ post_id }) => post_id === post.id),
    ),
    texts: allTexts.filter(({ post_id }) => post_id === post.id),
  }))
}

const isAtOne = (versions: NamedVersion[]) =>
  sql`exists (select 1 from json_each(${JSON.stringify(versions)})
    where value ->> 'version' = ${posts.version} and value ->> 'createdBy' >= ${posts.created_at})`

/**
 * Deletes an account's post if it is at one of the versions (null: any), and runs the extra statements, in one batch.
 * @returns the images that only it showed, marked for deletion; null if there was no such post. After a dry run none
 */
export const deletePost = async (
  db: Db,
  { slug, accountId, versions }: { slug: string; accountId: string; versions: NamedVersion[] | null },
  now: Date,
  extraStatements: Statement[],
) => {
  const isIt = and(eq(posts.slug, slug), eq(posts.account_id, accountId), versions ? isAtOne(versions) : undefined)
  const itsId = sql`(select ${posts.id} from ${posts} where ${isIt})`
  try {
    const [marked, , deleted] = await runBatch(db, [
      releaseImages(db, itsId, now),
      addTextBytes(accountId, sql`-${bytesIn(sql`"texts"."post_id" = ${itsId}`)}`),
      db.delete(posts).where(isIt).returning({ id: posts.id }),
      ...extraStatements,
    ])
    return deleted.length > 0 ? toMarked(marked) : null
  } catch (error) {
    if (isRolledBack(error)) return []
    throw error
  }
}

/** Finds those of the slugs that posts have, of any account, with the ids of their accounts. */
export const findTakenSlugs = (db: Db, slugs: string[]) =>
  db
    .select({ slug: posts.slug, account_id: posts.account_id })
    .from(posts)
    .where(inArray(posts.slug, listOf(slugs)))

/** Returns the columns that differ, or null. */
const diffText = (before: Text, after: Text): Partial<Text> | null => {
  const changed = changedNames(before, after)
  return changed.length > 0 ? Object.fromEntries(changed.map((name) => [name, after[name]])) : null
}

type Changes<T> = { [K in keyof T]?: T[K] | SQL | undefined }

// Statements for a batch. Every write to a text increments the revision of its post.

const insertText = inserter(texts)

// `text_bytes` of an account counts the UTF-8 bytes of the columns `body` and `html`.

const COUNTED_COLUMNS = ["body", "html"] as const
const utf8 = new TextEncoder()
const bytesOf = (value: unknown): number => (typeof value === "string" ? utf8.encode(value).length : 0)

/** Returns the bytes that writing these columns adds to a text, less those that its row has in them; null without the row. */
const growthOf = (changes: Changes<Text>, isIt: SQL): SQL | null => {
  const changed = COUNTED_COLUMNS.filter((name) => changes[name] !== undefined)
  if (changed.length === 0) return null
  const bytes = changed.reduce((sum, name) => sum + bytesOf(changes[name]), 0)
  const before = changed.map((name) => sql`coalesce(octet_length("texts"."${sql.raw(name)}"), 0)`)
  return sql`(select ${bytes} - ${sql.join(before, sql` - `)} from "texts" where ${isIt})`
}

/** Returns the statements that insert texts of an account and count their bytes. */
const insertTexts = (accountId: string, inserted: Text[], maxTextBytes: number): Statement[] => {
  const bytes = inserted.reduce((sum, { body, html }) => sum + bytesOf(body) + bytesOf(html), 0)
  return [...inserted.map(insertText), addTextBytes(accountId, sql`${bytes}`, maxTextBytes)]
}

/** Returns the bytes of the texts that meet a condition. */
const bytesIn = (isIt: SQL): SQL =>
  sql`(select sum(coalesce(octet_length("texts"."body"), 0) + coalesce(octet_length("texts"."html"), 0)) from "texts" where ${isIt})`

const setText = (changes: Changes<Text>, isIt: SQL): SQL =>
  sql`update "texts" set ${assignments(textColumns, changes)} where ${isIt}`

/**
 * Returns statements for a batch. If a text of the post meets the condition, they increment the post's revision, count the
 * bytes of the text, change it, and the last one returns its `lang_code`. Else they change nothing.
 * @param maxTextBytes fails the batch if the stored text of the account would grow beyond it
 */
export const updateText = (
  postId: string,
  changes: Changes<Text>,
  condition: SQL,
  maxTextBytes?: number,
): Statement[] => {
  const isIt = sql`"texts"."post_id" = ${postId} and ${condition}`
  const growth = growthOf(changes, isIt)
  return [
    ...(growth ? [addTextBytes(ofPost(postId), growth, maxTextBytes)] : []),
    sql`update "posts" set "revision" = "posts"."revision" + 1
      where "posts"."id" = ${postId} and exists (select 1 from "texts" where ${isIt})`,
    sql`${setText(changes, isIt)} returning "lang_code"`,
  ]
}

/** The time, limit and further statements of a write. */
export interface WriteRules {
  now: Date
  /** UTF-8 bytes that the texts of the account may have. */
  maxTextBytes: number
  /** Statements of the same batch. */
  extraStatements: Statement[]
}

type Saved = "saved" | "duplicate_slug" | "lost" | "images_changed" | "text_full"

/** Names the reason of a failed batch: a dry run, a taken slug, a lost race, a deleted post or image. @throws any other error */
const outcomeOf = (error: unknown): Saved => {
  if (isRolledBack(error)) return "saved"
  if (failedOn(error, "UNIQUE", "posts.slug")) return "duplicate_slug"
  if (failedToAttach(error)) return "images_changed"
  if (isTextFull(error)) return "text_full"
  if (failedOn(error, "NOT NULL", "posts.revision") || failedOn(error, "FOREIGN KEY")) return "lost"
  throw error
}

/** Returns the image links of a post. An image that is only the cover has the position -1. */
const linksOf = (post: Post): Links => {
  const all = attachedImages(post)
  return { ids: all.map(({ id }) => id), first: post.images.length - all.length }
}

const ofPost = (postId: string): SQL => sql`(select "account_id" from "posts" where "posts"."id" = ${postId})`

const insertRow = inserter(posts)

/**
 * Inserts a post with its texts, its image links and the extra statements, in one batch.
 * @returns `saved`, or why nothing was written: `duplicate_slug`, `lost` (erased account), `images_changed` (unusable)
 */
export const insertPost = async (
  db: Db,
  post: Post,
  { now, maxTextBytes, extraStatements }: WriteRules,
): Promise<Saved> => {
  const owner = { accountId: post.account_id, postId: post.id }
  const links = linksOf(post)
  const write = () =>
    runBatch(db, [
      insertRow(post),
      ...insertTexts(post.account_id, post.texts, maxTextBytes),
      ...(links.ids.length > 0 ? attachImages(db, owner, links, now) : []),
      ...extraStatements,
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

const isText = (text: Text) => sql`"texts"."post_id" = ${text.post_id} and "texts"."lang_code" = ${text.lang_code}`

const textStatements = ({ texts: before, account_id }: Post, after: Text[], maxTextBytes: number): Statement[] => {
  const known = new Map(before.map((text) => [text.lang_code, text]))
  const kept = new Set(after.map((text) => text.lang_code))
  const count = (bytes: SQL) => addTextBytes(account_id, bytes, maxTextBytes)
  return [
    ...before.flatMap((text) =>
      kept.has(text.lang_code)
        ? []
        : [count(sql`-${bytesIn(isText(text))}`), sql`delete from "texts" where ${isText(text)}`],
    ),
    ...after.flatMap((text) => {
      const old = known.get(text.lang_code)
      if (!old) return insertTexts(account_id, [text], maxTextBytes)
      const changes = diffText(old, text)
      if (!changes) return []
      const growth = growthOf(changes, isText(text))
      return [...(growth ? [count(growth)] : []), setText(changes, isText(text))]
    }),
  ]
}

const imageStatements = (db: Db, before: Post, after: Post, now: Date): Statement[] => {
  const [old, links] = [linksOf(before), linksOf(after)]
  if (JSON.stringify(old) === JSON.stringify(links)) return []
  const detached = old.ids.filter((id) => !links.ids.includes(id))
  return [
    ...attachImages(db, { accountId: after.account_id, postId: after.id }, links, now),
    ...detachImages(db, after.id, detached),
  ]
}

const { id: _id, account_id: _account, slug: _slug, created_at: _created, ...changing } = getTableColumns(posts)

/** Compares and swaps: a lost race sets the revision to null, which violates NOT NULL and fails the batch. */
const updateRow = (after: Post, { revision }: Post): SQL => {
  const swapped = sql`case when "posts"."revision" = ${revision} then ${revision + 1} end`
  const set = assignments(changing, { ...after, revision: swapped })
  return sql`update "posts" set ${set} where "posts"."id" = ${after.id} returning "id"`
}

/**
 * Writes what differs between two states of a post, and runs the extra statements, in one batch.
 * @returns `saved`; `lost` if it was written or deleted since `before` was read; `images_changed` if one became unusable;
 * `text_full` if the texts of the account would have more than `maxTextBytes`
 */
export const savePost = async (
  db: Db,
  before: Post,
  after: Post,
  { now, maxTextBytes, extraStatements }: WriteRules,
): Promise<Saved> => {
  try {
    const [updated] = await runBatch(db, [
      updateRow(after, before),
      ...textStatements(before, after.texts, maxTextBytes),
      ...imageStatements(db, before, after, now),
      ...extraStatements,
    ])
    return updated.length > 0 ? "saved" : "lost"
  } catch (error) {
    return outcomeOf(error)
  }
}
