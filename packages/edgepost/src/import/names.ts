import { makeSlug } from "../folder/slug.ts"
import type { ImportedPost } from "./post.ts"

// Names the posts of an import: slugs, and files by them.

/** Takes names: a second one that is the same gets a number. */
class Names {
  /** The last number of each name. */
  readonly #numbers = new Map<string, number>()

  take(name: string): string {
    for (let number = (this.#numbers.get(name) ?? 0) + 1; ; number++) {
      const free = number === 1 ? name : `${name.slice(0, 180)}-${number}`
      if (number > 1 && this.#numbers.has(free)) continue
      this.#numbers.set(name, number).set(free, this.#numbers.get(free) ?? 1)
      return free
    }
  }
}

/** A post with the names that it gets. */
export interface NamedPost {
  post: ImportedPost
  slug: string
  /** Name of its file in the folder of posts. */
  file: string
}

/** Returns a smaller number for a post whose slug matters more. */
const rank = ({ addresses, slug }: ImportedPost): number => (addresses.length > 0 ? 0 : slug === null ? 2 : 1)

/** Names posts: those that readers know come first, so that they keep their slugs. */
export const nameAll = (posts: ImportedPost[]): NamedPost[] => {
  const names = new Names()
  const named = new Map<ImportedPost, NamedPost>()
  for (const post of posts.toSorted((one, other) => rank(one) - rank(other))) {
    // Matches the end of `a.html`. Does not match `html`.
    const old = post.slug?.replace(/\.html?$/, "") ?? null
    const slug = names.take(makeSlug([old, post.title], post.name))
    named.set(post, { post, slug, file: `${slug}.md` })
  }
  return posts.flatMap((post) => named.get(post) ?? [])
}
