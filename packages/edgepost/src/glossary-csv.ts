import { isUtf8 } from "node:buffer"

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

const entryOf = ({ record: cells, info: { lines: last } }: Row): { entry: GlossaryEntry; line: number }[] => {
  // As the service stores them: on one line.
  const record = Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, cell.replaceAll(/\s+/g, " ").trim()]),
  )
  const lines = last - Object.values(cells).join("").split("\n").length + 1
  const { term: written = "", keep = "", note = "", ...languages } = record
  const term = written.normalize("NFC")
  if (Object.values(record).every((value) => value === "")) return []
  if (term === "") refuse(lines, "The term is missing.")
  if (!YES.test(keep) && !NO.test(keep)) refuse(lines, `keep is ${JSON.stringify(keep)}; write yes or nothing.`)
  const translations = Object.fromEntries(Object.entries(languages).filter(([, value]) => value !== ""))
  if (YES.test(keep) === Object.keys(translations).length > 0)
    refuse(lines, YES.test(keep) ? "A term that is kept has no translations." : "Needs a translation, or keep.")
  return [{ entry: { term, keep: YES.test(keep), translations, note: note === "" ? null : note }, line: lines }]
}

const readColumns = (names: string[], line: number): string[] => {
  // Spreadsheets and systems write `pt_BR`.
  const known = names.map((name) => (OWN.includes(name.toLowerCase()) ? name.toLowerCase() : name.replaceAll("_", "-")))
  if (!known.includes("term")) refuse(line, "There is no column `term`.")
  // Matches `de` and `pt-BR`. Does not match `German`.
  const wrong = known.find(
    (name, i) => known.indexOf(name) !== i || !(OWN.includes(name) || /^[a-z]{2,3}(?:-|$)/i.test(name)),
  )
  if (wrong !== undefined)
    refuse(line, `The column ${JSON.stringify(wrong)} is there twice, or is no language code such as de.`)
  return known
}

/** Languages that spreadsheets of Windows write in its code page for western Europe. */
const WESTERN = new Set("af ca da de en es eu fi fr ga gl id is it lb ms nb nl nn no pt sv".split(" "))
const SAVE = "Save the file as CSV in UTF-8."

/** Decodes a file of a spreadsheet. @returns the text, and the line of what is not in UTF-8; 0 if all of it is in Unicode */
const decode = (bytes: Uint8Array): { text: string; oddLine: number } => {
  const [first, second] = bytes
  const mark = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
  const text = new TextDecoder(mark).decode(bytes)
  if (text.includes("\0")) refuse(1, `Holds NUL characters. ${SAVE}`)
  if (mark !== "utf-8" || isUtf8(bytes)) return { text, oddLine: 0 }
  const [before = ""] = text.split("\uFFFD", 1)
  return { text: new TextDecoder("windows-1252").decode(bytes), oddLine: before.split("\n").length }
}

/** Reads the entries of a CSV file with commas, semicolons or tabs, as spreadsheets write it. @throws UsageError that names the line */
export const readGlossary = (bytes: Uint8Array): GlossaryEntry[] => {
  const { text, oddLine } = decode(bytes)
  // Matches the line by which Excel knows the separator: `sep=;`. Does not match `sep,de`.
  const [head = "", separator] = /^sep=([,;\t])\r?\n/i.exec(text) ?? []
  const headLine = head === "" ? 1 : 2
  const names = text.slice(head.length).split("\n", 1)[0] ?? ""
  // Spreadsheets of many countries write semicolons.
  const delimiter = separator ?? [",", ";", "\t"].find((sign) => names.includes(sign)) ?? ","
  const columns = (all: string[]): string[] => {
    const known = readColumns(all, headLine)
    const isWestern = known.every((name) => OWN.includes(name) || WESTERN.has(name.split("-")[0] ?? ""))
    return oddLine === 0 || isWestern ? known : refuse(oddLine, `This is not UTF-8. ${SAVE}`)
  }
  const options = { columns, delimiter, info: true, skip_empty_lines: true, trim: true } as const
  try {
    const entries = (parse(text.replace(/^sep=.*/i, ""), options) as unknown as Row[]).flatMap(entryOf)
    const lines = new Map<string, number>()
    for (const {
      entry: { term },
      line,
    } of entries) {
      const other = lines.get(term)
      if (other !== undefined) refuse(line, `The term ${JSON.stringify(term)} is in line ${other} as well.`)
      lines.set(term, line)
    }
    if (entries.length === 0) refuse(headLine, "There are no terms below it.")
    return entries.map(({ entry }) => entry)
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
