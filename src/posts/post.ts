import type { Account, Image, PostRow } from "../db/schema.ts"
import type { CreatePost } from "./schema.ts"
import {
  defaultLanguages,
  emptyText,
  hasText,
  changedNames,
  IDLE,
  isEmpty,
  listLanguages,
  reconcile,
  type Text,
  versionsOf,
} from "./text.ts"

export type PostImage = Pick<Image, "id" | "width" | "height">

/** A post with its texts and images, which is read, changed and written as one. */
export interface Post extends PostRow {
  author: string
  texts: Text[]
  images: PostImage[]
}

type ReadableColumn = "slug" | "status" | "categories" | "tags" | "primary_language" | "translation_languages"

/** A post as readers see it. */
export interface Readable extends Pick<PostRow, ReadableColumn | "published_at"> {
  author: string
  texts: Pick<Text, "lang_code" | "title" | "meta_description" | "html" | "versions">[]
}

/** A rendered body, and the ids of the account's images that it shows. */
export interface Composed {
  html: string
  image_ids: string[]
}

/** Returns the source text of a post, which is in its `primary_language`. @throws Error if it is missing */
export const sourceText = <T extends Pick<Text, "lang_code">>({
  slug,
  primary_language,
  texts,
}: Pick<PostRow, "slug" | "primary_language"> & { texts: T[] }): T => {
  const source = texts.find(({ lang_code }) => lang_code === primary_language)
  if (!source) throw new Error(`Post ${slug} has no source text.`)
  return source
}

/** Returns the texts of a post except its source text, including empty and unlisted ones. */
export const translationsOf = (post: Post): Text[] =>
  post.texts.filter(({ lang_code }) => lang_code !== post.primary_language)

/** Builds a new post from the input of a request, with its translations queued from `due` on. Writes nothing. */
export const draftPost = (
  input: CreatePost,
  composed: Composed,
  images: PostImage[],
  { id, account, due, now }: { id: string; account: Account; due: Date; now: Date },
): Post => {
  const { primary, translations } = defaultLanguages(account, input)
  const listed = listLanguages(primary, translations)
  const { title, meta_description, body } = input
  const source: Text = {
    ...emptyText(id, primary, now),
    title,
    meta_description,
    body,
    ...composed,
    versions: { title: 1, meta_description: 1, body: 1 },
  }
  return {
    id,
    account_id: account.id,
    author: account.username,
    slug: input.slug,
    status: input.status,
    categories: input.categories,
    tags: input.tags ?? [],
    primary_language: primary,
    translation_languages: listed,
    version: 1,
    // So no ETag of an earlier post with this slug matches.
    revision: now.getTime(),
    text_version: 1,
    created_at: now,
    updated_at: now,
    published_at: input.status === "PB" ? now : null,
    cover_image_id: null,
    canonical_url: null,
    author_name: null,
    source: null,
    preview_token: null,
    preview_expires_at: null,
    texts: [source, ...reconcile([], { source, listed, due, now }, () => true)],
    images,
  }
}

/** Lists the languages in which readers find the post: the source language, then listed ones with title, meta_description and body. */
export const readableLanguages = (post: Readable): string[] => {
  const ready = new Set(post.texts.filter(hasText).map(({ lang_code }) => lang_code))
  return [post.primary_language, ...post.translation_languages].filter((code) => ready.has(code))
}

const sorted = (texts: Text[]): Text[] => texts.toSorted((a, b) => (a.lang_code < b.lang_code ? -1 : 1))

const isSameText = (before: Text | undefined, after: Text | undefined): boolean =>
  before !== undefined && after !== undefined && changedNames(before, after).length === 0

/** Tells whether two states of a post have equal fields, texts (in any order) and images. */
export const isSamePost = (before: Post, after: Post): boolean => {
  const [old, texts] = [sorted(before.texts), sorted(after.texts)]
  return (
    old.length === texts.length &&
    texts.every((text, i) => isSameText(old[i], text)) &&
    changedNames({ ...before, texts: [] }, { ...after, texts: [] }).length === 0
  )
}

/** Returns the post without the state of its translation runs. */
const clientsPart = (post: Post): Post => ({
  ...post,
  texts: post.texts
    .filter((text) => !isEmpty(text))
    .map((text) => ({
      ...text,
      ...IDLE,
      versions: versionsOf(text.edited, (field) => text.versions[field]),
      updated_at: post.created_at,
    })),
})

/**
 * Returns `after` with its version numbers: `revision` rises by one. If something that a client sets has changed, `version`
 * rises by one as well, and `updated_at` becomes `now`.
 */
export const versioned = (before: Post, after: Post, now: Date): Post => {
  const isEffective = !isSamePost(clientsPart(before), clientsPart(after))
  return {
    ...after,
    version: before.version + (isEffective ? 1 : 0),
    revision: before.revision + 1,
    // Of overlapping writes the earlier may be last. `updated_since` must still find the later one.
    updated_at: isEffective && now > before.updated_at ? now : before.updated_at,
  }
}
