import type { Account, Client, ListedPost } from "../client/index.ts"
import type { FolderConfig } from "../config.ts"
import type { Finding } from "../finding.ts"
import type { Folder } from "../folder/files.ts"
import type { LocalPost } from "../folder/post.ts"
import { readPosts } from "../folder/posts.ts"
import { type Converted, convert } from "../markdown/convert.ts"
import { listImages } from "../markdown/images.ts"
import { buildLinkIndex } from "../markdown/links.ts"
import { UsageError } from "../usage-error.ts"
import { type Changes, compare } from "./compare.ts"
import { type DesiredPost, type Surroundings, desire } from "./desired.ts"
import { type Library, lookUp, openLibrary } from "./library.ts"

/** What a plan does with a post. */
export type Action = "create" | "update" | "unchanged" | "blocked" | "remove"

export interface Entry {
  action: Action
  slug: string
  /** Path of the source text's file; null for a post that is only on the service. */
  file: string | null
  /** What differs, if the post is updated. */
  changes: Changes
  /** Paths of the images that are not on the service yet and that no earlier entry uploads. */
  uploads: string[]
  findings: Finding[]
}

/** A plan, and what `publish` needs to carry it out. */
export interface Plan {
  account: Account
  entries: Entry[]
  /** Files given by name that are no posts. */
  skipped: Finding[]
  /** Seconds that the limit of uploads takes. */
  uploadSeconds: number
  /** Characters (UTF-16) of texts that the service will translate, times their languages. */
  translatedCharacters: number
  /** Returns a post as it should be now, after uploads. */
  desired: (slug: string) => DesiredPost
  library: Library
  /** The posts of the account on the service, by slug. */
  there: Map<string, ListedPost>
}

export interface PlanOptions {
  /** Paths from the root of files and folders; all posts of the folder if empty. */
  paths: string[]
  /** Foreign syntax is a warning, and is published as it stands. */
  allowForeign: boolean
  /** Posts with the folder's mark that the folder no longer has are removed. */
  prune: boolean
  now: Date
}

const UPLOAD_WINDOW_SECONDS = 60

const uploadSeconds = (count: number, { limits }: Account): number => {
  const perMinute = limits["uploads_per_minute"] ?? 1
  return Math.max(0, Math.ceil(count / perMinute) - 1) * UPLOAD_WINDOW_SECONDS
}

const NOTHING: Changes = { post: [], translations: {} }
const TEXT_FIELDS = new Set(["title", "meta_description", "body"])

/** Counts what the service will translate: a changed text, into each language that no file of the folder has. */
const charactersOf = (
  { fields, source, translations, primary_language }: DesiredPost,
  entry: Entry,
  account: Account,
) => {
  const isText = entry.action === "create" || entry.changes.post.some((name) => TEXT_FIELDS.has(name))
  const languages = fields.translation_languages ?? account.translation_languages
  const count = languages.filter((lang) => lang !== primary_language && !translations[lang]).length
  return isText ? count * (source.title.length + source.meta_description.length + source.body.length) : 0
}

const convertAll = (posts: LocalPost[], allowForeign: boolean): Map<string, Converted> => {
  const texts = posts.flatMap(({ source, translations }) => [source, ...Object.values(translations)])
  const soften = (finding: Finding): Finding =>
    allowForeign && finding.code === "foreign_syntax" ? { ...finding, level: "warning" } : finding
  return new Map(
    texts.map((text) => {
      const converted = convert(text)
      return [text.file, { ...converted, findings: converted.findings.map(soften) }]
    }),
  )
}

function* referencesOf(posts: LocalPost[], converted: Map<string, Converted>) {
  for (const { cover, source } of posts) if (cover !== null) yield { reference: cover, file: source.file }
  for (const [file, { body }] of converted) for (const reference of listImages(body)) yield { reference, file }
}

const planPost = (desired: DesiredPost, found: ListedPost | undefined): Entry => {
  const { slug, file, findings } = desired
  const entry = { slug, file, changes: NOTHING, uploads: [], findings }
  if (findings.some(({ level }) => level === "error")) return { ...entry, action: "blocked" }
  if (!found) return { ...entry, action: "create" }
  const changes = compare(desired, found)
  const isChanged = changes.post.length > 0 || Object.keys(changes.translations).length > 0
  return { ...entry, changes, action: isChanged ? "update" : "unchanged" }
}

/** Shares the images that are to be uploaded among the entries: each belongs to the first that shows it. */
const shareUploads = (entries: Entry[], wanted: DesiredPost[], { images }: Library): void => {
  const shared = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    if (entry.action !== "create" && entry.action !== "update") continue
    for (const file of wanted[i]?.images ?? []) {
      const image = images.get(file)
      if (!image || image.image_id !== null || shared.has(image.sha256)) continue
      shared.add(image.sha256)
      entry.uploads.push(file)
    }
  }
}

const removals = (there: Map<string, ListedPost>, slugs: Set<string>, source: string): Entry[] =>
  [...there.values()]
    .filter((post) => post.source === source && !slugs.has(post.slug))
    .map(({ slug }) => ({ action: "remove", slug, file: null, changes: NOTHING, uploads: [], findings: [] }))

/** Refuses to remove posts while a file cannot be read: its post would look as if it were gone. @throws UsageError */
const requireReadable = ({ all, unreadable }: Awaited<ReturnType<typeof readPosts>>): void => {
  const broken = all.flatMap(({ findings }) => findings.filter(({ code }) => code === "front_matter"))
  const [finding] = [...unreadable, ...broken]
  if (finding)
    throw new UsageError(
      `--prune needs to know all posts, but ${finding.file} cannot be read: ${finding.message}`,
      "Correct the file, or leave --prune out.",
    )
}

/** Compares a folder with the service. Reads only: one call for the account, one for 100 posts, and one for 100 images. */
export const makePlan = async (
  client: Client,
  folder: Folder,
  config: FolderConfig,
  { paths, allowForeign, prune, now }: PlanOptions,
): Promise<Plan> => {
  const account = await client.getAccount()
  const primaryLanguage = config.primary_language ?? account.primary_language
  const chosen = await readPosts(folder, {
    timezone: config.timezone,
    category: config.category,
    primaryLanguage,
    now,
    paths,
  })
  const converted = convertAll(chosen.posts, allowForeign)
  const library = await openLibrary(folder, referencesOf(chosen.posts, converted), config.site_url)
  const there = new Map<string, ListedPost>()
  for await (const post of client.paginatePosts()) there.set(post.slug, post)
  await lookUp(client, library)
  const { username } = account
  // Links may lead to posts that are not among the paths.
  const findPost = buildLinkIndex(chosen.all, { username, siteUrl: config.site_url })
  const surroundings: Surroundings = { account, config, library, findPost, converted }
  const posts = new Map(chosen.posts.map((post) => [post.slug, post]))
  const desired = (slug: string): DesiredPost => {
    const post = posts.get(slug)
    if (!post) throw new Error(`The folder has no post ${slug}.`)
    return desire(post, surroundings)
  }
  const wanted = chosen.posts.map((post) => desire(post, surroundings))
  const entries = wanted.map((post) => planPost(post, there.get(post.slug)))
  shareUploads(entries, wanted, library)
  const translatedCharacters = entries.reduce(
    (sum, entry, i) =>
      wanted[i] && ["create", "update"].includes(entry.action) ? sum + charactersOf(wanted[i], entry, account) : sum,
    0,
  )
  const slugs = new Set(chosen.all.map(({ slug }) => slug))
  if (prune && config.source !== null) {
    requireReadable(chosen)
    entries.push(...removals(there, slugs, config.source))
  }
  const uploads = entries.reduce((sum, entry) => sum + entry.uploads.length, 0)
  return {
    account,
    entries,
    skipped: chosen.skipped,
    uploadSeconds: uploadSeconds(uploads, account),
    translatedCharacters,
    desired,
    library,
    there,
  }
}
