import { digest } from "../tokens.ts"
import { readAnswer } from "./answer.ts"
import type { Segment, Source } from "./document/segments.ts"
import { forget, recall, remember, type Scope } from "./memory-store.ts"
import type { Task } from "./run.ts"
import { splitBlanks, writeTags } from "./tags.ts"

// What is remembered of segments, as far as it was looked up, and what a run adds to that.

/** No segment begins as a piece does: what came to nothing as a piece may still be translated as a segment. */
const PREFIXES = { segments: "", pieces: "\n" }

/** In front of what stays as it was although it was asked for anew: nothing else begins with a blank. */
const OLDER = "\n"

const withoutMark = (remembered: string | null): string | null =>
  remembered?.startsWith(OLDER) ? remembered.slice(OLDER.length) : remembered

const hashOf = async (text: string): Promise<string> =>
  (await digest(text)).toBase64({ alphabet: "base64url", omitPadding: true })

/** By the text of a segment: those with the same text share what is remembered. */
export const openMemory = (task: Task, kind: keyof typeof PREFIXES) => {
  const { db, engine, account_id, from, to, since, isBegun, now, along } = task
  const scope: Scope = { account_id, engine: engine.name, from_code: from, to_code: to }
  const hashes = new Map<string, string>()
  const known = new Map<string, string | null>()
  /** Not to be believed any more, but better than nothing. */
  const older = new Map<string, string | null>()
  const readings = new Map<Segment, Source>()
  const hash = ({ text }: Segment): string => hashes.get(text) ?? ""
  const read = (segment: Segment): Source | null => {
    const reading = readings.get(segment) ?? readAnswer(segment, withoutMark(known.get(hash(segment)) ?? null))
    if (reading) readings.set(segment, reading)
    return reading
  }
  const olderOf = (segment: Segment): string | null => withoutMark(older.get(hash(segment)) ?? null)
  return {
    /** @returns what has become of a segment; null: nothing, or not yet */
    read,
    /** Whether it is still to be asked for. */
    isMissing: (segment: Segment): boolean => known.get(hash(segment)) !== null && !read(segment),
    /** Whether it was asked for anew, and is as it was before. */
    isOlder: (segment: Segment): boolean => since.getTime() > 0 && known.get(hash(segment))?.startsWith(OLDER) === true,
    /** Leaves segments as they were before, for this run. */
    keepOlder: (segments: Segment[]): void => {
      for (const segment of segments)
        if (readAnswer(segment, olderOf(segment))) known.set(hash(segment), OLDER + olderOf(segment))
    },
    look: async (segments: Segment[]): Promise<void> => {
      const hashed = segments.map(async ({ text }): Promise<[string, string]> => [
        text,
        await hashOf(PREFIXES[kind] + text),
      ])
      for (const [text, ownHash] of await Promise.all(hashed)) hashes.set(text, ownHash)
      const found = await recall(db, scope, { hashes: segments.map(hash), since, isBegun }, now, along)
      for (const [ownHash, translation] of found.known) known.set(ownHash, translation)
      for (const [ownHash, translation] of found.older) older.set(ownHash, translation)
    },
    /**
     * Takes down what was found.
     * @param lastOf segments that have come to nothing where nothing was found
     * @param ofOlder those of what was found that are made of what is older
     * @returns whether there is anything new
     */
    add: (found: Map<Segment, Source>, lastOf: Segment[], ofOlder: Segment[]): boolean => {
      const isLast = new Set(lastOf)
      const made = new Map<string, string | null>()
      for (const segment of new Set([...found.keys(), ...lastOf])) {
        const inlines = found.get(segment)
        const before = isLast.has(segment) ? olderOf(segment) : null
        const written = inlines ? splitBlanks(writeTags(inlines)).inside : before
        // Pieces may be too long together, and are nothing that is to be asked for again and again.
        const reading = readAnswer(segment, written)
        if (!reading && !isLast.has(segment)) continue
        if (reading) readings.set(segment, reading)
        const mark = !inlines || ofOlder.includes(segment) ? OLDER : ""
        made.set(hash(segment), reading ? mark + written : null)
      }
      if (made.size === 0) return false
      // What no run can read would be asked for again and again in place of the failure.
      const unreadable = new Map<string, string>()
      for (const [ownHash, translation] of made) {
        const before = known.get(ownHash) ?? older.get(ownHash)
        if (translation === null && before) unreadable.set(ownHash, before)
        known.set(ownHash, translation)
      }
      if (unreadable.size > 0) along.push(forget(db, scope, unreadable))
      along.push(remember(db, scope, made, now))
      return true
    },
  }
}

export type Memory = ReturnType<typeof openMemory>
