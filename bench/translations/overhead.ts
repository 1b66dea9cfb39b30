// Measures a translation without its engine: splitting a post into segments, reading the answers and rebuilding the post.
import { readAnswer } from "../../src/translations/document/answer.ts"
import { readDocument, segmentsOf } from "../../src/translations/document/segments.ts"
import { assemble } from "../../src/translations/document/verify.ts"
import { missingTerms, termsIn } from "../../src/translations/document/wanted-terms.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { type GlossaryEntry, openGlossary } from "../../src/translations/glossary.ts"
import { type Documents, type Size, SIZES } from "../markdown/prose.ts"
import { median } from "../shared.ts"

/** The CPU time of a translation without its engine. */
export interface Overhead {
  /** The median CPU milliseconds of a document, by its size in KB. */
  times: Record<Size, number>
  /** The number of segments in the document of 200 KB. */
  segments: number
  /** The time of 200 KB divided by the time of 20 KB. */
  growth: number
  /** The median of the time with a glossary of 500 terms divided by the time without, by the size. */
  withTerms: Record<Size, number>
}

const TERMS = 500
/** Terms that are words of the documents; the others are in none. */
const TERMS_IN_TEXT = 50

/** Makes a glossary with every nth word of a text; half of the terms are kept, half have a translation. */
const glossaryFor = (text: string): GlossaryEntry[] => {
  // `edge` matches, `of` does not.
  const words = [...new Set(text.match(/\b[a-z]{4,}\b/gi))]
  const wordAt = (i: number, count: number) => words[Math.floor((i * words.length) / count)] ?? ""
  const own = Array.from({ length: TERMS_IN_TEXT }, (_, i) => wordAt(i, TERMS_IN_TEXT))
  const others = Array.from({ length: TERMS - TERMS_IN_TEXT }, (_, i) => `${wordAt(i, TERMS)}qz${i}`)
  return [...own, ...others].map((term, i) => ({
    term,
    keep: i % 2 === 0,
    translations: (i % 2 === 0 ? {} : { fr: `${term}·fr` }) as Record<string, string>,
    note: null,
  }))
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Translates a document. @returns the CPU milliseconds without the engine, and the number of segments */
const translate = async (markdown: string, entries: GlossaryEntry[]) => {
  const start = cpuMs()
  const glossary = openGlossary(entries, "en", "fr")
  const document = readDocument(markdown, glossary)
  const segments = segmentsOf(document)
  const wanted = segments.map(({ inlines }) => termsIn(inlines, glossary))
  const splitMs = cpuMs() - start
  const sources = segments.map(({ text }) => text)
  const answer = await pseudo.translate({ segments: sources, from: "en", to: "fr" })
  if ("failure" in answer) throw new Error(answer.failure.message)
  const answered = cpuMs()
  const translations = new Map(segments.map((segment, i) => [segment, readAnswer(segment, answer.texts[i] ?? null)]))
  for (const [i, inlines] of [...translations.values()].entries())
    if (inlines && missingTerms(wanted[i] ?? [], inlines, glossary).length > 0) throw new Error("A term is missing.")
  const { kept } = assemble(document, translations)
  if (kept.length > 0) throw new Error(`${kept.length} segments keep their source.`)
  return { ms: splitMs + cpuMs() - answered, segments: segments.length }
}

interface Options {
  rounds: number
  warmUps: number
}

const medians = (of: Record<Size, number[]>): Record<Size, number> => ({
  2: median(of[2]),
  20: median(of[20]),
  200: median(of[200]),
})

/** Measures documents of every size in each round. @throws Error when a segment keeps its source */
export const measureOverhead = async (documents: Documents, { rounds, warmUps }: Options): Promise<Overhead> => {
  const measured: Record<Size, number[]> = { 2: [], 20: [], 200: [] }
  const ratios: Record<Size, number[]> = { 2: [], 20: [], 200: [] }
  const entries = glossaryFor(documents[200].join("\n"))
  let segments = 0
  for (let round = -warmUps; round < rounds; round++)
    for (const size of SIZES) {
      let [without, withTerms] = [0, 0]
      for (const [i, markdown] of documents[size].entries()) {
        // Each side is first in half of the runs: the second one also collects the garbage of the first.
        const termsFirst = (round + i) % 2 === 0
        for (const hasTerms of [termsFirst, !termsFirst]) {
          const result = await translate(markdown, hasTerms ? entries : [])
          if (hasTerms) withTerms += result.ms
          else {
            without += result.ms
            segments = result.segments
          }
        }
      }
      if (round < 0) continue
      measured[size].push(without / documents[size].length)
      ratios[size].push(withTerms / without)
    }
  const times = medians(measured)
  return { times, segments, growth: times[200] / times[20], withTerms: medians(ratios) }
}
