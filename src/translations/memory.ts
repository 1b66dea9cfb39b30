import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import { digest } from "../tokens.ts"
import { readAnswer } from "./document/answer.ts"
import type { Segment, Inlines } from "./document/segments.ts"
import { splitBlanks, writeTags } from "./document/tags.ts"
import { missingTerms } from "./document/wanted-terms.ts"
import type { Glossary, Term } from "./glossary.ts"
import { type Learned, type MemoryReader, recall, remember, type Recalled, type MemoryScope } from "./memory-store.ts"

// The remembered translations of a text's segments. A translation keeps no other progress.

/** An engine gets each segment at most twice: in a batch, then alone. */
const MAX_FAILURES = 2

/** A segment with its remembered translation. */
export interface Known extends Recalled {
  segment: Segment
  hash: string
  /** The terms of the glossary that its translation should have. */
  terms: Term[]
  /** Those that its answer lacks, with which the engine is asked once more; empty for a remembered translation. */
  missing: Term[]
}

/** The remembered translations of one text. */
export interface Memory {
  scope: MemoryScope
  glossary: Glossary
  /** By the text of the segment: segments with the same text share one entry. */
  known: Map<string, Known>
}

const NOTHING: Recalled = { translation: null, isFresh: false, failures: 0 }

/** Returns the key of a segment in the memory. Its terms are part of it, so a changed one is translated again. */
const hashOf = async (text: string, terms: Term[]): Promise<string> => {
  const wanted = terms.map(({ term, translation }) => [term, translation])
  const key = terms.length > 0 ? JSON.stringify([text, wanted]) : text
  return (await digest(key)).toBase64({ alphabet: "base64url", omitPadding: true })
}

/**
 * Adds what is remembered of segments to `memory`, but for those that it has. A translation whose placeholders no longer fit its
 * segment counts as missing.
 * @param reader the text to translate: it decides which translations are fresh and which failures count; `wanted` are the terms
 * of each segment, by its text
 * @param pending receives the statements that mark the rows as used, for a later batch
 */
export const loadSegments = async (
  db: Db,
  { scope, known }: Memory,
  segments: Segment[],
  { wanted, ...reader }: MemoryReader & { wanted: Map<string, Term[]> },
  pending: Statement[],
): Promise<void> => {
  const distinct = [...new Map(segments.map((segment) => [segment.text, segment])).values()]
  const missing = distinct.filter(({ text }) => !known.has(text))
  if (missing.length === 0) return
  const terms = missing.map(({ text }) => wanted.get(text) ?? [])
  const hashes = await Promise.all(missing.map(({ text }, i) => hashOf(text, terms[i] ?? [])))
  const remembered = await recall(db, scope, hashes, reader, pending)
  for (const [i, segment] of missing.entries()) {
    const hash = hashes[i] ?? ""
    const found = remembered.get(hash) ?? NOTHING
    const isUsable = readAnswer(segment, found.translation) !== null
    const recalled = isUsable ? found : { ...NOTHING, failures: found.failures }
    known.set(segment.text, { segment, hash, terms: terms[i] ?? [], missing: [], ...recalled })
  }
}

/**
 * Tells whether the engine still has to translate a segment: it has no fresh translation and has failed less than twice, or its
 * first answer lacks terms.
 */
export const isOpen = ({ isFresh, failures, missing }: Known): boolean =>
  isFresh ? missing.length > 0 : failures < MAX_FAILURES

/**
 * Returns what is known of a segment after an answer; `written` is null if that is unusable. An answer to a segment that was
 * asked once more, because of its terms, counts only if it lacks fewer.
 */
const afterAnswer = (before: Known, written: string | null, lacking: Term[]): Known => {
  if (before.isFresh) {
    const isBetter = written !== null && lacking.length < before.missing.length
    return { ...before, ...(isBetter && { translation: written }), missing: [] }
  }
  if (written === null) return { ...before, failures: before.failures + 1 }
  return { ...before, translation: written, isFresh: true, failures: 0, missing: lacking }
}

/**
 * Records answers to the segments `asked` in `memory`; an unusable or missing one is a failure.
 * @param answers `asksAgain`: the engine is asked once more for terms that an answer lacks
 * @returns the statement that stores them
 */
export const learn = (
  memory: Memory,
  asked: Known[],
  { answers, asksAgain }: { answers: (string | null)[]; asksAgain: boolean },
  now: Date,
): Statement => {
  const { scope, known, glossary } = memory
  const entries = asked.map((before, i): Learned => {
    const { segment, hash, terms } = before
    const reading = readAnswer(segment, answers[i] ?? null)
    const written = reading && splitBlanks(writeTags(reading)).inside
    // Character references make the answer longer, and a later run must accept it from memory.
    const usable = readAnswer(segment, written)
    const answered = afterAnswer(before, usable && written, usable ? missingTerms(terms, usable, glossary) : [])
    const after = asksAgain ? answered : { ...answered, missing: [] }
    known.set(segment.text, after)
    return [hash, after.isFresh ? after.translation : null, after.failures]
  })
  return remember(scope, entries, now)
}

/** Leaves segments with the translations that they have, although these lack terms. */
export const forgetTerms = ({ known }: Memory, asked: Known[]): void => {
  for (const before of asked) known.set(before.segment.text, { ...before, missing: [] })
}

/**
 * Reads the translation of a segment; null where it has no usable one. It is fresh if it is newer than the last request for
 * another. `missing` are the terms that it lacks.
 */
export const readTranslation = (
  { known, glossary }: Memory,
  segment: Segment,
): { translation: Inlines | null; isFresh: boolean; missing: Term[] } => {
  const { translation: written, isFresh, terms } = known.get(segment.text) ?? { ...NOTHING, terms: [] }
  const translation = readAnswer(segment, written)
  return { translation, isFresh, missing: translation ? missingTerms(terms, translation, glossary) : [] }
}
