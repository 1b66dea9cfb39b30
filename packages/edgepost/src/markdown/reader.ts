import type { Arguments } from "./arguments.ts"
import { type Edit, Lines } from "./edits.ts"
import type { Conversion } from "./shortcodes.ts"
import type { Names } from "./theme.ts"

export interface Span {
  start: number
  end: number
}

/** A tag of another tool. */
export interface Tag extends Span {
  syntax: "hugo" | "liquid" | "directive" | "jsx"
  /** "" for `:::`, which closes a directive. */
  name: string
  /** As reports show it: `{{< tabs >}}`. */
  shown: string
  isClose: boolean
  /** A closing tag may follow: `{{< a >}}`, not `<A />`. */
  hasEnd: boolean
  /** Colons of a directive. */
  colons: number
  arguments: Arguments
  conversion: Conversion | undefined
  /** The text up to the closing tag if it must not be scanned: code, for example. */
  content: (Span & { closeEnd: number }) | null
}

/** Syntax that only its own tool knows. */
export interface Foreign extends Span {
  /** As the configuration names it: `tabs`, `site.title`. */
  name: string
  /** As reports show it: `{{< tabs >}}`. */
  shown: string
  /** The field of the configuration that can give it a meaning; null if none can. */
  field: "shortcodes" | "variables" | null
}

/** A finding: a tag, edits, or syntax that only its own tool knows. */
export type Item = { tag: Tag } | { edits: Edit[] } | { foreign: Foreign }

/** An item, and where the scan goes on. */
export interface Step {
  item: Item | null
  end: number
}

/** Makes a step that replaces a span. */
export const replace = (start: number, end: number, text: string): Step => ({
  item: { edits: [{ start, end, text }] },
  end,
})

/** Searches a text from left to right. Remembers what it found, so that all searches together take linear time. */
export class Reader {
  readonly text: string
  readonly lines: Lines
  /** The names that have a meaning in the text. */
  readonly names: Names
  /** Characters that were searched, for tests. */
  work = 0
  readonly #found = new Map<string, Span & { from: number }>()

  constructor(text: string, names: Names) {
    this.text = text
    this.names = names
    this.lines = new Lines(text)
  }

  /** Returns where a global pattern next matches, from `at` on; null if nowhere. */
  find(pattern: RegExp, at: number): Span | null {
    const known = this.#found.get(pattern.source)
    const isKnown = known !== undefined && known.from <= at && at <= known.start
    const found = isKnown ? known : this.#search(pattern, at)
    return found.start === Infinity ? null : found
  }

  /** Returns the text before a place on its line. */
  before(at: number): string {
    return this.text.slice(this.lines.start(at), at)
  }

  #search(pattern: RegExp, from: number) {
    pattern.lastIndex = from
    const match = pattern.exec(this.text)
    const found = { from, start: match?.index ?? Infinity, end: match ? pattern.lastIndex : Infinity }
    this.work += Math.min(found.end, this.text.length) - from
    this.#found.set(pattern.source, found)
    return found
  }
}
