import * as z from "zod"

import { refuse } from "../http/fields.ts"
import { MULTIPART, type Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { MAX_IMAGE_SIDE_PX, MAX_UPLOAD_BYTES, UPLOAD_WINDOW_SECONDS } from "../limits.ts"

const UploadedImage = z
  .object({
    success: z.literal(true),
    image_url: z.string().meta({ description: "Server-relative: `/media/<username>/blog_img/<image_id>.webp`" }),
    image_id: z.string().meta({ description: "A ULID, usable in a post until `expires_at`" }),
    expires_at: z.iso.datetime(),
    width: z.int(),
    height: z.int(),
    warnings: z.array(Warning),
  })
  .meta({ id: "UploadedImage" })

/** The one part with a filename (RFC 7578). */
const FilePart = z
  .unknown()
  .superRefine((part, ctx) => {
    if (part === undefined) refuse(ctx, "invalid_multipart", "There is no part named `file`. Add one with a filename.")
    else if (Array.isArray(part)) refuse(ctx, "invalid_multipart", `Send one part named \`file\`, not ${part.length}.`)
    else if (typeof part === "string")
      refuse(ctx, "invalid_multipart", "The part named `file` has no filename. Add one.")
  })
  .transform((part) => part as File)
  .meta({ type: "string", format: "binary", description: "The image" })

const RATE_HEADERS = {
  RateLimit: 'The calls left, and the seconds until more are: `"upload";r=<calls>;t=<seconds>`',
  "RateLimit-Policy": 'The limit and its window in seconds: `"upload";q=<calls>;w=<seconds>`',
}

export const uploadImage = {
  operationId: "uploadImage",
  method: "POST",
  path: "/api/blogcontroller/image-upload/",
  access: "key",
  isForDrafts: true,
  tag: "Images",
  summary: "Upload an image",
  acceptsIdempotencyKey: true,
  description: `PNG, JPEG or WebP, at most ${MAX_UPLOAD_BYTES / 2 ** 20} MB and ${MAX_IMAGE_SIDE_PX} × ${MAX_IMAGE_SIDE_PX} pixels; stored as WebP. \`RateLimit-Policy\` states how many uploads are allowed in any ${UPLOAD_WINDOW_SECONDS} seconds.`,
  contentType: MULTIPART,
  body: z.object({ file: FilePart }),
  successes: {
    201: { description: "Stored", schema: UploadedImage, headers: { Location: "The image_url", ...RATE_HEADERS } },
  },
  problems: [
    "busy",
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
  summary: "Get an image",
  params: z.object({ username: z.string(), file: z.string().meta({ description: "`<image_id>.webp`" }) }),
  successes: {
    200: { description: "The image", contentType: "image/webp", headers: { ETag: "Strong" } },
    206: { description: "The requested range of bytes", contentType: "image/webp" },
    304: { description: "Not modified" },
  },
  problems: ["not_found", "image_expired", "range_not_satisfiable"],
} satisfies Operation
