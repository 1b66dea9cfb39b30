// What all benches share: settings, medians, and the tables of a README.
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

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

/** Loaded before a process, it prints at the end what the process took. */
const USAGE = `data:text/javascript,${encodeURIComponent(`process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.error("usage", (userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024)
})`)}`

const CHECKOUTS = { before: resolve(process.env["BEFORE"] ?? "."), after: resolve(".") }

/** Runs the command line of a checkout. @returns its seconds of CPU and its peak of memory in MiB */
const runCheckout = (checkout: string, args: string[]): [cpu: number, mib: number] => {
  const all = ["--import", USAGE, join(checkout, "packages/edgepost/src/bin.ts"), ...args]
  const { stderr } = spawnSync(process.execPath, all, { encoding: "utf8", maxBuffer: Infinity })
  const [, cpu = NaN, mib = NaN] = (/usage (\S+) (\S+)\n$/.exec(stderr) ?? []).map(Number)
  if (Number.isNaN(cpu)) throw new Error(`${checkout}: ${args.join(" ")} failed.\n${stderr}`)
  return [cpu, mib]
}

/** The head of a table of `compareCheckouts`. */
export const USAGE_HEAD = ["command", "CPU s before", "CPU s", "ratio", "peak MiB before", "peak MiB", "ratio"]

/**
 * Runs a command with this checkout and the one in `BEFORE`, in turn.
 * @param argsOf returns the arguments of a run
 * @param after called after each run
 * @returns the medians of CPU and memory on both sides, with their ratios
 */
export const compareCheckouts = async (
  rounds: number,
  argsOf: (run: string) => string[],
  after: (run: string) => Promise<void>,
): Promise<string[]> => {
  const found: Record<keyof typeof CHECKOUTS, [number, number][]> = { before: [], after: [] }
  for (let i = 0; i < rounds; i++) {
    const sides = i % 2 === 0 ? (["before", "after"] as const) : (["after", "before"] as const)
    for (const side of sides) {
      found[side].push(runCheckout(CHECKOUTS[side], argsOf(`${side}-${i}`)))
      await after(`${side}-${i}`)
    }
  }
  const of = (side: keyof typeof CHECKOUTS, column: 0 | 1) => median(found[side].map((one) => one[column]))
  const cells = ([0, 1] as const).map((column) => [of("before", column), of("after", column)] as const)
  return cells.flatMap(([before, now]) => [before, now, now / before].map((one) => one.toFixed(2)))
}
