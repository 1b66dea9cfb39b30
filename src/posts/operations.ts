import * as z from "zod"

import type { Operation } from "../http/operation.ts"
import { PostAnswer, PostSummary, PostView } from "./answers.ts"
import { CreatePost, GetQuery, ListQuery, PatchPost, SlugParam } from "./schema.ts"

const IfMatch = z.object({
  "If-Match": z.string().optional().meta({ description: "ETag of the version that this change is based on" }),
})
const ETAG = { ETag: '`"<version>.<revision>"`: what the translator writes raises the latter alone' }

const collection = { access: "key", tag: "Posts", path: "/api/blogcontroller/posts/" } as const
const single = { access: "key", tag: "Posts", path: "/api/blogcontroller/posts/:slug/", params: SlugParam } as const

export const createPost = {
  ...collection,
  operationId: "createPost",
  method: "POST",
  summary: "Create a post",
  isOnce: true,
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
    201: { description: "Created", schema: PostAnswer, headers: { Location: "The post's API URL", ...ETAG } },
  },
  problems: [
    "rate_limited",
    "validation_error",
    "invalid_json",
    "duplicate_slug",
    "body_too_complex",
    "unknown_image_id",
    "image_expired",
  ],
} satisfies Operation

export const listPosts = {
  ...collection,
  operationId: "listPosts",
  method: "GET",
  summary: "List your posts, drafts too, the newest first",
  query: ListQuery,
  successes: {
    200: {
      description: "A page of posts without body and html",
      schema: z.object({ success: z.literal(true), posts: z.array(PostSummary), next_cursor: z.string().nullable() }),
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
    "`lang_code` chooses the language of title, meta_description, body and html; 404 when there is no such text.",
  query: GetQuery,
  authorFirst: true,
  successes: {
    200: { description: "The post", schema: z.object({ success: z.literal(true), post: PostView }), headers: ETAG },
    304: { description: "Not modified" },
  },
  problems: ["validation_error", "not_found", "not_the_author"],
} satisfies Operation

export const patchPost = {
  ...single,
  operationId: "patchPost",
  method: "PATCH",
  summary: "Update a post in part",
  isOnce: true,
  description:
    "title, meta_description and body change the text in `lang_code`; the other fields belong to the post. 202 while translations are outstanding.",
  headers: IfMatch,
  body: PatchPost,
  authorFirst: true,
  example: { lang_code: "en", primary_language: "en", translation_languages: ["fr", "es"], status: "PB" },
  successes: {
    200: { description: "Updated", schema: PostAnswer, headers: ETAG },
    202: {
      description: "Updated; translations are under way",
      schema: PostAnswer,
      headers: { ...ETAG, Link: 'The translations: `rel="monitor"`', "Retry-After": "Seconds" },
    },
  },
  problems: [
    "rate_limited",
    "validation_error",
    "invalid_json",
    "not_found",
    "not_the_author",
    "lang_code_not_listed",
    "body_required",
    "body_too_complex",
    "unknown_image_id",
    "image_expired",
    "version_conflict",
    "unavailable",
  ],
} satisfies Operation

/** The path of the spec's PATCH example: the same answer, with a link to the canonical one. */
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
  description: "Pictures that no other post shows go with it. Nothing can be recovered.",
  headers: IfMatch,
  successes: { 204: { description: "Deleted" } },
  problems: ["not_found", "not_the_author", "version_conflict"],
} satisfies Operation
