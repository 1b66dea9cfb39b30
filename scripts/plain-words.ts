// Checks documents: no word of which docs/contributing.md names a better one, and a short README.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

// A change that cleans up another folder adds it here.
const FILES = ["README.md", "CONTRIBUTING.md", "docs/**/*.md"]

const MAX_README_LINES = 150

/** Words to replace, and what to write instead. */
const WORDS: Record<string, string> = {
  picture: "image",
  pictures: "images",
  sweep: "clean up, cleanup",
  trail: "audit log",
  anew: "again",
  lest: "so that … not",
  "in vain": "without success",
  whoever: "anyone, or the role: author, operator, reader, client",
  "own text": "source text",
  "own language": "source language",
}

// Matches "In vain" and "in" with "vain" on the next line. Does not match "trailing" and `sweep_lag_seconds`.
const PATTERN = new RegExp(`\\b(?:${Object.keys(WORDS).join("|").replaceAll(" ", "\\s+")})\\b`, "gi")

// Matches code blocks and `code`, which quote names of the code. Does not match the text around them.
const CODE = /^```[^]*?^```$|`[^`\n]*`/gm

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ")

const lineOf = (text: string, index: number): number => text.slice(0, index).split("\n").length

/** Returns one complaint for each word of a file that is to be replaced. */
const complaintsOf = (file: string): string[] => {
  const text = readFileSync(join(ROOT, file), "utf8")
  const prose = file.endsWith(".md") ? text.replaceAll(CODE, blank) : text
  return [...prose.matchAll(PATTERN)].map(({ 0: found, index }) => {
    const word = found.toLowerCase().replaceAll(/\s+/g, " ")
    return `${file}:${lineOf(prose, index)}: "${word}". Write: ${WORDS[word]}.`
  })
}

await main(() => {
  const complaints = globSync(FILES, { cwd: ROOT }).toSorted().flatMap(complaintsOf)
  const lines = readFileSync(join(ROOT, "README.md"), "utf8").trimEnd().split("\n").length
  if (lines > MAX_README_LINES)
    complaints.push(`README.md has ${lines} lines, more than ${MAX_README_LINES}. Move details to docs/.`)
  if (complaints.length > 0) throw new Failure(complaints.join("\n"))
})
