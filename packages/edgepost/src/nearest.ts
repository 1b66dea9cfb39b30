// Finds the name that was meant by a wrong one. Free of Node: the service does the same.

/** Returns the letters and digits of a name: `dryrun` of `dry_run`, `dryRun` and `Dry-Run`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Counts the characters to insert, remove or replace until one text is the other (Levenshtein). */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (const char of one) {
    const next = [(row[0] ?? 0) + 1]
    for (const [i, wanted] of [...other].entries())
      next.push(Math.min((next[i] ?? 0) + 1, (row[i + 1] ?? 0) + 1, (row[i] ?? 0) + (char === wanted ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}

/** Returns the known name that was meant by another: `dry_run` by `dryRun`, `tag` by `tags`, `lang_code` by `lang`; undefined if none is near. */
export const nearest = (name: string, known: string[]): string | undefined => {
  const slips = known.flatMap((each) => {
    const [short = "", long = ""] = [plain(name), plain(each)].toSorted((a, b) => a.length - b.length)
    const steps = distance(short, long)
    const isPart = short.length >= 3 && long.includes(short)
    return isPart || steps <= short.length * 0.4 ? [{ each, steps }] : []
  })
  return slips.toSorted((a, b) => a.steps - b.steps)[0]?.each
}
