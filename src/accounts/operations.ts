import * as z from "zod"

import { SCOPES, TRANSLATION_REVIEWS } from "../db/schema.ts"
import type { Operation } from "../http/operation.ts"

export const Timestamp = z.iso.datetime({ offset: true })

/** The fields of an account that its author sets, as answers show them. */
export const settingsView = {
  primary_language: z.string(),
  translation_languages: z.array(z.string()),
  translation_tones: z.record(z.string(), z.string()).meta({ description: "How translations should sound" }),
  shows_translation_note: z.boolean(),
  blog_title: z.string().nullable(),
  blog_description: z.string().nullable(),
  author_name: z.string().nullable(),
  timezone: z.string().meta({ description: "IANA name of the zone in which the author's pages show times" }),
  translation_review: z.enum(TRANSLATION_REVIEWS),
}

/** The use that an account makes of its limits, as answers show it. */
export const usageView = z
  .object({ text_bytes: z.int(), stored_bytes: z.int() })
  .meta({ description: "The bytes of all posts with their texts, and of all images." })

/** The name, scope and expiry of a key, as answers show them. */
export const keyView = { name: z.string(), scope: z.enum(SCOPES), expires_at: Timestamp.nullable() }

/** The account as its clients see it. */
const OwnAccount = z
  .object({
    username: z.string(),
    paid_until: Timestamp.nullable(),
    ...settingsView,
    key: z.object(keyView).meta({ description: "The key of this request." }),
    usage: usageView,
    limits: z.record(z.string(), z.int()).meta({ description: "The limits of this service, by name." }),
  })
  .meta({ id: "OwnAccount" })

export const getOwnAccountOperation = {
  operationId: "getOwnAccount",
  method: "GET",
  path: "/api/blogcontroller/account/",
  access: "key",
  tag: "Account",
  summary: "The account of this key: languages, blog title, paid time, limits",
  successes: {
    200: { description: "The account", schema: z.object({ success: z.literal(true), account: OwnAccount }) },
  },
  problems: [],
} satisfies Operation
