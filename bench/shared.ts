// What all benches share: settings, medians, and the tables of a README.
import { readFileSync, writeFileSync } from "node:fs"

/** Returns a number from the environment: `ROUNDS=9 npm run bench:http`. */
export const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)

export const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN

/** Returns a value of a record. @throws Error if the record lacks it */
export const at = <T>(record: Record<string, T>, key: string | number): T => {
  const value = record[key]
  if (value === undefined) throw new Error(`There is no ${key}, only ${Object.keys(record).join("; ")}.`)
  return value
}

type Row = (string | number)[]

const line = (row: Row): string => `| ${row.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`

/** Returns a Markdown table. The first row is its head. */
export const table = ([head = [], ...rows]: Row[]): string =>
  [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")

/** Replaces texts of a file, each between `<!-- name -->` and `<!-- end -->`. */
export const putIn = (file: string, texts: Record<string, string>): void => {
  let readme = readFileSync(file, "utf8")
  for (const [name, text] of Object.entries(texts))
    readme = readme.replace(
      // Matches `<!-- costs -->`, its text and `<!-- end -->`. Does not match the marks of other names.
      new RegExp(`(<!-- ${name} -->)[^]*?(<!-- end -->)`),
      (_, start: string, end: string) => `${start}\n\n${text}\n\n${end}`,
    )
  writeFileSync(file, readme)
}
