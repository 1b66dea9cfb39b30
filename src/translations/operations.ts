import * as z from "zod"

import { ListOf } from "../http/fields.ts"
import type { Operation } from "../http/operation.ts"
import { Warning } from "../http/validate.ts"
import { SlugParam, TranslationView } from "../posts/operations.ts"

const collection = {
  access: "key",
  tag: "Translations",
  path: "/api/blogcontroller/posts/:slug/translations/",
  params: SlugParam,
} as const
const single = {
  ...collection,
  path: `${collection.path}:lang_code/`,
  params: SlugParam.extend({ lang_code: z.string().meta({ example: "fr" }) }),
} as const

const TextFieldName = z.enum(["title", "meta_description", "body"], "Must be title, meta_description or body.")
const TEXT_FIELD_COUNT = TextFieldName.options.length

export const Retranslate = z
  .object({
    discard_edits: ListOf(TextFieldName, TEXT_FIELD_COUNT, "Must be an array of field names.")
      .meta({ description: "Fields edited by hand to be translated by machine again" })
      .optional(),
  })
  .meta({ id: "Retranslate" })
export type Retranslate = z.output<typeof Retranslate>

const Answer = z.object({ success: z.literal(true), translation: TranslationView, warnings: z.array(Warning) })

export const listTranslationsOperation = {
  readsPost: true,
  ...collection,
  operationId: "listTranslations",
  method: "GET",
  summary: "List the translations of a post",
  successes: {
    200: {
      description: "The translations, in the order of translation_languages",
      schema: z.object({ success: z.literal(true), translations: z.array(TranslationView) }),
    },
  },
  problems: ["not_found", "not_the_author"],
} satisfies Operation

export const retranslateOperation = {
  readsPost: true,
  ...single,
  operationId: "retranslate",
  method: "POST",
  summary: "Translate again",
  acceptsIdempotencyKey: true,
  body: Retranslate,
  example: { discard_edits: ["title"] },
  successes: {
    200: { description: "Nothing to translate: every field was edited by hand", schema: Answer },
    202: { description: "Queued", schema: Answer, headers: { Link: '`rel="monitor"`', "Retry-After": "Seconds" } },
  },
  problems: ["validation_error", "invalid_json", "not_found", "not_the_author", "unavailable"],
} satisfies Operation

const Approve = z
  .object({
    updated_at: z.iso
      .datetime("Send updated_at of the translation as you got it.")
      .optional()
      .meta({ description: "`updated_at` of the translation that you have looked at; by default the newest" }),
  })
  .meta({ id: "Approve" })

export const approveTranslationOperation = {
  readsPost: true,
  ...single,
  path: `${single.path}approve/`,
  operationId: "approveTranslation",
  method: "POST",
  summary: "Approve what waits of a translation",
  description: "Readers then see it. If nothing waits, nothing changes.",
  body: Approve,
  example: { updated_at: "2026-11-28T12:00:00.000Z" },
  successes: { 200: { description: "Readers see the newest text", schema: Answer } },
  problems: ["validation_error", "invalid_json", "not_found", "not_the_author", "version_conflict", "unavailable"],
} satisfies Operation

export const deleteTranslationOperation = {
  readsPost: true,
  ...single,
  operationId: "deleteTranslation",
  method: "DELETE",
  summary: "Delete a translation and remove its language from translation_languages",
  successes: { 204: { description: "Deleted" } },
  problems: ["not_found", "not_the_author", "unavailable"],
} satisfies Operation
