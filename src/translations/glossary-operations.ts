import * as z from "zod"

import { Cursor } from "../http/cursor.ts"
import { DryRun } from "../http/dry-run.ts"
import { ListOf, PlainLine, refuse } from "../http/fields.ts"
import type { Operation } from "../http/operation.ts"
import { ByLanguage, isUnknownLanguage, unknownLanguageMessage } from "../language.ts"
import {
  MAX_GLOSSARY_BYTES,
  MAX_GLOSSARY_TERMS,
  MAX_SOUGHT_TERMS,
  MAX_TERM_CHARS,
  MAX_TERM_NOTE_CHARS,
} from "../limits.ts"
import type { GlossaryEntry } from "./glossary.ts"

/** A term or its translation: `edge cloud`, `C++`. Blanks at its ends are removed, others become one. */
export const TermText = PlainLine(MAX_TERM_CHARS).transform((text) => text.trim().replaceAll(/\s+/g, " "))

const Translations = ByLanguage(TermText, "Must be an object of language codes with a text each.").superRefine(
  (translations, ctx) => {
    for (const code of Object.keys(translations).filter(isUnknownLanguage))
      refuse(ctx, "unknown_language", unknownLanguageMessage(code), [code])
  },
)

export const EntryInput = z
  .object({
    term: TermText.meta({ description: "As the source text has it. One in lower case is found in any case" }),
    keep: z
      .boolean("Must be true or false.")
      .meta({ description: "True: the term stays as it is written in every language" })
      .optional(),
    translations: Translations.meta({ description: "Its translation by BCP 47 code" }).optional(),
    note: PlainLine(MAX_TERM_NOTE_CHARS)
      .nullable()
      .meta({ description: "For you, and for engines that read instructions" })
      .optional(),
  })
  .superRefine(({ keep = false, translations = {} }, ctx) => {
    const hasTranslations = Object.keys(translations).length > 0
    if (keep && hasTranslations) refuse(ctx, "invalid", "A term that is kept has no translations.", ["translations"])
    if (!keep && !hasTranslations) refuse(ctx, "required", "Needs a translation, or to be kept.", ["translations"])
  })
  .meta({ id: "GlossaryEntryInput" })

/** Returns a checked entry with a value for each field. */
export const entryOf = ({
  term,
  keep = false,
  translations = {},
  note = null,
}: z.output<typeof EntryInput>): GlossaryEntry => ({ term, keep, translations, note })

const EntryView = z
  .object({
    term: z.string(),
    keep: z.boolean(),
    translations: z.record(z.string(), z.string()),
    note: z.string().nullable(),
  })
  .meta({ id: "GlossaryEntry" })

const TERMS = "Must be an array of terms."

const GlossaryChange = z
  .object({
    entries: ListOf(EntryInput, MAX_GLOSSARY_TERMS, "Must be an array of entries.")
      .meta({
        description:
          "Terms to add, or to replace those of the same spelling. Each needs `keep` as true, or a translation",
      })
      .optional(),
    removed: ListOf(z.string(TERMS), MAX_GLOSSARY_TERMS, TERMS).meta({ description: "Terms to delete" }).optional(),
  })
  .meta({ id: "GlossaryChange" })

const SoughtTerms = z
  .object({
    terms: ListOf(TermText, MAX_SOUGHT_TERMS, TERMS).meta({ description: "Terms, of the glossary or not" }),
  })
  .meta({ id: "SoughtTerms" })

const operation = { access: "key", tag: "Translations", path: "/api/blogcontroller/account/glossary/" } as const

const Glossary = z.object({ success: z.literal(true), entries: z.array(EntryView) })

export const listGlossaryOperation = {
  ...operation,
  operationId: "listGlossary",
  isPrivate: true,
  method: "GET",
  summary: "List the terms of the glossary",
  successes: { 200: { description: "The terms, sorted", schema: Glossary } },
  problems: [],
} satisfies Operation

export const changeGlossaryOperation = {
  ...operation,
  operationId: "changeGlossary",
  method: "PATCH",
  summary: "Add, replace and delete terms of the glossary",
  description: `An account has at most ${MAX_GLOSSARY_TERMS} terms. Nothing is translated again by this call: later translations follow it.`,
  body: GlossaryChange,
  bodyLimit: MAX_GLOSSARY_BYTES,
  example: {
    entries: [
      { term: "Edgepost", keep: true },
      { term: "invoice", translations: { de: "Rechnung" } },
    ],
  },
  successes: { 200: { description: "All terms after the change, sorted", schema: Glossary } },
  problems: ["validation_error", "unknown_language", "invalid_json"],
} satisfies Operation

export const retranslateTermsOperation = {
  ...operation,
  operationId: "retranslateTerms",
  method: "POST",
  path: `${operation.path}retranslate/`,
  summary: "Translate posts with these terms again",
  description:
    "Queues each translation by an engine of posts that have the words of a term. Segments whose terms have not changed come from the memory, as long as it has them. With `dry_run=true` it only counts them. It looks into a portion of the posts: as long as the answer has `next_cursor`, call again with it as `cursor`.",
  query: DryRun.extend({ cursor: Cursor.optional() }),
  body: SoughtTerms,
  example: { terms: ["invoice"] },
  successes: {
    200: {
      description:
        "The posts and translations of this portion that are made again. They have the longest word of a term, some only in another word",
      schema: z.object({
        success: z.literal(true),
        posts: z.int(),
        translations: z.int(),
        next_cursor: z.string().nullable(),
      }),
    },
  },
  problems: ["validation_error", "invalid_json"],
} satisfies Operation
