import type { Client, ListedPost } from "../client/index.ts"
import type { FolderConfig } from "../config.ts"
import type { Finding } from "../finding.ts"
import type { Folder } from "../folder/files.ts"
import type { LeftOut, LocalPost } from "../folder/post.ts"
import { type FolderPosts, readPosts } from "../folder/posts.ts"
import { readGenerator } from "../generator/generator.ts"
import { UPLOAD_WINDOW_SECONDS } from "../limits.ts"
import { type Converted, convert } from "../markdown/convert.ts"
import { isData, listImages } from "../markdown/images.ts"
import { buildLinkIndex } from "../markdown/links.ts"
import type { Theme } from "../markdown/theme.ts"
import { UsageError } from "../usage-error.ts"
import { checkEntries } from "./check.ts"
import { type DesiredPost, type Surroundings, toDesired } from "./desired.ts"
import { type Entry, isWrite, planPost, planRemoval } from "./entry.ts"
import { countForeign, type ForeignKind } from "./foreign.ts"
import { leaveOutEmpty, nameShown } from "./left-out.ts"
import { isToSend, type Library, lookUp, lookUpConverted, openLibrary } from "./library.ts"
import { NO_SERVICE, toChecked } from "./offline.ts"
import { compareRedirects, NO_REDIRECTS, type Redirects } from "./redirects.ts"
import type { Author, Service } from "./service.ts"
import { assignSlugs } from "./slugs.ts"

/** A plan, and what `publish` needs to carry it out. */
export interface Plan {
  /** Absolute path of the folder's root. */
  root: string
  account: Author
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
  /** Returns a post as it should be now, after uploads. */
  desired: (slug: string) => DesiredPost
  /** Why nothing is written, and what to do; null if posts are written. */
  stop: string | null
  library: Library
  /** The posts of the account on the service, by slug. */
  there: Map<string, ListedPost>
  /** The addresses of before that lead to the posts. */
  redirects: Redirects
  /** The mark of the folder's posts; null without one. */
  source: string | null
}

export interface PlanOptions {
  /** Paths from the root of files and folders; all posts of the folder if empty. */
  paths: string[]
  /** Foreign syntax is a warning, and is published as it stands. */
  allowForeign: boolean
  /** Posts are written even if over a tenth of the images are missing. */
  allowMissingImages: boolean
  /** Posts with the folder's mark that the folder no longer has are removed. */
  prune: boolean
  /** Asks the service about each text that would be written; called before each post with its number. Without it nothing is asked. */
  onCheck?: (number: number, all: number) => void
  now: Date
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

/** Converts all texts of posts, by path of their file. */
export const convertAll = (posts: LocalPost[], theme: Theme, allowForeign: boolean): Map<string, Converted> => {
  const texts = posts.flatMap(({ source, translations }) => [source, ...Object.values(translations)])
  const soften = (finding: Finding): Finding =>
    allowForeign && finding.code === "foreign_syntax"
      ? { ...finding, level: "warning", message: finding.message.replace(/ Write it .*$/, "") }
      : finding
  return new Map(
    texts.map((text) => {
      const converted = convert(text, theme)
      return [text.file, { ...converted, findings: converted.findings.map(soften) }]
    }),
  )
}

function* referencesOf(posts: LocalPost[], converted: Map<string, Converted>) {
  for (const { cover, source } of posts)
    if (cover !== null) yield { reference: cover, file: source.file, isStored: source.isStored }
  for (const [file, { body, isStored }] of converted)
    for (const reference of listImages(body)) if (!isStored || !isData(reference)) yield { reference, file, isStored }
}

/** Shares the images that are to be uploaded among the entries: each belongs to the first that shows it. */
const shareUploads = (entries: Entry[], wanted: DesiredPost[], { images }: Library): void => {
  const shared = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    if (entry.action === "blocked") continue
    for (const file of wanted[i]?.images ?? []) {
      const image = images.get(file)
      if (!image || !isToSend(image) || shared.has(image.sha256)) continue
      shared.add(image.sha256)
      entry.uploads.push(file)
    }
  }
}

/** Finds the translations that somebody edited on the service, and that no file has, of posts of the folder. */
const findElsewhere = (wanted: DesiredPost[], there: Map<string, ListedPost>): Plan["elsewhere"] =>
  wanted.flatMap(({ slug, translations, primary_language }) =>
    Object.entries(there.get(slug)?.texts ?? {})
      .filter(([lang, { edited }]) => edited.length > 0 && lang !== primary_language && !translations[lang])
      .map(([lang_code]) => ({ slug, lang_code })),
  )

const noPosts = (leftOut: LeftOut[]): UsageError => {
  const [first, ...others] = leftOut
  const more = others.length > 0 ? ` (and ${others.length} more)` : ""
  return first === undefined
    ? new UsageError("There are no Markdown files.", "Give the folder of the posts, such as `edgepost plan content/`.")
    : new UsageError(
        `There are no posts: ${first.file}${more} is left out: ${first.reason}.`,
        "Give each post a front matter with a title, or name the files: `edgepost plan note.md`.",
      )
}

interface Read {
  /** Says that so many images of the folder are missing that nothing is written; null if they are few. */
  gap: string | null
  chosen: FolderPosts
  surroundings: Surroundings
}

/** Finds the image files of posts that show an image on the service whose file it does not know, and that no file here is. */
const findUnnamed = (posts: LocalPost[], surroundings: Surroundings): string[] => {
  const known = new Set([...surroundings.library.images.values()].map(({ image_id }) => image_id))
  const isUnnamed = ({ image_id, source_sha256, original_sha256 }: ListedPost["images"][number]): boolean =>
    source_sha256 !== null && original_sha256 === null && !known.has(image_id)
  return posts.flatMap((post) =>
    surroundings.there.get(post.slug)?.images.some(isUnnamed) ? toDesired(post, surroundings).images : [],
  )
}

/** Over this part of the images missing, the folder is taken for incomplete. */
const MAX_MISSING = 1 / 10

/** Says that so many images are missing that the checkout of the folder must be incomplete; null if they are few. */
const findGap = ({ images, notes, missing, pointers }: Library): string | null => {
  const all = new Set([...images.keys(), ...notes.keys(), ...missing, ...pointers]).size
  const count = missing.size + pointers.size
  if (count <= all * MAX_MISSING) return null
  const advice =
    pointers.size > 0
      ? `Git LFS has not fetched ${pointers.size} of them: run \`git lfs pull\``
      : "Add the files, or correct their paths. If the checkout is sparse, run `git sparse-checkout disable`"
  return `${count} of ${all} images are missing, so nothing is written. ${advice}. To publish without them, give --allow-missing-images.`
}

/** Reads the folder, and what the service has: one call for the account, one for 100 posts, and one for 100 images. */
const read = async (
  service: Service,
  folder: Folder,
  config: FolderConfig,
  { paths, allowForeign, prune, now }: PlanOptions,
): Promise<Read> => {
  const account = await service.getAccount()
  const generator = await readGenerator(folder)
  const theme = { ...config, generator }
  const found = await readPosts(folder, {
    generator,
    timezone: config.timezone,
    category: config.category,
    primaryLanguage: config.primary_language ?? account.primary_language,
    theme,
    now,
    paths,
  })
  const there = new Map<string, ListedPost>()
  for await (const post of service.paginatePosts()) there.set(post.slug, post)
  const all = assignSlugs(found.all, there, config.source)
  const files = new Set(found.posts.map(({ source }) => source.file))
  const posts = all.filter(({ source }) => files.has(source.file))
  const converted = convertAll(prune ? all : posts, theme, allowForeign)
  const chosen = leaveOutEmpty({ ...found, all, posts }, converted)
  if (chosen.posts.length === 0) throw noPosts(chosen.leftOut)
  const needed = prune ? chosen.all : chosen.posts
  const library = await openLibrary(folder, referencesOf(needed, converted), config.site_url)
  await lookUp(service, library)
  // Links may lead to posts that are not among the paths.
  const { unrendered } = chosen
  const { site_url: siteUrl } = config
  const findPost = buildLinkIndex(chosen.all, { username: account.username, siteUrl, now, theme, unrendered })
  const surroundings = { account, config, library, findPost, converted, there }
  await lookUpConverted(service, library, findUnnamed(needed, surroundings))
  // Images of other posts count only if some are missing here.
  const readAll = () => openLibrary(folder, referencesOf(all, convertAll(all, theme, allowForeign)), config.site_url)
  const gap = findGap(library) && findGap(needed.length === all.length ? library : await readAll())
  return { gap, chosen, surroundings }
}

/** Decides what to do with each post. */
const decide = (
  posts: LocalPost[],
  surroundings: Surroundings,
  now: Date,
): { wanted: DesiredPost[]; entries: Entry[] } => {
  const wanted = posts.map((post) => toDesired(post, surroundings))
  const entries = wanted.map((post) => planPost(post, surroundings.there.get(post.slug), now))
  shareUploads(entries, wanted, surroundings.library)
  return { wanted, entries }
}

/** Finds the posts with the folder's mark that the folder no longer has. */
const findGone = ({ chosen, surroundings: { config, there } }: Read): ListedPost[] => {
  if (config.source === null) return []
  const slugs = new Set([...chosen.all.map(({ slug }) => slug), ...chosen.otherSlugs])
  return [...there.values()].filter(({ source, slug }) => source === config.source && !slugs.has(slug))
}

/**
 * Compares a folder with the service. Only reads.
 * @param client null to check the folder alone
 */
export const makePlan = async (
  client: Client | null,
  folder: Folder,
  config: FolderConfig,
  options: PlanOptions,
): Promise<Plan> => {
  const { paths, prune, onCheck, now } = options
  const found = await read(client ?? NO_SERVICE, folder, config, options)
  const { gap, chosen, surroundings } = found
  const { account, library, there } = surroundings
  const { wanted, entries: decided } = decide(chosen.posts, surroundings, now)
  const isDraftKey = account.key?.scope === "draft"
  const asked = client && onCheck ? await checkEntries(client, decided, wanted, isDraftKey, onCheck) : decided
  const entries = client === null ? asked.map(toChecked) : asked
  const gone = findGone(found)
  // A post that is blocked may be one that looks as if it were gone, under another name. Such a post may lie outside of the paths.
  const others = prune && paths.length > 0 ? decide(chosen.all, surroundings, now).entries : []
  const blocked = [...asked, ...others].filter(({ action }) => action === "blocked")
  const heldBy = prune ? [...new Set(blocked.flatMap(({ file }) => file ?? []))].toSorted() : []
  const removed = prune && heldBy.length === 0 ? gone.map(planRemoval) : []
  const kept = new Set([...there.keys()].filter((slug) => !removed.some((one) => one.slug === slug)))
  const redirects = client && (await compareRedirects(client, folder, chosen.all, { config, account, kept }))
  const posts = new Map(chosen.posts.filter(({ isReadable }) => isReadable).map((post) => [post.slug, post]))
  return {
    root: folder.root,
    account,
    entries: [...entries, ...removed],
    leftOut: nameShown(
      chosen,
      there,
      config.source,
      removed.map(({ slug }) => slug),
    ),
    foreign: options.allowForeign ? [] : countForeign(chosen.posts, surroundings.converted),
    elsewhere: findElsewhere(wanted, there),
    gone: removed.length > 0 || (paths.length > 0 && !prune) ? [] : gone.map(({ slug }) => slug),
    heldBy,
    uploadSeconds: uploadSeconds(entries, account),
    translatedCharacters: wanted.reduce((sum, post, i) => {
      const entry = entries[i]
      return entry && isWrite(entry) ? sum + charactersOf(post, entry, account) : sum
    }, 0),
    desired: (slug) => {
      const post = posts.get(slug)
      if (!post) throw new Error(`The folder has no post ${slug}.`)
      return toDesired(post, surroundings)
    },
    stop: options.allowMissingImages ? null : gap,
    library,
    there,
    redirects: redirects ?? NO_REDIRECTS,
    source: config.source,
  }
}
