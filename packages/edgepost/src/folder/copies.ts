import { posix } from "node:path"

import type { LeftOut } from "./post.ts"
import type { Source } from "./source.ts"

/**
 * Matches the names that people, and programs which synchronise folders, give to copies: `a 2`, `a (1)`, `a copy`, `a - Copy (2)`,
 * `a (Ann's conflicted copy)`, `a.sync-conflict-20240502`, `a.conflicted.1`. Does not match `a-2` and `conflict`.
 */
const COPY =
  /^(.+?)(?: \d{1,2}| \(\d+\)| copy(?: \d+)?| - Copy(?: \(\d+\))?| \([^()]*conflict[^()]*\)|[._-](?:sync-)?conflict(?:ed)?[\w.-]*)$/i

/**
 * Finds files that are copies of the file beside them: only their names differ, and neither title nor date.
 * @param titleOf a post, also where only a heading gives it
 */
export const findCopies = (sources: Source[], titleOf: (source: Source) => string): Map<string, LeftOut> => {
  const byFile = new Map(sources.map((source) => [source.variant.file, source]))
  const copies = new Map<string, LeftOut>()
  for (const source of sources) {
    const { file } = source.variant
    const { dir, name, ext } = posix.parse(file)
    const [, stem] = COPY.exec(name) ?? []
    const other = stem === undefined ? undefined : byFile.get(posix.join(dir, stem + ext))
    // The name of a copy may have a date, which counts in some tools.
    const hasSame = (field: "published_at" | "former_at") => other?.fields[field] === source.fields[field]
    if (!other || !(hasSame("published_at") || hasSame("former_at")) || titleOf(other) !== titleOf(source)) continue
    copies.set(file, { file, line: 1, reason: `a copy of ${other.variant.file}` })
  }
  return copies
}
