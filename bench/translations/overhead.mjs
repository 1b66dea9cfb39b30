// What cutting a post into segments, reading an engine's answers and putting them back takes: all but the engine.
import { readAnswer } from "../../src/translations/document/answer.ts"
import { readDocument, segmentsOf } from "../../src/translations/document/segments.ts"
import { assemble } from "../../src/translations/document/verify.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { median } from "../markdown/thread.mjs"

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** One document. @returns CPU milliseconds without the engine's */
const translate = async (markdown) => {
  const start = cpuMs()
  const document = readDocument(markdown)
  const segments = segmentsOf(document)
  const cut = cpuMs() - start
  const { texts } = await pseudo.translate(
    segments.map(({ text }) => text),
    "en",
    "fr",
  )
  const answered = cpuMs()
  const translations = new Map(segments.map((segment, i) => [segment, { inlines: readAnswer(segment, texts[i]) }]))
  const { kept } = assemble(document, translations)
  if (kept.length > 0) throw new Error(`${kept.length} segments keep their source.`)
  return { ms: cut + cpuMs() - answered, segments: segments.length }
}

/** Medians of a document of each size, all sizes in each round. */
export const measureOverhead = async (documents, { rounds, warmUps }) => {
  const sizes = Object.keys(documents).map(Number)
  const measured = Object.fromEntries(sizes.map((size) => [size, []]))
  let segments = 0
  for (let round = -warmUps; round < rounds; round++)
    for (const size of sizes) {
      let ms = 0
      for (const markdown of documents[size]) {
        const result = await translate(markdown)
        ms += result.ms
        segments = result.segments
      }
      if (round >= 0) measured[size].push(ms / documents[size].length)
    }
  const times = Object.fromEntries(sizes.map((size) => [size, median(measured[size])]))
  return { times, segments, growth: times[200] / times[20] }
}
