import * as z from "zod"

import { isVisible } from "../db/visibility.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { requireMatch } from "../http/etag.ts"
import { CleanText } from "../http/fields.ts"
import type { Fields } from "../http/validate.ts"
import { LanguageCode } from "../language.ts"
import type { Post } from "../posts/post.ts"
import type { Text } from "../posts/text.ts"

// The forms of a post's pages, and the PATCH that each of them means.

/** The version that the author has seen, as an ETag. */
const Etag = z.string()

/** The actions of a text's form, which saves the text first; `schedule` leads to the page that asks for a time. */
const ACTIONS = ["publish", "schedule", "draft"] as const

export const PostForm = z.object({
  lang_code: LanguageCode,
  etag: Etag,
  /** The text that the author has seen, as `seenText` returns it. */
  seen: z.string(),
  title: CleanText,
  meta_description: CleanText,
  body: CleanText,
  /** The form of the source text alone has categories and tags. */
  categories: CleanText.optional(),
  tags: CleanText.optional(),
  action: z.enum(ACTIONS).optional(),
  /** A language whose failed translation is to be made again. */
  retry: z.string().optional(),
})
export type PostForm = z.output<typeof PostForm>

const LocalTime = z.iso
  .datetime({ local: true, error: "Choose a day and a time (UTC)." })
  .transform((text) => new Date(text.endsWith("Z") ? text : `${text}Z`))

export const ScheduleForm = z.object({ etag: Etag, published_at: LocalTime })
export type ScheduleForm = z.output<typeof ScheduleForm>

export const DeletionForm = z.object({ etag: Etag })

/** Returns the text of a post in a language; null if it has none yet. */
export const textIn = ({ texts }: Post, code: string): Text | null =>
  texts.find(({ lang_code }) => lang_code === code) ?? null

/** Returns what tells a text from a later one: its title, its description and the hash of its body, as JSON. */
export const seenText = (text: Text | null): string =>
  JSON.stringify([text?.title, text?.meta_description, text?.body_sha256])

/** Requires that a post is as its form showed it. An engine changes a text without a new version. @throws ApiError 412 */
export const requireSeen = (post: Post, { lang_code, etag, seen }: PostForm): void => {
  requireMatch(etag, post)
  if (seen !== seenText(textIn(post, lang_code))) throw new ApiError("version_conflict")
}

/** Returns a text with `\n` as its line ends. */
const withLf = (text: string): string => text.replaceAll(/\r\n?/g, "\n")

/** Returns a text as an input of one line holds it. */
const inOneLine = (text: string): string => text.replaceAll(/[\r\n]/g, "")

/** Returns a text from a browser, which sends `\r\n`, with the line ends of the stored one: `\r\n` if it has no other, else `\n`. */
const withStoredLineEnds = (sent: string, stored: string): string => {
  const isCrLf = stored.includes("\r\n") && !/(?<!\r)\n|\r(?!\n)/.test(stored)
  return isCrLf ? withLf(sent).replaceAll("\n", "\r\n") : withLf(sent)
}

export type FieldName = "title" | "meta_description" | "categories" | "tags" | "body"
type Values = Partial<Record<FieldName, string>>

/** Returns the values of a form's fields. @param text null if there is none yet */
export const formValues = (post: Post, lang: string, text: Text | null): Values => ({
  title: text?.title ?? "",
  meta_description: text?.meta_description ?? "",
  ...(lang === post.primary_language && { categories: post.categories.join(", "), tags: post.tags.join(", ") }),
  body: text?.body ?? "",
})

/** Lists the fields of a form that differ from the stored values, apart from line ends. */
export const changedFields = (sent: Fields, stored: Values): FieldName[] =>
  Object.entries(stored).flatMap(([key, value]) => {
    const name = key as FieldName
    const plain = name === "meta_description" || name === "body" ? withLf : inOneLine
    const typed = sent[name]
    return typeof typed === "string" && plain(typed) !== plain(value) ? [name] : []
  })

/** Returns the fields of a PATCH that every form sends. */
const languagesOf = (post: Post, lang_code: string): Fields => {
  const { primary_language, translation_languages } = post
  return { lang_code, primary_language, translation_languages }
}

/** Returns the fields of a PATCH that publish or withdraw a post. */
const statusOf = ({ published_at }: Post, action: PostForm["action"], now: Date): Fields => {
  if (action === "draft") return { status: "DF" }
  if (action !== "publish") return {}
  // A time ahead would only schedule the post.
  return { status: "PB", ...(published_at !== null && published_at > now && { published_at: null }) }
}

/** Returns the PATCH of a text's form: only what the author has changed, so that the rest keeps its bytes. @param text null if there is none yet */
export const toPatch = (post: Post, text: Text | null, form: PostForm, now: Date): Fields => {
  const stored = formValues(post, form.lang_code, text)
  const changes = changedFields(form, stored).map((name) => [
    name,
    withStoredLineEnds(form[name] ?? "", stored[name] ?? ""),
  ])
  return { ...languagesOf(post, form.lang_code), ...Object.fromEntries(changes), ...statusOf(post, form.action, now) }
}

/** Returns a time as an input of the browser shows it, in UTC to the minute. */
export const showTime = (time: Date | null): string => time?.toISOString().slice(0, 16) ?? ""

/** Requires that readers do not see a post yet: a time ahead would withdraw it. @throws ApiError 412 */
export const requireHidden = (post: Post, now: Date): void => {
  if (isVisible(post, now)) throw new ApiError("version_conflict", "Readers see this post already.")
}

/** Returns the PATCH that schedules a post. @throws ApiError 400 for a time that is not ahead */
export const toSchedule = (post: Post, { published_at }: ScheduleForm, now: Date): Fields => {
  if (published_at <= now) {
    const message = "This time is past. Choose a later one, or go back to the post and choose Publish now."
    throw fieldError("published_at", "validation_error", message)
  }
  return { ...languagesOf(post, post.primary_language), status: "PB", published_at: published_at.toISOString() }
}
