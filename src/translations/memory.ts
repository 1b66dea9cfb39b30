import type { Db, Statement } from "../db.ts"
import { digest } from "../tokens.ts"
import { readAnswer } from "./document/answer.ts"
import type { Segment, Source } from "./document/segments.ts"
import { splitBlanks, writeTags } from "./document/tags.ts"
import { type Asked, type Entry, recall, type Remembered, type Scope } from "./memory-store.ts"

// What is remembered of the segments of a text. It is all the progress of a translation that there is to keep.

/** The engine is asked for a segment in a batch, and then alone. */
const MAX_TRIES = 2

/** What is known of a segment. */
export interface Known extends Remembered {
  segment: Segment
  hash: string
}

/** By the texts of segments: those with the same text share what is remembered. */
export type Memory = Map<string, Known>

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
  { since, isBegun }: Omit<Asked, "hashes">,
  now: Date,
  pending: Statement[],
): Promise<Memory> => {
  const distinct = [...new Map(segments.map((segment) => [segment.text, segment])).values()]
  const hashes = await Promise.all(distinct.map(({ text }) => hashOf(text)))
  const remembered = await recall(db, scope, { hashes, since, isBegun }, now, pending)
  const entries = distinct.map((segment, i): [string, Known] => {
    const hash = hashes[i] ?? ""
    const known = remembered.get(hash) ?? NOTHING
    const isUsable = readAnswer(segment, known.translation) !== null
    return [segment.text, { segment, hash, ...(isUsable ? known : { ...NOTHING, failures: known.failures }) }]
  })
  return new Map(entries)
}

/** Whether the engine is still to be asked for a segment. */
export const isOpen = ({ isFresh, failures }: Known): boolean => !isFresh && failures < MAX_TRIES

/** Whether nothing usable has come of a segment although it was asked for alone. */
export const hasFailed = ({ isFresh, failures }: Known): boolean => !isFresh && failures >= MAX_TRIES

/**
 * Notes what segments have become.
 * @param readings lacks those of which nothing usable has come
 * @returns what is to be remembered
 */
export const learn = (memory: Memory, segments: Segment[], readings: Map<Segment, Source>): Entry[] =>
  segments.flatMap((segment): Entry[] => {
    const known = memory.get(segment.text)
    if (!known) return []
    const reading = readings.get(segment)
    const written = reading ? splitBlanks(writeTags(reading)).inside : null
    // Text is longer with its references: what no later run could read is none.
    const isUsable = readAnswer(segment, written) !== null
    const after = isUsable ? { translation: written, isFresh: true, failures: 0 } : { failures: known.failures + 1 }
    memory.set(segment.text, { ...known, ...after })
    return [[known.hash, isUsable ? written : null, after.failures]]
  })
