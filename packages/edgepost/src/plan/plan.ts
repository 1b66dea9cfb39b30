import type { ListedPost } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import { type LeftOut, type LocalPost, timesOf } from "../folder/post.ts"
import { sha256 } from "../hash.ts"
import { UPLOAD_WINDOW_SECONDS } from "../limits.ts"
import { buildLinkIndex } from "../markdown/links.ts"
import { type Blog, neededOf } from "./blog.ts"
import { type DesiredPost, toDesired, withImages } from "./desired.ts"
import { addSaid, type Entry, isWrite, planPost } from "./entry.ts"
import { countForeign, type ForeignKind } from "./foreign.ts"
import { findDrafts, type FolderText, type Gone, isOneOf, planGone, textsOfDesired } from "./gone.ts"
import { isToSend, type Library, type StoredImages } from "./image-library.ts"
import { leaveOutEmpty, nameShown, noPosts } from "./left-out.ts"
import { settleLineBreaks } from "./line-breaks.ts"
import { settlePages } from "./pages.ts"
import { compareRedirects, type Redirects } from "./redirects.ts"
import type { Author, ServiceState } from "./service.ts"
import { assignSlugs } from "./slugs.ts"
import { settleStatus, textsToHold } from "./status.ts"
import { type Risk, tooManyChanges, tooManyMissing, toRisk } from "./stop.ts"

/** A plan, and what `publish` needs to carry it out. */
export interface Plan
  extends Pick<Blog, "root" | "library" | "readAs">, Pick<ServiceState, "account" | "there" | "images"> {
  entries: Entry[]
  /** Files that are no posts, and why. */
  leftOut: LeftOut[]
  /** Syntax that only the author's tool knows and that blocks posts. */
  foreign: ForeignKind[]
  /** Translations edited by hand on the service that no file of the folder has, as slug and BCP 47 code. */
  elsewhere: { slug: string; lang_code: string }[]
  /** Slugs of posts with the folder's mark that the folder no longer has, and that stay on the service. */
  gone: string[]
  /** Posts with the folder's mark that stay since a file of the folder may be theirs. */
  alike: Gone["alike"]
  /** Paths of blocked posts, because of which nothing is removed although `prune` asks for it. */
  heldBy: string[]
  /** Why nothing is removed although `prune` asks for it, if not for blocked posts: the folder may lack files, or new posts look like old ones. */
  held: string | null
  /** The changes of posts for which a run may stop. */
  risks: Risk[]
  /** Notices about the folder as a whole. */
  notices: string[]
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

/** A post of the folder, as it should be, and what to do with it. */
interface Decided {
  post: LocalPost
  wanted: DesiredPost
  /** With the images that the service has. */
  filled: DesiredPost
  entry: Entry
}

const TEXT_FIELDS = new Set(["title", "meta_description", "body"])

const hasNewText = ({ changes }: Entry): boolean => changes.post.some((name) => TEXT_FIELDS.has(name))

/** Tells whether the folder or the configuration alone hides or shows a post: neither a field of its file nor its text asks for it. */
const isByRule = ({ post, entry }: Decided): boolean =>
  post.isStatusByRule && entry.changes.post.includes("status") && !hasNewText(entry)

/** Counts what the service will translate: a changed text, into each language that no file of the folder has. */
const charactersOf = ({ filled, entry }: Decided, account: Author): number => {
  if (!isWrite(entry)) return 0
  const { fields, source, translations, primary_language } = filled
  const isText = entry.action === "create" || hasNewText(entry)
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

/**
 * Finds posts whose files give another slug than before: the same but for that, or for the title or the date.
 * @param unclaimed posts with the folder's mark that no post of the folder has
 * @param known those that are found already
 * @returns the slugs that they keep, by path of their file
 */
const findKept = (decided: Decided[], unclaimed: ListedPost[], known: ReadonlyMap<string, string>) => {
  const kept = new Map(known)
  for (const { post, filled, entry } of decided) {
    if (entry.action !== "create" || !post.isSlugDerived || known.has(post.source.file)) continue
    const { title, body } = filled.source
    const hash = sha256(body)
    const found = unclaimed.filter(
      (one) =>
        hash === one.texts[one.primary_language]?.body_sha256 && (one.title === title || isOneOf(timesOf(post), one)),
    )
    if (found[0] && found.length === 1) kept.set(post.source.file, found[0].slug)
  }
  return kept
}

const READ_KEY =
  "The key has the scope read, which sees no drafts: drafts of the service stand here as new posts. A key with the scope draft sees them."

/** Tells whether the service has no post of the folder. Without a mark, a slug alone makes none of a post that somebody wrote there. */
const isFirstRun = (all: LocalPost[], own: ListedPost[], source: string | null): boolean => {
  if (source !== null) return own.every((post) => post.source !== source)
  const bySlug = new Map(all.map((post) => [post.slug, post]))
  return !own.some((there) => {
    const post = bySlug.get(there.slug)
    return post?.source.title.normalize("NFC") === there.title && isOneOf(timesOf(post), there)
  })
}

const textsOfDecided = ({ filled, post }: Decided): FolderText[] => textsOfDesired(filled, timesOf(post))

/** Matches the addresses of an account's posts, with their slugs: `/@ann/a/`. Does not match `/@ann/`. */
const linksTo = (username: string): RegExp => new RegExp(`/@${username}/([a-z0-9-]+)/`, "g")

/** Warns of links to new posts that are blocked. */
const warnOfBlocked = (decided: Decided[], { account, there }: ServiceState): Decided[] => {
  const isLost = ({ entry }: Decided): boolean => entry.action === "blocked" && !there.has(entry.slug)
  const lost = new Map(decided.filter(isLost).map(({ entry }) => [entry.slug, entry.file]))
  if (lost.size === 0) return decided
  return decided.map((one) => {
    const { source, translations, places, primary_language, slug: own } = one.wanted
    const texts = Object.entries({ ...translations, [primary_language]: source })
    const findings = texts.flatMap(([lang, { body }]) =>
      [...body.matchAll(linksTo(account.username))].flatMap(({ 1: slug = "", index }): Finding[] => {
        const place = places[lang]
        if (slug === own || !lost.has(slug) || !place) return []
        const line = place.lineOf(body.slice(0, index).split("\n").length)
        const message = `Readers do not find ${lost.get(slug)}, which is blocked. Correct that post, or remove the link.`
        return [{ level: "warning", code: "blocked_link", message, file: place.file, line }]
      }),
    )
    return { ...one, entry: { ...one.entry, findings: [...one.entry.findings, ...findings] } }
  })
}

/**
 * Compares a folder with the service. Has no effects and makes no calls.
 * @param said what the service says about the texts of posts, by path of their file: see `askAbout`
 * @param kept slugs that posts have on the service, by path of their file: see `findKept`
 * @param drafts slugs of drafts of the service, by path of the file that has their text under another slug
 */
export const makePlan = (
  blog: Blog,
  service: ServiceState,
  said: ReadonlyMap<string, Finding[]> = new Map(),
  kept: ReadonlyMap<string, string> = new Map(),
  drafts: ReadonlyMap<string, string> = new Map(),
): Plan => {
  const { root, config, convertOnce, library, question } = blog
  const { account, there, images } = service
  const { paths, prune, now, allowForeign, allowMissingImages, acceptChanges, incomplete } = blog.options
  const { site_url: siteUrl, source } = config
  const all = assignSlugs(blog.posts.all, account.username, there, source, service.others, kept).map((post) =>
    settleStatus(post, there, drafts),
  )
  const files = new Set(blog.posts.posts.map((post) => post.source.file))
  const posts = all.filter((post) => files.has(post.source.file))
  const named = settlePages({ ...blog.posts, all, posts }, there, source, blog.options)
  const chosen = leaveOutEmpty(named, neededOf(named, blog.options), convertOnce)
  if (chosen.posts.length === 0) throw noPosts(chosen.leftOut, question)
  // Links may lead to posts that are not among the paths.
  const { unrendered } = chosen
  const findPost = buildLinkIndex(chosen.all, { username: account.username, siteUrl, now, unrendered, convertOnce })
  const make = (post: LocalPost, isBroken: boolean) =>
    withImages(toDesired(post, blog, service, findPost, isBroken), images)
  const { isBroken, notices } = settleLineBreaks(chosen.posts, chosen.all, blog, service, make)
  const desire = (post: LocalPost) => toDesired(post, blog, service, findPost, isBroken(post))
  const decide = (post: LocalPost): Decided => {
    const wanted = desire(post)
    const filled = withImages(wanted, images)
    const entry = addSaid(planPost(filled, there.get(post.slug), now), said.get(wanted.file) ?? [])
    return { post, wanted, filled, entry }
  }
  const decided = warnOfBlocked(chosen.posts.map(decide), service)
  const slugs = new Set(chosen.all.map(({ slug }) => slug))
  const own = [...there.values()].filter((post) =>
    post.source === null ? slugs.has(post.slug) : post.source === source,
  )
  const unclaimed = own.filter(({ slug }) => !slugs.has(slug))
  const found = findKept(decided, unclaimed, kept)
  if (found.size > kept.size) return makePlan(blog, service, said, found, drafts)
  const unpaired = [...there.values()].filter((post) => post.source === source && !slugs.has(post.slug))
  const toHold = decided.flatMap((one) => textsToHold(one.post, textsOfDecided(one), there.get(one.post.slug)))
  const held = new Map([...drafts, ...findDrafts(unpaired, toHold)])
  if (held.size > drafts.size) return makePlan(blog, service, said, kept, held)
  const wanted = decided.map((one) => one.wanted)
  shareUploads(
    decided.map(({ entry }) => entry),
    wanted,
    library,
    images,
  )
  // A post that is blocked may be one that looks as if it were gone, under another name. Such a post may lie outside of the paths.
  const whole = prune && paths.length > 0 ? chosen.all.map(decide) : decided
  const blocked = [...decided, ...whole].filter(({ entry }) => entry.action === "blocked")
  const known = new Set(unclaimed.flatMap(({ slug, title }) => [slug, title]))
  // Before a post is removed, the text of each file is looked at.
  const aside = [...chosen.others, ...unrendered].filter(
    ({ slug, source: { title } }) => known.size > 0 && (prune || known.has(slug) || known.has(title.normalize("NFC"))),
  )
  const gone = planGone(
    unclaimed,
    {
      leftOut: aside.flatMap((post) => textsOfDesired(desire(post), timesOf(post))),
      read: whole.flatMap(textsOfDecided),
      created: whole.filter(({ post }) => !there.has(post.slug)).flatMap(textsOfDecided),
    },
    chosen.leftOut,
    { prune, incomplete, isBlocked: blocked.length > 0 },
  )
  const entries = [...decided.map(({ entry }) => entry), ...gone.entries]
  const isFirst = isFirstRun(chosen.all, own, source)
  const isAsked = isFirst || (blog.asksAgain && entries.some(({ action }) => action === "create"))
  const removed = new Set(gone.entries.flatMap(({ action, slug }) => (action === "remove" ? [slug] : [])))
  const keptSlugs = new Set([...there.keys()].filter((slug) => !removed.has(slug)))
  const readable = new Set(chosen.posts.filter(({ isReadable }) => isReadable).map((post) => post.source.file))
  const isPart = paths.length > 0 && !prune
  const byRule = new Set([...gone.byRule, ...decided.filter(isByRule).map(({ entry }) => entry.slug)])
  const risks = [
    ...entries.flatMap((entry) => toRisk(entry, there.get(entry.slug), byRule, now)),
    ...gone.renamed.map((slug): Risk => ({ kind: "rename", slug, isByRule: false })),
  ]
  const lost = wanted.reduce((sum, one) => sum + one.lost, 0)
  const stops = [
    isAsked ? question : null,
    allowMissingImages ? null : tooManyMissing(lost, blog.imageCount),
    acceptChanges ? null : tooManyChanges(risks, own.length),
  ]
  return {
    root,
    account,
    entries,
    leftOut: nameShown(
      chosen,
      there,
      source,
      gone.entries.map(({ slug }) => slug),
    ),
    foreign: allowForeign ? [] : countForeign(chosen.posts, (text) => convertOnce(text).foreign),
    elsewhere: findElsewhere(wanted, there),
    gone: isPart || removed.size > 0 ? [] : gone.stays,
    alike: isPart ? [] : gone.alike,
    heldBy: prune ? [...new Set(blocked.flatMap(({ entry }) => entry.file ?? []))].toSorted() : [],
    held: prune ? gone.held : null,
    risks,
    readAs: isFirst && question === null ? blog.readAs : null,
    notices: [
      ...chosen.remarks,
      ...(account.key?.scope === "read" ? [READ_KEY] : []),
      ...notices,
      ...(question !== null && !isAsked ? [`The service has posts of this folder, so it goes on. ${question}`] : []),
    ],
    uploadSeconds: uploadSeconds(entries, account),
    translatedCharacters: decided.reduce((sum, one) => sum + charactersOf(one, account), 0),
    wanted: new Map(wanted.filter(({ file }) => readable.has(file)).map((post) => [post.slug, post])),
    stop: stops.find((one) => one !== null) ?? null,
    library,
    images,
    there,
    redirects: compareRedirects(blog, service, chosen.all, keptSlugs),
    source,
  }
}
