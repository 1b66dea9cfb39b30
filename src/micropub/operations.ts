import * as z from "zod"

import { Cursor } from "../http/cursor.ts"
import { MULTIPART, type Operation } from "../http/operation.ts"
import { uploadImageOperation } from "../images/operations.ts"
import { DEFAULT_PAGE_SIZE } from "../limits.ts"
import { createPostOperation } from "../posts/operations.ts"

// The calls of Micropub, which the W3C documents: https://www.w3.org/TR/micropub/. docs/writing-apps.md says what posts make of them.

const call = { access: "key", tag: null, isMicropub: true, isForDrafts: true } as const
const JSON_TYPE = "application/json"
const MADE = { Location: "The address of the post: its page, or its preview while readers do not see it" }

const WHOLE = "Must be a whole number."
export const StatusProperty = z.enum(["published", "draft"], "Must be published or draft.")

export const MEDIA_PATH = "/micropub/media/"

export const queryMicropubOperation = {
  ...call,
  method: "GET",
  path: "/micropub/",
  query: z.object({
    q: z.string().optional(),
    url: z.string().optional(),
    limit: z.coerce.number(WHOLE).int(WHOLE).min(1, "At least 1.").default(DEFAULT_PAGE_SIZE),
    after: Cursor.optional(),
    before: Cursor.optional(),
    "post-status": StatusProperty.optional(),
    filter: z.string().optional(),
    properties: z.string().optional(),
    "properties[]": z.string().optional(),
  }),
  successes: { 200: { description: "What `q` asks for", contentType: JSON_TYPE } },
  problems: ["validation_error", "not_found", "not_the_author"],
} satisfies Operation

export const postMicropubOperation = {
  ...call,
  method: "POST",
  path: "/micropub/",
  successes: {
    200: { description: "Done, with warnings", contentType: JSON_TYPE },
    201: { description: "Created, or at another address now", contentType: JSON_TYPE, headers: MADE },
    204: { description: "Done" },
  },
  problems: [
    ...createPostOperation.problems,
    ...uploadImageOperation.problems,
    "body_timeout",
    "unsupported_media_type",
    "idempotency_in_progress",
    "not_found",
    "not_the_author",
    "version_conflict",
  ],
} satisfies Operation

export const uploadMediaOperation = {
  ...call,
  method: "POST",
  path: MEDIA_PATH,
  contentType: MULTIPART,
  successes: {
    201: { description: "Stored", contentType: JSON_TYPE, headers: { Location: "The address of the image" } },
  },
  problems: [...uploadImageOperation.problems, "validation_error", "body_timeout", "unsupported_media_type"],
} satisfies Operation
