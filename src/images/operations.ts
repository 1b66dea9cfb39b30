import * as z from "zod"

import { refuse } from "../http/fields.ts"
import { MULTIPART, type Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { MAX_IMAGE_SIDE_PX, MAX_LOOKUP_HASHES, MAX_UPLOAD_BYTES, UPLOAD_WINDOW_SECONDS } from "../limits.ts"

const SourceHash = z
  .string()
  .nullable()
  .meta({ description: "SHA-256 of the uploaded bytes, in hex; null for an image of version 0.1" })

const OriginalHash = z.string().nullable().meta({
  description: "SHA-256 of the file from which the client made the uploaded bytes, in hex; null if it did not say",
})

/** An attached image in the answers of posts. */
export const ImageView = z.object({
  image_id: z.string().meta({ description: "A ULID" }),
  image_url: z.string().meta({ description: "Server-relative: `/media/<username>/blog_img/<image_id>.webp`" }),
  width: z.int(),
  height: z.int(),
  source_sha256: SourceHash,
  original_sha256: OriginalHash,
})

const UploadedImage = ImageView.extend({
  success: z.literal(true),
  expires_at: z.iso.datetime().meta({ description: "Until then, a post can use the image" }),
  warnings: z.array(Warning),
}).meta({ id: "UploadedImage" })

const FoundImage = ImageView.extend({
  expires_at: z.iso.datetime().nullable().meta({ description: "null while a post shows the image" }),
}).meta({ id: "FoundImage" })

// Matches a SHA-256 in hex. Does not match one of 63 digits.
const SHA256 = /^[0-9a-f]{64}$/i

const Hashes = z
  .string()
  .transform((list) => list.split(",").map((hash) => hash.trim().toLowerCase()))
  .superRefine((hashes, ctx) => {
    if (hashes.length > MAX_LOOKUP_HASHES)
      refuse(ctx, "too_many", `At most ${MAX_LOOKUP_HASHES} hashes; this has ${hashes.length}.`)
    else if (!hashes.every((hash) => SHA256.test(hash)))
      refuse(ctx, "invalid", "Must be SHA-256 hashes in hex, 64 digits each, separated by commas.")
  })
  .optional()

const describeHashes = (of: string): string =>
  `1 to ${MAX_LOOKUP_HASHES} SHA-256 hashes of ${of}, in hex, separated by commas. Send one of both parameters.`

const ImageHashes = z
  .object({
    source_sha256: Hashes.meta({
      example: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      description: describeHashes("uploaded bytes"),
    }),
    original_sha256: Hashes.meta({ description: describeHashes("files from which clients made the uploaded bytes") }),
  })
  .superRefine(({ source_sha256, original_sha256 }, ctx) => {
    if (!source_sha256 !== !original_sha256) return
    // The one too many, or the one that is missing.
    const field = original_sha256 === undefined ? "source_sha256" : "original_sha256"
    refuse(ctx, "invalid", "Send either `source_sha256` or `original_sha256`.", [field])
  })

const OriginalPart = z
  .string("Must be a text, without a filename.")
  .toLowerCase()
  .refine((hash) => SHA256.test(hash), {
    params: { code: "invalid" },
    error: "Must be a SHA-256 hash in hex, 64 digits.",
  })
  .optional()
  .meta({ pattern: "^[0-9a-fA-F]{64}$", description: "SHA-256 of the file from which you made `file`, in hex" })

/** The one part with a filename (RFC 7578). */
export const FilePart = z
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

export const uploadImageOperation = {
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
  body: z.object({ file: FilePart, original_sha256: OriginalPart }),
  successes: {
    200: {
      description: "The account has an image of the same bytes, made of the same original: it is renewed",
      schema: UploadedImage,
      headers: { Location: "The image_url", ...RATE_HEADERS },
    },
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

export const findImagesOperation = {
  operationId: "findImages",
  method: "GET",
  path: "/api/blogcontroller/images/",
  access: "key",
  tag: "Images",
  summary: "Find images by the bytes that were uploaded, or by their originals",
  description:
    "Answers the images that a post can use now, in any order. Renews none, and counts as no upload. An image without `original_sha256` counts as its own original.",
  query: ImageHashes,
  successes: {
    200: {
      description: "The images found",
      schema: z.object({ success: z.literal(true), images: z.array(FoundImage) }),
    },
  },
  problems: ["validation_error"],
} satisfies Operation

export const getMediaOperation = {
  operationId: "getMedia",
  method: "GET",
  path: "/media/:username/blog_img/:file",
  access: "public",
  tag: "Images",
  summary: "Get an image",
  params: z.object({
    username: z.string(),
    file: z.string().meta({
      description: "`<image_id>.webp`; with `-640` or `-1280` after the id in that width, if the image has it",
    }),
  }),
  successes: {
    200: { description: "The image", contentType: "image/webp", headers: { ETag: "Strong" } },
    206: { description: "The requested range of bytes", contentType: "image/webp" },
    304: { description: "Not modified" },
  },
  problems: ["not_found", "image_expired", "range_not_satisfiable", "rate_limited"],
} satisfies Operation
