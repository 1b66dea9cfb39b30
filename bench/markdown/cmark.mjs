// Native cmark-gfm: a process for each document, started by a shell, which is quicker at it than Node.js.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const SCRIPT = `
start=$EPOCHREALTIME
for file in "$@"; do
  cmark-gfm -e table -e strikethrough -e autolink -e tasklist -e footnotes "$file" > "$0"
done
echo $start $EPOCHREALTIME
times`

const CHILDREN = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/

/** @returns a function that renders documents of these lists, by their names, and measures itself */
export const openCmark = (lists) => {
  const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-cmark-"))
  const files = Object.fromEntries(
    Object.entries(lists).map(([list, texts]) => {
      const paths = texts.map((_, i) => join(folder, `${list}-${i}.md`))
      for (const [i, path] of paths.entries()) writeFileSync(path, texts[i])
      return [list, paths]
    }),
  )
  const render = (list) => {
    // A shell whose input is a socket reads its start-up files, and they may cost more than what is measured.
    const args = ["--norc", "-c", SCRIPT, join(folder, "out.html"), ...files[list]]
    const output = execFileSync("bash", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
    const [start, end] = output.split("\n")[0].split(" ").map(Number)
    const [, minutes, seconds, systemMinutes, systemSeconds] = CHILDREN.exec(output).map(Number)
    const cpu = 60 * (minutes + systemMinutes) + seconds + systemSeconds
    return { ms: 1000 * (end - start), cpuMs: 1000 * cpu }
  }
  return { render, close: () => rmSync(folder, { recursive: true }) }
}
