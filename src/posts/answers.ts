import * as z from "zod"

import { Warning } from "../http/validate.ts"
import { Status } from "./schema.ts"

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
    warnings: z.array(CodedMessage.extend({ field: TextFieldName }).meta({ id: "TranslationWarning" })),
    segments: z.object({ done: z.int(), total: z.int() }),
    engine: z.string().nullable(),
    updated_at: Time,
  })
  .meta({ id: "Translation" })

const PostImageView = z.object({ image_id: z.string(), image_url: z.string(), width: z.int(), height: z.int() })

export const PostSummary = z
  .object({
    slug: z.string(),
    url: z.string().meta({ description: "The page for readers, once the post is published" }),
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
