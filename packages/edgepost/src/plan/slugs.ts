import type { ListedPost } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import { type LocalPost, timesOf } from "../folder/post.ts"
import { MAX_SLUG_CHARS } from "../limits.ts"
import { some } from "../terminal.ts"

// Gives each post of a folder a slug that no other one has.

const NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9].map((number) => `-${number}`)

/** Lists a derived slug with each of some endings, cut to the limit. */
const withEndings = (slug: string, endings: string[]): string[] =>
  // Matches a hyphen at the end, after a cut.
  endings.map((ending) => slug.slice(0, MAX_SLUG_CHARS - ending.length).replace(/-$/, "") + ending)

/** Lists the slugs that a post may have, the best first: if the slug is derived, with its year and its day. */
const candidatesOf = ({ slug, isSlugDerived, published_at }: LocalPost): string[] => {
  if (!isSlugDerived || published_at === null) return [slug]
  return [
    slug,
    ...withEndings(
      slug,
      [4, 10].map((length) => `-${published_at.slice(0, length)}`),
    ),
  ]
}

/** Lists the slugs with a number or the author's name, which a post gets if another author has its slug, and keeps. */
const numbered = ({ slug, isSlugDerived }: LocalPost, username: string): string[] =>
  // Matches `--` of a name, which no slug has.
  isSlugDerived ? withEndings(slug, [...NUMBERS, `-${username.replaceAll(/-+/g, "-")}`]) : []

/** Returns a time to sort posts by. One without a date is the oldest, since no date can be added to its slug, and one for no readers leaves the slug to the others. */
const timeOf = ({ published_at, notForReaders }: LocalPost): number =>
  notForReaders === null ? Date.parse(published_at ?? "1970-01-01") : Infinity

const duplicateOf = (post: LocalPost, { source }: LocalPost): Finding => {
  const message = `${source.file} has the slug ${post.slug} too. Set \`slug\` in one of them.`
  return { level: "error", code: "duplicate_slug", message, file: post.source.file, line: 1 }
}

const datedOf = (dated: LocalPost[], file: string): Finding => {
  const names = some(dated.map(({ slug, source }) => `${source.file} gets ${slug}`))
  const message = `Other posts, here or of other authors, have the same name: ${names}. Set \`slug\` to choose another.`
  return { level: "warning", code: "dated_slug", message, file, line: 1 }
}

const keptOf = (kept: LocalPost[], file: string): Finding => {
  const names = some(kept.map(({ slug, source }) => `${source.file} stays ${slug}`))
  const count = kept.length === 1 ? "One post keeps its slug" : `${kept.length} posts keep their slugs`
  const message = `${count}, though the name of the file gives another: ${names}. Set \`slug\` to choose another.`
  return { level: "warning", code: "kept_slug", message, file, line: 1 }
}

/** Returns what a post has in common with itself under another slug. */
const keyOf = (title: string | null, time: string | null): string =>
  `${Date.parse(time ?? "")} ${title?.normalize("NFC")}`

/**
 * Gives derived slugs that several posts have to the oldest of them; others get their date, and a number or the author's name
 * if another author has the slug. A post keeps the slug that it has on the service, also if another file is given that slug.
 * Posts that still have the slug of another one get an error.
 * @param username the author's name
 * @param there posts of the service, by slug
 * @param source the folder's mark
 * @param others slugs that posts of other authors have
 * @param kept slugs that posts have on the service although their files give others, by path of their file
 */
export const assignSlugs = (
  posts: LocalPost[],
  username: string,
  there: ReadonlyMap<string, Pick<ListedPost, "source" | "published_at" | "title">>,
  source: string | null,
  others: ReadonlySet<string> = new Set(),
  kept: ReadonlyMap<string, string> = new Map(),
): LocalPost[] => {
  const own = new Set(posts.map(({ slug }) => slug))
  const newSlugsOf = (post: LocalPost): string[] =>
    others.has(post.slug)
      ? [...numbered(post, username).filter((slug) => !own.has(slug)), ...candidatesOf(post)].filter(
          (slug) => !others.has(slug) && !there.has(slug),
        )
      : candidatesOf(post)
  const taken = new Set<string>()
  const slugs = new Map<LocalPost, string>()
  const give = (post: LocalPost, slug: string): void => {
    taken.add(slug)
    slugs.set(post, slug)
  }
  const isThere = (post: LocalPost, slug: string): boolean => {
    const found = there.get(slug)
    if (found?.source !== source) return false
    const time = Date.parse(found.published_at ?? "")
    if (timesOf(post).some((one) => Date.parse(one) === time)) return true
    return post.former_at === null && source !== null && found.title === post.source.title
  }
  const given = posts.filter(({ isSlugDerived }) => !isSlugDerived)
  const derived = posts.filter(({ isReadable, isSlugDerived }) => isReadable && isSlugDerived)
  for (const slugsOf of [candidatesOf, (post: LocalPost) => numbered(post, username)])
    for (const post of [...given, ...derived].filter((one) => !slugs.has(one))) {
      const found = slugsOf(post).find((slug) => !taken.has(slug) && isThere(post, slug))
      if (found !== undefined) give(post, found)
    }
  const renamed = new Set<LocalPost>()
  const unassigned = new Set(posts.filter((one) => !slugs.has(one)).map(({ slug }) => slug))
  const isFree = (slug: string): boolean => !taken.has(slug) && !unassigned.has(slug)
  const unclaimed = [...there].filter(([slug, post]) => source !== null && post.source === source && isFree(slug))
  const byKey = Map.groupBy(unclaimed, ([, { title, published_at }]) => keyOf(title, published_at))
  for (const post of derived.filter((one) => !slugs.has(one))) {
    const same = timesOf(post).flatMap((time) => byKey.get(keyOf(post.source.title, time)) ?? [])
    const slug = kept.get(post.source.file) ?? (same.length === 1 ? same[0]?.[0] : undefined)
    if (slug === undefined || !isFree(slug)) continue
    give(post, slug)
    renamed.add(post)
  }
  for (const post of given) give(post, post.slug)
  for (const post of derived.toSorted((one, other) => timeOf(one) - timeOf(other)))
    if (!slugs.has(post)) give(post, newSlugsOf(post).find((slug) => !taken.has(slug)) ?? post.slug)
  const named = posts.map((post) => ({ ...post, slug: slugs.get(post) ?? post.slug, findings: [...post.findings] }))
  const bySlug = Map.groupBy(
    named.filter(({ isReadable }) => isReadable),
    ({ slug }) => slug,
  )
  for (const same of bySlug.values())
    for (const post of same) {
      const other = same.find((one) => one !== post)
      if (other) post.findings.push(duplicateOf(post, other))
    }
  const changed = named.filter(({ slug }, i) => slug !== posts[i]?.slug)
  const keeping = new Set([...renamed].map(({ source: { file } }) => file))
  const [stayed = [], dated = []] = [true, false].map((is) =>
    changed.filter((one) => keeping.has(one.source.file) === is),
  )
  if (stayed[0]) stayed[0].findings.push(keptOf(stayed, stayed[0].source.file))
  if (dated[0]) dated[0].findings.push(datedOf(dated, dated[0].source.file))
  return named
}
