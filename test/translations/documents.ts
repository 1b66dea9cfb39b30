import { expect } from "vitest"

import { readAnswer } from "../../src/translations/document/answer.ts"
import { type Document, readDocument, segmentsOf } from "../../src/translations/document/segments.ts"
import { assemble, skeletonOf } from "../../src/translations/document/verify.ts"
import type { Answer } from "../../src/translations/engines/engine.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"

/** Translates a document with one engine call. @returns the body, and the texts of the segments that keep their source */
export const translateWith = async (
  document: Document,
  translate: (texts: string[]) => Promise<Answer>,
): Promise<{ body: string; kept: string[] }> => {
  const segments = segmentsOf(document)
  const answer = await translate(segments.map(({ text }) => text))
  if ("failure" in answer) throw new Error(answer.failure.message)
  const translations = new Map(segments.map((segment, i) => [segment, readAnswer(segment, answer.texts[i] ?? null)]))
  const { body, kept } = assemble(document, translations)
  return { body, kept: kept.map(({ text }) => text) }
}

/** Returns the texts that an engine gets of a document. */
export const textsOf = (markdown: string): string[] => segmentsOf(readDocument(markdown)).map(({ text }) => text)

/** Translates a document with the same answer for each segment. */
export const answered = async (markdown: string, text: string | null): Promise<string> => {
  const { body } = await translateWith(readDocument(markdown), async (texts) => ({ texts: texts.map(() => text) }))
  expect(skeletonOf(body)).toBe(skeletonOf(markdown))
  return body
}

/** Translates a document with the pseudo engine, and expects every segment to be translated. */
export const translate = async (markdown: string, to = "fr"): Promise<string> => {
  const { body, kept } = await translateWith(readDocument(markdown), (texts) =>
    pseudo.translate({ segments: texts, from: "en", to }),
  )
  expect(kept).toEqual([])
  expect(skeletonOf(body)).toBe(skeletonOf(markdown))
  return body
}
