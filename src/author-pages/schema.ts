import * as z from "zod"

import { LanguageCode, LanguageCodes } from "../language.ts"

/** As a person writes them: between commas or blanks. */
const WrittenCodes = z.preprocess(
  (text) => (typeof text === "string" ? text.split(/[\s,]+/).filter((code) => code !== "") : text),
  LanguageCodes,
)

export const Languages = z.object({ primary_language: LanguageCode, translation_languages: WrittenCodes })

/** When the key was made that is to be replaced, in milliseconds: `1795635206581`, not `-1`; empty: there was none. */
export const Rotation = z.object({
  replaced: z
    .string()
    .regex(/^\d{0,15}$/, "Open the settings again.")
    .transform((text) => (text === "" ? null : new Date(Number(text)))),
})

export const EndedSession = z.object({ session: z.string().regex(/^[0-9a-f]{64}$/, "Open the settings again.") })

/** A translation on the board. */
export const TranslationParams = z.object({ slug: z.string(), lang_code: z.string() })

export const Erasure = z.object({ username: z.string().trim() })
