import { getTableColumns, inArray, sql, type SQL } from "drizzle-orm"

import { listOf, type Db } from "../db/client.ts"
import { runBatch, selection, type RawRow } from "../db/plain-sql.ts"
import { accounts, posts, texts, type PostRow } from "../db/schema.ts"
import type { UsableImage } from "../images/image.ts"
import { POST_IMAGE, selectPostImages, selectUsable, toUsable } from "../images/store.ts"
import { splitImages, type Post } from "./post.ts"

// Reads of posts with their texts and images. `store.ts` writes them.

const textColumns = getTableColumns(texts)
const { body: _body, html: _html, pending_fields: _pending, ...lightTextColumns } = textColumns
/** The columns of a post's author. */
export const ofAuthor = {
  author: accounts.username,
  blog_host: accounts.blog_host,
  hidden: accounts.hidden,
  account_review: accounts.translation_review,
}

const { folded_titles: _folded, has_unfolded: _unfolded, ...postColumns } = getTableColumns(posts)
/** Decodes posts without the texts of an account. */
export const POST_ROW = selection(postColumns)
const POST = selection({ ...postColumns, ...ofAuthor, translation_tones: accounts.translation_tones })
const TEXT = selection(textColumns)
/** Decodes texts without body, HTML and the fields that wait for approval. */
export const LIGHT_TEXT = selection(lightTextColumns)

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

type Key = { slug: string } | { id: string } | { preview_token: string }

const isPost = (key: Key): SQL => {
  if ("slug" in key) return sql`"posts"."slug" = ${key.slug}`
  return "id" in key ? sql`"posts"."id" = ${key.id}` : sql`"posts"."preview_token" = ${key.preview_token}`
}

/** Returns the SQL selects of a post, its texts and its images. Texts have body, HTML and the fields that wait in the source language and in `lang` only. */
export const selectPost = (key: Key, lang = ""): [SQL, SQL, SQL] => {
  const isIt = isPost(key)
  const isWanted = sql`"texts"."lang_code" in ("posts"."primary_language", ${lang})`
  return [
    sql`select ${POST.columns} ${OF_POSTS} where ${isIt}`,
    sql`select ${LIGHT_TEXT.columns}, case when ${isWanted} then "texts"."body" end as "body",
      case when ${isWanted} then "texts"."html" end as "html",
      case when ${isWanted} then "texts"."pending_fields" end as "pending_fields" ${OF_TEXTS} where ${isIt}`,
    selectPostImages(sql`(select "posts"."id" from "posts" where ${isIt})`),
  ]
}

export const withImages = <T extends PostRow>(post: T, attached: ReturnType<typeof POST_IMAGE.toRow>[]) => ({
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
 * Reads a post by its slug, its id or the secret of its preview with its images and texts, in one call of D1. Bodies, and fields that wait for
 * approval, are read in the source language and `lang`; others are null.
 * @param options `wanted`: ids of images of an account, which `found` then lists if they can be used or have expired
 * @returns null if there is no such post
 */
export const findPost = async (db: Db, key: Key, { lang, wanted }: LoadOptions = {}): Promise<Loaded | null> => {
  const wantedImages = wanted?.ids.length ? [selectUsable(wanted.accountId, wanted.ids)] : []
  const [row, textRows, imageRows, found = []] = await runBatch(db, [...selectPost(key, lang), ...wantedImages])
  const post = toPost([row, textRows, imageRows])
  return post && { post, found: found.map(toUsable) }
}

/** Finds those of the slugs that posts have, of any account, with the ids of their accounts. */
export const findTakenSlugs = (db: Db, slugs: string[]) =>
  db
    .select({ slug: posts.slug, account_id: posts.account_id })
    .from(posts)
    .where(inArray(posts.slug, listOf(slugs)))
