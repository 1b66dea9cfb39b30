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

/** A post with its languages and images: what is read, changed and written as one. */
export interface Post extends PostRow {
  author: string
  texts: Text[]
  images: PostImage[]
}

type ReadableColumn = "slug" | "status" | "categories" | "tags" | "primary_language" | "translation_languages"

/** A post as readers see it: its HTML shows the images. */
export interface Readable extends Pick<PostRow, ReadableColumn | "published_at"> {
  author: string
  texts: Pick<Text, "lang_code" | "title" | "meta_description" | "html" | "versions">[]
}

/** A body as it will be stored: rendered, with the account's usable images that it shows. */
export interface Composed {
  html: string
  pictures: string[]
}

/** The own text, and the translations around it. */
export const ownText = <T extends Pick<Text, "lang_code">>({
  slug,
  primary_language,
  texts,
}: Pick<PostRow, "slug" | "primary_language"> & { texts: T[] }): T => {
  const own = texts.find(({ lang_code }) => lang_code === primary_language)
  if (!own) throw new Error(`Post ${slug} has no text in its own language.`)
  return own
}

export const translationsOf = (post: Post): Text[] =>
  post.texts.filter(({ lang_code }) => lang_code !== post.primary_language)

/** A new post. */
export const draftPost = (
  input: CreatePost,
  composed: Composed,
  images: PostImage[],
  { id, account, due, now }: { id: string; account: Account; due: Date; now: Date },
): Post => {
  const { primary, translations } = defaultLanguages(account, input)
  const listed = listLanguages(primary, translations)
  const { title, meta_description, body } = input
  const own: Text = {
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
    // No post has one that an earlier post at its slug has had.
    revision: now.getTime(),
    text_version: 1,
    created_at: now,
    updated_at: now,
    published_at: input.status === "PB" ? now : null,
    texts: [own, ...reconcile([], { own, listed, due, now }, () => true)],
    images,
  }
}

/** The languages that readers find: the own one and each listed one that has a text. */
export const readableLanguages = (post: Readable): string[] => {
  const ready = new Set(post.texts.filter(hasText).map(({ lang_code }) => lang_code))
  return [post.primary_language, ...post.translation_languages].filter((code) => ready.has(code))
}

const sorted = (texts: Text[]): Text[] => texts.toSorted((a, b) => (a.lang_code < b.lang_code ? -1 : 1))

const isSameText = (before: Text | undefined, after: Text | undefined): boolean =>
  before !== undefined && after !== undefined && changedNames(before, after).length === 0

/** Whether two states of a post are one. */
export const isSamePost = (before: Post, after: Post): boolean => {
  const [old, texts] = [sorted(before.texts), sorted(after.texts)]
  return (
    old.length === texts.length &&
    texts.every((text, i) => isSameText(old[i], text)) &&
    changedNames({ ...before, texts: [] }, { ...after, texts: [] }).length === 0
  )
}

/** The post as clients make it: without how its engines fare. */
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

/** The post as it will be written: `version` counts effective changes by clients, `revision` every write. */
export const versioned = (before: Post, after: Post, now: Date): Post => {
  const isEffective = !isSamePost(clientsPart(before), clientsPart(after))
  return {
    ...after,
    version: before.version + (isEffective ? 1 : 0),
    revision: before.revision + 1,
    // Of saves that overlap the earlier may be written last, and whoever asks `updated_since` the later must find it.
    updated_at: isEffective && now > before.updated_at ? now : before.updated_at,
  }
}
