import type { Document } from "./document.ts"

/** Matches marks of a merge that nobody finished: `<<<<<<< HEAD`, `>>>>>>> a`. Does not match `<<<<<< a` and `> a`. */
const MERGE = /^(?:<{7}|>{7})(?: .*)?$/gm
export const MERGE_MARKS =
  "Marks of a merge stand in the text, which readers would see with both versions. Keep one version, and remove the marks."

/** Finds the first mark of a merge outside of code. @returns its place, if there is one with an end */
export const findMerge = (body: string, { code }: Document): number[] => {
  const isCode = (at: number): boolean => code.some(({ start, end }) => start <= at && at < end)
  const marks = [...body.matchAll(MERGE)].filter(({ index }) => !isCode(index))
  const [first] = marks
  return first?.[0].startsWith("<") && marks.some(([mark]) => mark.startsWith(">")) ? [first.index] : []
}
