// Measures a translation without its engine: splitting a post into segments, reading the answers and rebuilding the post.
import { readAnswer } from "../../src/translations/document/answer.ts"
import { readDocument, segmentsOf } from "../../src/translations/document/segments.ts"
import { assemble } from "../../src/translations/document/verify.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
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
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Translates a document. @returns the CPU milliseconds without the engine, and the number of segments */
const translate = async (markdown: string) => {
  const start = cpuMs()
  const document = readDocument(markdown)
  const segments = segmentsOf(document)
  const splitMs = cpuMs() - start
  const sources = segments.map(({ text }) => text)
  const answer = await pseudo.translate({ segments: sources, from: "en", to: "fr" })
  if ("failure" in answer) throw new Error(answer.failure.message)
  const answered = cpuMs()
  const translations = new Map(segments.map((segment, i) => [segment, readAnswer(segment, answer.texts[i] ?? null)]))
  const { kept } = assemble(document, translations)
  if (kept.length > 0) throw new Error(`${kept.length} segments keep their source.`)
  return { ms: splitMs + cpuMs() - answered, segments: segments.length }
}

interface Options {
  rounds: number
  warmUps: number
}

/** Measures documents of every size in each round. @throws Error when a segment keeps its source */
export const measureOverhead = async (documents: Documents, { rounds, warmUps }: Options): Promise<Overhead> => {
  const measured: Record<Size, number[]> = { 2: [], 20: [], 200: [] }
  let segments = 0
  for (let round = -warmUps; round < rounds; round++)
    for (const size of SIZES) {
      let ms = 0
      for (const markdown of documents[size]) {
        const result = await translate(markdown)
        ms += result.ms
        segments = result.segments
      }
      if (round >= 0) measured[size].push(ms / documents[size].length)
    }
  const times = { 2: median(measured[2]), 20: median(measured[20]), 200: median(measured[200]) }
  return { times, segments, growth: times[200] / times[20] }
}
