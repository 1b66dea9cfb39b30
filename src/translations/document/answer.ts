import { MAX_TRANSLATED_GROWTH, MAX_TRANSLATED_SURPLUS_CHARS } from "../../limits.ts"
import type { Segment, Source, SourceTag } from "./segments.ts"
import { type Inline, readTags, splitBlanks, textOf } from "./tags.ts"

// An engine's answer is used only where it says the same as the source in other words.

const isBlank = (inline: Inline): boolean => typeof inline === "string" && splitBlanks(inline).inside === ""

/** Collects the tags that an engine sees, by their ids, with the id of the group around each. */
const tagsIn = (inlines: Source, parent = 0, found = new Map<number, { tag: SourceTag; parent: number }>()) => {
  for (const inline of inlines) {
    if (typeof inline === "string") continue
    found.set(inline.id, { tag: inline, parent })
    if (inline.isGroup) tagsIn(inline.children, inline.id, found)
  }
  return found
}

/** Replaces the tags of an answer by those of the source. @returns null unless each stands in its group, once */
const adopt = (source: Source, answer: Inline[]): Source | null => {
  const missing = tagsIn(source)
  const take = (inlines: Inline[], parent: number): Source | null => {
    const taken: Source = []
    for (const inline of inlines) {
      if (typeof inline === "string") {
        taken.push(inline)
        continue
      }
      const known = missing.get(inline.id)
      if (!known || known.parent !== parent || known.tag.isGroup !== inline.isGroup) return null
      missing.delete(inline.id)
      const children = inline.isGroup ? take(inline.children, inline.id) : known.tag.children
      if (!children) return null
      taken.push({ ...known.tag, children })
    }
    return taken
  }
  const taken = take(answer, 0)
  return missing.size === 0 ? taken : null
}

/** Finds hard breaks at an edge, by their ids, and groups in which there is nothing to see, as 0. */
const faultsIn = (inlines: Source, isRoot = true): number[] => {
  const seen = inlines.filter((inline) => !isBlank(inline))
  if (seen.length === 0) return isRoot ? [] : [0]
  const breaks = [seen[0], seen.at(-1)].flatMap((edge) =>
    typeof edge === "object" && edge.node.type === "break" ? [edge.id] : [],
  )
  const inside = seen.flatMap((inline) =>
    typeof inline === "object" && inline.isGroup ? faultsIn(inline.children, false) : [],
  )
  return [...breaks, ...inside]
}

/** Tells whether breaks at an edge and markup around nothing, which Markdown does not have, are those of the source. */
const isSound = (inlines: Source, source: Source): boolean => {
  const known = faultsIn(source)
  return faultsIn(inlines).every((fault) => known.includes(fault))
}

/** Collects raw HTML, by its ids, in the order in which it stands. */
const htmlIn = (inlines: Source): number[] =>
  inlines.flatMap((inline) => {
    if (typeof inline === "string") return []
    return inline.node.type === "html" ? [inline.id] : htmlIn(inline.children)
  })

/** Reads the translation of a segment. @returns null where it is not usable */
export const readAnswer = ({ inlines: source, text }: Segment, answer: string | null): Source | null => {
  if (answer === null || answer.length > text.length * MAX_TRANSLATED_GROWTH + MAX_TRANSLATED_SURPLUS_CHARS) return null
  const read = readTags(splitBlanks(answer).inside)
  const adopted = read && adopt(source, read)
  if (!adopted || textOf(adopted).trim() === "" || !isSound(adopted, source)) return null
  return htmlIn(adopted).join() === htmlIn(source).join() ? adopted : null
}
