// Checks documents and comments for words that docs/contributing.md replaces, and the length of README.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

const FILES = ["README.md", "CONTRIBUTING.md", "docs/**/*.md", "{src,scripts,test,bench}/**/*.{ts,tsx}"]

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

// Matches `In vain`, and `in` with `vain` on the next line. Does not match "trailing" and `sweep_lag_seconds`.
const PATTERN = new RegExp(`\\b(?:${Object.keys(WORDS).join("|").replaceAll(" ", "\\s+")})\\b`, "gi")

// Matches code blocks and `code`, which quote names of the code. Does not match the text around them.
const CODE = /^```[^]*?^```$|`[^`\n]*`/gm

// Matches `/** a */` and `// a` in code. Does not match `https://a`.
const COMMENT = /\/\*\*[^]*?\*\/|(?<![:"'`\w])\/\/.*$/gm

// Matches `/** Of a post. */`. Does not match `/** Official. */`.
const NO_SENTENCE = /\/\*\*\s*(?:\*\s*)?(?:Of|What|Where)\b/g

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ")

const lineOf = (text: string, index: number): number => text.slice(0, index).split("\n").length

/** Returns the comments of code, with all else blanked, so that lines stay where they are. */
const commentsIn = (text: string): string => {
  let comments = ""
  let at = 0
  for (const { 0: comment, index } of text.matchAll(COMMENT)) {
    comments += blank(text.slice(at, index)) + comment
    at = index + comment.length
  }
  return comments
}

/** Returns one complaint for each word of a file that is to be replaced. */
const complaintsOf = (file: string): string[] => {
  const text = readFileSync(join(ROOT, file), "utf8")
  const isCode = !file.endsWith(".md")
  const prose = (isCode ? commentsIn(text) : text).replaceAll(CODE, blank)
  const words = [...prose.matchAll(PATTERN)].map(({ 0: found, index }) => {
    const word = found.toLowerCase().replaceAll(/\s+/g, " ")
    return `${file}:${lineOf(prose, index)}: "${word}". Write: ${WORDS[word]}.`
  })
  const beginnings = [...prose.matchAll(NO_SENTENCE)].map(
    ({ index }) => `${file}:${lineOf(prose, index)}: begin the comment with a verb or a noun.`,
  )
  return [...words, ...beginnings]
}

await main(() => {
  const complaints = globSync(FILES, { cwd: ROOT }).toSorted().flatMap(complaintsOf)
  const lines = readFileSync(join(ROOT, "README.md"), "utf8").trimEnd().split("\n").length
  if (lines > MAX_README_LINES)
    complaints.push(`README.md has ${lines} lines, more than ${MAX_README_LINES}. Move details to docs/.`)
  if (complaints.length > 0) throw new Failure(complaints.join("\n"))
})
