// Bounds the work of patterns that others write: a pattern that may need more steps than this is not searched for.

const MAX_STEPS = 10_000_000
const MAX_SIGNS = 1000

/** Matches groups without groups in them. Does not match `(a(b))`. */
const GROUP = /[({][^(){}]*[)}]/g

/** Returns in how many ways some repetitions share a text. */
const waysOf = (length: number, repetitions: number): number => {
  let ways = 1
  for (let i = 1; i <= repetitions; i++) ways *= (length + i) / i
  return ways
}

/** Returns in how many ways one of each group can be chosen. */
const choicesOf = (pattern: string): number => {
  let choices = 1
  let rest = pattern
  for (let before = ""; before !== rest;) {
    before = rest
    rest = rest.replaceAll(GROUP, (group) => {
      choices *= group.split(/[|,]/).length
      return ""
    })
  }
  return choices * rest.split("|").length
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Tells whether a regular expression is searched for in a text with few steps. None is that repeats a group, or refers to one. */
export const isCalmPattern = (pattern: string, length: number): boolean => {
  // Matches `)*` and `\1`. Does not match `)?`.
  if (pattern.length > MAX_SIGNS || /\)[*+{]|\\[1-9k]/.test(pattern)) return false
  // A sign for itself, and a class, are one sign. What goes on to the end takes the rest at once.
  const plain = pattern.replaceAll(/\\[^]/g, "a").replaceAll(/\[[^\]]*\]/g, "a")
  const signs = plain.replace(/\.[*+]\$?$/, "")
  let choices = choicesOf(signs.replaceAll(/\{[\d,]*\}/g, ""))
  for (const [, from, to] of signs.matchAll(/\{(\d*),(\d+)\}/g)) choices *= Math.max(Number(to) - Number(from) + 1, 1)
  // Matches `a?`. Does not match `a*?` and `(?:`.
  choices *= 2 ** countOf(signs, /(?<![(*+?}])\?/g)
  // Matches `a*`, `a+` and `a{2,}`. Does not match `a{2}`.
  const repetitions = countOf(signs, /[*+]|\{\d*,\}/g)
  const starts = /^\^[^|]*$/.test(signs) ? 1 : length + 1
  return starts * waysOf(length, repetitions) * choices <= MAX_STEPS
}

/** Tells whether a glob is compared with a path in few steps. None is that repeats a group. @param isLoose `*` goes on over folders */
export const isCalmGlob = (glob: string, path: string, isLoose = false): boolean => {
  // Matches `+(a)` and `{a,b}+`. Does not match `{a,b}*`.
  if (glob.length > MAX_SIGNS || /[*+]\(|[)}]\+/.test(glob)) return false
  // Matches `**` of `**/a` and `{a,**/b}`. Does not match `a**`.
  const deep = /(?<=^|[/{(,|])\*\*(?=[/)},|]|$)/g
  const wide = countOf(glob.replaceAll(deep, ""), /[*+]|!\(/g)
  const parts = path.split("/")
  const width = isLoose ? path.length : Math.max(...parts.map((part) => part.length))
  const here = Math.max(path.length, waysOf(width, wide))
  const choices = choicesOf(glob) * 2 ** countOf(glob, /\?[()]/g)
  return waysOf(parts.length, countOf(glob, deep)) * here * choices <= MAX_STEPS
}
