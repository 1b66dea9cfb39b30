import { foreign, type Reader, replace, type Step } from "./reader.ts"

// Removes what MDX imports and exports.

const MAX_IMPORT_CHARS = 2000

/** Matches `import A from "b"` and `import "b"` up to the line's end. Does not match `import cars into "b"`. */
const IMPORT =
  /^import[ \t]+(?:(?:[\w$*]+(?:[ \t]+as[ \t]+[\w$]+)?|\{[^{}]*\})(?:,[ \t]*\{[^{}]*\})?[ \t]+from[ \t]+)?(["'])[^"'\n]+\1;?[ \t]*(?=[\r\n]|$)/
/** Matches `import` and `export`, as words. Does not match `Import` and `imported`. */
const MODULE = /^(?:import|export)(?![\w-])/

/** Reads an `import` or `export` of MDX, which ends at a blank line outside of brackets. */
export const scanModule = ({ text, lines }: Reader, at: number, from: number, isMdx: boolean): Step | null => {
  const before = lines.start(Math.max(0, at - 1))
  // A comment may stand on the line before.
  const isFirst =
    text.slice(from, at).trim() === "" || lines.isBlankAfter(before) || MODULE.test(text.slice(before, before + 7))
  if (!isFirst || !MODULE.test(text.slice(at, at + 7))) return null
  const [imported] = IMPORT.exec(text.slice(at, at + MAX_IMPORT_CHARS)) ?? []
  if (imported !== undefined) return replace(at, at + imported.length, "")
  if (!isMdx) return null
  let depth = 0
  for (let start: number | null = at; start !== null; start = lines.next(start)) {
    const end = lines.end(start)
    // Matches brackets.
    for (const [sign] of text.slice(start, end).matchAll(/[()[\]{}]/g)) depth += "([{".includes(sign) ? 1 : -1
    const next = lines.next(start)
    if (depth <= 0 && (next === null || lines.isBlankAfter(next))) return replace(at, end, "")
  }
  // Brackets are open until the end: the rest of the text is not scanned again for each line.
  return foreign(text, at, text.length)
}
