import * as z from "zod"

import { Cursor } from "../http/cursor.ts"
import { CleanText, Labels, Line, refuse } from "../http/fields.ts"
import { Warning } from "../http/validate.ts"
import { isImageId } from "../images/image.ts"
import { LanguageCode, LanguageCodes } from "../language.ts"
import * as limits from "../limits.ts"

const Slug = CleanText.superRefine((slug, ctx) => {
  if (slug.length > limits.MAX_SLUG_CHARS) refuse(ctx, "too_long", `At most ${limits.MAX_SLUG_CHARS} characters.`)
  else if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug))
    refuse(ctx, "invalid", "Only a-z and 0-9 in words joined by single hyphens, such as my-first-post.")
  else if (limits.RESERVED_SLUGS.includes(slug)) refuse(ctx, "reserved", `${slug} is reserved.`)
}).meta({ maxLength: limits.MAX_SLUG_CHARS, example: "my-first-post" })

const Body = CleanText.superRefine((body, ctx) => {
  const bytes = new TextEncoder().encode(body).length
  if (body.trim() === "") refuse(ctx, "blank", "Must not be blank.")
  else if (bytes > limits.MAX_BODY_BYTES)
    refuse(ctx, "too_long", `At most ${limits.MAX_BODY_BYTES} bytes as UTF-8; this has ${bytes}.`)
}).meta({ description: `Markdown (CommonMark with GFM), at most ${limits.MAX_BODY_BYTES} bytes as UTF-8` })

const ImageIds = z
  .array(
    CleanText.refine(isImageId, { params: { code: "invalid" }, error: "Not an image_id of an upload." }),
    "Must be an array of image_id values.",
  )
  .superRefine((ids, ctx) => {
    if (ids.length > limits.MAX_POST_IMAGES)
      refuse(ctx, "too_many", `At most ${limits.MAX_POST_IMAGES} entries; this has ${ids.length}.`)
  })
  .meta({ maxItems: limits.MAX_POST_IMAGES, description: "image_id values of uploads" })

const Status = z.enum(["DF", "PB"], "Must be DF (draft) or PB (published).")
const Categories = Labels({ min: 1, max: limits.MAX_CATEGORIES, maxChars: limits.MAX_LABEL_CHARS })
const Tags = Labels({ min: 0, max: limits.MAX_TAGS, maxChars: limits.MAX_LABEL_CHARS, lowerCase: true })
const Title = Line(limits.MAX_TITLE_CHARS)
const MetaDescription = Line(limits.MAX_META_DESCRIPTION_CHARS)

export const CreatePost = z
  .object({
    title: Title,
    slug: Slug,
    status: Status,
    categories: Categories,
    tags: Tags.optional(),
    meta_description: MetaDescription,
    body: Body,
    image_ids: ImageIds.optional(),
    primary_language: LanguageCode.optional(),
    translation_languages: LanguageCodes.optional(),
  })
  .meta({ id: "CreatePost" })
export type CreatePost = z.output<typeof CreatePost>

// Rules between fields report beside those of the fields, so that all errors come at once.
const always = { when: () => true }

export const PatchPost = z
  .object({
    lang_code: LanguageCode,
    primary_language: LanguageCode,
    translation_languages: LanguageCodes,
    title: Title.optional(),
    status: Status.optional(),
    categories: Categories.optional(),
    tags: Tags.optional(),
    meta_description: MetaDescription.optional(),
    body: Body.optional(),
    image_ids: ImageIds.optional(),
    slug: z.string().optional().meta({ description: "Must equal the path's slug: a slug never changes" }),
  })
  .refine(({ image_ids, body }) => image_ids === undefined || body !== undefined, {
    ...always,
    path: ["body"],
    params: { code: "body_required" },
    error: "image_ids was sent without body: send both.",
  })
  .refine(
    ({ lang_code, primary_language, translation_languages }) =>
      !lang_code ||
      !primary_language ||
      !Array.isArray(translation_languages) ||
      [primary_language, ...translation_languages].includes(lang_code),
    {
      ...always,
      path: ["lang_code"],
      params: { code: "lang_code_not_listed" },
      error: "Neither primary_language nor in translation_languages.",
    },
  )
  .meta({ id: "PatchPost" })
export type PatchPost = z.output<typeof PatchPost>

/** A PATCH of the post at this slug. */
export const patchPostAt = (path: string) =>
  PatchPost.refine(({ slug }) => slug === undefined || slug === path, {
    ...always,
    path: ["slug"],
    params: { code: "immutable" },
    error: "A slug never changes: leave it out, or send the path's.",
  })

export const ListQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,9}$/, "Must be a whole number.")
    .transform(Number)
    .pipe(z.int().min(1, "At least 1.").max(limits.MAX_PAGE_SIZE, `At most ${limits.MAX_PAGE_SIZE}.`))
    .default(limits.DEFAULT_PAGE_SIZE),
  cursor: Cursor.optional(),
  status: Status.optional(),
  tag: CleanText.transform((tag) => tag.normalize("NFC").toLowerCase()).optional(),
  category: CleanText.transform((category) => category.normalize("NFC")).optional(),
  updated_since: z.iso
    .datetime({ offset: true, error: "Must be a time in RFC 3339." })
    .transform((time) => new Date(time))
    .optional(),
})
export type ListQuery = z.output<typeof ListQuery>

export const GetQuery = z.object({ lang_code: LanguageCode.optional() })

const Time = z.iso.datetime()
const CodedMessage = z.object({ code: z.string(), message: z.string() }).meta({ id: "CodedMessage" })
const TextFieldName = z.enum(["title", "meta_description", "body"])

export const TranslationView = z
  .object({
    lang_code: z.string(),
    status: z.enum(["queued", "running", "ready", "failed"]),
    listed: z.boolean(),
    stale: z.array(TextFieldName).meta({ description: "Edited by hand; the own text has changed since" }),
    edited: z.array(TextFieldName).meta({ description: "Edited by hand; never overwritten" }),
    title: z.string().nullable(),
    url: z.string().nullable(),
    error: CodedMessage.nullable(),
    warnings: z.array(CodedMessage),
    segments: z.object({ done: z.int(), total: z.int() }),
    engine: z.string().nullable(),
    updated_at: Time,
  })
  .meta({ id: "Translation" })

const PostImageView = z.object({ image_id: z.string(), image_url: z.string(), width: z.int(), height: z.int() })

export const PostSummary = z
  .object({
    slug: z.string(),
    url: z.string(),
    status: Status,
    author: z.string(),
    categories: z.array(z.string()),
    tags: z.array(z.string()),
    primary_language: z.string(),
    translation_languages: z.array(z.string()),
    lang_code: z.string().meta({ description: "The language of title, meta_description, body and html" }),
    title: z.string().nullable(),
    meta_description: z.string().nullable(),
    images: z.array(PostImageView),
    translations: z.array(TranslationView),
    version: z.int(),
    created_at: Time,
    updated_at: Time,
    published_at: Time.nullable(),
  })
  .meta({ id: "PostSummary" })

export const PostView = PostSummary.extend({ body: z.string().nullable(), html: z.string().nullable() }).meta({
  id: "Post",
})

export const PostAnswer = z.object({ success: z.literal(true), post: PostView, warnings: z.array(Warning) })
