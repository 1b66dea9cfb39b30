import { MAX_TRANSLATED_GROWTH, MAX_TRANSLATED_SURPLUS_CHARS } from "../../limits.ts"
import { type Segment, type SourceTag, type Inlines, tagsIn } from "./segments.ts"
import { type Inline, readTags, splitBlanks, textOf } from "./tags.ts"

// Accepts an engine's answer only if it has the same tags as the source, in valid places.

const isBlank = (inline: Inline): boolean => typeof inline === "string" && splitBlanks(inline).inside === ""

/** Collects the tags that an engine sees, by their ids. `parent` is the id of the group around a tag, 0 for none. */
const collectTags = (inlines: Inlines, parent = 0, found = new Map<number, { tag: SourceTag; parent: number }>()) => {
  for (const inline of inlines) {
    if (typeof inline === "string") continue
    found.set(inline.id, { tag: inline, parent })
    if (inline.isGroup) collectTags(inline.children, inline.id, found)
  }
  return found
}

/** Replaces the tags of an answer by those of the source. @returns null unless each occurs once, in its group */
const restoreTags = (source: Inlines, answer: Inline[]): Inlines | null => {
  const missing = collectTags(source)
  const restore = (inlines: Inline[], parent: number): Inlines | null => {
    const restored: Inlines = []
    for (const inline of inlines) {
      if (typeof inline === "string") {
        restored.push(inline)
        continue
      }
      const known = missing.get(inline.id)
      if (!known || known.parent !== parent || known.tag.isGroup !== inline.isGroup) return null
      missing.delete(inline.id)
      const children = inline.isGroup ? restore(inline.children, inline.id) : known.tag.children
      if (!children) return null
      restored.push({ ...known.tag, children })
    }
    return restored
  }
  const restored = restore(answer, 0)
  return missing.size === 0 ? restored : null
}

/** Finds what Markdown cannot write: hard breaks at an edge, as their ids, and groups without visible content, as 0. */
const findFaults = (inlines: Inlines, isRoot = true): number[] => {
  const visible = inlines.filter((inline) => !isBlank(inline))
  if (visible.length === 0) return isRoot ? [] : [0]
  const breaks = [visible[0], visible.at(-1)].flatMap((edge) =>
    typeof edge === "object" && edge.node.type === "break" ? [edge.id] : [],
  )
  const inside = visible.flatMap((inline) =>
    typeof inline === "object" && inline.isGroup ? findFaults(inline.children, false) : [],
  )
  return [...breaks, ...inside]
}

/** Tells whether the answer has no faults but those of the source. */
const hasNoNewFaults = (inlines: Inlines, source: Inlines): boolean => {
  const known = findFaults(source)
  return findFaults(inlines).every((fault) => known.includes(fault))
}

/** Lists the ids of raw HTML in document order. */
const htmlIds = (inlines: Inlines): number[] =>
  tagsIn(inlines).flatMap(({ id, node }) => (node.type === "html" ? [id] : []))

/** Reads an engine's answer as the segment's content. Returns null for an answer that is null, too long, blank, or has other tags. */
export const readAnswer = ({ inlines: source, text }: Segment, answer: string | null): Inlines | null => {
  if (answer === null || answer.length > text.length * MAX_TRANSLATED_GROWTH + MAX_TRANSLATED_SURPLUS_CHARS) return null
  const read = readTags(splitBlanks(answer).inside)
  const restored = read && restoreTags(source, read)
  if (!restored || textOf(restored).trim() === "" || !hasNoNewFaults(restored, source)) return null
  return htmlIds(restored).join() === htmlIds(source).join() ? restored : null
}
