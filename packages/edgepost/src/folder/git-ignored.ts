import { posix } from "node:path"

import type { Folder } from "./files.ts"
import { matcherOf } from "./paths.ts"

const MAX_BYTES = 262_144
const MAX_LINES = 2000
/** Comparisons of a file with a line. */
const MAX_COMPARISONS = 1_000_000

/** Returns the patterns of an ignore file, without comments. */
export const ignoreLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))

/** Finds which of some files Git ignores, by the first lines of the `.gitignore` files of the folder. */
export const findIgnored = async (folder: Folder, files: string[]): Promise<string[]> => {
  const rules: { isBack: boolean; isMeant: (file: string) => boolean }[] = []
  const most = Math.min(MAX_LINES, Math.floor(MAX_COMPARISONS / files.length))
  // The last rule counts, and those of a deeper folder come later.
  for (const path of folder.files.filter((file) => posix.basename(file) === ".gitignore")) {
    const text = await folder.read(path, MAX_BYTES).then(String, () => "")
    for (const line of ignoreLines(text).slice(0, most - rules.length)) {
      const pattern = line.replace(/^!/, "")
      // Matches a pattern that counts from its folder: `/a`, `a/b`. Does not match `a/`.
      const isMeant = matcherOf([/\/(?!$)/.test(pattern) ? pattern : `**/${pattern}`])
      const base = posix.dirname(path)
      rules.push({ isBack: line.startsWith("!"), isMeant: (file) => isMeant(posix.relative(base, file)) })
    }
  }
  return files.filter((file) => rules.reduce((is, { isBack, isMeant }) => (isMeant(file) ? !isBack : is), false))
}
