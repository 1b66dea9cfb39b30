import * as z from "zod"

import { toOneLine } from "../../packages/edgepost/src/folder/one-line.ts"
import { fitLabels } from "../../packages/edgepost/src/labels.ts"
import { TranslationReviewName } from "../accounts/input.ts"
import { daysAfter } from "../days.ts"
import { Cursor } from "../http/cursor.ts"
import type { FieldError } from "../http/errors.ts"
import { CleanText, Instant, Labels, ListOf, PlainLine, ShortText, refuse, SLUG } from "../http/fields.ts"
import { isImageId } from "../images/image.ts"
import { LanguageCode, LanguageCodes } from "../language.ts"
import * as limits from "../limits.ts"

// The fields of requests about posts, and the rules of each.

const Slug = CleanText.superRefine((slug, ctx) => {
  if (slug.length > limits.MAX_SLUG_CHARS)
    refuse(ctx, "too_long", `At most ${limits.MAX_SLUG_CHARS} characters; this has ${slug.length}.`)
  else if (!SLUG.test(slug))
    refuse(ctx, "invalid", "Only a-z and 0-9 in words joined by single hyphens, such as my-first-post.")
  else if (limits.RESERVED_SLUGS.includes(slug)) refuse(ctx, "reserved", `${slug} is reserved: choose another slug.`)
}).meta({ maxLength: limits.MAX_SLUG_CHARS, example: "my-first-post" })

const Body = CleanText.superRefine((body, ctx) => {
  const bytes = new TextEncoder().encode(body).length
  if (body.trim() === "") refuse(ctx, "blank", "Must not be blank.")
  else if (bytes > limits.MAX_BODY_BYTES)
    refuse(ctx, "too_long", `At most ${limits.MAX_BODY_BYTES} bytes as UTF-8; this has ${bytes}.`)
}).meta({
  description: `Markdown (CommonMark with GFM and safe HTML), at most ${limits.MAX_BODY_BYTES} bytes as UTF-8`,
})

const ImageId = CleanText.refine(isImageId, { params: { code: "invalid" }, error: "Not an image_id of an upload." })

const ImageIds = ListOf(ImageId, limits.MAX_POST_IMAGES, "Must be an array of image_id values.").meta({
  description: "image_id values of uploads",
})

export const Status = z
  .enum(["DF", "PB"], "Must be DF (draft) or PB (published).")
  .meta({ description: "`DF` is a draft, `PB` is published" })
const Categories = Labels().meta({
  description: `1 to ${limits.MAX_CATEGORIES} names, comma-separated or as an array`,
})
const Tags = Labels((tag) => tag.toLowerCase()).meta({
  description: `Up to ${limits.MAX_TAGS} names, comma-separated or as an array; lower-cased`,
})
const Title = ShortText(limits.MAX_TITLE_CHARS).refine((text) => text.trim() === "" || toOneLine(text) !== "", {
  params: { code: "blank" },
  error: "Must not be blank.",
})
const MetaDescription = ShortText(limits.MAX_META_DESCRIPTION_CHARS)

const Since1970 = Instant.refine((time) => time.getTime() >= 0, {
  params: { code: "invalid" },
  error: "Must not be before 1970-01-01T00:00:00Z.",
}).nullable()

const PublishedAt = Since1970.meta({
  description: `Readers see a published post from this time on, at most ${limits.MAX_SCHEDULE_DAYS} days ahead. null: now if it is published, else the time of its publication`,
})

const ChangedAt = Since1970.meta({
  description:
    "When this text last changed. Omitted: now, if it changes. null: as if it never had. A time before `published_at` or ahead becomes that, or now, with a warning",
})

// Matches `https://a.example/b`. Does not match `http://a.example` or `https://a b`.
const HTTPS = /^https:\/\/\S+$/i

const CanonicalUrl = CleanText.superRefine((url, ctx) => {
  if (url.length > limits.MAX_URL_CHARS)
    refuse(ctx, "too_long", `At most ${limits.MAX_URL_CHARS} characters; this has ${url.length}.`)
  else if (!HTTPS.test(url) || !URL.canParse(url))
    refuse(ctx, "invalid", "Must be an absolute address such as https://example.org/post.")
})
  .nullable()
  .meta({
    maxLength: limits.MAX_URL_CHARS,
    description: "The original of this post elsewhere. The page names it as canonical",
  })

/** Optional fields that creates, PUTs and PATCHes share. They do not depend on a language. */
const Extras = {
  cover_image_id: ImageId.nullable()
    .meta({ description: "The image above the text and in previews of other sites; not counted among `image_ids`" })
    .optional(),
  cover_alt: PlainLine(limits.MAX_COVER_ALT_CHARS)
    .nullable()
    .meta({ description: "What the cover shows, for readers who do not see it. Another cover needs other words" })
    .optional(),
  cover_caption: PlainLine(limits.MAX_COVER_CAPTION_CHARS)
    .nullable()
    .meta({ description: "The words below the cover. Another cover needs other words" })
    .optional(),
  published_at: PublishedAt.optional(),
  changed_at: ChangedAt.optional(),
  listed: z
    .boolean("Must be true or false.")
    .meta({ description: "false: a page at its address, in no list and feed. A new post is listed" })
    .optional(),
  canonical_url: CanonicalUrl.optional(),
  author_name: PlainLine(limits.MAX_AUTHOR_NAME_CHARS)
    .nullable()
    .meta({ description: "Who wrote the post, shown beside the username" })
    .optional(),
  source: ShortText(limits.MAX_SOURCE_CHARS)
    .nullable()
    .meta({ description: "A client's own mark, by which `GET posts/?source=` finds its posts" })
    .optional(),
  translation_review: TranslationReviewName.nullable()
    .meta({
      description:
        "`hold`: readers see a machine translation once it is approved; `none`: at once; null: as the account's",
    })
    .optional(),
}

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
    ...Extras,
  })
  .meta({ id: "CreatePost" })
export type CreatePost = z.output<typeof CreatePost>

const SameSlug = z.unknown().meta({ type: "string", description: "Must equal the path's slug: a slug never changes" })

export const PutPost = CreatePost.extend({ slug: SameSlug.optional() }).meta({ id: "PutPost" })
export type PutPost = z.output<typeof PutPost>

/** Lets a rule between fields run if these fields are valid, even if others are not. */
const whenRight = (...fields: string[]) => ({
  when: ({ issues }: z.core.ParsePayload) => !issues.some(({ path }) => fields.includes(String(path?.[0]))),
})

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
    slug: SameSlug.optional(),
    ...Extras,
  })
  .refine(({ image_ids, body }) => image_ids === undefined || body !== undefined, {
    ...whenRight("image_ids", "body"),
    path: ["body"],
    params: { code: "body_required" },
    error: "Required when image_ids is sent: send both.",
  })
  .refine(
    ({ lang_code, primary_language, translation_languages }) =>
      [primary_language, ...translation_languages].includes(lang_code),
    {
      ...whenRight("lang_code", "primary_language", "translation_languages"),
      path: ["lang_code"],
      params: { code: "lang_code_not_listed" },
      error: ({ input }) =>
        `${(input as { lang_code: string }).lang_code} is neither primary_language nor in translation_languages.`,
    },
  )
  .meta({ id: "PatchPost" })
export type PatchPost = z.output<typeof PatchPost>

const otherSlugErrors = (path: { slug: string }, { slug }: Record<string, unknown>): FieldError[] =>
  slug === undefined || slug === path.slug
    ? []
    : [{ field: "slug", code: "immutable", message: "A slug never changes: leave it out, or send the path's." }]

/** Returns a field error for a `published_at` that is too far ahead of `now`. */
const farFutureErrors = ({ published_at }: Record<string, unknown>, now: Date): FieldError[] => {
  const { data } = Instant.safeParse(published_at)
  return data && data > daysAfter(now, limits.MAX_SCHEDULE_DAYS)
    ? [{ field: "published_at", code: "invalid", message: `At most ${limits.MAX_SCHEDULE_DAYS} days ahead.` }]
    : []
}

const LABELS = [
  ["categories", Categories, 1, limits.MAX_CATEGORIES],
  ["tags", Tags, 0, limits.MAX_TAGS],
] as const
/** The labels that a post has. */
type Known = Record<(typeof LABELS)[number][0], string[]> | null | undefined

/** Returns the errors of labels that the post does not have yet. */
const labelErrors = (sent: Record<string, unknown>, post: Known): FieldError[] =>
  LABELS.flatMap(([field, schema, min, max]) => {
    const { data } = schema.safeParse(sent[field])
    if (!data) return []
    const { labels, losses } = fitLabels(data, post?.[field])
    const error = (code: string, message: string) => [{ field, code, message }]
    const wrong = losses.flatMap(({ code, label }) => {
      if (code === "comma_in_label") return error("comma", `An item of the array holds a comma: ${label}`)
      return code === "too_long" ? error(code, `At most ${limits.MAX_LABEL_CHARS} characters each: ${label}…`) : []
    })
    if (labels.length < min) return [...wrong, ...error("required", `At least ${min}.`)]
    return labels.length > max ? [...wrong, ...error("too_many", `At most ${max}; this has ${labels.length}.`)] : wrong
  })

type Also<Path> = (path: Path, sent: Record<string, unknown>, now: Date, post?: Known) => FieldError[]

/** Returns the errors of a post that need the time of the request, or the post that it changes. */
export const createErrors: Also<unknown> = (_, sent, now, post) => [
  ...labelErrors(sent, post),
  ...farFutureErrors(sent, now),
]

/** Returns the errors of a PATCH that need its path, and those of `createErrors`. */
export const patchErrors: Also<{ slug: string }> = (path, sent, ...rest) => [
  ...otherSlugErrors(path, sent),
  ...createErrors(path, sent, ...rest),
]

/** Returns the errors of a slug that a post gets. */
export const slugErrors = (slug: string): FieldError[] =>
  (Slug.safeParse(slug).error?.issues ?? []).map((issue) => ({
    field: "slug",
    code: issue.code === "custom" ? String(issue.params?.["code"]) : "invalid",
    message: issue.message,
  }))

/** Returns the errors of a PUT as `patchErrors`. The slug may be that of a new post. */
export const putErrors: typeof patchErrors = (path, ...rest) => [
  ...slugErrors(path.slug),
  ...patchErrors(path, ...rest),
]

export const ListQuery = z.object({
  limit: z
    .preprocess(
      // Matches `20`. Does not match `-1`.
      (text) => (/^\d{1,9}$/.test(String(text)) ? Number(text) : text),
      z
        .int("Must be a whole number.")
        .min(1, "At least 1.")
        .max(limits.MAX_PAGE_SIZE, `At most ${limits.MAX_PAGE_SIZE}.`),
    )
    .default(limits.DEFAULT_PAGE_SIZE)
    .meta({ description: `The number of posts; ${limits.DEFAULT_PAGE_SIZE} if omitted` }),
  cursor: Cursor.optional().meta({ description: "`next_cursor` of the previous page" }),
  status: Status.optional(),
  tag: CleanText.transform((tag) => tag.normalize("NFC").toLowerCase())
    .optional()
    .meta({ description: "Posts that have this tag" }),
  category: CleanText.transform((category) => category.normalize("NFC"))
    .optional()
    .meta({ description: "Posts in this category; case matters" }),
  source: CleanText.transform((source) => source.normalize("NFC"))
    .optional()
    .meta({ description: "Posts with this `source`" }),
  updated_since: z
    .string()
    // An unescaped plus sign arrives as a space. Matches the space of `12:00:00 02:00`. Does not match `12:00:00Z`.
    .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, "+"))
    .pipe(Instant)
    .optional()
    .meta({
      format: "date-time",
      description: "Posts that a client changed at this time or later. Translation runs do not count as changes",
    }),
})
export type ListQuery = z.output<typeof ListQuery>
