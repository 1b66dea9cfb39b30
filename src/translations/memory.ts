import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import { digest } from "../tokens.ts"
import { readAnswer } from "./document/answer.ts"
import type { Segment, Source } from "./document/segments.ts"
import { splitBlanks, writeTags } from "./document/tags.ts"
import { type Entry, type Reader, recall, remember, type Remembered, type Scope } from "./memory-store.ts"

// What is remembered of the segments of a text. It is all the progress of a translation that there is to keep.

/** The engine is asked for a segment in a batch, and then alone. */
const MAX_TRIES = 2

/** What is known of a segment. */
export interface Known extends Remembered {
  segment: Segment
  hash: string
}

/** By the texts of segments: those with the same text share what is remembered. */
export interface Memory {
  scope: Scope
  known: Map<string, Known>
}

const NOTHING: Remembered = { translation: null, isFresh: false, failures: 0 }

const hashOf = async (text: string): Promise<string> =>
  (await digest(text)).toBase64({ alphabet: "base64url", omitPadding: true })

/**
 * Reads what is remembered of segments.
 * @param pending takes the statements that note the use
 */
export const openMemory = async (
  db: Db,
  scope: Scope,
  segments: Segment[],
  reader: Reader,
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

/** Tells whether the engine is still to be asked for a segment. */
export const isOpen = ({ isFresh, failures }: Known): boolean => !isFresh && failures < MAX_TRIES

/** Tells whether nothing usable has come of a segment although it was asked for alone. */
export const hasFailed = ({ isFresh, failures }: Known): boolean => !isFresh && failures >= MAX_TRIES

/** Notes what an engine has answered for segments. @returns the statement that remembers it */
export const learn = ({ scope, known }: Memory, asked: Known[], answers: (string | null)[], now: Date): Statement => {
  const entries = asked.map((before, i): Entry => {
    const { segment, hash } = before
    const reading = readAnswer(segment, answers[i] ?? null)
    const written = reading && splitBlanks(writeTags(reading)).inside
    // Text is longer with its character references: what no later run could read is not usable.
    const isUsable = readAnswer(segment, written) !== null
    const after = isUsable ? { translation: written, isFresh: true, failures: 0 } : { failures: before.failures + 1 }
    known.set(segment.text, { ...before, ...after })
    return [hash, isUsable ? written : null, after.failures]
  })
  return remember(scope, entries, now)
}

/** Reads what a segment has become. @returns null where nothing usable has come of it */
export const read = ({ known }: Memory, segment: Segment): { translation: Source | null; isFresh: boolean } => {
  const { translation, isFresh } = known.get(segment.text) ?? NOTHING
  return { translation: readAnswer(segment, translation), isFresh }
}
