import { expect } from "vitest"

import { readAnswer } from "../../src/translations/document/answer.ts"
import type { Translation } from "../../src/translations/document/rebuild.ts"
import { type Document, readDocument, type Segment, segmentsOf } from "../../src/translations/document/segments.ts"
import { assemble, skeletonOf } from "../../src/translations/document/verify.ts"
import type { Answer } from "../../src/translations/engines/engine.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"

/** A document as an engine answers it, each segment asked for once. @returns the texts of segments that keep their source, too */
export const translateWith = async (
  document: Document,
  translate: (texts: string[]) => Promise<Answer>,
): Promise<{ body: string; kept: string[] }> => {
  const segments = segmentsOf(document)
  const answer = await translate(segments.map(({ text }) => text))
  if ("failure" in answer) throw new Error(answer.failure.message)
  const used = new Map<Segment, Translation>()
  const refused: Segment[] = []
  for (const [i, segment] of segments.entries()) {
    const inlines = readAnswer(segment, answer.texts[i] ?? null)
    if (inlines) used.set(segment, { inlines })
    else refused.push(segment)
  }
  const { body, kept } = assemble(document, used)
  return { body, kept: [...refused, ...kept].map(({ text }) => text) }
}

/** Every word marked; nothing may be left as it is. */
export const translate = async (markdown: string, to = "fr"): Promise<string> => {
  const { body, kept } = await translateWith(readDocument(markdown), (texts) => pseudo.translate(texts, "en", to))
  expect(kept).toEqual([])
  expect(skeletonOf(body)).toBe(skeletonOf(markdown))
  return body
}
