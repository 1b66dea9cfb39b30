import { posix } from "node:path"

import { parse } from "yaml"

import type { Finding } from "../finding.ts"
import { describeText, firstHeading } from "./description.ts"
import { readFields, type Fields } from "./fields.ts"
import { type Folder, FolderError } from "./files.ts"
import { type FrontMatter, FrontMatterError, splitFrontMatter } from "./front-matter.ts"
import { groupVariants, knownLanguage, type Variant } from "./languages.ts"
import type { LocalPost, LocalText } from "./post.ts"
import { makeSlug } from "./slug.ts"

export interface ReadOptions {
  /** IANA name of the time zone of dates without an offset; null if there is none. */
  timezone: string | null
  /** The category of posts for which neither front matter nor folder gives one; null makes that an error. */
  category: string | null
  /** BCP 47 code of the text that others translate, if no file is without a language. */
  primaryLanguage: string | null
  now: Date
  /** Files and folders of which to read the posts; all if empty. */
  paths: string[]
}

/** Larger files are no posts: the service takes bodies of 256 KiB. */
const MAX_FILE_BYTES = 2 ** 20

/** Matches files of Markdown. */
const MARKDOWN = /\.(?:md|mdx|markdown)$/i
/** Matches files that are about a repository, and lists of Hugo. */
const NO_POST =
  /(?:^|\/)(?:_index|readme|license|changelog|contributing|code_of_conduct|security)(?:\.[\w-]+)?\.(?:md|mdx|markdown)$/i
/** Matches folders of templates and of sites that are made. */
const NO_POSTS = /(?:^|\/)(?:_includes|_layouts|_site|layouts|themes|archetypes|templates|dist|node_modules)\//i
/** Matches a dated name, with its parts: `2020-01-02-name`. */
const DATED = /^(\d{4})-(\d{2})-(\d{2})-(.+)$/
/** Folders whose names say where posts are, and not what they are about. */
const ROOTS = new Set(
  "posts post blog blogs articles article content contents src source docs pages notes data app collections _posts _drafts drafts vault".split(
    " ",
  ),
)

interface Source {
  variant: Variant
  front: FrontMatter
  fields: Fields
  findings: Finding[]
}

/** Returns the name that stands for a post's file: without extension and language, that of its folder for `index`. */
const nameOf = (file: string): string => {
  const stem = posix.basename(file).replace(MARKDOWN, "")
  const [, base = stem, suffix = ""] = /^(.+)\.([^.]+)$/.exec(stem) ?? []
  const name = knownLanguage(suffix) === null ? stem : base
  const folder = posix.basename(posix.dirname(file))
  return /^index$/i.test(name) && folder !== "." ? folder : name
}

const isUnder = (file: string, paths: string[]): boolean =>
  paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`))

/** Returns the category that a post's folder names: the nearest one that is about something. */
const categoryOf = (file: string): string | null => {
  const folders = posix.dirname(file).split("/")
  const isBundle = /^index\b/i.test(posix.basename(file))
  const above = folders
    .slice(0, isBundle ? -1 : undefined)
    .filter((folder) => folder !== "." && knownLanguage(folder) === null)
  const start = above.findLastIndex((folder) => ROOTS.has(folder.toLowerCase()))
  const [first] = start < 0 ? [] : above.slice(start + 1)
  // Folders of years hold posts of all kinds.
  return first === undefined || /^\d+(?:-|$)/.test(first) ? null : first
}

const textOf = ({ variant: { file }, front, fields }: Source): LocalText => {
  const { body, bodyLine } = front
  const title =
    fields.title ??
    firstHeading(body) ??
    (DATED.exec(nameOf(file))?.[4] ?? nameOf(file)).replaceAll(/[-_]+/g, " ").trim()
  return { file, title, meta_description: fields.meta_description ?? (describeText(body) || title), body, bodyLine }
}

/** Returns the paths at which generators show a post by its file and date. */
const usualPaths = (file: string, published_at: string | null, slug: string): string[] => {
  const name = nameOf(file)
  const [, year, month, day, rest] = DATED.exec(name) ?? []
  const own = rest ?? name
  const date = year === undefined ? published_at?.slice(0, 10).split("-") : [year, month, day]
  const path = file.replace(MARKDOWN, "").replace(/(?:^|\/)index$/, "")
  const folders = path.split("/")
  const below = folders.slice(folders.findIndex((folder) => ROOTS.has(folder.toLowerCase())) + 1)
  const dated = date ? [1, 2, 3].map((count) => `/${[...date.slice(0, count), own].join("/")}`) : []
  return [`/${path}`, `/${below.join("/")}`, `/${own}`, `/${slug}`, ...dated]
}

const isPost = ({ variant: { file }, front, fields, findings }: Source, isNamed: boolean): boolean => {
  if (isNamed || findings.some(({ code }) => code === "front_matter")) return true
  const isDated =
    DATED.test(nameOf(file)) || fields.published_at !== null || findings.some(({ code }) => /date/.test(code))
  return !fields.isPage && Object.keys(front.data).length + (isDated ? 1 : 0) > 0 && (fields.title !== null || isDated)
}

/** Reads a file. @returns null if it cannot be a post */
const readSource = async (
  folder: Folder,
  variant: Variant,
  options: ReadOptions,
  authors: Record<string, string>,
): Promise<Source | null> => {
  const { file } = variant
  const fieldOptions = {
    ...options,
    authors,
    // Jekyll separates by spaces; Hexo, which has the same folders below `source`, does not.
    isSpaced: /(?:^|\/)_(?:posts|drafts)\//.test(file) && !/(?:^|\/)source\//.test(file),
    fileDate: DATED.exec(nameOf(file))?.slice(1, 4).join("-") ?? null,
  }
  try {
    const text = new TextDecoder().decode(await folder.read(file, MAX_FILE_BYTES))
    const front = splitFrontMatter(text)
    return { variant, front, ...readFields(front, file, fieldOptions) }
  } catch (error) {
    // A file that leads out of the folder is none of its files.
    if (error instanceof FolderError) return null
    if (!(error instanceof FrontMatterError)) throw error
    const front = { data: {}, lines: {}, body: "", bodyLine: 1 }
    const finding: Finding = { level: "error", code: "front_matter", message: error.message, file, line: error.line }
    return { variant, front, fields: readFields(front, file, fieldOptions).fields, findings: [finding] }
  }
}

const readAuthors = async (folder: Folder): Promise<Record<string, string>> => {
  const file = folder.files.find((path) => /(?:^|\/)authors\.ya?ml$/.test(path))
  if (file === undefined) return {}
  try {
    const data = parse((await folder.read(file, MAX_FILE_BYTES)).toString(), { maxAliasCount: 0 }) as Record<
      string,
      { name?: unknown }
    >
    return Object.fromEntries(Object.entries(data).map(([key, author]) => [key, String(author?.name ?? key)]))
  } catch {
    // Without the file authors are shown by their keys.
    return {}
  }
}

/** Makes a post of its source text and the translations of that. */
const toPost = (source: Source, others: Source[], { category }: ReadOptions): LocalPost => {
  const { variant, fields } = source
  const { file, lang } = variant
  const findings = [source, ...others].flatMap((one) => one.findings)
  const name = DATED.exec(nameOf(file))?.[4] ?? nameOf(file)
  const given = fields.slug ?? fields.permalink?.replace(/\.html?$/, "") ?? null
  const text = textOf(source)
  const slug = makeSlug([given === null ? null : posix.basename(given), name, text.title], file)
  const found = [fields.categories[0] ?? null, categoryOf(file), category].find((one) => one !== null)
  if (found === undefined)
    findings.push({
      level: "error",
      code: "missing_category",
      message: "The post has no category. Set `category` in edgepost.config.yaml, or `categories` in the post.",
      file,
      line: 1,
    })
  const primary_language = fields.lang === null ? lang : (knownLanguage(fields.lang) ?? fields.lang)
  return {
    slug,
    status: fields.isDraft || /(?:^|\/)_?drafts\//.test(file) ? "DF" : "PB",
    published_at: fields.published_at,
    categories: fields.categories.length > 0 ? fields.categories : [found ?? ""],
    tags: fields.tags,
    canonical_url: fields.canonical_url,
    author_name: fields.author_name,
    cover: fields.cover,
    primary_language,
    translation_languages: fields.translation_languages,
    source: text,
    translations: Object.fromEntries(others.map((other) => [other.variant.lang ?? "", textOf(other)])),
    oldPaths: [...new Set([...fields.paths, ...usualPaths(file, fields.published_at, slug)])],
    findings,
  }
}

/** Reads a group of files. @returns null if they are no post */
const readGroup = async (folder: Folder, group: Variant[], options: ReadOptions, authors: Record<string, string>) => {
  const read = await Promise.all(group.map((variant) => readSource(folder, variant, options, authors)))
  const sources = read.filter((source) => source !== null)
  const source =
    sources.find(({ variant }) => variant.lang === null) ??
    sources.find(({ variant }) => variant.lang === options.primaryLanguage) ??
    sources[0]
  if (!source || !isPost(source, options.paths.includes(source.variant.file))) return null
  // A draft of a translation waits until it is done.
  return toPost(
    source,
    sources.filter((other) => other !== source && !other.fields.isDraft),
    options,
  )
}

/** Marks posts that have the same slug: only one of them could be published. */
const markDuplicates = (posts: LocalPost[]): void => {
  for (const [slug, same] of Map.groupBy(posts, (post) => post.slug))
    for (const post of same) {
      const other = same.find((one) => one !== post)
      if (!other) continue
      const message = `${other.source.file} has the slug ${slug} too. Set \`slug\` in one of them.`
      post.findings.push({ level: "error", code: "duplicate_slug", message, file: post.source.file, line: 1 })
    }
}

/**
 * Reads the posts of a folder, sorted by file.
 * @returns the posts, and files given by name that are no posts
 */
export const readPosts = async (
  folder: Folder,
  options: ReadOptions,
): Promise<{ posts: LocalPost[]; skipped: Finding[] }> => {
  const files = folder.files.filter((file) => MARKDOWN.test(file))
  const isNamed = (file: string): boolean => options.paths.includes(file)
  const candidates = files.filter((file) => isNamed(file) || (!NO_POST.test(file) && !NO_POSTS.test(file)))
  const authors = await readAuthors(folder)
  const groups = groupVariants(candidates).filter((group) => group.some(({ file }) => isUnder(file, options.paths)))
  const read = await Promise.all(groups.map((group) => readGroup(folder, group, options, authors)))
  const posts = read.filter((post) => post !== null)
  markDuplicates(posts)
  const texts = new Set(
    posts.flatMap(({ source, translations }) => [source, ...Object.values(translations)].map(({ file }) => file)),
  )
  const skipped = options.paths
    .filter((path) => MARKDOWN.test(path) && !texts.has(path))
    .map((file): Finding => ({ level: "warning", code: "no_post", message: "The file is no post.", file, line: 1 }))
  return { posts: posts.toSorted((one, other) => (one.source.file < other.source.file ? -1 : 1)), skipped }
}
