import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import { digest } from "../tokens.ts"
import { readAnswer } from "./document/answer.ts"
import type { Segment, Inlines } from "./document/segments.ts"
import { splitBlanks, writeTags } from "./document/tags.ts"
import { type Learned, type MemoryReader, recall, remember, type Recalled, type MemoryScope } from "./memory-store.ts"

// The remembered translations of a text's segments. A translation keeps no other progress.

/** An engine gets each segment at most twice: in a batch, then alone. */
const MAX_FAILURES = 2

/** A segment with its remembered translation. */
export interface Known extends Recalled {
  segment: Segment
  hash: string
}

/** The remembered translations of one text. */
export interface Memory {
  scope: MemoryScope
  /** By the text of the segment: segments with the same text share one entry. */
  known: Map<string, Known>
}

const NOTHING: Recalled = { translation: null, isFresh: false, failures: 0 }

const hashOf = async (text: string): Promise<string> =>
  (await digest(text)).toBase64({ alphabet: "base64url", omitPadding: true })

/**
 * Loads the remembered translations of segments. One whose placeholders no longer fit its segment counts as missing.
 * @param reader the text to translate: it decides which translations are fresh and which failures count
 * @param pending receives the statements that mark the rows as used, for a later batch
 */
export const loadMemory = async (
  db: Db,
  scope: MemoryScope,
  segments: Segment[],
  reader: MemoryReader,
  pending: Statement[],
): Promise<Memory> => {
  const distinct = [...new Map(segments.map((segment) => [segment.text, segment])).values()]
  const hashes = await Promise.all(distinct.map(({ text }) => hashOf(text)))
  const remembered = await recall(db, scope, hashes, reader, pending)
  const entries = distinct.map((segment, i): [string, Known] => {
    const hash = hashes[i] ?? ""
    const found = remembered.get(hash) ?? NOTHING
    const isUsable = readAnswer(segment, found.translation) !== null
    return [segment.text, { segment, hash, ...(isUsable ? found : { ...NOTHING, failures: found.failures }) }]
  })
  return { scope, known: new Map(entries) }
}

/** Tells whether the engine still has to translate a segment: it has no fresh translation, and has failed less than twice. */
export const isOpen = ({ isFresh, failures }: Known): boolean => !isFresh && failures < MAX_FAILURES

/** Records answers to the segments `asked` in `memory`; an unusable or missing one is a failure. @returns the statement that stores them */
export const learn = ({ scope, known }: Memory, asked: Known[], answers: (string | null)[], now: Date): Statement => {
  const entries = asked.map((before, i): Learned => {
    const { segment, hash } = before
    const reading = readAnswer(segment, answers[i] ?? null)
    const written = reading && splitBlanks(writeTags(reading)).inside
    // Character references make the answer longer, and a later run must accept it from memory.
    const isUsable = readAnswer(segment, written) !== null
    const after = isUsable ? { translation: written, isFresh: true, failures: 0 } : { failures: before.failures + 1 }
    known.set(segment.text, { ...before, ...after })
    return [hash, isUsable ? written : null, after.failures]
  })
  return remember(scope, entries, now)
}

/** Reads the translation of a segment; null where it has no usable one. It is fresh if it is newer than the last request for another. */
export const readTranslation = (
  { known }: Memory,
  segment: Segment,
): { translation: Inlines | null; isFresh: boolean } => {
  const { translation, isFresh } = known.get(segment.text) ?? NOTHING
  return { translation: readAnswer(segment, translation), isFresh }
}
