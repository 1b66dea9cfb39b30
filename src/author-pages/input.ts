import * as z from "zod"

import { blogTexts } from "../accounts/input.ts"
import { CleanText, codePoints } from "../http/fields.ts"
import { isImageId } from "../images/image.ts"
import { codeOfName, LanguageCode, LanguageCodes, writtenCodes } from "../language.ts"
import { MAX_FORM_PARTS, MAX_SEARCH_CHARS } from "../limits.ts"
import { ListQuery } from "../posts/input.ts"
import { SeenValues } from "../ui/seen.ts"
import { TimeZone } from "./local-time.ts"

/** Codes and English names of languages, separated by commas: `en, German`, not `en;de`. */
const WrittenCodes = z.preprocess((text) => (typeof text === "string" ? writtenCodes(text) : text), LanguageCodes)

/** The code or the English name of a language: `de`, `German`. */
const WrittenCode = z.preprocess(
  (text) => (typeof text === "string" ? (codeOfName(text) ?? text.trim()) : text),
  LanguageCode,
)

/** Reads an empty input as null. */
const orNull = <T extends z.ZodType>(text: T) => z.preprocess((sent) => (sent === "" ? null : sent), text)

export const LanguagesForm = z.object({
  seen: SeenValues(z.object({ primary_language: z.string(), translation_languages: z.array(z.string()) })).optional(),
  primary_language: WrittenCode,
  translation_languages: WrittenCodes,
  /** One more of the translation languages. */
  added_language: orNull(WrittenCode.nullable()).optional(),
})

const ShownText = z.string().nullable()

export const BlogForm = z.object({
  seen: SeenValues(
    z.object({
      blog_title: ShownText,
      blog_description: ShownText,
      author_name: ShownText,
      timezone: z.string().optional(),
    }),
  ).optional(),
  blog_title: orNull(blogTexts.blog_title),
  blog_description: orNull(blogTexts.blog_description),
  author_name: orNull(blogTexts.author_name),
  timezone: TimeZone.optional(),
})

/** Set after a form that has changed nothing. */
export const KeysQuery = z.object({ unchanged: z.string().optional() })

/** Set after a form that has saved something. */
export const SettingsQuery = z.object({ saved: z.string().optional() })

/** The hash of a session: 64 hex digits such as `0a…f9`, not `0A…F9`. */
export const EndedSession = z.object({ session: z.string().regex(/^[0-9a-f]{64}$/, "Open the settings again.") })

const Chosen = z.union([z.string().transform((one) => [one]), z.array(z.string()).max(MAX_FORM_PARTS)]).default([])

/** The names of keys and the ids of passkeys to revoke with all sessions. */
export const SignOutEverywhere = z.object({ key: Chosen, passkey: Chosen })

/** The page of the list of posts. */
export const BoardQuery = ListQuery.pick({ limit: true, cursor: true }).extend({
  /** A part of the title or slug. */
  q: CleanText.transform((text) => text.trim())
    .refine((text) => codePoints(text) <= MAX_SEARCH_CHARS, {
      params: { code: "too_long" },
      error: `At most ${MAX_SEARCH_CHARS} characters. Shorten the search.`,
    })
    .optional(),
  state: z.enum(["draft", "scheduled", "published", ""]).optional(),
  /** A form has just deleted a post, or approved translations. */
  done: z.enum(["deleted", "approved"]).optional(),
})

/**
 * The language of the text to edit, and what a form has just done. Two have done nothing: `outdated` was for an older version,
 * and `visible` would schedule a post that readers see.
 */
export const PostQuery = z.object({
  lang: LanguageCode.optional(),
  done: z
    .enum([
      "created",
      "images",
      "saved",
      "published",
      "scheduled",
      "draft",
      "retried",
      "approved",
      "outdated",
      "visible",
    ])
    .optional(),
})

/** The id that a new post gets, so that the browser's way back leads to the same form. */
export const NewPostQuery = z.object({ id: z.string().refine(isImageId, "Open the page without it.").optional() })

/** The version to schedule, as an ETag: the one that the author has just saved; by default the newest. */
export const ScheduleQuery = z.object({ etag: z.string().optional() })

/** The post and language of a translation to retry. */
export const TranslationParams = z.object({ slug: z.string(), lang_code: z.string() })

export const Erasure = z.object({ username: z.string().trim() })
