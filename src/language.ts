import * as z from "zod"

import { CleanText, cut, ListOf, listSchema, refuse } from "./http/fields.ts"
import { MAX_LANGUAGE_CODE_CHARS, MAX_REMEMBERED_LANGUAGES, MAX_TRANSLATION_LANGUAGES } from "./limits.ts"

const EXTENSION_OR_PRIVATE_USE = /(?:^|-)[a-z0-9]-/i
/** Matches the private-use languages `qaa` to `qtz` (RFC 5646 section 2.2.1). Does not match `que`. */
const NO_LANGUAGE = /^(?:und|q[a-t][a-z])(?:-|$)/

/**
 * Returns the canonical form of a BCP 47 tag, such as `pt-BR` for `PT-br` (RFC 5646 section 4.5).
 * @returns null for a tag that is invalid, too long, undetermined (`und`), private or has extensions
 */
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

/** Returns `make` with a cache by language code: Intl objects are slow to create. A full cache (`MAX_REMEMBERED_LANGUAGES`) is emptied. */
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

/** Returns the English name of a language with its code: `French (fr)`. */
export const languageName = byLanguage(
  (code) => `${new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code} (${code})`,
)

/** Returns the writing direction of a language: `ltr` or `rtl`. */
export const directionOf = byLanguage((code) => new Intl.Locale(code).getTextInfo().direction ?? "ltr")

/** A language code, which becomes canonical. */
export const LanguageCode = CleanText.transform((code, ctx) => {
  const canonical = canonicalLanguage(code)
  if (canonical) return canonical
  refuse(
    ctx,
    "invalid_language",
    `Not a BCP 47 language code such as en, pt-BR or zh-Hant: ${JSON.stringify(cut(code, MAX_LANGUAGE_CODE_CHARS))}.`,
  )
  return z.NEVER
}).meta({ description: "BCP 47 language code", maxLength: MAX_LANGUAGE_CODE_CHARS })

/** A list of language codes without duplicates, in the order sent. */
export const LanguageCodes = ListOf(LanguageCode, MAX_TRANSLATION_LANGUAGES, "Must be an array of language codes.")
  .transform((codes) => [...new Set(codes)])
  .meta(listSchema(MAX_TRANSLATION_LANGUAGES, "BCP 47 language codes"))
