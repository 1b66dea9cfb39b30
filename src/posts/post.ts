import { keepLabels } from "../../packages/edgepost/src/labels.ts"
import type { BlogOwner } from "../addresses.ts"
import { daysAfter } from "../days.ts"
import type { Account, Image, PostRow, PostStatus, TextField, TranslationReview } from "../db/schema.ts"
import { isVisible } from "../db/visibility.ts"
import { PREVIEW_DAYS } from "../limits.ts"
import type { CreatePost } from "./input.ts"
import {
  defaultLanguages,
  emptyText,
  isComplete,
  changedNames,
  IDLE,
  isEmpty,
  NOTHING_PENDING,
  targetLanguages,
  reconcile,
  type Text,
  TEXT_FIELDS,
  versionsOf,
} from "./text.ts"

export type PostImage = Pick<Image, "id" | "width" | "height" | "source_sha256" | "original_sha256">

interface Authored {
  /** The username of its account. */
  author: string
  /** The host of its account's blog; null without one of its own. */
  blog_host: string | null
}

/** Returns the account of a post, as addresses are made of it. */
export const ownerOf = ({ author, blog_host }: Authored): BlogOwner => ({ username: author, blog_host })

/** A post with its texts and images, which is read, changed and written as one. */
export interface Post extends PostRow, Authored {
  texts: Text[]
  /** The images of image_ids and those that its texts show. */
  images: PostImage[]
  /** The image of `cover_image_id`. */
  cover: PostImage | null
  /** The `translation_review` of its account. */
  account_review: TranslationReview
}

/** Returns what happens to a machine translation of a post: its own choice, else its account's. */
export const reviewOf = ({ translation_review, account_review }: Post): TranslationReview =>
  translation_review ?? account_review

/** The fields that are one text or null in every language. docs/contributing.md lists the places of every other field. */
export const PLAIN_FIELDS = ["cover_alt", "cover_caption", "canonical_url", "author_name", "source"] as const
type PlainField = (typeof PLAIN_FIELDS)[number]

/** Returns a value for each of the plain fields. */
export const mapPlain = <T>(valueOf: (field: PlainField) => T): Record<PlainField, T> =>
  Object.fromEntries(PLAIN_FIELDS.map((field) => [field, valueOf(field)])) as Record<PlainField, T>

/** Lists all images of a post: one that is only the cover comes first. */
export const attachedImages = ({ cover, images }: Pick<Post, "cover" | "images">): PostImage[] =>
  cover && !images.some(({ id }) => id === cover.id) ? [cover, ...images] : images

/** Splits the attached images of a post, with their positions, into its images and its cover. */
export const splitImages = (
  coverId: string | null,
  attached: (PostImage & { position: number })[],
): Pick<Post, "cover" | "images"> => {
  const all = attached
    .toSorted((a, b) => a.position - b.position)
    .map(({ position, ...image }) => ({ position, image }))
  const images = all.filter(({ position }) => position >= 0).map(({ image }) => image)
  return { images, cover: all.find(({ image }) => image.id === coverId)?.image ?? null }
}

type ReadableColumn =
  | "slug"
  | "status"
  | "categories"
  | "tags"
  | "primary_language"
  | "translation_languages"
  | "published_at"
  | "canonical_url"
  | "author_name"
  | "cover_alt"
  | "listed"

/** A post as readers see it. */
export interface Readable extends Pick<PostRow, ReadableColumn>, Authored {
  texts: Pick<Text, "lang_code" | "title" | "meta_description" | "html" | "versions" | "edited" | "changed_at">[]
  cover: Pick<Image, "id" | "width" | "height"> | null
}

/** A rendered body, its SHA-256, and the ids of the account's images that it shows. */
export interface RenderedBody {
  html: string
  body_sha256: string
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

/**
 * Returns since when readers see a post.
 * @param sent null: now if the post is published, else its next publication; undefined: the earlier time stays
 */
export const publishedAt = (
  status: PostStatus,
  sent: Date | null | undefined,
  before: Date | null,
  now: Date,
): Date | null => (sent === undefined ? before : sent) ?? (status === "PB" ? now : null)

/**
 * Returns when a text counts as changed for readers by what a client has sent: not before its publication, nor ahead.
 * @param sent null: it has not changed since the post was made, or was published if that is earlier
 */
export const changedBy = (
  sent: Date | null,
  { created_at, published_at }: Pick<PostRow, "created_at" | "published_at">,
  now: Date,
): Date => {
  const [made, published] = [created_at.getTime(), published_at?.getTime()]
  return new Date(
    sent ? Math.min(now.getTime(), Math.max(sent.getTime(), published ?? 0)) : Math.min(made, published ?? made),
  )
}

/** Returns the post with a new preview link, which works for `PREVIEW_DAYS`. */
export const renewPreview = (post: Post, preview_token: string, now: Date): Post => ({
  ...post,
  preview_token,
  preview_expires_at: daysAfter(now, PREVIEW_DAYS),
})

/**
 * Adds a preview link to a draft or scheduled post: at its first save, and when readers no longer see it.
 * @param before the post before the save; null for a new one
 * @param token the secret of a new link
 */
export const withPreview = (before: Post | null, after: Post, token: string, now: Date): Post => {
  if (isVisible(after, now)) return after
  const isWithdrawn = before !== null && (isVisible(before, now) || (before.status === "PB" && after.status === "DF"))
  return after.preview_token === null || isWithdrawn ? renewPreview(after, token, now) : after
}

/** Builds a new post from the input of a request, with its translations queued from `due` on. Writes nothing. */
export const buildPost = (
  input: CreatePost,
  rendered: RenderedBody,
  { images, cover }: Pick<Post, "images" | "cover">,
  { id, account, due, now }: { id: string; account: Account; due: Date; now: Date },
): Post => {
  const { primary, translations } = defaultLanguages(account, input)
  const listed = targetLanguages(primary, translations)
  const { title, meta_description, body } = input
  const published_at = publishedAt(input.status, input.published_at, null, now)
  const source: Text = {
    ...emptyText(id, primary, now),
    title,
    meta_description,
    body,
    ...rendered,
    versions: { title: 1, meta_description: 1, body: 1 },
    changed_at: changedBy(input.changed_at ?? null, { created_at: now, published_at }, now),
  }
  return {
    id,
    account_id: account.id,
    author: account.username,
    blog_host: account.blog_host,
    account_review: account.translation_review,
    slug: input.slug,
    status: input.status,
    categories: keepLabels(input.categories, []),
    tags: input.tags ? keepLabels(input.tags, []) : [],
    primary_language: primary,
    translation_languages: listed,
    version: 1,
    // So no ETag of an earlier post with this slug matches.
    revision: now.getTime(),
    text_version: 1,
    created_at: now,
    updated_at: now,
    published_at,
    listed: input.listed ?? true,
    cover_image_id: cover?.id ?? null,
    ...mapPlain((field) => input[field] ?? null),
    translation_review: input.translation_review ?? null,
    preview_token: null,
    preview_expires_at: null,
    // The batch that inserts the post counts these.
    text_bytes: 0,
    has_pending: false,
    texts: [source, ...reconcile([], [], { source, listed, due, now })],
    images,
    cover,
  }
}

/** Lists the languages in which readers find the post: the source language, then listed ones with title, meta_description and body. */
export const readableLanguages = (post: Readable): string[] => {
  const ready = new Set(post.texts.filter(isComplete).map(({ lang_code }) => lang_code))
  return [post.primary_language, ...post.translation_languages].filter((code) => ready.has(code))
}

/** Tells whether readers find less of a post at `now` after a change: not the post, not in a language, or not in lists. */
export const withdraws = (before: Post, after: Post, now: Date): boolean => {
  const left = isVisible(after, now) ? readableLanguages(after) : []
  const isLess = (before.listed && !after.listed) || readableLanguages(before).some((code) => !left.includes(code))
  return isVisible(before, now) && isLess
}

const imagesShownBy = (texts: Text[]): Set<string> => new Set(texts.flatMap(({ image_ids }) => image_ids))

/** Returns a post with only the texts that readers find; images that only others show, or that wait, are left out. */
export const asReadersSee = <T extends Post>(post: T): T => {
  const codes = readableLanguages(post)
  const isFound = ({ lang_code }: Text) => codes.includes(lang_code)
  const found = post.texts.filter(isFound).map((text) => ({ ...text, ...NOTHING_PENDING }))
  const shown = imagesShownBy(found)
  const pending = post.texts.flatMap(({ pending_image_ids }) => pending_image_ids)
  const hidden = new Set([...imagesShownBy(post.texts.filter((text) => !isFound(text))), ...pending])
  return {
    ...post,
    texts: found,
    translation_languages: post.translation_languages.filter((code) => codes.includes(code)),
    images: post.images.filter(({ id }) => shown.has(id) || !hidden.has(id)),
  }
}

/** Tells whether two states of a post have equal fields, texts (in any order) and images. */
export const isSamePost = (before: Post, after: Post): boolean => {
  const old = new Map(before.texts.map((text) => [text.lang_code, text]))
  const isChanged = (text: Text) => changedNames(old.get(text.lang_code) ?? {}, text).length > 0
  if (old.size !== after.texts.length || after.texts.some(isChanged)) return false
  return changedNames({ ...before, texts: [] }, { ...after, texts: [] }).length === 0
}

/** Returns the text without what clients do not set. An approval sets nothing: it shows readers what an engine has written. */
const clientsText = (post: Post, text: Text): Text => {
  const fields: string[] = text.lang_code === post.primary_language ? TEXT_FIELDS : text.edited
  const isMachine = (field: TextField) => !fields.includes(field)
  return {
    ...text,
    ...IDLE,
    ...NOTHING_PENDING,
    ...Object.fromEntries(TEXT_FIELDS.filter(isMachine).map((field) => [field, null])),
    ...(isMachine("body") && { html: null, image_ids: [] }),
    body_sha256: null,
    versions: versionsOf(text.edited, (field) => text.versions[field]),
    updated_at: post.created_at,
    changed_at: post.created_at,
  }
}

/** Returns the post without what clients do not set, so that a comparison finds only their changes. */
const clientsPart = (post: Post): Post => ({
  ...post,
  preview_token: null,
  preview_expires_at: null,
  texts: post.texts.filter((text) => !isEmpty(text)).map((text) => clientsText(post, text)),
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
    // A request that began earlier may write later. `updated_at` never moves back, or `updated_since` would miss a change.
    updated_at: isEffective && now > before.updated_at ? now : before.updated_at,
  }
}
