import * as z from "zod"

import { toOneLine } from "../../packages/edgepost/src/folder/one-line.ts"
import { DEFAULT_CATEGORY } from "../../packages/edgepost/src/folder/values.ts"
import { isVisible } from "../db/visibility.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { requireMatch } from "../http/etag.ts"
import { CleanText } from "../http/fields.ts"
import type { Fields } from "../http/validate.ts"
import { isImageId } from "../images/image.ts"
import { codeOfName, LanguageCode, writtenCodes } from "../language.ts"
import { isMade, madeDescription, NEW_SLUG, slugFor, withLf } from "../posts/defaults.ts"
import { languageFields } from "../posts/patch.ts"
import { type Post, sourceText } from "../posts/post.ts"
import { newestText } from "../posts/review.ts"
import type { Text } from "../posts/text.ts"
import { readLocal, showLocal, TimeZone } from "./local-time.ts"

// The forms of a post's pages, and the POST or PATCH that each of them means.

/** The version that the author has seen, as an ETag. */
const Etag = z.string()

/** The actions of a text's form, which saves the text first; `schedule` and `images` lead to pages that ask for more. */
const ACTIONS = ["publish", "schedule", "draft", "images"] as const

/** The fields that the forms of a new post and of a source text have, besides its text. */
const Extras = {
  categories: CleanText.optional(),
  tags: CleanText.optional(),
  slug: CleanText.optional(),
  cover_image_id: CleanText.optional(),
  cover_alt: CleanText.optional(),
  cover_caption: CleanText.optional(),
  author_name: CleanText.optional(),
  canonical_url: CleanText.optional(),
  published_at: CleanText.optional(),
  changed_at: CleanText.optional(),
  listed: CleanText.optional(),
  translation_languages: CleanText.optional(),
}

/** The zone in which the form has shown its times; by default that of the account. */
const ShownZone = TimeZone.optional()

/** The fields of a text, and what its form does. */
const TextFields = {
  title: CleanText,
  meta_description: CleanText,
  body: CleanText,
  action: z.enum(ACTIONS).optional(),
}

export const PostForm = z.object({
  lang_code: LanguageCode,
  etag: Etag,
  /** The text that the author has seen, as `seenText` returns it. */
  seen: z.string(),
  ...TextFields,
  ...Extras,
  timezone: ShownZone,
  /** A language whose failed translation is to be made again. */
  retry: z.string().optional(),
})
export type PostForm = z.output<typeof PostForm>

/** The form of a new post. Its id is made with the page, so that a form that is sent twice makes one post. */
export const NewPostForm = z.object({
  id: z.string().refine(isImageId, "Open the page again."),
  ...TextFields,
  ...Extras,
  timezone: ShownZone,
  primary_language: CleanText,
})
export type NewPostForm = z.output<typeof NewPostForm>

export const ScheduleForm = z.object({ etag: Etag, timezone: ShownZone, published_at: CleanText })
export type ScheduleForm = z.output<typeof ScheduleForm>

export const DeletionForm = z.object({ etag: Etag })

/** Returns the newest text of a post in a language, approved or not; null if it has none yet. */
export const textIn = ({ texts }: Post, code: string): Text | null => {
  const text = texts.find(({ lang_code }) => lang_code === code)
  return text ? newestText(text) : null
}

/** Returns what tells a text from a later one: its title, its description, the hash of its body and its last change, as JSON. */
export const seenText = (text: Text | null): string =>
  JSON.stringify([text?.title, text?.meta_description, text?.body_sha256, text?.changed_at])

/** Requires that a post is as its form showed it. An engine changes a text without a new version. @throws ApiError 412 */
export const requireSeen = (post: Post, { lang_code, etag, seen }: PostForm): void => {
  requireMatch(etag, post)
  if (seen !== seenText(textIn(post, lang_code))) throw new ApiError("version_conflict")
}

/** Returns a text as an input of one line holds it. */
const inOneLine = (text: string): string => text.replaceAll(/[\r\n]/g, "")

/** Returns a text from a browser, which sends `\r\n`, with the line ends of the stored one: `\r\n` if it has no other, else `\n`. */
const withStoredLineEnds = (sent: string, stored: string): string => {
  const isCrLf = stored.includes("\r\n") && !/(?<!\r)\n|\r(?!\n)/.test(stored)
  return isCrLf ? withLf(sent).replaceAll("\n", "\r\n") : withLf(sent)
}

export type FieldName = "title" | "meta_description" | "body" | keyof typeof Extras
export type Values = Partial<Record<FieldName, string>>

/** Returns the values of a form's fields. @param text null if there is none yet @param timezone IANA name */
export const formValues = (post: Post, lang: string, text: Text | null, timezone: string): Values => ({
  // A browser joins the lines of a title.
  title: toOneLine(text?.title ?? ""),
  body: text?.body ?? "",
  meta_description: isMade(text) ? "" : (text?.meta_description ?? ""),
  ...(lang === post.primary_language && {
    categories: post.categories.join(", "),
    tags: post.tags.join(", "),
    slug: post.slug,
    cover_image_id: post.cover_image_id ?? "",
    cover_alt: post.cover_alt ?? "",
    cover_caption: post.cover_caption ?? "",
    author_name: post.author_name ?? "",
    canonical_url: post.canonical_url ?? "",
    published_at: showLocal(post.published_at, timezone),
    changed_at: showLocal(text?.changed_at ?? null, timezone),
    listed: String(post.listed),
    translation_languages: post.translation_languages.join(", "),
  }),
})

/** Lists the fields of a form that differ from the stored values, apart from line ends. */
export const changedFields = (sent: Fields, stored: Values): FieldName[] =>
  Object.entries(stored).flatMap(([key, value]) => {
    const name = key as FieldName
    const plain = name === "meta_description" || name === "body" ? withLf : inOneLine
    const typed = sent[name]
    return typeof typed === "string" && plain(typed) !== plain(value) ? [name] : []
  })

/** Returns what a field means in a request. An empty description and category get what the command line gives them. */
const meantBy = (
  name: FieldName,
  text: string,
  { title, body }: Pick<PostForm, "title" | "body">,
  timezone: string,
): unknown => {
  if (name === "translation_languages") return writtenCodes(text)
  if (name === "listed") return text !== "false"
  if (name === "categories") return text.trim() === "" ? DEFAULT_CATEGORY : text
  if (name === "meta_description") return text.trim() === "" ? madeDescription(title, body) : text
  if (text.trim() === "" && name in Extras) return name === "tags" ? [] : null
  return name === "published_at" || name === "changed_at" ? readLocal(name, text, timezone).toISOString() : text
}

const badDate = (message: string): ApiError => fieldError("published_at", "validation_error", message)

/**
 * Requires that a typed date does not publish or withdraw a post that its author only saves.
 * @param typed what the field means; undefined if it was not changed
 * @throws ApiError 400
 */
const checkDate = (post: Post | null, typed: unknown, action: PostForm["action"], now: Date): void => {
  if (typed === undefined || action === "draft") return
  const isAhead = typeof typed === "string" && new Date(typed) > now
  if (action === "publish" && isAhead)
    throw badDate(
      "This date is ahead. Choose Schedule to publish the post then, or leave the date empty to publish it now.",
    )
  if (post && isVisible(post, now) && isAhead)
    throw badDate(
      "Readers see this post already, and would lose it until then. Turn it into a draft first, or choose an earlier date.",
    )
  if (post?.status === "PB" && !isVisible(post, now) && typed === null && action !== "publish")
    throw badDate("A scheduled post needs its date. Choose Publish now, or Turn into a draft.")
}

/** Returns the fields of a PATCH that publish or withdraw a post. */
const statusOf = ({ published_at }: Pick<Post, "published_at">, action: PostForm["action"], now: Date): Fields => {
  if (action === "draft") return { status: "DF" }
  if (action !== "publish") return {}
  // A time ahead would only schedule the post.
  return { status: "PB", ...(published_at !== null && published_at > now && { published_at: null }) }
}

/** The PATCH of a form, and the slug that a draft gets; undefined if it keeps its slug. */
export interface PostChange {
  patch: Fields
  slug: string | undefined
}

/** Returns what a text's form changes: only what the author has changed, so that the rest keeps its bytes. @param text null if there is none yet */
export const toPatch = (post: Post, text: Text | null, form: PostForm, zoned: Zoned): PostChange => {
  const { timezone, now } = { ...zoned, ...(form.timezone && { timezone: form.timezone }) }
  const stored = formValues(post, form.lang_code, text, timezone)
  const { slug, ...changes } = Object.fromEntries(
    changedFields(form, stored).map((name) => {
      const typed = withStoredLineEnds(form[name] ?? "", stored[name] ?? "")
      return [name, meantBy(name, typed, form, timezone)]
    }),
  )
  requireReachable(slug)
  checkDate(post, changes["published_at"], form.action, now)
  const made = madeDescription(form.title, form.body)
  // Without a body the engine makes the description, as it does the body.
  const isToMake = isMade(text) ? made !== text?.meta_description : !text?.meta_description && "body" in changes
  if (isToMake && form.meta_description.trim() === "") changes["meta_description"] = made
  const patch = { ...languageFields(post, form.lang_code), ...changes, ...statusOf(post, form.action, now) }
  return { patch, slug: slug === undefined ? undefined : ((slug as string | null) ?? slugFor(form.title, post.id)) }
}

interface Zoned {
  /** IANA name. */
  timezone: string
  now: Date
}

/** Requires that a typed slug leads to a page of its post. @throws ApiError 400 */
const requireReachable = (slug: unknown): void => {
  if (slug === NEW_SLUG)
    throw fieldError(
      "slug",
      "validation_error",
      `${NEW_SLUG} is the address of the form of a new post. Choose another slug.`,
    )
}

/** Returns the request that makes a new post, a draft unless it is published. */
export const toCreate = (form: NewPostForm, { timezone: own, now }: Zoned): Fields => {
  const { id, action, primary_language, timezone = own, ...fields } = form
  const meant = Object.entries(fields).map(([name, text]) => [
    name,
    meantBy(name as FieldName, withLf(text), form, timezone),
  ])
  const { slug, ...values } = Object.fromEntries(meant) as Fields
  requireReachable(slug)
  checkDate(null, values["published_at"], action, now)
  return {
    ...values,
    title: inOneLine(form.title),
    slug: slug ?? slugFor(form.title, id),
    status: action === "publish" ? "PB" : "DF",
    primary_language: codeOfName(primary_language) ?? primary_language,
  }
}

/** Requires that readers do not see a post yet: a time ahead would withdraw it. @throws ApiError 412 */
export const requireHidden = (post: Post, now: Date): void => {
  if (isVisible(post, now)) throw new ApiError("version_conflict", "Readers see this post already.")
}

/** Returns the PATCH that schedules a post. @throws ApiError 400 for a time that is not ahead */
export const toSchedule = (post: Post, form: ScheduleForm, { timezone, now }: Zoned): Fields => {
  const published_at = readLocal("published_at", form.published_at, form.timezone ?? timezone)
  if (published_at <= now) {
    const message = "This time is past. Choose a later one, or go back to the post and choose Publish now."
    throw fieldError("published_at", "validation_error", message)
  }
  return { ...languageFields(post), status: "PB", published_at: published_at.toISOString() }
}

/**
 * Returns the form of a new post as a form of the post that it has made. With another text it is for no version: the author
 * looks at both first, since another tab may have made the post.
 */
export const asPostForm = (form: NewPostForm, post: Post, timezone: string): PostForm => {
  const stored = formValues(post, post.primary_language, sourceText(post), form.timezone ?? timezone)
  const isSame = changedFields(form, stored).every((name) => form[name]?.trim() === "")
  return {
    ...form,
    lang_code: post.primary_language,
    etag: isSame ? `"${post.version}"` : "",
    seen: seenText(sourceText(post)),
    // What was left empty was chosen then, or written since.
    ...Object.fromEntries(Object.entries(stored).filter(([name]) => !form[name as FieldName]?.trim())),
  }
}
