import { digest } from "../tokens.ts"
import { readAnswer } from "./answer.ts"
import type { Segment, Source } from "./document/segments.ts"
import { type Entry, recall, type Remembered, remember, type Scope } from "./memory-store.ts"
import type { Task } from "./run.ts"
import { splitBlanks, writeTags } from "./tags.ts"

// What is remembered of segments, as far as it was looked up, and what a run adds to that.

/** No segment begins as a piece does: what came to nothing as a piece may still be translated as a segment. */
const PREFIXES = { segments: "", pieces: "\n" }

/** Asked in a batch, and alone. */
const ALL_FAILURES = 2

const hashOf = async (text: string): Promise<string> =>
  (await digest(text)).toBase64({ alphabet: "base64url", omitPadding: true })

/** By the text of a segment: those with the same text share what is remembered. */
export const openMemory = (task: Task, kind: keyof typeof PREFIXES) => {
  const { db, engine, account_id, from, to, since, isBegun, now, along } = task
  const scope: Scope = { account_id, engine: engine.name, from_code: from, to_code: to }
  const hashes = new Map<string, string>()
  const known = new Map<string, Remembered>()
  const readings = new Map<Segment, Source>()
  const hash = ({ text }: Segment): string => hashes.get(text) ?? ""
  const written = (segment: Segment): string | null => known.get(hash(segment))?.translation ?? null
  const read = (segment: Segment): Source | null => {
    if (known.get(hash(segment))?.isOld) return null
    const reading = readings.get(segment) ?? readAnswer(segment, written(segment))
    if (reading) readings.set(segment, reading)
    return reading
  }
  const hasFailed = (segment: Segment): boolean => (known.get(hash(segment))?.failures ?? 0) > 0
  return {
    /** @returns what has become of a segment; null: nothing, or not yet */
    read,
    /** Whether it is still to be asked for. */
    isMissing: (segment: Segment): boolean => !hasFailed(segment) && !read(segment),
    /** Whether it was asked for anew, and is as it was before. */
    isOlder: (segment: Segment): boolean => since.getTime() > 0 && hasFailed(segment) && read(segment) !== null,
    /** Leaves segments as they were before, for this run. */
    keepOlder: (segments: Segment[]): void => {
      for (const segment of segments)
        if (readAnswer(segment, written(segment)))
          known.set(hash(segment), { translation: written(segment), failures: ALL_FAILURES, isOld: false })
    },
    look: async (segments: Segment[]): Promise<void> => {
      const hashed = segments.map(async ({ text }): Promise<[string, string]> => [
        text,
        await hashOf(PREFIXES[kind] + text),
      ])
      for (const [text, ownHash] of await Promise.all(hashed)) hashes.set(text, ownHash)
      const asked = { hashes: segments.map(hash), since, isBegun }
      for (const [ownHash, found] of await recall(db, scope, asked, now, along)) known.set(ownHash, found)
    },
    /**
     * Takes down what was found.
     * @param lastOf segments that have come to nothing where nothing was found
     * @param ofOlder those of what was found that are made of what is older
     * @returns whether there is anything new
     */
    add: (found: Map<Segment, Source>, lastOf: Segment[], ofOlder: Segment[]): boolean => {
      const isLast = new Set(lastOf)
      const made: Entry[] = []
      for (const segment of new Set([...found.keys(), ...lastOf])) {
        const inlines = found.get(segment)
        const before = isLast.has(segment) ? written(segment) : null
        const text = inlines ? splitBlanks(writeTags(inlines)).inside : before
        // Pieces may be too long together, and are nothing that is to be asked for again and again.
        const reading = readAnswer(segment, text)
        if (!reading && !isLast.has(segment)) continue
        if (reading) readings.set(segment, reading)
        const failures = !reading || !inlines || ofOlder.includes(segment) ? ALL_FAILURES : 0
        made.push([hash(segment), reading ? text : null, failures])
        known.set(hash(segment), { translation: reading ? text : null, failures, isOld: false })
      }
      if (made.length === 0) return false
      along.push(remember(db, scope, made, now))
      return true
    },
  }
}

export type Memory = ReturnType<typeof openMemory>
