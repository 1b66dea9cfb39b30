import type { Nodes } from "mdast"

import { parse, withoutMark } from "../../src/markdown/parse.ts"
import { readAnswer } from "../../src/translations/document/answer.ts"
import { readDocument, type Segment, segmentsOf } from "../../src/translations/document/segments.ts"
import { assemble, skeletonOf } from "../../src/translations/document/verify.ts"
import { missingTerms, termsIn } from "../../src/translations/document/wanted-terms.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { type GlossaryEntry, openGlossary } from "../../src/translations/glossary.ts"
import { randomFrom } from "../random.ts"
import { spoil } from "./engines-of-chance.ts"
import { documentOf } from "./guarantee.ts"

// Documents with the terms of a glossary, and engines that treat these terms wrongly.

const PRODUCTS = [
  "Edgepost",
  "Go",
  "Big Edge",
  "Ünïcode",
  "İzmir",
  "東京",
  "Ке́дж",
  "C++",
  ".NET",
  "*nix",
  "snake_case",
  "a|b|c",
  "1. FC",
]
const SIGNS = [
  "[brackets]",
  "$HOME",
  "~tilde~",
  "#hash",
  "<T>",
  "R&D",
  "`tick",
  "back\\slash",
  "it’s-Me",
  "X-Y",
  "i18n",
  "@ann",
  "e.g.",
]
const KEPT = [...PRODUCTS, ...SIGNS]
const TRANSLATED = Array.from({ length: 25 }, (_, i) => {
  const letters = String.fromCharCode(97 + i)
  return { term: i % 5 === 0 ? `qu${letters}zz cloud` : `qu${letters}zz`, translation: `tr${letters}dd` }
})
const ENTRIES: GlossaryEntry[] = [
  ...KEPT.map((term) => ({ term, keep: true, translations: {}, note: null })),
  ...TRANSLATED.map(({ term, translation }) => ({ term, keep: false, translations: { fr: translation }, note: null })),
]
const TERMS = ENTRIES.map(({ term }) => term)

/** Writes a term as Markdown text. */
const written = (term: string): string => term.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

const pick = <T>(items: T[], random: () => number): T => items[Math.floor(random() * items.length)] as T

/** Returns the document of a seed with terms in place of some words. */
const withTermsOf = (seed: number, random: () => number): string =>
  documentOf(seed, seed % 100 > 0).replaceAll(/\b(?:words?|plain|para|word)\b/gi, (word) =>
    random() < 0.4 ? written(pick(TERMS, random)) : word,
  )

/** Lists the ways in which an engine treats a term that has a translation. */
const TREATMENTS: ((translation: string, term: string) => string)[] = [
  (translation) => translation,
  (translation) => `${translation}s`,
  (translation) => translation.toUpperCase(),
  (translation) => `${translation} ${translation}`,
  (translation) => translation.slice(0, -1),
  (translation) => `x${translation}`,
  (_translation, term) => term,
  () => "",
]

const TERM = new RegExp(TRANSLATED.map(({ term }) => `${term}s?`).join("|"), "gi")

/** Translates every word, and treats each term in some way; in one of ten answers it moves a part to the end. */
const treat = (random: () => number) => async (texts: string[]) => {
  const treated = texts.map((text) => {
    const answer = text.replaceAll(TERM, (found) => {
      const entry = TRANSLATED.find(({ term }) => found.toLowerCase().startsWith(term))
      return entry ? pick(TREATMENTS, random)(entry.translation, found) : found
    })
    const [first = "", ...others] = answer.split(" ")
    return random() < 0.1 ? [...others, first].join(" ") : answer
  })
  const marked = await pseudo.translate({ segments: treated, from: "en", to: "fr" })
  if (!("texts" in marked)) return marked
  // The pseudo engine marks the words of a translated term as well.
  return { texts: marked.texts.map((text) => (text ?? "").replaceAll(/(tr[a-z]dds?)·fr/gi, "$1")) }
}

const textIn = (node: Nodes): string => {
  const { alt, title }: { alt?: string | null; title?: string | null } = { alt: null, title: null, ...node }
  const own = [alt, title, "value" in node ? node.value : ""].filter(Boolean).join("\n")
  if (!("children" in node)) return own
  // A term that an element divides, such as an address before its last word, is no term.
  return `${own}\n${node.children.map((child) => (child.type === "text" ? child.value : `\0${textIn(child)}\0`)).join("")}`
}

const visibleText = (markdown: string): string => textIn(parse(withoutMark(markdown))).replaceAll(/\s+/g, " ")

const isLetter = (text: string, at: number): boolean => /[\p{L}\p{M}\p{N}_]/u.test(text.charAt(at))

/** Counts the kept terms in a source as whole words, as which they are found. */
const countWords = (markdown: string): number[] => {
  const text = visibleText(markdown)
  return KEPT.map((term) => {
    let count = 0
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length))
      if (!isLetter(text, at - 1) && !isLetter(text, at + term.length)) count++
    return count
  })
}

/** Counts the kept terms in a translation, wherever an engine has put them. */
const countKept = (markdown: string): number[] => {
  const text = visibleText(markdown)
  return KEPT.map((term) => text.split(term).length - 1)
}

/** Lists the words of a text in lower case. */
const wordsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}_]+/u)

const TAG = /<[^>]*>/g

const isForm = (word: string | undefined, form: string): boolean =>
  word === form || word === `${form}s` || word === `${form}es`

/** Lists the terms of a source text whose translation another text lacks, by a rule of its own. */
const lackingIn = (source: string, translated: string): string[] => {
  const words = source.toLowerCase().split(/([^\p{L}\p{M}\p{N}_]+)/u)
  const has = (term: string): boolean => {
    const [first = "", second] = term.split(" ")
    return words.some(
      (word, i) =>
        isForm(word, first) && (second === undefined || (words[i + 1]?.trim() === "" && isForm(words[i + 2], second))),
    )
  }
  const wanted = TRANSLATED.filter(({ term }) => source.toLowerCase().includes(term.slice(0, 5)) && has(term))
  const given = wanted.length > 0 ? wordsOf(translated) : []
  const isGiven = (word: string) => ["", "s", "es", "e", "x"].some((ending) => given.includes(word + ending))
  return wanted.filter(({ translation }) => !isGiven(translation)).map(({ term }) => term)
}

const GLOSSARY = openGlossary(ENTRIES, "en", "fr")

/** Lists the faults in the translations of a document. */
const faultsOf = async (markdown: string, random: () => number): Promise<string[]> => {
  const document = readDocument(markdown, GLOSSARY)
  const segments = segmentsOf(document)
  const skeleton = skeletonOf(markdown)
  const kept = countWords(markdown)
  const faults: string[] = []
  // To save time, one of four documents meets the engine that answers with anything.
  const engines = { treat: treat(random), ...(random() < 0.25 && { hostile: spoil(random) }) }
  for (const [name, engine] of Object.entries(engines)) {
    const answer = await engine(segments.map(({ text }) => text))
    if (!("texts" in answer)) throw new Error("The engine has no texts.")
    const read = new Map(segments.map((segment, i) => [segment, readAnswer(segment, answer.texts[i] ?? null)]))
    const { body, kept: unused } = assemble(document, read)
    if (skeletonOf(body) !== skeleton) faults.push(`${name}: skeleton`)
    const after = countKept(body)
    for (const [i, term] of KEPT.entries())
      if ((after[i] ?? 0) < (kept[i] ?? 0)) faults.push(`${name}: ${term} is in ${after[i]} of ${kept[i]} places`)
    if (/<[xg] id=|\uFFFC/.test(body) && !/<[xg] id=|\uFFFC/.test(markdown)) faults.push(`${name}: tag`)
    const marks = (segment: Segment): string[] => {
      const inlines = read.get(segment)
      return inlines ? missingTerms(termsIn(segment.inlines, GLOSSARY), inlines, GLOSSARY).map(({ term }) => term) : []
    }
    for (const [i, segment] of segments.entries()) {
      if (!read.get(segment) || unused.includes(segment)) continue
      const source = segment.text.replaceAll(TAG, (tag) => (tag.startsWith("<x") ? "|" : ""))
      const translated = (answer.texts[i] ?? "").replaceAll(TAG, (tag) => (tag.startsWith("<x") ? "|" : ""))
      const expected = lackingIn(source, translated).toSorted()
      if (marks(segment).toSorted().join() !== expected.join())
        faults.push(`${name}: marks ${marks(segment).join()} instead of ${expected.join()} in ${segment.text}`)
    }
  }
  return faults
}

/** Translates the generated document of a seed with a glossary of 50 terms. @returns the faults */
export const faultsOfSeed = (seed: number): Promise<string[]> => {
  const random = randomFrom(seed + 2_000_000)
  return faultsOf(withTermsOf(seed, random), random)
}
