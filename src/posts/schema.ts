import * as z from "zod"

import { daysAfter } from "../days.ts"
import { Cursor } from "../http/cursor.ts"
import type { FieldError } from "../http/errors.ts"
import { CleanText, Instant, Labels, ListOf, PlainLine, ShortText, listSchema, refuse } from "../http/fields.ts"
import type { Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { isImageId } from "../images/image.ts"
import { ImageView } from "../images/schema.ts"
import { LanguageCode, LanguageCodes } from "../language.ts"
import * as limits from "../limits.ts"

// Matches `my-first-post`. Does not match `My--post`.
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const Slug = CleanText.superRefine((slug, ctx) => {
  if (slug.length > limits.MAX_SLUG_CHARS)
    refuse(ctx, "too_long", `At most ${limits.MAX_SLUG_CHARS} characters; this has ${slug.length}.`)
  else if (!SLUG.test(slug))
    refuse(ctx, "invalid", "Only a-z and 0-9 in words joined by single hyphens, such as my-first-post.")
  else if (limits.RESERVED_SLUGS.includes(slug)) refuse(ctx, "reserved", `${slug} is reserved: choose another slug.`)
}).meta({ maxLength: limits.MAX_SLUG_CHARS, example: "my-first-post" })

export const SlugParam = z.object({ slug: z.string().meta({ example: "my-first-post" }) })

const Body = CleanText.superRefine((body, ctx) => {
  const bytes = new TextEncoder().encode(body).length
  if (body.trim() === "") refuse(ctx, "blank", "Must not be blank.")
  else if (bytes > limits.MAX_BODY_BYTES)
    refuse(ctx, "too_long", `At most ${limits.MAX_BODY_BYTES} bytes as UTF-8; this has ${bytes}.`)
}).meta({
  description: `Markdown (CommonMark with GFM and safe HTML), at most ${limits.MAX_BODY_BYTES} bytes as UTF-8`,
})

const ImageId = CleanText.refine(isImageId, { params: { code: "invalid" }, error: "Not an image_id of an upload." })

const CoverId = ImageId.nullable().meta({
  description: "The image above the text and in previews of other sites; not counted among `image_ids`",
})

const ImageIds = ListOf(ImageId, limits.MAX_POST_IMAGES, "Must be an array of image_id values.").meta(
  listSchema(limits.MAX_POST_IMAGES, "image_id values of uploads"),
)

const Status = z
  .enum(["DF", "PB"], "Must be DF (draft) or PB (published).")
  .meta({ description: "`DF` is a draft, `PB` is published" })
const Categories = Labels({ min: 1, max: limits.MAX_CATEGORIES, maxChars: limits.MAX_LABEL_CHARS }).meta({
  description: `1 to ${limits.MAX_CATEGORIES} names, comma-separated or as an array`,
})
const Tags = Labels({ min: 0, max: limits.MAX_TAGS, maxChars: limits.MAX_LABEL_CHARS, lowerCase: true }).meta({
  description: `Up to ${limits.MAX_TAGS} names, comma-separated or as an array; lower-cased`,
})
const Title = ShortText(limits.MAX_TITLE_CHARS)
const MetaDescription = ShortText(limits.MAX_META_DESCRIPTION_CHARS)

const PublishedAt = Instant.refine((time) => time.getTime() >= 0, {
  params: { code: "invalid" },
  error: "Must not be before 1970-01-01T00:00:00Z.",
})
  .nullable()
  .meta({
    description: `Readers see a published post from this time on, at most ${limits.MAX_SCHEDULE_DAYS} days ahead. null: the time of the first publication`,
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

const AuthorName = PlainLine(limits.MAX_AUTHOR_NAME_CHARS)
  .nullable()
  .meta({ description: "Who wrote the post, shown beside the username" })
const Source = ShortText(limits.MAX_SOURCE_CHARS)
  .nullable()
  .meta({ description: "A client's own mark, by which `GET posts/?source=` finds its posts" })

/** The optional fields of a post that do not depend on a language. */
const Extras = {
  cover_image_id: CoverId.optional(),
  published_at: PublishedAt.optional(),
  canonical_url: CanonicalUrl.optional(),
  author_name: AuthorName.optional(),
  source: Source.optional(),
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

const refuseOtherSlug = (path: { slug: string }, { slug }: Record<string, unknown>): FieldError[] =>
  slug === undefined || slug === path.slug
    ? []
    : [{ field: "slug", code: "immutable", message: "A slug never changes: leave it out, or send the path's." }]

/** Returns a field error for a `published_at` that is too far ahead of `now`. */
const refuseFarFuture = ({ published_at }: Record<string, unknown>, now: Date): FieldError[] => {
  const { data } = Instant.safeParse(published_at)
  return data && data > daysAfter(now, limits.MAX_SCHEDULE_DAYS)
    ? [{ field: "published_at", code: "invalid", message: `At most ${limits.MAX_SCHEDULE_DAYS} days ahead.` }]
    : []
}

type Also = (path: { slug: string }, sent: Record<string, unknown>, now: Date) => FieldError[]

/** Returns the errors of a new post that need the time of the request. */
export const createErrors = (_: unknown, sent: Record<string, unknown>, now: Date): FieldError[] =>
  refuseFarFuture(sent, now)

/** Returns the errors of a PATCH that need its path or the time of the request. */
export const patchErrors: Also = (path, sent, now) => [...refuseOtherSlug(path, sent), ...refuseFarFuture(sent, now)]

/** Returns the errors of a PUT that need its path or the time of the request. The slug may be that of a new post. */
export const putErrors: Also = (path, sent, now) => [
  ...(Slug.safeParse(path.slug).error?.issues ?? []).map((issue) => ({
    field: "slug",
    code: issue.code === "custom" ? String(issue.params?.["code"]) : "invalid",
    message: issue.message,
  })),
  ...patchErrors(path, sent, now),
]

export const ListQuery = z.object({
  limit: z
    .string()
    // Matches `20`. Does not match `-1`.
    .regex(/^\d{1,9}$/, "Must be a whole number.")
    .transform(Number)
    .pipe(z.int().min(1, "At least 1.").max(limits.MAX_PAGE_SIZE, `At most ${limits.MAX_PAGE_SIZE}.`))
    .default(limits.DEFAULT_PAGE_SIZE)
    .meta({ description: `The number of posts, 1 to ${limits.MAX_PAGE_SIZE}; ${limits.DEFAULT_PAGE_SIZE} if omitted` }),
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

const GetQuery = z.object({ lang_code: LanguageCode.optional() })

const Time = z.iso.datetime()
const CodedMessage = z.object({ code: z.string(), message: z.string() }).meta({ id: "CodedMessage" })
const TextFieldName = z.enum(["title", "meta_description", "body"])

export const TranslationView = z
  .object({
    lang_code: z.string(),
    status: z.enum(["queued", "running", "ready", "failed"]),
    listed: z.boolean(),
    stale: z.array(TextFieldName).meta({ description: "Fields edited by hand whose source has changed since" }),
    edited: z.array(TextFieldName).meta({ description: "Edited by hand; never overwritten" }),
    title: z.string().nullable(),
    url: z.string().nullable(),
    error: CodedMessage.nullable(),
    warnings: z.array(CodedMessage.extend({ field: TextFieldName }).meta({ id: "TranslationWarning" })),
    segments: z.object({ done: z.int(), total: z.int() }),
    engine: z.string().nullable(),
    updated_at: Time,
  })
  .meta({ id: "Translation" })

const TextSummary = z.object({
  title: z.string().nullable(),
  meta_description: z.string().nullable(),
  body_sha256: z.string().nullable().meta({
    description: "SHA-256 of the body in UTF-8, in hex; null without a body, or if it was last saved with version 0.1",
  }),
  edited: z.array(TextFieldName).meta({ description: "Edited by hand; never overwritten" }),
})

export const PostSummary = z
  .object({
    slug: z.string(),
    url: z
      .string()
      .nullable()
      .meta({ description: "The page for readers, once the post is published; null while it is scheduled" }),
    status: Status,
    scheduled: z.boolean().meta({ description: "The post is published, and `published_at` lies ahead" }),
    author: z.string(),
    categories: z.array(z.string()),
    tags: z.array(z.string()),
    primary_language: z.string(),
    translation_languages: z.array(z.string()),
    lang_code: z.string().meta({ description: "The language of title, meta_description, body and html" }),
    title: z.string().nullable(),
    meta_description: z.string().nullable(),
    images: z.array(ImageView),
    translations: z.array(TranslationView),
    version: z.int(),
    created_at: Time,
    updated_at: Time,
    published_at: Time.nullable(),
    cover_image_id: z.string().nullable(),
    canonical_url: z.string().nullable(),
    author_name: z.string().nullable(),
    source: z.string().nullable(),
    image_ids: z.array(z.string()).meta({ description: "The attached images, except one that is only the cover" }),
  })
  .meta({ id: "PostSummary" })

export const ListedPost = PostSummary.extend({
  texts: z.record(z.string(), TextSummary).meta({ description: "The texts by language" }),
}).meta({ id: "ListedPost" })

export const PostView = PostSummary.extend({
  body: z.string().nullable(),
  html: z.string().nullable(),
  preview_url: z
    .string()
    .nullable()
    .meta({
      description: `Shows the post to anyone with the link, for ${limits.PREVIEW_DAYS} days; null without a link, and for keys that only read`,
    }),
}).meta({ id: "Post" })

const PostAnswer = z.object({ success: z.literal(true), post: PostView, warnings: z.array(Warning) })

const DryAnswer = PostAnswer.extend({ dry_run: z.literal(true) })
const ChangeAnswer = PostAnswer.extend({
  dry_run: z.literal(true).optional().meta({ description: "Present if nothing was written" }),
})
const DRY = { description: "With `dry_run=true`: the post as it would be. Nothing is written", schema: DryAnswer }
const DryRun = z.object({
  dry_run: z
    .enum(["true", "false"], "Must be true or false.")
    .optional()
    .transform((text) => text === "true")
    .meta({ description: "`true` checks the request and writes nothing" }),
})

const IfMatch = z.object({
  "If-Match": z.string().optional().meta({ description: "ETag of the version that this change is based on" }),
})
const IfNoneMatch = {
  "If-None-Match": z.string().optional().meta({ description: "`*` creates a post, and replaces none" }),
}
const ETAG = { ETag: '`"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision' }

const OUTSTANDING = {
  description: "Updated; translations are outstanding",
  schema: PostAnswer,
  headers: { ...ETAG, Link: 'The translations: `rel="monitor"`', "Retry-After": "Seconds" },
}

const collection = { access: "key", tag: "Posts", path: "/api/blogcontroller/posts/" } as const
const single = { access: "key", tag: "Posts", path: "/api/blogcontroller/posts/:slug/", params: SlugParam } as const

export const createPost = {
  ...collection,
  operationId: "createPost",
  method: "POST",
  summary: "Create a post",
  isForDrafts: true,
  acceptsIdempotencyKey: true,
  query: DryRun,
  body: CreatePost,
  example: {
    title: "My first post",
    slug: "my-first-post",
    status: "DF",
    categories: ["News"],
    meta_description: "What this blog is going to be about.",
    body: "Hello, **world**.",
  },
  successes: {
    200: DRY,
    201: { description: "Created", schema: PostAnswer, headers: { Location: "The post's API URL", ...ETAG } },
  },
  problems: [
    "rate_limited",
    "validation_error",
    "invalid_json",
    "unknown_language",
    "duplicate_slug",
    "body_too_complex",
    "text_quota",
    "unknown_image_id",
    "image_expired",
  ],
} satisfies Operation

export const listPosts = {
  ...collection,
  operationId: "listPosts",
  method: "GET",
  summary: "List your posts, including drafts, newest first",
  query: ListQuery,
  successes: {
    200: {
      description: "A page of posts without body and html",
      schema: z.object({ success: z.literal(true), posts: z.array(ListedPost), next_cursor: z.string().nullable() }),
      headers: { Link: 'The next page: `rel="next"`' },
    },
  },
  problems: ["validation_error"],
} satisfies Operation

export const getPost = {
  ...single,
  operationId: "getPost",
  method: "GET",
  summary: "Get a post",
  description:
    "`lang_code` chooses the language of title, meta_description, body and html; 404 if there is no such text.",
  query: GetQuery,
  checksAuthorFirst: true,
  successes: {
    200: { description: "The post", schema: z.object({ success: z.literal(true), post: PostView }), headers: ETAG },
    304: { description: "Not modified" },
  },
  problems: ["validation_error", "unknown_language", "not_found", "not_the_author"],
} satisfies Operation

export const patchPost = {
  ...single,
  operationId: "patchPost",
  method: "PATCH",
  summary: "Update a post in part",
  isForDrafts: true,
  acceptsIdempotencyKey: true,
  description:
    "title, meta_description and body change the text in `lang_code`; the other fields belong to the post. 202 while translations are outstanding.",
  headers: IfMatch,
  query: DryRun,
  body: PatchPost,
  checksAuthorFirst: true,
  example: { lang_code: "en", primary_language: "en", translation_languages: ["fr", "es"], status: "PB" },
  successes: {
    200: { description: "Updated, or what `dry_run` would do", schema: ChangeAnswer, headers: ETAG },
    202: OUTSTANDING,
  },
  problems: [
    "rate_limited",
    "validation_error",
    "invalid_json",
    "not_found",
    "not_the_author",
    "unknown_language",
    "lang_code_not_listed",
    "body_required",
    "body_too_complex",
    "text_quota",
    "unknown_image_id",
    "image_expired",
    "version_conflict",
    "unavailable",
  ],
} satisfies Operation

export const putPost = {
  ...single,
  operationId: "putPost",
  method: "PUT",
  summary: "Create or replace a post",
  isForDrafts: true,
  description:
    "Takes the fields of a new post. Omitted: `published_at`, languages and `source` are kept, `tags` become empty, `image_ids` what the body shows, and `cover_image_id`, `canonical_url` and `author_name` null. Translations edited by hand stay.",
  headers: IfMatch.extend(IfNoneMatch),
  query: DryRun,
  body: PutPost,
  checksAuthorFirst: true,
  example: { ...createPost.example },
  successes: {
    200: { description: "Replaced, unchanged, or what `dry_run` would do", schema: ChangeAnswer, headers: ETAG },
    201: createPost.successes[201],
    202: OUTSTANDING,
  },
  problems: [...createPost.problems, "not_the_author", "version_conflict", "unavailable"],
} satisfies Operation

export const renewPreview = {
  ...single,
  path: `${single.path}preview/`,
  operationId: "renewPreview",
  method: "POST",
  summary: "Make a new preview link",
  isForDrafts: true,
  description: "The earlier link ends. Reading a post never makes one.",
  successes: {
    200: {
      description: "The new link",
      schema: z.object({ success: z.literal(true), preview_url: z.string(), expires_at: Time }),
    },
  },
  problems: ["not_found", "not_the_author", "unavailable"],
} satisfies Operation

/** PATCH at the path of the spec's example. The answer is the same, with a link to the canonical path. */
export const patchPostByShortPath = {
  ...patchPost,
  operationId: "patchPostByShortPath",
  path: "/api/blogcontroller/:slug/",
  summary: "Update a post in part (short path)",
} satisfies Operation

export const deletePost = {
  ...single,
  operationId: "deletePost",
  method: "DELETE",
  summary: "Delete a post",
  description: "Also deletes the images that no other post shows. Neither can be recovered.",
  headers: IfMatch,
  query: DryRun,
  successes: {
    200: { ...DRY, description: "With `dry_run=true`: the post as it is. Nothing is deleted" },
    204: { description: "Deleted" },
  },
  problems: ["validation_error", "not_found", "not_the_author", "version_conflict"],
} satisfies Operation
