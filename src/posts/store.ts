import { type Placeholder, type SQL, and, desc, eq, getTableColumns, gte, inArray, lt, sql } from "drizzle-orm"
import type { BatchResponse } from "drizzle-orm/batch"

import {
  type Db,
  type Statement,
  builtForColumns,
  builtOnce,
  failedOn,
  listOf,
  placeholders,
  writeOnce,
} from "../db/client.ts"
import { accounts, images, post_images, posts, texts } from "../db/schema.ts"
import type { NamedVersion } from "../http/etag.ts"
import type { Usable } from "../images/image.ts"
import {
  attachImages,
  failedToAttach,
  findImages,
  listPostImages,
  markPostImages,
  releaseImages,
} from "../images/store.ts"
import type { Post, Readable } from "./post.ts"
import type { ListQuery } from "./schema.ts"
import { type Text, changedNames } from "./text.ts"

const ofAuthor = { author: accounts.username, hidden: accounts.hidden }
const postColumns = { ...getTableColumns(posts), ...ofAuthor }

const { body: _body, html: _html, ...lightTextColumns } = getTableColumns(texts)

/** Texts of a post, their bodies for the own language and `lang` alone. */
const textColumns = (lang: string | Placeholder) => {
  const wanted = sql`${texts.lang_code} in (${posts.primary_language}, ${lang})`
  return {
    ...lightTextColumns,
    body: sql<string | null>`case when ${wanted} then ${texts.body} end`,
    html: sql<string | null>`case when ${wanted} then ${texts.html} end`,
  }
}

export interface LoadOptions {
  /** The language whose body is wanted beside the own one. */
  lang?: string | undefined
  /** Pictures that a change of the post names. */
  wanted?: { accountId: string; ids: string[] } | undefined
}

export interface Loaded {
  post: Post & { hidden: boolean }
  /** Those of the pictures asked for that the account may have. */
  found: Usable[]
}

type Key = { slug: string } | { id: string }

const selectRow = (db: Db, isIt: SQL) =>
  db.select(postColumns).from(posts).innerJoin(accounts, eq(accounts.id, posts.account_id)).where(isIt)

const selectWhere = (db: Db, isIt: SQL, lang: string | Placeholder) =>
  [
    selectRow(db, isIt),
    db.select(textColumns(lang)).from(texts).innerJoin(posts, eq(posts.id, texts.post_id)).where(isIt),
    listPostImages(db, sql`(select ${posts.id} from ${posts} where ${isIt})`),
  ] as const

/** What reads a post whole, for a batch; `toPost` makes one of its rows. */
export const selectPost = (db: Db, postId: string | Placeholder) => selectWhere(db, eq(posts.id, postId), "")

export const toPost = ([[row], textRows, imageRows]: BatchResponse<ReturnType<typeof selectPost>>) =>
  row ? { ...row, texts: textRows, images: imageRows } : null

const selectWanted = (db: Db) => findImages(db, sql.placeholder("accountId"), sql.placeholder("ids"))

const readsBy = (column: typeof posts.slug | typeof posts.id) => {
  const select = (db: Db) => selectWhere(db, eq(column, sql.placeholder("key")), sql.placeholder("lang"))
  return { alone: builtOnce(select), withImages: builtOnce((db) => [...select(db), selectWanted(db)] as const) }
}
const READS = { slug: readsBy(posts.slug), id: readsBy(posts.id) }

/** Reads a post whole, and the pictures that a change of it names, in one call. */
export const findPost = async (db: Db, key: Key, { lang = "", wanted }: LoadOptions = {}): Promise<Loaded | null> => {
  const [reads, value] = "slug" in key ? [READS.slug, key.slug] : [READS.id, key.id]
  if (!wanted?.ids.length) {
    const post = toPost(await db.batch(reads.alone(db, { key: value, lang })))
    return post && { post, found: [] }
  }
  const values = { key: value, lang, accountId: wanted.accountId, ids: JSON.stringify(wanted.ids) }
  const [row, textRows, imageRows, found] = await db.batch(reads.withImages(db, values))
  const post = toPost([row, textRows, imageRows])
  return post && { post, found }
}

const readable = builtOnce((db) => {
  const isIt = eq(posts.slug, sql.placeholder("slug"))
  const shown = sql`coalesce(${sql.placeholder("lang")}, ${posts.primary_language})`
  const html = sql<string | null>`case when ${texts.lang_code} = ${shown} then ${texts.html} end`
  const { slug, status, categories, tags, primary_language, translation_languages, published_at } = posts
  const ofPost = { slug, status, categories, tags, primary_language, translation_languages, published_at }
  const { lang_code, title, meta_description, versions } = texts
  return [
    db
      .select({ ...ofPost, ...ofAuthor })
      .from(posts)
      .innerJoin(accounts, eq(accounts.id, posts.account_id))
      .where(isIt),
    db
      .select({ lang_code, title, meta_description, versions, html })
      .from(texts)
      .innerJoin(posts, eq(posts.id, texts.post_id))
      .where(isIt),
  ] as const
})

/** Reads what readers see of a post. @param lang whose HTML is wanted; null: that of its own language */
export const findReadable = async (
  db: Db,
  slug: string,
  lang: string | null,
): Promise<(Readable & { hidden: boolean }) | null> => {
  const [[row], textRows] = await db.batch(readable(db, { slug, lang }))
  return row ? { ...row, texts: textRows } : null
}

const contains = (column: typeof posts.tags | typeof posts.categories, value: Placeholder): SQL =>
  sql`exists (select 1 from json_each(${column}) where value = ${value})`

/** What a list may be narrowed by. */
const FILTERS = {
  cursor: lt(posts.id, sql.placeholder("cursor")),
  status: eq(posts.status, sql.placeholder("status")),
  tag: contains(posts.tags, sql.placeholder("tag")),
  category: contains(posts.categories, sql.placeholder("category")),
  updated_since: gte(posts.updated_at, sql.placeholder("updated_since")),
}

const selectPage = (db: Db, filters: SQL[]) => {
  const page = db
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.account_id, sql.placeholder("accountId")), ...filters))
    .orderBy(desc(posts.id))
    .limit(sql.placeholder("limit"))
  return [
    db
      .select(postColumns)
      .from(posts)
      .innerJoin(accounts, eq(accounts.id, posts.account_id))
      .where(inArray(posts.id, page))
      .orderBy(desc(posts.id)),
    db.select(lightTextColumns).from(texts).where(inArray(texts.post_id, page)),
    db
      .select({ post_id: post_images.post_id, id: images.id, width: images.width, height: images.height })
      .from(post_images)
      .innerJoin(images, eq(images.id, post_images.image_id))
      .where(inArray(post_images.post_id, page))
      .orderBy(post_images.position),
  ] as const
}

const buildPage = (names: string[]) =>
  builtOnce((db) =>
    selectPage(
      db,
      Object.entries(FILTERS).flatMap(([name, is]) => (names.includes(name) ? [is] : [])),
    ),
  )
/** By the filters that are asked for. */
const pages = new Map<string, ReturnType<typeof buildPage>>()

/** A page of an author's posts, the newest first, without bodies; one post more than `limit` when there is a next page. */
export const listPosts = async (db: Db, accountId: string, query: ListQuery): Promise<Post[]> => {
  const names = Object.keys(FILTERS).filter((name) => query[name as keyof typeof FILTERS] !== undefined)
  const read = pages.get(names.join()) ?? buildPage(names)
  pages.set(names.join(), read)
  const values = { ...query, updated_since: query.updated_since?.getTime(), limit: query.limit + 1, accountId }
  const [rows, textRows, imageRows] = await db.batch(read(db, values))
  return rows.map((row) => ({
    ...row,
    texts: textRows.filter(({ post_id }) => post_id === row.id).map((text) => ({ ...text, body: null, html: null })),
    images: imageRows.filter(({ post_id }) => post_id === row.id),
  }))
}

const isAtOne = (versions: NamedVersion[]) =>
  sql`exists (select 1 from json_each(${JSON.stringify(versions)})
    where value ->> 'version' = ${posts.version} and value ->> 'createdBy' >= ${posts.created_at})`

/**
 * Deletes an author's post, at one of these versions if any are given.
 * @returns the pictures that only it showed, marked for deletion; null when there was no such post
 */
export const deletePost = async (
  db: Db,
  { slug, accountId, versions }: { slug: string; accountId: string; versions: NamedVersion[] | null },
  now: Date,
) => {
  const isIt = and(eq(posts.slug, slug), eq(posts.account_id, accountId), versions ? isAtOne(versions) : undefined)
  const [marked, deleted] = await db.batch([
    markPostImages(db, sql`(select ${posts.id} from ${posts} where ${isIt})`, now),
    db.delete(posts).where(isIt).returning({ id: posts.id }),
  ])
  return deleted.length > 0 ? marked : null
}

/** Those of these slugs that are taken, and by whom. */
export const findTakenSlugs = (db: Db, slugs: string[]) =>
  db
    .select({ slug: posts.slug, account_id: posts.account_id })
    .from(posts)
    .where(inArray(posts.slug, listOf(slugs)))

/** The columns that differ, or null. */
const diffText = (before: Text, after: Text): Partial<Text> | null => {
  const changed = changedNames(before, after)
  return changed.length > 0 ? Object.fromEntries(changed.map((name) => [name, after[name]])) : null
}

// Statements for a post's batch: whoever writes a text writes the post's revision with it.

const insertText = builtOnce((db) => [db.insert(texts).values(placeholders(texts))])

const update = builtForColumns(texts, (db, columns) => [
  db
    .update(texts)
    .set(columns)
    .where(and(eq(texts.post_id, sql.placeholder("postId")), eq(texts.lang_code, sql.placeholder("lang")))),
])

const updateText = (db: Db, { post_id, lang_code }: Pick<Text, "post_id" | "lang_code">, changes: Partial<Text>) =>
  update(db, changes, { postId: post_id, lang: lang_code })

const deleteText = (db: Db, { post_id, lang_code }: Pick<Text, "post_id" | "lang_code">) =>
  db.delete(texts).where(and(eq(texts.post_id, post_id), eq(texts.lang_code, lang_code)))

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
