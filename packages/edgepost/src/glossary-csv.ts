import { CsvError, parse } from "csv-parse/sync"

import type { GlossaryEntry } from "./client/types.ts"
import { csvLine } from "./redirects-csv.ts"
import { UsageError } from "./usage-error.ts"

// A glossary as a CSV file: `term,keep,note` and a column for each language.

const OWN = ["term", "keep", "note"]

/** Matches `yes`, `TRUE`, `x`, `1`; not `no`. */
const YES = /^(?:yes|true|x|1)$/i
/** Matches `no`, `False`, `0`, and nothing. */
const NO = /^(?:no|false|0)?$/i

const advice = "The first line names the columns: term, keep, note, and a language code for each translation."

const refuse = (line: number, message: string): never => {
  throw new UsageError(`Line ${line}: ${message}`, advice)
}

interface Row {
  record: Record<string, string>
  info: { lines: number }
}

const entryOf = ({ record, info: { lines } }: Row): GlossaryEntry[] => {
  const { term: written = "", keep = "", note = "", ...languages } = record
  // As the service stores it.
  const term = written.normalize("NFC").replaceAll(/\s+/g, " ").trim()
  if (term === "" && Object.values(record).every((value) => value === "")) return []
  if (term === "") refuse(lines, "The term is missing.")
  if (!YES.test(keep) && !NO.test(keep)) refuse(lines, `keep is ${JSON.stringify(keep)}; write yes or nothing.`)
  const translations = Object.fromEntries(Object.entries(languages).filter(([, value]) => value !== ""))
  if (YES.test(keep) === Object.keys(translations).length > 0)
    refuse(lines, YES.test(keep) ? "A term that is kept has no translations." : "Needs a translation, or keep.")
  return [{ term, keep: YES.test(keep), translations, note: note === "" ? null : note }]
}

const columns = (names: string[]): string[] => {
  const known = names.map((name) => (OWN.includes(name.toLowerCase()) ? name.toLowerCase() : name))
  if (!known.includes("term")) refuse(1, "There is no column `term`.")
  // Matches `de` and `pt-BR`. Does not match `German`.
  const wrong = known.find(
    (name, i) => known.indexOf(name) !== i || !(OWN.includes(name) || /^[a-z]{2,3}(?:-|$)/i.test(name)),
  )
  if (wrong !== undefined)
    refuse(1, `The column ${JSON.stringify(wrong)} is there twice, or is no language code such as de.`)
  return known
}

/** Reads the entries of a CSV file with commas, semicolons or tabs. @throws UsageError that names the line */
export const readGlossary = (text: string): GlossaryEntry[] => {
  // Spreadsheets of many countries write semicolons.
  const delimiter = [",", ";", "\t"].find((sign) => (text.split("\n", 1)[0] ?? "").includes(sign)) ?? ","
  const options = { bom: true, columns, delimiter, info: true, skip_empty_lines: true, trim: true } as const
  try {
    const entries = (parse(text, options) as unknown as Row[]).flatMap(entryOf)
    return entries.length > 0 ? entries : refuse(1, "There are no terms below it.")
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UsageError(`The file is no CSV. ${error.message}`, advice)
  }
}

/** Writes entries as a CSV file (RFC 4180), with a byte order mark, by which spreadsheets know UTF-8. */
export const writeGlossary = (entries: GlossaryEntry[]): string => {
  const codes = [...new Set(entries.flatMap(({ translations }) => Object.keys(translations)))].toSorted()
  const rows = entries.map(({ term, keep, note, translations }) => [
    term,
    keep ? "yes" : "",
    note ?? "",
    ...codes.map((code) => translations[code] ?? ""),
  ])
  return `\uFEFF${[[...OWN, ...codes], ...rows].map(csvLine).join("\r\n")}\r\n`
}
