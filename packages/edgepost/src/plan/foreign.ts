import { type LocalPost, type LocalText, textsOf } from "../folder/post.ts"
import type { ForeignUse } from "../markdown/convert.ts"

/** A kind of syntax that only the author's tool knows. */
export interface ForeignKind extends Pick<ForeignUse, "name" | "field"> {
  /** Number of the posts that have it. */
  posts: number
  /** How often they have it. */
  uses: number
  example: Pick<ForeignUse, "file" | "line" | "text">
}

/** Counts foreign syntax by its names, that of most posts first. */
export const countForeign = (posts: LocalPost[], foreignOf: (text: LocalText) => ForeignUse[]): ForeignKind[] => {
  const kinds = new Map<string, ForeignKind>()
  for (const post of posts) {
    const uses = textsOf(post).flatMap(foreignOf)
    const found = Map.groupBy(uses, ({ field, name }) => `${field} ${name}`)
    for (const [key, [first, ...others]] of found) {
      if (!first) continue
      const { name, field, ...example } = first
      const { posts: before, uses: all, ...kind } = kinds.get(key) ?? { name, field, posts: 0, uses: 0, example }
      kinds.set(key, { ...kind, posts: before + 1, uses: all + 1 + others.length })
    }
  }
  return [...kinds.values()].toSorted((a, b) => b.posts - a.posts || (a.name < b.name ? -1 : 1))
}
