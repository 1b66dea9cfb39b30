import * as z from "zod"

import type { Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"

const UploadedImage = z
  .object({
    success: z.literal(true),
    image_url: z.string().meta({ description: "Server-relative: `/media/<username>/blog_img/<image_id>.webp`" }),
    image_id: z.string().meta({ description: "A ULID, usable for 30 minutes" }),
    expires_at: z.iso.datetime(),
    width: z.int(),
    height: z.int(),
    warnings: z.array(Warning),
  })
  .meta({ id: "UploadedImage" })

const RATE_HEADERS = {
  RateLimit: 'What is left: `"upload";r=<calls>;t=<seconds>`',
  "RateLimit-Policy": '`"upload";q=10;w=60`',
}

export const uploadImage = {
  operationId: "uploadImage",
  method: "POST",
  path: "/api/blogcontroller/image-upload/",
  access: "key",
  tag: "Images",
  summary: "Upload a picture",
  isOnce: true,
  description: "PNG, JPEG or WebP, at most 5 MB and 2048 × 2048 pixels; stored as WebP. 10 uploads in any 60 seconds.",
  contentType: "multipart/form-data",
  body: z.object({ file: z.string().meta({ format: "binary", description: "The picture" }) }),
  successes: {
    201: { description: "Stored", schema: UploadedImage, headers: { Location: "The image_url", ...RATE_HEADERS } },
  },
  problems: [
    "rate_limited",
    "invalid_multipart",
    "file_too_large",
    "unsupported_format",
    "resolution_too_large",
    "animated_not_supported",
    "undecodable_image",
    "storage_quota",
  ],
} satisfies Operation

export const getMedia = {
  operationId: "getMedia",
  method: "GET",
  path: "/media/:username/blog_img/:file",
  access: "public",
  tag: "Images",
  summary: "A stored picture",
  params: z.object({ username: z.string(), file: z.string().meta({ description: "`<image_id>.webp`" }) }),
  successes: {
    200: { description: "The picture", contentType: "image/webp", headers: { ETag: "Strong" } },
    206: { description: "The range that was asked for", contentType: "image/webp" },
    304: { description: "Not modified" },
  },
  problems: ["not_found", "image_expired", "range_not_satisfiable"],
} satisfies Operation
