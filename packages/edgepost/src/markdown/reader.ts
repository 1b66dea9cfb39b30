import type { Arguments } from "./arguments.ts"
import { type Edit, lastUpTo, Lines } from "./edits.ts"
import type { Conversion } from "./shortcodes.ts"
import type { Names } from "./theme.ts"
import type { Span } from "./tree.ts"

/** A tag of another tool. */
export interface Tag extends Span {
  syntax: "shortcode" | "liquid" | "directive" | "jsx"
  /** "" for `:::`, which closes a directive. */
  name: string
  /** As reports show it: `{{< tabs >}}`. */
  shown: string
  isClose: boolean
  /** A closing tag may follow: `{{< a >}}`, not `<A />`. */
  hasEnd: boolean
  /** Number of a directive's colons. */
  colons?: number
  arguments: Arguments
  conversion: Conversion | undefined
  /** The text up to the closing tag if it must not be scanned: code, for example. */
  content?: (Span & { closeEnd: number }) | null
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

/** An element that holds nothing of the author's for readers, as reports show it. */
export interface LeftOutElement {
  at: number
  shown: string
}

/** A finding: a tag, edits, an inline note `^[a]`, or syntax that only its own tool knows. */
export type Item = { tag: Tag } | { edits: Edit[]; leftOut?: LeftOutElement } | { note: Span } | { foreign: Foreign }

/** An item, and where the scan goes on. */
export interface Step {
  item: Item | null
  end: number
}

/** The limit of what a tag may be long. */
export const MAX_TAG_CHARS = 2000

/** Matches the start of a component, or of an element with an own name, which are no HTML for readers: `<A`, `</a-b`. Does not match `<a`. */
const OF_COMPONENT = /^<\/?(?:[A-Z]|[a-z]\w*-)/

/** Escapes a name for a pattern. Matches `.` and `-`. Does not match `a`. */
export const escapeName = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/** Makes a step that replaces a span. */
export const replace = (start: number, end: number, text: string): Step => ({
  item: { edits: [{ start, end, text }] },
  end,
})

/** Makes a step that leaves an element out. */
export const leaveOut = (at: number, end: number, shown: string): Step => ({
  item: { edits: [{ start: at, end, text: "" }], leftOut: { at, shown } },
  end,
})

/** Makes a step that reports syntax of another tool, in one line. */
export const foreign = (text: string, start: number, end: number): Step & { item: Item } => {
  // Matches the path of `{{ site.title | a }}` and `{ a }`. Does not match `{{ "a" }}`.
  const [, path] = /^\{\{?-?\s*([a-z_$][\w$.-]*)/i.exec(text.slice(start, Math.min(end, start + 200))) ?? []
  // Matches blanks and line endings.
  const line = text.slice(start, end).replaceAll(/\s+/g, " ")
  const shown = line.length > 40 ? `${line.slice(0, 40).toWellFormed()}…` : line
  return {
    item: { foreign: { start, end, name: path ?? shown, shown, field: path === undefined ? null : "variables" } },
    end,
  }
}

/** Searches a text from left to right. Remembers what it found, so that all searches together take linear time. */
export class Reader {
  readonly text: string
  readonly lines: Lines
  /** The names that have a meaning in the text. */
  readonly names: Names
  /** Characters that were searched, for tests. */
  work = 0
  /** Names of hidden elements that have no end. */
  readonly unclosed = new Set<string>()
  /** Names of the calls whose end is none of a name, and was not read yet. */
  readonly calls: string[] = []
  #code: Span[] = []
  #codeStarts: number[] = []
  /** Places from which on `findText` finds nothing, by pattern. */
  readonly #absent = new Map<string, number>()
  readonly #found = new Map<string, Span & { from: number }>()

  /** The place from which braces, which are text before it, have a meaning again. */
  literalUntil = 0
  readonly #html: Span[]
  readonly #htmlStarts: number[]

  /** Places at which the addresses of links, images and definitions begin. */
  readonly destinations: ReadonlySet<number>

  /** @param html the parts of the text that are HTML, in order */
  constructor(text: string, names: Names, html: Span[] = [], destinations: ReadonlySet<number> = new Set()) {
    this.destinations = destinations
    this.#html = html.filter(({ start }) => !OF_COMPONENT.test(text.slice(start, start + 50)))
    this.#htmlStarts = this.#html.map(({ start }) => start)
    this.text = text
    this.names = names
    this.lines = new Lines(text)
  }

  /** Returns where a global pattern next matches, from `at` on; null if nowhere. */
  find(pattern: RegExp, at: number): Span | null {
    let found = this.#found.get(pattern.source)
    if (!found || at < found.from || found.start < at) {
      pattern.lastIndex = at
      const match = pattern.exec(this.text)
      found = { from: at, start: match?.index ?? Infinity, end: match ? pattern.lastIndex : Infinity }
      this.work += Math.min(found.end, this.text.length) - at
      this.#found.set(pattern.source, found)
    }
    return found.start === Infinity ? null : found
  }

  /** Returns the text before a place on its line. */
  before(at: number): string {
    return this.text.slice(this.lines.start(at), at)
  }

  /** Tells whether a place is in HTML, where Markdown is text. */
  isInHtml(at: number): boolean {
    return at < (this.#html[lastUpTo(this.#htmlStarts, at)]?.end ?? 0)
  }

  /** Sets the code, in order, in which `findText` finds nothing. */
  setCode(code: Span[]): void {
    this.#code = code
    this.#codeStarts = code.map(({ start }) => start)
    this.#absent.clear()
  }

  /** Lists the code between two places. */
  codeBetween(from: number, to: number): Span[] {
    return this.#code.filter(({ start, end }) => from <= start && end <= to)
  }

  /** Returns the code that a place is in, if any. */
  codeAt(at: number): Span | null {
    const code = this.#code[lastUpTo(this.#codeStarts, at)]
    return code && at < code.end ? code : null
  }

  /** Returns where a global pattern next matches outside of code; null if nowhere. */
  findText(pattern: RegExp, from: number): Span | null {
    if (from >= (this.#absent.get(pattern.source) ?? Infinity)) return null
    let at = from
    for (let found = this.find(pattern, at); found; found = this.find(pattern, at)) {
      const code = this.codeAt(found.start)
      if (!code) return found
      at = code.end
    }
    this.#absent.set(pattern.source, from)
    return null
  }
}
