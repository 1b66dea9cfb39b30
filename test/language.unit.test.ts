import { expect, it } from "vitest"

import { ApiError, type FieldError } from "../src/http/errors.ts"
import {
  byLanguage,
  directionOf,
  LanguageCode,
  LanguageCodes,
  refuseUnknownLanguages,
  unnamedLanguages,
} from "../src/language.ts"
import { MAX_REMEMBERED_LANGUAGES } from "../src/limits.ts"

it("byLanguage computes a value once per language and clears its cache when the cache is full", () => {
  const made: string[] = []
  const lengthOf = byLanguage((code) => made.push(code) && code.length)
  const codes = Array.from({ length: MAX_REMEMBERED_LANGUAGES }, (_, i) => `l-${i}`)
  for (const code of [...codes, ...codes]) expect(lengthOf(code)).toBe(code.length)
  expect(made).toEqual(codes)
  expect([lengthOf("one-more"), lengthOf("l-0"), lengthOf("l-0")]).toEqual([8, 3, 3])
  expect(made.slice(codes.length)).toEqual(["one-more", "l-0"])
})

it.each([
  ["en", "ltr"],
  ["ar", "rtl"],
  ["az-Arab", "rtl"],
  ["az", "ltr"],
])("directionOf returns for the language %s the direction %s, also from its cache", (code, direction) => {
  expect([directionOf(code), directionOf(code)]).toEqual([direction, direction])
})

/** Returns the canonical form of a code, or the code of its error. */
const parsed = (code: string): string | undefined => {
  const { data, error } = LanguageCode.safeParse(code)
  const [issue] = error?.issues ?? []
  return data ?? (issue?.code === "custom" ? String(issue.params?.["code"]) : issue?.code)
}

it.each([
  ["upper case", "PT-br", "pt-BR"],
  ["a script", "zh-hant", "zh-Hant"],
  ["a script and a region", "SR-LATN-rs", "sr-Latn-RS"],
  ["a region of digits", "es-419", "es-419"],
  ["a variant", "de-1996", "de-1996"],
  ["3 letters that have a code of 2", "eng", "en"],
  ["a withdrawn language", "iw", "he"],
  ["a language that became a script", "sh", "sr-Latn"],
  ["a regular grandfathered tag", "art-lojban", "jbo"],
  ["a grandfathered tag with an extended language", "zh-xiang", "hsn"],
  ["no name in English", "xx", "xx"],
  ["an unknown region", "en-XX", "en-XX"],
  ["5 letters", "English", "english"],
  ["8 letters and a region", "gibberis-GB", "gibberis-GB"],
  ["several languages", "MUL", "mul"],
  ["no linguistic content", "zxx", "zxx"],
  ["an uncoded language", "mis", "mis"],
])("a language code with %s is read as BCP 47: %s becomes %s", (_, code, canonical) => {
  expect(parsed(code)).toBe(canonical)
})

it.each([
  ["an undetermined language", "und", "unknown_language"],
  ["an undetermined language with a script", "UND-latn", "unknown_language"],
  ["a language of 4 letters", "engl", "unknown_language"],
  ["a script in place of the language", "Hant-TW", "unknown_language"],
  ["a language of 9 letters", "gibberish", "invalid_language"],
  ["1 letter", "e", "invalid_language"],
  ["an extended language", "zh-cmn", "invalid_language"],
  ["a grandfathered tag with two extended languages", "zh-min-nan", "invalid_language"],
  ["an irregular grandfathered tag", "i-klingon", "invalid_language"],
  ["an irregular grandfathered tag that ends in a long part", "en-GB-oed", "invalid_language"],
  ["private use alone", "x-klingon", "invalid_language"],
  ["private use after a language", "en-x-klingon", "invalid_language"],
  ["a private-use language", "qaa", "invalid_language"],
  ["an extension", "en-u-ca-buddhist", "invalid_language"],
  ["an underscore", "en_US", "invalid_language"],
])("a language code with %s is refused: %s is %s", (_, code, error) => {
  expect(parsed(code)).toBe(error)
})

/** Returns the errors of `refuseUnknownLanguages`. */
const refused = (...args: Parameters<typeof refuseUnknownLanguages>): FieldError[] | undefined => {
  try {
    refuseUnknownLanguages(...args)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.code).toBe("unknown_language")
    return error.extra.errors
  }
}

it("refuseUnknownLanguages names the field and the code of each code that is no language", () => {
  const translation_languages = LanguageCodes.parse(["fr", "FR", "Klingon", "mul-latn", "zxx", "mis", "tlh", "xx"])
  const errors = refused({ primary_language: "english", translation_languages }, ["en"])
  const named = errors?.map(({ field, code, message }) => [field, code, /"[^"]*"/.exec(message)?.[0]])
  expect(named).toEqual([
    ["primary_language", "unknown_language", '"english"'],
    ["translation_languages.2", "unknown_language", '"klingon"'],
    ["translation_languages.3", "unknown_language", '"mul-Latn"'],
    ["translation_languages.4", "unknown_language", '"zxx"'],
    ["translation_languages.5", "unknown_language", '"mis"'],
  ])
})

it("refuseUnknownLanguages accepts known codes, and only exactly these", () => {
  const sent = { primary_language: "klingon", translation_languages: ["mul", "mul-Latn"] }
  expect(refused(sent, ["mul", "klingon"])?.map(({ field }) => field)).toEqual(["translation_languages.1"])
})

it("refuseUnknownLanguages accepts languages that are not sent", () => {
  expect(refused({}, [])).toEqual([])
})

it("unnamedLanguages warns of languages of 2 or 3 letters without a name, whatever their region", () => {
  const translation_languages = ["xx", "en-XX", "yue", "xx-BR", "zz-Latn", "klingon", "mul", "sr-Latn-RS", "aaa"]
  const warnings = unnamedLanguages({ primary_language: "xyz", translation_languages })
  expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(["unnamed_language"]))
  expect(warnings.map(({ field, message }) => [field, /language of (\S+)\. /.exec(message)?.[1]])).toEqual([
    ["primary_language", "xyz"],
    ["translation_languages.0", "xx"],
    ["translation_languages.3", "xx-BR"],
    ["translation_languages.4", "zz-Latn"],
    ["translation_languages.8", "aaa"],
  ])
})
