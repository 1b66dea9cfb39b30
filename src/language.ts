import * as z from "zod"

import { fieldErrors } from "./http/errors.ts"
import { CleanText, cut, ListOf, refuse } from "./http/fields.ts"
import type { Warning } from "./http/validate.ts"
import { MAX_LANGUAGE_CODE_CHARS, MAX_REMEMBERED_LANGUAGES, MAX_TRANSLATION_LANGUAGES } from "./limits.ts"

const EXTENSION_OR_PRIVATE_USE = /(?:^|-)[a-z0-9]-/i
/** Matches the private-use languages `qaa` to `qtz` (RFC 5646 section 2.2.1). Does not match `que`. */
const NO_LANGUAGE = /^(?:und|q[a-t][a-z])(?:-|$)/
/** Matches `klingon`, `Engl-US` and `mul-Latn`. Does not match `tlh` or `en-Latn`. */
const UNKNOWN = /^(?:[a-z]{4,8}|und|mul|zxx|mis)(?:-|$)/i

/**
 * Returns the canonical form of a BCP 47 tag, such as `pt-BR` for `PT-br` (RFC 5646 section 4.5).
 * @returns null for a tag that is invalid, too long, undetermined (`und`), private or has extensions
 */
export const canonicalLanguage = (code: string): string | null => {
  if (code === "" || code.length > MAX_LANGUAGE_CODE_CHARS) return null
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
    const value = make(code)
    known.set(code, value)
    return value
  }
}

/** Returns the English name of a language with its code: `French (fr)`. */
export const languageName = byLanguage(
  (code) => `${new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code} (${code})`,
)

/** Variants that authors choose beside the languages of two letters. */
const VARIANTS = ["pt-BR", "zh-Hans", "zh-Hant"]
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"]
let named: [code: string, name: string][] | undefined

/** Lists the languages of two letters, and some variants, with their English names, sorted by name: `["fr", "French"]`. */
export const listLanguages = (): [code: string, name: string][] => {
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  named ??= [...codes, ...VARIANTS]
    // Old codes, such as `iw` for `he`, have a name as well.
    .filter((code) => canonicalLanguage(code) === code)
    .flatMap((code): [string, string][] => {
      const name = names.of(code)
      return name === undefined ? [] : [[code, name]]
    })
    .toSorted(([, one], [, other]) => one.localeCompare(other, "en"))
  return named
}

/** Returns the code of a language by its English name in any case, `de` of `german`; undefined without one. */
export const codeOfName = (name: string): string | undefined =>
  listLanguages().find(([, known]) => known.toLowerCase() === name.trim().toLowerCase())?.[0]

/** Returns the codes of languages that are written as English names, separated by commas, or as codes: `German, fr pt-BR`. */
export const writtenCodes = (text: string): string[] =>
  text
    .split(",")
    .flatMap((name) => codeOfName(name) ?? name.split(/\s+/))
    .filter(Boolean)

/** Returns the writing direction of a language: `ltr` or `rtl`. */
export const directionOf = byLanguage((code) => new Intl.Locale(code).getTextInfo().direction ?? "ltr")

/** Tells whether a code names no language, such as `klingon` and `mul`. */
export const isUnknownLanguage = (code: string): boolean => UNKNOWN.test(code)

export const unknownLanguageMessage = (code: string): string =>
  `Not a single language: ${JSON.stringify(cut(code, MAX_LANGUAGE_CODE_CHARS))}. Send a code such as en, pt-BR or zh-Hant.`

/** Returns the canonical form of a code; refuses one without, and returns null. */
const readLanguage = (code: string, ctx: z.RefinementCtx, path: string[] = []): string | null => {
  const canonical = canonicalLanguage(code)
  if (canonical) return canonical
  if (isUnknownLanguage(code)) refuse(ctx, "unknown_language", unknownLanguageMessage(code), path)
  else
    refuse(
      ctx,
      "invalid_language",
      `Not a BCP 47 language code such as en, pt-BR or zh-Hant: ${JSON.stringify(cut(code, MAX_LANGUAGE_CODE_CHARS))}.`,
      path,
    )
  return null
}

/** A language code, which becomes canonical. `refuseUnknownLanguages` checks that it names a language. */
export const LanguageCode = CleanText.transform((code, ctx) => readLanguage(code, ctx) ?? z.NEVER).meta({
  description: "BCP 47 language code",
  maxLength: MAX_LANGUAGE_CODE_CHARS,
})

/** A list of language codes as sent, so that errors name their positions: it may have duplicates. */
export const LanguageCodes = ListOf(
  LanguageCode,
  MAX_TRANSLATION_LANGUAGES,
  "Must be an array of language codes.",
).meta({ description: "BCP 47 language codes" })

/** Texts by language code, which becomes canonical. Sorted by code, since stored values are compared as text. */
export const ByLanguage = (text: z.ZodType<string>, message: string) =>
  z.record(z.string(), text, message).transform((texts, ctx): Record<string, string> => {
    const entries = Object.entries(texts).map(([code, value]): [string, string] => [
      readLanguage(code, ctx, [code]) ?? code,
      value,
    ])
    if (entries.length > MAX_TRANSLATION_LANGUAGES)
      refuse(ctx, "too_many", `At most ${MAX_TRANSLATION_LANGUAGES} languages; this has ${entries.length}.`)
    return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })

/** The canonical language codes in a request. */
export interface SentLanguages {
  primary_language?: string | undefined
  translation_languages?: string[] | undefined
  /** By language code. */
  translation_tones?: Record<string, string> | undefined
}

/** Lists the codes with their fields, such as `translation_languages.1`. */
const fieldsOf = ({ primary_language, translation_languages = [], translation_tones = {} }: SentLanguages) => [
  ...(primary_language === undefined ? [] : [{ field: "primary_language", code: primary_language }]),
  ...translation_languages.map((code, i) => ({ field: `translation_languages.${i}`, code })),
  ...Object.keys(translation_tones).map((code) => ({ field: `translation_tones.${code}`, code })),
]

/**
 * Refuses codes that name no language, such as `klingon` and `mul`.
 * @param known codes that the account or post has already, which stay accepted
 * @throws ApiError 400 `unknown_language`, with an error for each such code
 */
export const refuseUnknownLanguages = (sent: SentLanguages, known: string[]): void => {
  const unknown = fieldsOf(sent).filter(({ code }) => isUnknownLanguage(code) && !known.includes(code))
  if (unknown.length === 0) return
  throw fieldErrors(
    unknown.map(({ field, code }) => ({ field, code: "unknown_language", message: unknownLanguageMessage(code) })),
  )
}

const isNamed = byLanguage((code) => {
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })
  return names.of(new Intl.Locale(code).language) !== undefined
})

/** Returns a warning for each code whose language of 2 or 3 letters has no English name, such as `xx`. */
export const unnamedLanguages = (sent: SentLanguages): Warning[] =>
  fieldsOf(sent)
    .filter(({ code }) => !isUnknownLanguage(code) && !isNamed(code))
    .map(({ field, code }) => ({
      field,
      code: "unnamed_language",
      message: `This service knows no name for the language of ${code}. Check the code.`,
    }))
