import type { OldRedirect } from "../client/index.ts"
import type { LocalPost } from "../folder/post.ts"
import { MAX_OLD_PATH_CHARS, MAX_REDIRECTS } from "../limits.ts"
import { toOldPath } from "../old-path.ts"
import { type OldPage, REDIRECTS_FILE } from "../redirects-csv.ts"
import type { Blog } from "./blog.ts"
import type { ServiceState } from "./service.ts"

// Plans which addresses of the old site, and of earlier slugs, lead to the posts of the folder.

/** The redirects that the folder keeps on the service. */
export interface Redirects {
  /** All, as they should be; null to leave them as they are. */
  wanted: OldRedirect[] | null
  /** Those of them that are new or lead elsewhere, and those on the service that go. */
  changed: OldRedirect[]
  removed: OldRedirect[]
  /** How many more there are than the service takes. */
  leftOut: number
  /** Those of them at which the old site showed a post, or may have if its tool does not tell. */
  lost: number
  /** What the author may have meant, and is not sent. */
  remarks: string[]
}

export const NO_REDIRECTS: Redirects = { wanted: null, changed: [], removed: [], leftOut: 0, lost: 0, remarks: [] }

/** Returns the slug of the post to which a redirect leads: of `a`, and of `/a/fr/`. */
const slugOf = ({ to }: Pick<OldRedirect, "to">): string => to.split("/").find(Boolean) ?? ""

/** An address that a text of a post may have had. */
interface Claim {
  path: string
  post: LocalPost
  /** Language of a translation; null for the source text. */
  lang: string | null
  /** The author, an export or the blog's tool names it; otherwise the file's name and date make it likely. */
  isNamed: boolean
  /** It is the one at which the old site most likely showed the text. */
  isFirst: boolean
}

/** Returns where the address of a text leads. */
const targetOf = ({ post, lang }: Claim): string => (lang === null ? post.slug : `/${post.slug}/${lang}/`)

/** Returns a way to find the post of a line in `redirects.csv`. */
const pageFinder = (posts: LocalPost[]) => {
  const byFile = new Map(posts.map((post) => [post.source.file, post]))
  const bySlug = new Map(posts.map((post) => [post.slug, post]))
  return ({ slug, file }: OldPage): LocalPost | undefined => byFile.get(file) ?? bySlug.get(slug)
}

/** Lists the addresses of posts, the surest first: listed ones, the one that the tool gives each text, named ones, and likely ones. */
const claimsOf = (posts: LocalPost[], pages: OldPage[]): Claim[] => {
  const find = pageFinder(posts)
  const listed = pages.flatMap((page) => {
    const post = find(page)
    return post ? [{ path: page.path, post, lang: null, isNamed: true, isFirst: false }] : []
  })
  const texts = posts.flatMap((post) => [
    { post, lang: null, text: post.source, likely: post.likelyPaths },
    ...Object.entries(post.translations).map(([lang, text]) => ({ post, lang, text, likely: [] })),
  ])
  const given = texts.flatMap(({ post, lang, text }) =>
    text.addresses.slice(0, 1).map((path) => ({ path, post, lang, isNamed: true, isFirst: true })),
  )
  const named = texts.flatMap(({ post, lang, text }) =>
    text.namedPaths.map((path) => ({ path, post, lang, isNamed: true, isFirst: false })),
  )
  // If there are too many, each post has its likeliest ones.
  const usual = texts
    .flatMap(({ post, lang, text: { addresses }, likely }) =>
      [...addresses.slice(1), ...likely].map((path, rank) => {
        const isFirst = rank === 0 && addresses.length === 0
        return { path, post, lang, isNamed: false, isFirst, rank }
      }),
    )
    .toSorted((one, other) => one.rank - other.rank)
  return [...listed, ...given, ...named, ...usual]
}

/** Chooses the post of each address, the first address of each text first. One that several posts may have had without a name leads to none of them. */
const choose = (claims: Claim[]): [path: string, claim: Claim][] => {
  const chosen = new Map<string, Claim>()
  const unclear = new Set<string>()
  for (const claim of claims) {
    const { whole } = toOldPath(claim.path)
    const before = chosen.get(whole)
    if (whole === "/" || whole.length > MAX_OLD_PATH_CHARS) continue
    if (!before) chosen.set(whole, claim)
    else if (before.post === claim.post) before.isFirst ||= claim.isFirst
    else if (!before.isNamed && whole !== `/${before.post.slug}`)
      if (whole === `/${claim.post.slug}`) {
        chosen.set(whole, claim)
        unclear.delete(whole)
      } else unclear.add(whole)
  }
  const [first = [], others = []] = [true, false].map((isFirst) =>
    [...chosen].filter(([path, claim]) => !unclear.has(path) && claim.isFirst === isFirst),
  )
  return [...first, ...others]
}

/** Says which addresses several posts name: they lead to the first one. */
const remarksOnNames = (posts: LocalPost[]): string[] => {
  const named = posts.flatMap(({ source: { namedPaths, file } }) =>
    [...new Set(namedPaths.map((path) => toOldPath(path).whole))].map((path) => ({ path, file })),
  )
  return [...Map.groupBy(named, ({ path }) => path)].flatMap(([path, claims]) =>
    claims.length > 1 ? [`${path} is an old address in ${claims.map(({ file }) => file).join(" and in ")}.`] : [],
  )
}

/** Says which lines of `redirects.csv` lead to no post. */
const remarksOnPages = (posts: LocalPost[], pages: OldPage[]): string[] => {
  const find = pageFinder(posts)
  const lost = pages.filter((page) => page.path === "" || find(page) === undefined).map(({ line }) => line)
  return lost.length > 0
    ? [`${REDIRECTS_FILE} names no path and post of the folder (old_path,slug,file) in line ${lost.join(", ")}.`]
    : []
}

/** Lists the addresses of a post in the other languages of the blog, below the code of each, if its tool does not tell them. */
const inLanguages =
  (languages: string[]) =>
  ([path, { post }]: [string, Claim]): OldRedirect[] =>
    post.source.addresses.length > 0
      ? []
      : languages.map((lang) => ({
          from: `/${lang.toLowerCase()}${path}`,
          // Tools show the source text in a language that a post does not have.
          to: post.translations[lang] ? `/${post.slug}/${lang}/` : post.slug,
        }))

/** Bytes of the redirects as JSON; the service takes 1 MiB. */
const MAX_BYTES = 1_000_000

/** Returns the first redirects that fit into a request. */
const fitting = (wanted: OldRedirect[]): OldRedirect[] => {
  let bytes = 0
  return wanted.slice(0, MAX_REDIRECTS).filter((redirect) => {
    bytes += Buffer.byteLength(JSON.stringify(redirect)) + 1
    return bytes <= MAX_BYTES
  })
}

/**
 * Plans the redirects of a folder. An address stays while the folder or the service has its post. If a post has another slug
 * than before, the address of the old slug leads to it, and so do those that led to the old slug.
 * @param posts all posts of the folder
 * @param pages what `redirects.csv` lists
 * @param there the folder's redirects on the service
 * @param kept slugs of the posts that stay on the service
 */
export const planRedirects = (
  posts: LocalPost[],
  pages: OldPage[],
  there: OldRedirect[],
  kept: ReadonlySet<string> = new Set(),
): Redirects => {
  const slugs = new Set(posts.map(({ slug }) => slug))
  const shown = posts.filter(({ isReadable, status }) => isReadable && status === "PB")
  const languages = [...new Set(shown.flatMap(({ translations }) => Object.keys(translations)))]
  const chosen = choose(claimsOf(shown, pages))
  const fresh = new Map(chosen.map(([path, claim]) => [path, targetOf(claim)]))
  const add = (from: string, to: string): void => {
    if (!fresh.has(from)) fresh.set(from, to)
  }
  for (const { from, to } of chosen.flatMap(inLanguages(languages))) add(from, to)
  // The post of a known address had another slug.
  const renamed = new Map(
    there.flatMap((redirect) => {
      const [old, target] = [slugOf(redirect), fresh.get(redirect.from)]
      return target === undefined || slugs.has(old) ? [] : [[old, slugOf({ to: target })] as const]
    }),
  )
  for (const [old, slug] of renamed) add(`/${old}`, slug)
  for (const redirect of there) {
    const old = slugOf(redirect)
    const slug = renamed.get(old)
    if (slug !== undefined) add(redirect.from, redirect.to.replace(old, slug))
    else if (slugs.has(old) || kept.has(old)) add(redirect.from, redirect.to)
  }
  const wanted = [...fresh].map(([from, to]) => ({ from, to }))
  const sent = fitting(wanted)
  const before = new Map(there.map(({ from, to }) => [from, to]))
  const after = new Set(sent.map(({ from }) => from))
  return {
    wanted: sent,
    changed: sent.filter(({ from, to }) => before.get(from) !== to),
    removed: there.filter(({ from }) => !after.has(from)),
    leftOut: wanted.length - sent.length,
    lost: chosen.filter(([path, { isFirst }]) => isFirst && !after.has(path)).length,
    remarks: [...remarksOnNames(shown), ...remarksOnPages(posts, pages)],
  }
}

/** Compares the redirects of a folder with the service. Without a mark it keeps none, as for a key that only writes drafts. */
export const compareRedirects = (
  { config: { source }, oldPages }: Blog,
  { account, redirects }: ServiceState,
  posts: LocalPost[],
  kept: ReadonlySet<string>,
): Redirects => {
  if (redirects !== null) return planRedirects(posts, oldPages ?? [], redirects, kept)
  const isNaming = oldPages !== null || posts.some(({ source: { namedPaths } }) => namedPaths.length > 0)
  const remark = "Old addresses are sent from a folder with a `source`: `edgepost init` gives it one."
  const isMarkMissing = source === null && account.key?.scope !== "draft" && isNaming
  return isMarkMissing ? { ...NO_REDIRECTS, remarks: [remark] } : NO_REDIRECTS
}
