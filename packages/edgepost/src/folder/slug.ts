import { sha256 } from "../hash.ts"
import type { LocalPost } from "./post.ts"
import { slugOf } from "./slugify.ts"

/** Returns the first text that makes a slug, else a slug of the path. */
export const makeSlug = (texts: (string | null)[], path: string): string =>
  texts.map((text) => slugOf(text ?? "")).find((slug) => slug !== "") ?? `post-${sha256(path).slice(0, 8)}`

/** Lets posts that name one slug have others: it is a part of the addresses by which their tool tells them apart. */
export const freeSharedSlugs = (posts: LocalPost[]): void => {
  const bySlug = Map.groupBy(
    posts.filter(({ isSlugDerived, source }) => !isSlugDerived && source.addresses.length > 0),
    ({ slug }) => slug,
  )
  for (const same of bySlug.values()) {
    const addresses = new Set(same.map(({ source }) => source.addresses[0]))
    if (same.length > 1 && addresses.size === same.length) for (const post of same) post.isSlugDerived = true
  }
}
