import * as z from "zod"

import { TRANSLATION_REVIEWS } from "../db/schema.ts"
import { DryRun } from "../http/dry-run.ts"
import type { Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { ImageView } from "../images/operations.ts"
import { LanguageCode } from "../language.ts"
import * as limits from "../limits.ts"
import { CreatePost, ListQuery, PatchPost, PutPost, Status } from "./input.ts"
import { mapPlain } from "./post.ts"

export const SlugParam = z.object({ slug: z.string().meta({ example: "my-first-post" }) })

const GetQuery = z.object({ lang_code: LanguageCode.optional() })

const Time = z.iso.datetime()
const CodedMessage = z.object({ code: z.string(), message: z.string() }).meta({ id: "CodedMessage" })
const TextFieldName = z.enum(["title", "meta_description", "body"])

export const TranslationView = z
  .object({
    lang_code: z.string(),
    status: z.enum(["queued", "running", "ready", "failed"]),
    listed: z.boolean().meta({ description: "The language is among `translation_languages`" }),
    stale: z.array(TextFieldName).meta({ description: "Fields edited by hand whose source has changed since" }),
    edited: z.array(TextFieldName).meta({ description: "Edited by hand; never overwritten" }),
    title: z.string().nullable(),
    approved: z.boolean().meta({ description: "Readers' title, meta_description and body are there" }),
    pending: z.boolean().meta({ description: "A newer text waits for approval; always false for keys that only read" }),
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
  changed_at: Time,
})

export const PostSummary = z
  .object({
    slug: z.string(),
    url: z
      .string()
      .nullable()
      .meta({ description: "The page for readers, once published; null while it is scheduled" }),
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
    changed_at: Time.meta({ description: "When the text in `lang_code` last changed" }),
    listed: z.boolean().meta({ description: "Lists and feeds show it; false for a page" }),
    cover_image_id: z.string().nullable(),
    ...mapPlain(() => z.string().nullable()),
    translation_review: z.enum(TRANSLATION_REVIEWS).nullable().meta({ description: "null: as the account's" }),
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
  pending: z
    .object({ title: z.string(), meta_description: z.string(), body: z.string(), html: z.string() })
    .partial()
    .nullish()
    .meta({ description: "Only in a GET of a translation, and not for keys that only read: what waits for approval" }),
}).meta({ id: "Post" })

/** The one shape of a success, also of a dry run: generated clients take that of one status for all. */
const PostAnswer = z
  .object({
    success: z.literal(true),
    post: PostView,
    warnings: z.array(Warning),
    dry_run: z.literal(true).optional().meta({ description: "Present if nothing was written" }),
  })
  .meta({ id: "PostAnswer" })
const IfMatch = z.object({
  "If-Match": z.string().optional().meta({ description: "ETag of the version that this change is based on" }),
})
const ETAG = { ETag: '`"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision' }

const OUTSTANDING = {
  description: "Updated; translations are outstanding",
  schema: PostAnswer,
  headers: { ...ETAG, Link: 'The translations: `rel="monitor"`', "Retry-After": "Seconds" },
}

/** Problems of each request with fields, and of one with a body and images. */
const PROBLEMS_OF_FIELDS = ["rate_limited", "validation_error", "invalid_json"] as const
const PROBLEMS_OF_BODY = ["body_too_complex", "text_quota", "unknown_image_id", "image_expired"] as const

const collection = { access: "key", tag: "Posts", path: "/api/blogcontroller/posts/" } as const
const single = { access: "key", tag: "Posts", path: "/api/blogcontroller/posts/:slug/", params: SlugParam } as const

export const createPostOperation = {
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
    200: { description: "With `dry_run=true`: the post as it would be. Nothing is written", schema: PostAnswer },
    201: { description: "Created", schema: PostAnswer, headers: { Location: "The post's API URL", ...ETAG } },
  },
  problems: [...PROBLEMS_OF_FIELDS, "unknown_language", "duplicate_slug", ...PROBLEMS_OF_BODY],
} satisfies Operation

export const listPostsOperation = {
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

export const getPostOperation = {
  ...single,
  readsPost: true,
  operationId: "getPost",
  method: "GET",
  summary: "Get a post",
  description:
    "`lang_code` chooses the language of title, meta_description, body and html; 404 if there is no such text.",
  query: GetQuery,
  successes: {
    200: { description: "The post", schema: z.object({ success: z.literal(true), post: PostView }), headers: ETAG },
    304: { description: "Not modified" },
  },
  problems: ["validation_error", "unknown_language", "not_found", "not_the_author"],
} satisfies Operation

export const patchPostOperation = {
  ...single,
  readsPost: true,
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
  example: { lang_code: "en", primary_language: "en", translation_languages: ["fr", "es"], status: "PB" },
  successes: {
    200: { description: "Updated, or what `dry_run` would do", schema: PostAnswer, headers: ETAG },
    202: OUTSTANDING,
  },
  problems: [
    ...PROBLEMS_OF_FIELDS,
    "not_found",
    "not_the_author",
    "unknown_language",
    "lang_code_not_listed",
    "body_required",
    ...PROBLEMS_OF_BODY,
    "version_conflict",
    "unavailable",
  ],
} satisfies Operation

export const putPostOperation = {
  ...single,
  readsPost: true,
  operationId: "putPost",
  method: "PUT",
  summary: "Create or replace a post",
  isForDrafts: true,
  description:
    "Takes the fields of a new post. Omitted: `published_at`, `changed_at`, `listed`, languages, `source`, `translation_review` and, with the same cover, `cover_alt` and `cover_caption` are kept, `tags` become empty, `image_ids` what the body shows, and `cover_image_id`, `canonical_url` and `author_name` null. Translations edited by hand stay.",
  headers: IfMatch.extend({
    "If-None-Match": z.string().optional().meta({ description: "`*` creates a post, and replaces none" }),
  }),
  query: DryRun,
  body: PutPost,
  example: { ...createPostOperation.example },
  successes: {
    200: { description: "Replaced, unchanged, or what `dry_run` would do", schema: PostAnswer, headers: ETAG },
    201: createPostOperation.successes[201],
    202: OUTSTANDING,
  },
  problems: [...createPostOperation.problems, "not_the_author", "version_conflict", "unavailable"],
} satisfies Operation

export const renewPreviewOperation = {
  ...single,
  readsPost: true,
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
export const patchPostByShortPathOperation = {
  ...patchPostOperation,
  operationId: "patchPostByShortPath",
  path: "/api/blogcontroller/:slug/",
  summary: "Update a post in part (short path)",
} satisfies Operation

export const deletePostOperation = {
  ...single,
  operationId: "deletePost",
  method: "DELETE",
  summary: "Delete a post",
  description:
    "Images that no post shows any more are deleted once they expire. Neither can be recovered. With `dry_run=true` the answer is the same, and nothing is deleted.",
  headers: IfMatch,
  query: DryRun,
  successes: { 204: { description: "Deleted; with `dry_run=true` it could be, and is not" } },
  problems: ["validation_error", "not_found", "not_the_author", "version_conflict"],
} satisfies Operation
