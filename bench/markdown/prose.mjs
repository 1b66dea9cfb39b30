// Prose in Markdown that anyone can get: two Debian sources, and the README files of this repository's dependencies.
import { execFileSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

import { fromMarkdown } from "mdast-util-from-markdown"

const PACKAGES = ["r-cran-dplyr", "r-cran-ggplot2", "r-cran-tidyr", "anarchism"]
const MODULES = new URL("../../node_modules", import.meta.url).pathname

export const KB = 1024
/** A document of 200 KB is measured whole, as ten and as a hundred documents: the same text at every size. */
export const SIZES = [2, 20, 200]
const WHOLE = 200 * KB

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/

const textOf = (path) => {
  const bytes = readFileSync(path)
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").replace(FRONT_MATTER, "")
}

/** Before each multiple of the size the last place where a top-level block begins. */
const cut = (text, starts, size) => {
  const ends = Array.from({ length: WHOLE / size }, (_, i) => starts.findLast((start) => start <= (i + 1) * size))
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end)).filter((piece) => piece !== "")
}

const documentsOf = (paths) => {
  const text = paths.toSorted().map(textOf).join("\n\n").slice(0, WHOLE)
  if (text.length < WHOLE) throw new Error(`There are only ${text.length} characters in ${paths.length} files.`)
  const starts = fromMarkdown(text).children.map(({ position }) => position.start.offset)
  return Object.fromEntries(SIZES.map((size) => [size, cut(text, starts, size * KB)]))
}

const isReadme = (path) => !/changelog|licen|history/i.test(path)

/** @returns for each source its documents of each size */
export const readProse = () => {
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
