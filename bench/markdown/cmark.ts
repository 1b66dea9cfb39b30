// Runs native cmark-gfm. A shell starts a process for each document, because it does so faster than Node.js.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { at } from "../shared.ts"

const SCRIPT = `
start=$EPOCHREALTIME
for file in "$@"; do
  cmark-gfm -e table -e strikethrough -e autolink -e tasklist -e footnotes "$file" > "$0"
done
echo $start $EPOCHREALTIME
times`

// Matches the last line of `times`, that of child processes: `0m1.200s 0m0.300s`. Does not match `1.200s 0.300s`.
const CHILDREN = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/

/** Writes lists of documents to files. @returns a function that renders the documents of a list and measures that */
export const openCmark = (lists: Record<string, string[]>) => {
  const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-cmark-"))
  const files = Object.fromEntries(
    Object.entries(lists).map(([list, texts]) => [
      list,
      texts.map((text, i) => {
        const path = join(folder, `${list}-${i}.md`)
        writeFileSync(path, text)
        return path
      }),
    ]),
  )
  const render = (list: string) => {
    // A shell whose input is a socket reads its start-up files, and those may take longer than the documents.
    const args = ["--norc", "-c", SCRIPT, join(folder, "out.html"), ...at(files, list)]
    const output = execFileSync("bash", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
    const [start = NaN, end = NaN] = (output.split("\n")[0] ?? "").split(" ").map(Number)
    const times = CHILDREN.exec(output)?.slice(1).map(Number) ?? []
    const [minutes = NaN, seconds = NaN, systemMinutes = NaN, systemSeconds = NaN] = times
    const cpu = 60 * (minutes + systemMinutes) + seconds + systemSeconds
    return { ms: 1000 * (end - start), cpuMs: 1000 * cpu }
  }
  return { render, close: () => rmSync(folder, { recursive: true }) }
}
