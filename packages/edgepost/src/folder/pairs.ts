import type { Tool } from "../tools/tool.ts"
import type { Source } from "./source.ts"

const langOf = ({ variant, fields }: Source): string | null => variant.lang ?? fields.lang

/** Puts the texts of several groups together that the blog's tool takes for one post by a field. */
export const pairGroups = (groups: Source[][], tool: Tool): Source[][] => {
  if (!tool.pairOf) return groups
  const nameOfPair = ({ front }: Source): string | null => tool.pairOf?.(front) ?? null
  const byPair = Map.groupBy(groups, (group) => group.map(nameOfPair).find((name) => name !== null) ?? group)
  return [...byPair.values()].flatMap((same) => {
    const texts = same.flat()
    const languages = new Set(texts.map(langOf))
    return languages.size === texts.length ? [texts] : same
  })
}

const baseOf = (code: string | null): string | undefined => code?.split("-")[0]

/** Chooses the text that the others translate: one whose path names no language, and of those the one without a language or in the primary one. */
export const chooseSource = (sources: Source[], primaryLanguage: string | null): Source | undefined => {
  const unnamed = sources.filter(({ variant }) => variant.lang === null)
  const texts = unnamed.length > 0 ? unnamed : sources
  return (
    texts.find((one) => langOf(one) === null) ??
    texts.find((one) => langOf(one) === primaryLanguage) ??
    texts.find((one) => baseOf(langOf(one)) === baseOf(primaryLanguage)) ??
    texts[0]
  )
}
