// Changes of a text by position. All bytes that no edit names stay as they are.

/** Replaces the text from `start` to `end`, in UTF-16 units. */
export interface Edit {
  start: number
  end: number
  text: string
}

export interface Edited {
  text: string
  /** Returns where a place of the new text stood in the old one; for new text, where its edit begins. */
  oldOffset: (offset: number) => number
}

/** Returns the index of the last item that is not above `value`, or -1. The items are in order. */
export const lastUpTo = (items: number[], value: number): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Applies edits. Insertions at one place keep their order, and stand before the text that replaces the next characters. @throws Error if two overlap */
export const applyEdits = (text: string, edits: Edit[]): Edited => {
  if (edits.length === 0) return { text, oldOffset: (offset) => offset }
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const parts: string[] = []
  /** Places of the new text, in order, and the places of the old one that they stood at. */
  const news = [0]
  const olds = [0]
  let length = 0
  let at = 0
  for (const edit of sorted) {
    if (edit.start < at) throw new Error(`Two edits overlap at ${edit.start}.`)
    parts.push(text.slice(at, edit.start), edit.text)
    length += edit.start - at
    // Each character of new text stood where the edit begins: its part of the map does not move.
    news.push(length, length + edit.text.length)
    olds.push(edit.start, edit.end)
    length += edit.text.length
    at = edit.end
  }
  parts.push(text.slice(at))
  const oldOffset = (offset: number): number => {
    const i = lastUpTo(news, offset)
    const old = olds[i] ?? 0
    // Odd parts are new text.
    return i % 2 === 1 ? old : old + offset - (news[i] ?? 0)
  }
  return { text: parts.join(""), oldOffset }
}

/** Lists the matches of a global pattern that do not begin in code. */
export function* matchesIn(
  { text, code }: { text: string; code: Pick<Edit, "start" | "end">[] },
  pattern: RegExp,
): Generator<RegExpExecArray> {
  let next = 0
  for (const match of text.matchAll(pattern)) {
    while ((code[next]?.end ?? Infinity) <= match.index) next++
    if ((code[next]?.start ?? Infinity) > match.index) yield match
  }
}

/** Makes an edit that replaces a match. */
export const replaceMatch = ({ index, 0: whole }: RegExpExecArray, text: string): Edit => ({
  start: index,
  end: index + whole.length,
  text,
})

/** Matches blanks, quote markers and list markers: the start of ` > a`, `- a` and `1. a`; "" of `a`. */
const MARKERS = /^(?:[ \t>]|(?:[*+-]|\d{1,9}[.)])(?=[ \t]))*/

/** The lines of a text. */
export class Lines {
  readonly #text: string
  readonly #starts: number[]
  readonly #ownLines

  /** @param ownLines the number of each line, if it is not that of the text */
  constructor(text: string, ownLines: number[] = []) {
    this.#text = text
    this.#ownLines = ownLines
    // Matches `\n`, `\r\n`, and `\r` without `\n`. Does not match `\f`.
    this.#starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ index, 0: ending }) => index + ending.length)]
  }

  /** Returns the number of the line of a place, from 1. */
  numberOf(at: number): number {
    const i = lastUpTo(this.#starts, at)
    return this.#ownLines[i] ?? i + 1
  }

  start(at: number): number {
    return this.#starts[lastUpTo(this.#starts, at)] ?? 0
  }

  /** Returns where the line of a place ends, before its line ending. */
  end(at: number): number {
    const next = this.next(at)
    if (next === null) return this.#text.length
    return this.#text.startsWith("\r\n", next - 2) ? next - 2 : next - 1
  }

  /** Returns where the next line starts, or null. */
  next(at: number): number | null {
    return this.#starts[lastUpTo(this.#starts, at) + 1] ?? null
  }

  /** Returns the blanks, quote markers and list markers before a place, if nothing else is there on its line; else null. */
  markersBefore(at: number): string | null {
    const before = this.#text.slice(this.start(at), at)
    return MARKERS.exec(before)?.[0] === before ? before : null
  }

  /** Tells whether nothing but blanks stands from a place to the end of its line. Matches ` `. Does not match ` a`. */
  isBlankAfter(at: number): boolean {
    return /^[ \t]*$/.test(this.#text.slice(at, this.end(at)))
  }

  /** Returns what a line that continues the block at a place begins with: blanks and quote markers. */
  continuation(at: number): string {
    const [markers = ""] = MARKERS.exec(this.#text.slice(this.start(at), at)) ?? []
    // List markers become blanks. Matches `-`, not `>`.
    return markers.replaceAll(/[^ \t>]/g, " ")
  }
}
