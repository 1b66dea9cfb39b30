import * as z from "zod"

import { CleanText, ListOf, listSchema, refuse } from "./http/fields.ts"
import { MAX_LANGUAGE_CODE_CHARS, MAX_REMEMBERED_LANGUAGES, MAX_TRANSLATION_LANGUAGES } from "./limits.ts"

const EXTENSION_OR_PRIVATE_USE = /(?:^|-)[a-z0-9]-/i
/** RFC 5646 section 2.2.1: qaa to qtz are for private use. */
const NO_LANGUAGE = /^(?:und|q[a-t][a-z])(?:-|$)/

/** The canonical form of a BCP 47 tag (RFC 5646 section 4.5), or null: not a language, undetermined, private, extended. */
export const canonicalLanguage = (code: string): string | null => {
  if (code.length > MAX_LANGUAGE_CODE_CHARS) return null
  try {
    const [canonical] = Intl.getCanonicalLocales(code)
    if (!canonical || NO_LANGUAGE.test(canonical) || EXTENSION_OR_PRIVATE_USE.test(canonical)) return null
    return canonical
  } catch {
    return null
  }
}

/** Remembers what is made of a language, for some: Intl takes longer to make its tools than a page for all else. */
export const byLanguage = <T>(make: (code: string) => T): ((code: string) => T) => {
  const known = new Map<string, T>()
  return (code) => {
    const found = known.get(code)
    if (found !== undefined) return found
    if (known.size >= MAX_REMEMBERED_LANGUAGES) known.clear()
    const made = make(code)
    known.set(code, made)
    return made
  }
}

/** A language as it is called in English, with its code. */
export const languageName = byLanguage(
  (code) => `${new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code} (${code})`,
)

/** The direction in which text of a language runs. */
export const directionOf = byLanguage((code) => new Intl.Locale(code).getTextInfo().direction ?? "ltr")

/** A language code in canonical form. */
export const LanguageCode = CleanText.transform((code, ctx) => {
  const canonical = canonicalLanguage(code)
  if (canonical) return canonical
  refuse(ctx, "invalid_language", "Not a BCP 47 language code such as en, pt-BR or zh-Hant.")
  return z.NEVER
}).meta({ description: "BCP 47 language code", maxLength: MAX_LANGUAGE_CODE_CHARS })

/** Language codes in the order sent, duplicates dropped. */
export const LanguageCodes = ListOf(LanguageCode, MAX_TRANSLATION_LANGUAGES, "Must be an array of language codes.")
  .transform((codes) => [...new Set(codes)])
  .meta(listSchema(MAX_TRANSLATION_LANGUAGES, "BCP 47 language codes"))
