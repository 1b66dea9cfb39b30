import * as z from "zod"

import { CleanText } from "../http/fields.ts"
import type { Fields } from "../http/validate.ts"
import { LanguageCode } from "../language.ts"
import type { Post } from "../posts/post.ts"
import type { Text } from "../posts/text.ts"

// The forms of a post's page, and the PATCH that each of them means.

/** The version that the author has seen, as an ETag. */
const Etag = z.string()

export const PostForm = z.object({
  lang_code: LanguageCode,
  etag: Etag,
  title: CleanText,
  meta_description: CleanText,
  body: CleanText,
  /** The form of the source text alone has categories and tags. */
  categories: CleanText.optional(),
  tags: CleanText.optional(),
})
export type PostForm = z.output<typeof PostForm>

const ACTIONS = ["publish", "schedule", "draft"] as const

export const StatusForm = z.object({
  etag: Etag,
  action: z.enum(ACTIONS),
  published_at: z.string().optional(),
})
export type StatusForm = z.output<typeof StatusForm>

export const DeletionForm = z.object({ etag: Etag })

/** Returns a text with `\n` as its line ends. */
const withLf = (text: string): string => text.replaceAll(/\r\n?/g, "\n")

/** Returns a text as an input of one line holds it. */
const inOneLine = (text: string): string => text.replaceAll(/[\r\n]/g, "")

/** Returns a text from a browser, which sends `\r\n`, with the line ends of the stored one: `\r\n` if it has no other, else `\n`. */
const withStoredLineEnds = (sent: string, stored: string): string => {
  const isCrLf = stored.includes("\r\n") && !/(?<!\r)\n|\r(?!\n)/.test(stored)
  return isCrLf ? withLf(sent).replaceAll("\n", "\r\n") : withLf(sent)
}

const changedTo = (sent: string | undefined, shown: string): string | undefined => (sent === shown ? undefined : sent)

/** Returns how a list is shown in its input. */
export const showList = (names: string[]): string => names.join(", ")

/** Returns the fields of a PATCH that every form sends. */
const languagesOf = (post: Post, lang_code: string): Fields => {
  const { primary_language, translation_languages } = post
  return { lang_code, primary_language, translation_languages }
}

/** Returns the PATCH of a text's form: only what the author has changed, so that the rest keeps its bytes. @param text null if there is none yet */
export const toPatch = (post: Post, text: Text | null, form: PostForm): Fields => {
  const stored = { title: text?.title ?? "", meta_description: text?.meta_description ?? "", body: text?.body ?? "" }
  const isSame = (name: "meta_description" | "body") => withLf(form[name]) === withLf(stored[name])
  const changes = {
    title: changedTo(form.title, inOneLine(stored.title)),
    meta_description: isSame("meta_description")
      ? undefined
      : withStoredLineEnds(form.meta_description, stored.meta_description),
    body: isSame("body") ? undefined : withStoredLineEnds(form.body, stored.body),
    categories: changedTo(form.categories, showList(post.categories)),
    tags: changedTo(form.tags, showList(post.tags)),
  }
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...languagesOf(post, form.lang_code), ...Object.fromEntries(sent) }
}

/** Matches what `<input type="datetime-local">` sends: `2026-11-20T09:30`. Does not match `2026-11-20`. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** Returns an input's time as RFC 3339 in UTC. */
const toInstant = (sent = ""): string => {
  if (!LOCAL_TIME.test(sent)) return sent
  return `${sent}${sent.length === "2026-11-20T09:30".length ? ":00" : ""}Z`
}

/** Returns a time as an input of the browser shows it, in UTC to the minute. */
export const showTime = (time: Date | null): string => time?.toISOString().slice(0, 16) ?? ""

/** Returns the PATCH that publishes, schedules or withdraws a post. */
export const toStatusPatch = (post: Post, { action, published_at }: StatusForm, now: Date): Fields => {
  const languages = languagesOf(post, post.primary_language)
  if (action === "draft") return { ...languages, status: "DF" }
  if (action === "schedule") return { ...languages, status: "PB", published_at: toInstant(published_at) }
  // A time ahead would only schedule the post.
  const isAhead = post.published_at !== null && post.published_at > now
  return { ...languages, status: "PB", ...(isAhead && { published_at: null }) }
}
