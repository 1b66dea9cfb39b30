import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { valueFor } from "../language-fallbacks.ts"
import { MAX_COMPARED_CHARS } from "../limits.ts"
import { endingsOf, isAnyCase } from "./endings.ts"

// Finds the terms of an author's glossary in a text, and checks that a translation has them.

/** A term of the source language, and what becomes of it: it is kept as it is written, or has a translation by BCP 47 code. */
export interface GlossaryEntry {
  term: string
  keep: boolean
  translations: Record<string, string>
  note: string | null
}

/** An entry as it counts between two languages; `translation` is null for a term that is kept. */
export interface Term extends Pick<GlossaryEntry, "term" | "note"> {
  translation: string | null
}

/** A term in a text. `start` and `end` are UTF-16 offsets. */
interface FoundTerm {
  start: number
  end: number
  term: Term
}

/** The glossary of an author between two languages. */
export interface Glossary {
  /** Finds terms that do not overlap: from left to right, of those at one place the longest. @throws TooComplex */
  find: (text: string) => FoundTerm[]
  /** Tells whether a translated text has the translation of a term, in any case and with any documented ending. */
  hasTranslation: (text: string, term: Term) => boolean
}

/** Scripts whose words stand without blanks between them. */
const WITHOUT_BLANKS = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`
const LETTER = String.raw`[\p{L}\p{M}\p{N}_]`
const AFTER_LETTER = new RegExp(`(?<=[${LETTER}--[${WITHOUT_BLANKS}]])`, "vy")
/** Korean particles follow a word without a blank. */
const BEFORE_LETTER = new RegExp(String.raw`(?=[${LETTER}--[${WITHOUT_BLANKS}\p{scx=Hang}]])`, "vy")
/** Hyphens that join words: of Latin, Armenian, Hebrew, Mongolian and Katakana, wide, small and soft ones. */
const HYPHEN = String.raw`[\-\u00AD\u058A\u05BE\u1806\u2010\u2011\u30A0\uFE63\uFF0D]`
/** Matches before `on` of `add-on`; not of `- on`. */
const AFTER_HYPHEN = new RegExp(`(?<=[${LETTER}--[${WITHOUT_BLANKS}]]${HYPHEN})`, "vy")
/** Matches after `add` of `add-on`; not of `add--on`. */
const BEFORE_HYPHEN = new RegExp(`(?=${HYPHEN}[${LETTER}--[${WITHOUT_BLANKS}]])`, "vy")
/** Matches at the start of `社`, and at the end after it; not of `a`. */
const STARTS_WITHOUT_BLANKS = new RegExp(`^[${WITHOUT_BLANKS}]`, "v")
const ENDS_WITHOUT_BLANKS = new RegExp(`[${WITHOUT_BLANKS}]$`, "v")
/** A word, a blank, an apostrophe or any other character. */
const PART = /[\p{L}\p{M}]+|\s+|['’]|[^]/gu

const isAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Returns the source of a pattern that matches a text in its forms in a language. */
const patternOf = (text: string, language: string): string =>
  Array.from(text.matchAll(PART), ([part]) => {
    if (/^\s/.test(part)) return String.raw`\s+`
    if (/^['’]$/.test(part)) return "['’]"
    const { stem, endings } = endingsOf(part, language)
    // The longest first, since a shorter one would end before a letter.
    const longest = endings.toSorted((a, b) => b.length - a.length).map((ending) => RegExp.escape(ending))
    return RegExp.escape(stem) + (longest.length > 0 ? `(?:${longest.join("|")})?` : "")
  }).join("")

/** Finds forms of a text as whole words. */
interface Finder {
  /** Returns the end of a form that begins at a place; null if none does. */
  endAt: (text: string, start: number) => number | null
  /** Tells whether a form is a part of a hyphenated word. */
  isHyphenated: (text: string, start: number, end: number) => boolean
  /** Tells whether a form is anywhere in a text. */
  isIn: (text: string) => boolean
}

const finderOf = (term: string, language: string, ignoresCase: boolean): Finder => {
  // Character classes are no part of it: they would take longer to compile than a text to search.
  const pattern = new RegExp(patternOf(term, language), ignoresCase ? "iuy" : "uy")
  const [isFreeBefore, isFreeAfter] = [STARTS_WITHOUT_BLANKS.test(term), ENDS_WITHOUT_BLANKS.test(term)]
  const endAt = (text: string, start: number): number | null => {
    if (!isAt(pattern, text, start)) return null
    const end = pattern.lastIndex
    const isWhole =
      (isFreeBefore || !isAt(AFTER_LETTER, text, start)) && (isFreeAfter || !isAt(BEFORE_LETTER, text, end))
    return isWhole ? end : null
  }
  const isHyphenated = (text: string, start: number, end: number): boolean =>
    (!isFreeBefore && isAt(AFTER_HYPHEN, text, start)) || (!isFreeAfter && isAt(BEFORE_HYPHEN, text, end))
  const anywhere = new RegExp(pattern.source, ignoresCase ? "giu" : "gu")
  const isIn = (text: string): boolean => {
    for (anywhere.lastIndex = 0; ;) {
      const hit = anywhere.exec(text)
      if (!hit) return false
      if (endAt(text, hit.index) !== null) return true
      anywhere.lastIndex = hit.index + 1
    }
  }
  return { endAt, isHyphenated, isIn }
}

const lazy = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}

const MAX_LEAD_CHARS = 8
/** Letters that only patterns with the flag `u` find in any case, as `ẞ` of `ß`. */
const UNICODE_CASE = /[ßẞΐΰϴ\u1F80-\u1FFC\uFB05\uFB06\uD800-\uDFFF]/

// `edge` matches, `café` does not.
const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

/** Folds the case of each UTF-16 unit as patterns without the flag `u` do (ECMA-262, Canonicalize): `i` becomes `I`, `ß` stays. */
const fold = (text: string): string =>
  isAscii(text)
    ? text.toUpperCase()
    : text.replaceAll(/[^]/g, (unit) => {
        const upper = unit.toUpperCase()
        return upper.length === 1 && (isAscii(unit) || !isAscii(upper)) ? upper : unit
      })

/** Returns the first letters of a term, which every form of it has, folded. */
const leadOf = (term: string, language: string): string => {
  // `Edge` of `Edge Cloud` matches, and `.` of `.NET`.
  const [word = ""] = /^[\p{L}\p{M}]+|^./u.exec(term) ?? []
  const lead = endingsOf(word, language).stem.slice(0, MAX_LEAD_CHARS)
  return fold(lead.split(UNICODE_CASE, 1)[0] || lead)
}

const termsInto = (entries: GlossaryEntry[], to: string): Term[] =>
  entries.flatMap(({ term, keep, translations, note }) => {
    const translation = keep ? null : valueFor(translations, to)
    return translation === undefined ? [] : [{ term, note, translation }]
  })

/** A term as texts may write it. One that `isAnywhere` needs no blank before it. */
interface Spelling {
  spelling: string
  term: Term
  isAnywhere: boolean
  finder: () => Finder
}

/** Terms that are ready to be found. `lead` matches where one may begin, `byLead` lists those that do. */
interface Prepared {
  from: string
  to: string
  terms: Term[]
  byLead: Map<string, Spelling[]>
  lead: RegExp | null
  finderFor: (term: Term) => Finder
}

const prepare = (terms: Term[], from: string, to: string): Prepared => {
  const spellings = terms
    // Texts are searched as they are written, composed or not.
    .flatMap((term) => [...new Set([term.term, term.term.normalize("NFD")])].map((spelling) => ({ spelling, term })))
    .toSorted((a, b) => b.spelling.length - a.spelling.length)
    .map((one) => ({ ...one, own: leadOf(one.spelling, from) }))
  const all = new Set(spellings.map(({ own }) => own))
  const byLead = new Map<string, Spelling[]>()
  for (const { spelling, term, own } of spellings) {
    // Of `ed` and `edge` both have the lead `ed`, so that each place in a text has one.
    let length = 1
    while (length < own.length && !all.has(own.slice(0, length))) length++
    const lead = own.slice(0, length)
    const group = byLead.get(lead) ?? []
    byLead.set(lead, group)
    // Most terms are in no place of a text, and their patterns are never compiled.
    const isAnywhere = STARTS_WITHOUT_BLANKS.test(spelling)
    group.push({ spelling, term, isAnywhere, finder: lazy(() => finderOf(spelling, from, isAnyCase(term.term))) })
  }
  const targets = new Map<Term, Finder>()
  const finderFor = (term: Term): Finder => {
    const finder = targets.get(term) ?? finderOf(term.translation ?? term.term, to, true)
    targets.set(term, finder)
    return finder
  }
  // A list of plain words, which engines search at once; each place is then tried with the few terms that begin so.
  const words = [...byLead.keys()].map((start) => RegExp.escape(start)).join("|")
  // `edge` of `the edge` matches, that of `knowledge` does not; after `é` it does, and is refused later.
  return { from, to, terms, byLead, lead: words ? new RegExp(String.raw`(?!\B\w)(?:${words})`, "gi") : null, finderFor }
}

const MAX_PREPARED = 10
const known: Prepared[] = []

const isSame = (a: Term, b: Term | undefined): boolean =>
  a.term === b?.term && a.translation === b.translation && a.note === b.note

/** Returns prepared entries. The last ones are kept: the posts of a blog are often translated one after another. */
const preparedFor = (entries: GlossaryEntry[], from: string, to: string): Prepared => {
  const terms = termsInto(entries, to)
  const hasSameTerms = (one: Prepared) =>
    one.from === from &&
    one.to === to &&
    one.terms.length === terms.length &&
    terms.every((term, i) => isSame(term, one.terms[i]))
  const found = known.find(hasSameTerms)
  if (found) return found
  if (known.length >= MAX_PREPARED) known.shift()
  const prepared = prepare(terms, from, to)
  known.push(prepared)
  return prepared
}

/**
 * Opens the entries of an author for one text in the language `from` that is translated into `to`.
 * `find` throws TooComplex when terms that begin alike have been compared too often.
 */
export const openGlossary = (entries: GlossaryEntry[], from: string, to: string): Glossary => {
  const { byLead, lead, finderFor } = preparedFor(entries, from, to)
  let compared = 0

  const termAt = (text: string, start: number, hit: string): FoundTerm | null => {
    const isInWord = isAt(AFTER_LETTER, text, start)
    for (const { spelling, term, isAnywhere, finder } of byLead.get(fold(hit)) ?? []) {
      if (isInWord && !isAnywhere) continue
      compared += spelling.length
      if (compared > MAX_COMPARED_CHARS) throw new TooComplex("Too many terms of the glossary begin alike.")
      const { endAt, isHyphenated } = finder()
      const end = endAt(text, start)
      // A name that is kept may be a part: `Edgepost-based`.
      if (end !== null && (term.translation === null || !isHyphenated(text, start, end))) return { start, end, term }
    }
    return null
  }

  const find = (text: string): FoundTerm[] => {
    const found: FoundTerm[] = []
    if (!lead) return found
    lead.lastIndex = 0
    for (let hit = lead.exec(text); hit; hit = lead.exec(text)) {
      const match = termAt(text, hit.index, hit[0])
      if (match) found.push(match)
      lead.lastIndex = match?.end ?? hit.index + 1
    }
    return found
  }

  const hasTranslation = (text: string, term: Term): boolean => {
    const written = text.normalize("NFC")
    const finder = finderFor(term)
    // Simple case folding does not know `İ`.
    return finder.isIn(written) || finder.isIn(written.toLocaleLowerCase(to))
  }
  return { find, hasTranslation }
}

/** A glossary without terms. */
export const NO_GLOSSARY: Glossary = openGlossary([], "en", "en")
