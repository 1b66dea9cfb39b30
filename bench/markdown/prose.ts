// Reads prose in Markdown that anyone can get: two Debian sources, and the README files of this repository's dependencies.
import { execFileSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

import { fromMarkdown } from "mdast-util-from-markdown"

const PACKAGES = ["r-cran-dplyr", "r-cran-ggplot2", "r-cran-tidyr", "anarchism"]
const MODULES = join(import.meta.dirname, "../../node_modules")

export const KB = 1024
/** The same 200 KB are measured as one document, as ten and as a hundred. */
export const SIZES = [2, 20, 200] as const
export type Size = (typeof SIZES)[number]
/** The documents of a source, by their size in KB. */
export type Documents = Record<Size, string[]>
const WHOLE = 200 * KB

// Matches `---\ntitle: A\n---\n` at the start. Does not match a later `---`.
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/

const textOf = (path: string): string => {
  const bytes = readFileSync(path)
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").replace(FRONT_MATTER, "")
}

/** Cuts a text before each multiple of the size, at the last place where a top-level block begins. */
const cut = (text: string, starts: number[], size: number): string[] => {
  const ends = Array.from({ length: WHOLE / size }, (_, i) => starts.findLast((start) => start <= (i + 1) * size))
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end)).filter((part) => part !== "")
}

const documentsOf = (paths: string[]): Documents => {
  const text = paths.toSorted().map(textOf).join("\n\n").slice(0, WHOLE)
  if (text.length < WHOLE) throw new Error(`There are only ${text.length} characters in ${paths.length} files.`)
  const starts = fromMarkdown(text).children.map(({ position }) => position?.start.offset ?? 0)
  return Object.fromEntries(SIZES.map((size) => [size, cut(text, starts, size * KB)])) as Documents
}

// Matches `changelog.md`, `LICENSE.md` and `history.md`. Does not match `readme.md`.
const isReadme = (path: string): boolean => !/changelog|licen|history/i.test(path)

/** Returns the documents of each source. */
export const readProse = (): Record<string, Documents> => {
  const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-prose-"))
  try {
    execFileSync("apt-get", ["download", ...PACKAGES], { cwd: folder, stdio: "ignore" })
    for (const file of globSync("*.deb", { cwd: folder })) execFileSync("dpkg-deb", ["-x", file, "."], { cwd: folder })
    return {
      articles: documentsOf(globSync(join(folder, "usr/lib/R/site-library/*/doc/*.Rmd"))),
      essays: documentsOf(globSync(join(folder, "usr/share/doc/anarchism/markdown/sec[A-J]*.md.gz"))),
      readmes: documentsOf(globSync(join(MODULES, "**/*.md")).filter(isReadme)),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
