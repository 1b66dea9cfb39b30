import type { DialectText } from "./dialect-text.ts"
import { type Edit, matchesIn, replaceMatch } from "./edits.ts"

// Writes blocks of kramdown as Markdown that the service has.

/** Matches lines in a row that have a bar, up to a blank line or a list of attributes: `| a |\n| b |\n\n`. Does not match `| a |\nb`. */
const ROWS = /(?<=^[ \t>]*\n|^(?<![^]))(?:[^|\n]*\|[^\n]*(?:\n|$(?![^])))+(?=[ \t>]*$|\{:[^\n]*\}[ \t]*$)/gm
/** Matches the line between a table's parts: `|---+:-:|`, `|===`. Does not match `| a |` and `---`. */
const SEPARATOR = /^(?=[^|]*\|)[+|: \t]*[-=][-+|: \t=]*$/
/** Matches `^` alone on its line, and an abbreviation. Does not match ` ^`, `^a` and `*[a](b)`. */
const SIGN = /(?<=^(?:> ?)*)\^[ \t]*$|^ {0,3}\*\[[^[\]\n]{1,100}\]:[^\n]{0,999}$/gm

/** Splits a row into cells. Bars in code do not end one. */
const cellsOf = (row: string): string[] =>
  row
    // Matches code in a line. Does not match a single backquote.
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/(?<!\\)\|/g, String.raw`\|`))
    // Matches the bars at the ends of a row, and then those within. Does not match `\|`.
    .replaceAll(/^\s*\||(?<!\\)\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

/** Writes a table as one of GFM; null if it is one, or no table. */
const writeTable = (rows: string[]): string[] | null => {
  const separators = rows.filter((row) => SEPARATOR.test(row))
  const [first = "", second = ""] = rows
  const isOfGfm =
    separators.length === 1 &&
    separators[0] === second &&
    !/[+=]/.test(second) &&
    cellsOf(first).length === cellsOf(second).length
  if (isOfGfm || (separators.length === 0 && !rows.every((row) => row.startsWith("|")))) return null
  const cells = rows.filter((row) => !SEPARATOR.test(row)).map(cellsOf)
  const length = Math.max(...cells.map((row) => row.length))
  // A head has a line below it, and then rows.
  const below = rows
    .slice(0, -1)
    .findIndex((row, i) => SEPARATOR.test(row) && rows.slice(0, i).some((one) => !SEPARATOR.test(one)))
  const aligned = cellsOf((rows[below] ?? separators[0] ?? "").replaceAll("+", "|"))
  const head = below < 0 ? [] : (cells.shift() ?? [])
  const columns = Array.from({ length }, (_, i) => i)
  const delimiters = columns.map((i) => (aligned[i] ?? "").replace(/^(:?).*?(:?)$/, "$1---$2"))
  return [columns.map((i) => head[i] ?? ""), delimiters, ...cells].map((row) => `| ${row.join(" | ")} |`)
}

/** Writes tables without a head or with several parts, and the end of a list or paragraph, `^`. Leaves out what explains abbreviations. */
export const writeKramdown = (source: DialectText): Edit[] => {
  const { isKramdown = false, hasAbbreviations = isKramdown } = source.names.markup
  const edits: Edit[] = []
  if (isKramdown && source.text.includes("|"))
    for (const match of matchesIn(source, ROWS)) {
      // Matches quote marks and blanks. Does not match `- `.
      const [prefix = ""] = /^[ \t>]*/.exec(match[0]) ?? []
      const rows = match[0].trimEnd().split("\n")
      const written = writeTable(rows.map((row) => row.replace(/^[ \t>]*/, "").trimEnd()))
      const text = written?.map((row) => prefix + row).join("\n")
      if (text !== undefined) edits.push(replaceMatch(match, text + match[0].slice(match[0].trimEnd().length)))
    }
  if (hasAbbreviations)
    for (const match of matchesIn(source, SIGN))
      if (isKramdown || !match[0].startsWith("^"))
        edits.push(replaceMatch(match, match[0].startsWith("^") ? "<!-- -->" : ""))
  return edits
}
