import { MAX_REBUILDS } from "../../limits.ts"
import type { Marks } from "./phrasing.ts"
import { rebuild, type Translation, type Translations } from "./rebuild.ts"
import type { Document, Segment } from "./segments.ts"
import { keyOf, skeletonOf } from "./verify.ts"

type Entry = [segment: Segment, translation: Translation]

const MARKS: Marks[] = [false, true].flatMap((keepsBrackets) =>
  (["_", "*"] as const).flatMap((emphasis) =>
    (["*", "_"] as const).map((strong) => ({ emphasis, strong, keepsBrackets })),
  ),
)

/**
 * The document with its translations, of which those are left out that would change anything but words.
 * @returns the body, whose skeleton equals the source's, and the segments that keep their source
 */
export const assemble = (document: Document, translations: Translations): { body: string; kept: Segment[] } => {
  const skeleton = keyOf(document.tree)
  let rebuilds = 0
  const build = (entries: Entry[]): string | null => {
    if (++rebuilds > MAX_REBUILDS) return null
    const body = rebuild(document, new Map(entries))
    return skeletonOf(body) === skeleton ? body : null
  }
  const misfits = (entries: Entry[]): Entry[] => {
    if (entries.length === 0 || build(entries) !== null) return []
    if (entries.length === 1) return entries
    const half = Math.ceil(entries.length / 2)
    return [...misfits(entries.slice(0, half)), ...misfits(entries.slice(half))]
  }
  const remark = ([segment, { inlines }]: Entry): Entry[] => {
    const found = MARKS.find((marks) => build([[segment, { inlines, marks }]]) !== null)
    return found ? [[segment, { inlines, marks: found }]] : []
  }

  const all = [...translations]
  const whole = build(all)
  if (whole !== null) return { body: whole, kept: [] }
  const wrong = new Set(misfits(all))
  const right = [...all.filter((entry) => !wrong.has(entry)), ...[...wrong].flatMap(remark)]
  const body = build(right)
  // Each alone is right and all together are not: nothing is certain.
  if (body === null) return { body: document.body, kept: [...translations.keys()] }
  const used = new Set(right.map(([segment]) => segment))
  return { body, kept: [...translations.keys()].filter((segment) => !used.has(segment)) }
}
