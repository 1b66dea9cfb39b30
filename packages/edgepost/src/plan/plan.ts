import type { ListedPost } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import type { LeftOut, LocalPost } from "../folder/post.ts"
import type { FolderPosts } from "../folder/posts.ts"
import { UPLOAD_WINDOW_SECONDS } from "../limits.ts"
import { buildLinkIndex } from "../markdown/links.ts"
import { UsageError } from "../usage-error.ts"
import { type Blog, neededOf } from "./blog.ts"
import { type DesiredPost, toDesired, withImages } from "./desired.ts"
import { addSaid, type Entry, isWrite, planPost, planRemoval } from "./entry.ts"
import { countForeign, type ForeignKind } from "./foreign.ts"
import { leaveOutEmpty, nameShown } from "./left-out.ts"
import { isToSend, type Library, type StoredImages } from "./library.ts"
import { settlePages } from "./pages.ts"
import { compareRedirects, type Redirects } from "./redirects.ts"
import type { Author, ServiceState } from "./service.ts"
import { assignSlugs } from "./slugs.ts"

/** A plan, and what `publish` needs to carry it out. */
export interface Plan extends Pick<Blog, "root" | "library">, Pick<ServiceState, "account" | "there" | "images"> {
  entries: Entry[]
  /** Files that are no posts, and why. */
  leftOut: LeftOut[]
  /** Syntax that only the author's tool knows and that blocks posts. */
  foreign: ForeignKind[]
  /** Translations edited by hand on the service that no file of the folder has, as slug and BCP 47 code. */
  elsewhere: { slug: string; lang_code: string }[]
  /** Slugs of posts with the folder's mark that the folder no longer has, and that stay on the service. */
  gone: string[]
  /** Paths of blocked posts, because of which nothing is removed although `prune` asks for it. */
  heldBy: string[]
  /** Seconds that the limit of uploads takes. */
  uploadSeconds: number
  /** Characters (UTF-16) of texts that the service will translate, times their languages. */
  translatedCharacters: number
  /** The posts whose files can be read, as they should be, by slug. Images of the folder have the hash of their file for an id. */
  wanted: ReadonlyMap<string, DesiredPost>
  /** Why nothing is written, and what to do; null if posts are written. */
  stop: string | null
  /** The addresses of before that lead to the posts. */
  redirects: Redirects
  /** The mark of the folder's posts; null without one. */
  source: string | null
}

const uploadSeconds = (entries: Entry[], { limits }: Author): number => {
  const count = entries.reduce((sum, { uploads }) => sum + uploads.length, 0)
  const perMinute = limits["uploads_per_minute"] ?? 1
  return Math.max(0, Math.ceil(count / perMinute) - 1) * UPLOAD_WINDOW_SECONDS
}

const TEXT_FIELDS = new Set(["title", "meta_description", "body"])

/** Counts what the service will translate: a changed text, into each language that no file of the folder has. */
const charactersOf = (
  { fields, source, translations, primary_language }: DesiredPost,
  entry: Entry,
  account: Author,
) => {
  const isText = entry.action === "create" || entry.changes.post.some((name) => TEXT_FIELDS.has(name))
  const languages = fields.translation_languages ?? account.translation_languages
  const count = languages.filter((lang) => lang !== primary_language && !translations[lang]).length
  return isText ? count * (source.title.length + source.meta_description.length + source.body.length) : 0
}

/** Shares the images that are to be uploaded among the entries: each belongs to the first that shows it. */
const shareUploads = (entries: Entry[], wanted: DesiredPost[], { images }: Library, stored: StoredImages): void => {
  const shared = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    if (entry.action === "blocked") continue
    for (const file of wanted[i]?.images ?? []) {
      const image = images.get(file)
      if (!image || !isToSend(image, stored) || shared.has(image.sha256)) continue
      shared.add(image.sha256)
      entry.uploads.push(file)
    }
  }
}

/** Finds the translations that somebody edited on the service, and that no file has, of posts of the folder. */
const findElsewhere = (wanted: DesiredPost[], there: ServiceState["there"]): Plan["elsewhere"] =>
  wanted.flatMap(({ slug, translations, primary_language }) =>
    Object.entries(there.get(slug)?.texts ?? {})
      .filter(([lang, { edited }]) => edited.length > 0 && lang !== primary_language && !translations[lang])
      .map(([lang_code]) => ({ slug, lang_code })),
  )

/** Finds the posts with the folder's mark that the folder no longer has. */
const findGone = (
  { all, otherSlugs }: FolderPosts,
  there: ServiceState["there"],
  source: string | null,
): ListedPost[] => {
  if (source === null) return []
  const slugs = new Set([...all.map(({ slug }) => slug), ...otherSlugs])
  return [...there.values()].filter((post) => post.source === source && !slugs.has(post.slug))
}

const noPosts = (leftOut: LeftOut[]): UsageError => {
  const [first, ...others] = leftOut
  const more = others.length > 0 ? ` (and ${others.length} more)` : ""
  return first === undefined
    ? new UsageError("There are no Markdown files.", "Give the folder of the posts, such as `edgepost plan content/`.")
    : new UsageError(
        `There are no posts: ${first.file}${more} is left out: ${first.reason}.`,
        "Give each post a front matter with a title and a date, or name the files: `edgepost plan note.md`.",
      )
}

/**
 * Compares a folder with the service. Has no effects and makes no calls.
 * @param said what the service says about the texts of posts, by path of their file: see `askAbout`
 */
export const makePlan = (blog: Blog, service: ServiceState, said: ReadonlyMap<string, Finding[]> = new Map()): Plan => {
  const { root, config, convertOnce, library } = blog
  const { account, there, images } = service
  const { paths, prune, now, allowForeign, allowMissingImages } = blog.options
  const { site_url: siteUrl, source } = config
  const all = assignSlugs(blog.posts.all, there, source, service.others)
  const files = new Set(blog.posts.posts.map((post) => post.source.file))
  const posts = all.filter((post) => files.has(post.source.file))
  const named = settlePages({ ...blog.posts, all, posts }, there, blog.options)
  const chosen = leaveOutEmpty(named, neededOf(named, blog.options), convertOnce)
  if (chosen.posts.length === 0) throw noPosts(chosen.leftOut)
  // Links may lead to posts that are not among the paths.
  const { unrendered } = chosen
  const findPost = buildLinkIndex(chosen.all, { username: account.username, siteUrl, now, unrendered, convertOnce })
  const decide = (post: LocalPost) => {
    const wanted = toDesired(post, blog, service, findPost)
    const filled = withImages(wanted, images)
    const entry = addSaid(planPost(filled, there.get(post.slug), now), said.get(wanted.file) ?? [])
    return { wanted, entry, characters: isWrite(entry) ? charactersOf(filled, entry, account) : 0 }
  }
  const decided = chosen.posts.map(decide)
  const entries = decided.map(({ entry }) => entry)
  const wanted = decided.map((one) => one.wanted)
  shareUploads(entries, wanted, library, images)
  const gone = findGone(chosen, there, source)
  // A post that is blocked may be one that looks as if it were gone, under another name. Such a post may lie outside of the paths.
  const others = prune && paths.length > 0 ? chosen.all.map((post) => decide(post).entry) : []
  const blocked = [...entries, ...others].filter(({ action }) => action === "blocked")
  const heldBy = prune ? [...new Set(blocked.flatMap(({ file }) => file ?? []))].toSorted() : []
  const removed = prune && heldBy.length === 0 ? gone.map(planRemoval) : []
  const removedSlugs = removed.map(({ slug }) => slug)
  const kept = new Set([...there.keys()].filter((slug) => !removedSlugs.includes(slug)))
  const readable = new Set(chosen.posts.filter(({ isReadable }) => isReadable).map((post) => post.source.file))
  return {
    root,
    account,
    entries: [...entries, ...removed],
    leftOut: nameShown(chosen, there, source, removedSlugs),
    foreign: allowForeign ? [] : countForeign(chosen.posts, (text) => convertOnce(text).foreign),
    elsewhere: findElsewhere(wanted, there),
    gone: removed.length > 0 || (paths.length > 0 && !prune) ? [] : gone.map(({ slug }) => slug),
    heldBy,
    uploadSeconds: uploadSeconds(entries, account),
    translatedCharacters: decided.reduce((sum, { characters }) => sum + characters, 0),
    wanted: new Map(wanted.filter(({ file }) => readable.has(file)).map((post) => [post.slug, post])),
    stop: allowMissingImages ? null : blog.gap,
    library,
    images,
    there,
    redirects: compareRedirects(blog, service, chosen.all, kept),
    source,
  }
}
