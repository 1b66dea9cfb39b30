import type { Tool } from "../tools/tool.ts"
import type { Source } from "./source.ts"

/** Puts the texts of several groups together that the blog's tool takes for one post by a field. */
export const pairGroups = (groups: Source[][], tool: Tool): Source[][] => {
  if (!tool.pairOf) return groups
  const nameOfPair = ({ front }: Source): string | null => tool.pairOf?.(front) ?? null
  const byPair = Map.groupBy(groups, (group) => group.map(nameOfPair).find((name) => name !== null) ?? group)
  return [...byPair.values()].flatMap((same) => {
    const texts = same.flat()
    const languages = new Set(texts.map(({ variant, fields }) => variant.lang ?? fields.lang))
    return languages.size === texts.length ? [texts] : same
  })
}
