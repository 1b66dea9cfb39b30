import { isUtf8 } from "node:buffer"

import { parse } from "yaml"

import type { Finding } from "../finding.ts"
import { MAX_TITLE_CHARS } from "../limits.ts"
import type { Theme } from "../markdown/theme.ts"
import { localTime } from "./dates.ts"
import { cutAtWord, firstHeading } from "./description.ts"
import { type Fields, readFields, STORED } from "./fields.ts"
import { type Folder, FolderError } from "./files.ts"
import { type FrontMatter, FrontMatterError, splitFrontMatter } from "./front-matter.ts"
import { groupVariants, knownLanguage, type Variant } from "./languages.ts"
import { categoryOf, isAboutRepository, isInDrafts, MARKDOWN, mayBePost, nameOf, usualPaths } from "./paths.ts"
import type { LocalPost, LocalText } from "./post.ts"
import { makeSlug } from "./slug.ts"
import { toLabel } from "./values.ts"

export interface ReadOptions {
  /** IANA name of the time zone of dates without an offset; null if there is none. */
  timezone: string | null
  /** The category of posts for which neither front matter nor folder gives one; null makes that an error. */
  category: string | null
  /** BCP 47 code of the text that others translate, if no file is without a language. */
  primaryLanguage: string | null
  theme: Theme
  now: Date
  /** Files and folders of which to read the posts; all if empty. */
  paths: string[]
}

/** Larger files are no posts: the service takes bodies of 256 KiB. */
const MAX_FILE_BYTES = 2 ** 20
/** Files that are open at once: systems have limits, of 256 and more. */
const AT_ONCE = 32

/** A file of a post. */
interface Source {
  variant: Variant
  front: FrontMatter
  fields: Fields
  /** False if the file or its front matter cannot be read. */
  isReadable: boolean
  findings: Finding[]
}

/** The things that reading a folder needs beside its files. */
interface Context {
  folder: Folder
  options: ReadOptions
  authors: Record<string, string>
}

const EMPTY: FrontMatter = { data: {}, lines: {}, body: "", bodyLine: 1 }

/** Returns the line of the first match in a text, from 1. */
const lineOf = (text: string, match: string): number => text.slice(0, text.indexOf(match)).split("\n").length

/** Finds what keeps the service from taking the bytes of a file as a text. */
const checkBytes = (bytes: Buffer, text: string, file: string): Finding[] => {
  if (!isUtf8(bytes)) {
    const message = "The file is not in UTF-8. Save it as UTF-8."
    return [{ level: "error", code: "not_utf8", message, file, line: lineOf(text, "\uFFFD") }]
  }
  if (!text.includes("\0")) return []
  return [
    {
      level: "error",
      code: "nul_character",
      message: "Holds a NUL character: remove it.",
      file,
      line: lineOf(text, "\0"),
    },
  ]
}

const toFinding = (error: unknown, file: string): Finding => {
  if (error instanceof FrontMatterError)
    return { level: "error", code: "front_matter", message: error.message, file, line: error.line }
  if (!(error instanceof FolderError)) throw error
  return { level: "error", code: "unreadable_file", message: error.message, file, line: 1 }
}

const readSource = async (variant: Variant, { folder, options, authors }: Context): Promise<Source> => {
  const { file } = variant
  const fieldOptions = {
    ...options,
    authors,
    // Jekyll separates by spaces; Hexo, which has the same folders below `source`, does not.
    isSpaced: /(?:^|\/)_(?:posts|drafts)\//.test(file) && !/(?:^|\/)source\//.test(file),
    fileDate: nameOf(variant).date,
  }
  try {
    const bytes = await folder.read(file, MAX_FILE_BYTES)
    const text = bytes.toString("utf8")
    const problems = checkBytes(bytes, text, file)
    const front = splitFrontMatter(text)
    const { fields, findings } = readFields(front, file, fieldOptions)
    return { variant, front, fields, isReadable: true, findings: [...problems, ...findings] }
  } catch (error) {
    const { fields } = readFields(EMPTY, file, fieldOptions)
    return { variant, front: EMPTY, fields, isReadable: false, findings: [toFinding(error, file)] }
  }
}

/** Tells whether a file such as `readme.md` says that it is a post: its front matter has a slug and a title, or is of `edgepost pull`. */
const saysPost = async (folder: Folder, file: string): Promise<boolean> => {
  const text = await folder.read(file, MAX_FILE_BYTES).then(String, () => "")
  try {
    const { slug, title, edgepost } = splitFrontMatter(text).data
    return Boolean((slug && title) || edgepost)
  } catch {
    // Matches the field `slug: a` of a front matter that is broken. Does not match `the slug: a`.
    return /^(?:edgepost|slug):/m.test(text)
  }
}

/** Tells whether a file is a post: it has a title or a date, or is given by name. One that cannot be read may be one. */
const isPost = ({ variant, front, fields, isReadable, findings }: Source, isNamed: boolean): boolean => {
  // It belongs to a post that is not there, or its language has no name.
  if (fields.stored === STORED.translation) return false
  if (isNamed || !isReadable) return true
  if (nameOf(variant).date !== null) return !fields.isPage
  const isDated = fields.published_at !== null || findings.some(({ code }) => code.includes("date"))
  return !fields.isPage && Object.keys(front.data).length > 0 && (fields.title !== null || isDated)
}

const readAuthors = async (folder: Folder): Promise<Record<string, string>> => {
  const file = folder.files.find((path) => /(?:^|\/)authors\.ya?ml$/.test(path))
  if (file === undefined) return {}
  try {
    const text = (await folder.read(file, MAX_FILE_BYTES)).toString()
    const data = parse(text, { maxAliasCount: 0 }) as Record<string, { name?: unknown } | null>
    const named = Object.entries(data).map(([key, author]) => [key, author?.name] as const)
    return Object.fromEntries(named.filter((entry): entry is [string, string] => typeof entry[1] === "string"))
  } catch {
    // Without the file authors are shown by their keys.
    return {}
  }
}

const textOf = ({ variant, front, fields }: Source, theme: Theme): LocalText => {
  const { data, body, bodyLine } = front
  const fromName = nameOf(variant)
    .name.replaceAll(/[-_\p{Cc}]+/gu, " ")
    .trim()
  const { file } = variant
  const { stored, meta_description } = fields
  const heading = fields.title === null ? firstHeading({ file, data, body }, theme) : null
  const title = fields.title ?? cutAtWord(heading ?? (fromName || "Untitled"), MAX_TITLE_CHARS)
  return { file, title, meta_description, data, body, bodyLine, isStored: stored !== null }
}

/** Returns the day of a time in UTC and in the time zone, as `2020-01-02`: the address of a page may have either. */
const daysOf = (published_at: string | null, timezone: string | null): string[] => {
  if (published_at === null) return []
  const local = timezone === null ? published_at : new Date(localTime(Date.parse(published_at), timezone)).toISOString()
  return [published_at.slice(0, 10), local.slice(0, 10)]
}

/** Collects the translations by language. Two texts in one language are an error of the post. */
const translationsOf = (
  sources: Source[],
  source: Source,
  language: string | null,
  { theme, findings }: Pick<ReadOptions, "theme"> & { findings: Finding[] },
) => {
  const translations: Record<string, LocalText> = {}
  for (const { variant, ...rest } of sources) {
    const { file, lang } = variant
    // A draft of a translation waits until it is done.
    if (variant === source.variant || lang === null || rest.fields.isDraft) continue
    const other = lang === language ? source.variant.file : translations[lang]?.file
    if (other === undefined) translations[lang] = textOf({ variant, ...rest }, theme)
    else {
      const message = `The file is in ${lang}, and so is ${other}. Set \`lang\` in that, or remove one of them.`
      findings.push({ level: "error", code: "duplicate_language", message, file, line: 1 })
    }
  }
  return translations
}

/** Makes a post of the texts that it has. */
const toPost = (
  sources: Source[],
  source: Source,
  { category, timezone, primaryLanguage, theme }: ReadOptions,
): LocalPost => {
  const { variant, fields, isReadable } = source
  const { file, lang } = variant
  const findings = sources.flatMap((one) => one.findings)
  const { name, date } = nameOf(variant)
  const text = textOf(source, theme)
  const given = (fields.slug ?? fields.permalink?.replace(/\.html?$/, ""))?.split("/").findLast((part) => part !== "")
  const slug = makeSlug([given ?? null, name, text.title], file)
  const found = [categoryOf(variant), category].find((one) => one !== null)
  if (isReadable && fields.categories.length === 0 && found === undefined)
    findings.push({
      level: "error",
      code: "missing_category",
      message: "The post has no category. Set `category` in edgepost.config.yaml, or `categories` in the post.",
      file,
      line: 1,
    })
  const primary_language = fields.lang ?? lang
  const days = [...daysOf(fields.published_at, timezone), ...(date === null ? [] : [date])]
  return {
    isReadable,
    slug,
    status: fields.isDraft || (fields.stored === null && isInDrafts(file)) ? "DF" : "PB",
    published_at: fields.published_at,
    categories: fields.categories.length > 0 || found === undefined ? fields.categories : [toLabel(found)],
    tags: fields.tags,
    canonical_url: fields.canonical_url,
    author_name: fields.author_name,
    cover: fields.cover?.reference ?? null,
    coverLine: fields.cover?.line ?? 1,
    primary_language,
    translation_languages: fields.translation_languages,
    source: text,
    translations: translationsOf(sources, source, primary_language ?? primaryLanguage, { theme, findings }),
    oldPaths: [...new Set([...fields.paths, ...usualPaths(variant, slug, days)])].filter((path) => path !== "/"),
    findings,
  }
}

const baseOf = (code: string | null): string | undefined => code?.split("-")[0]

/** Chooses the text that the others translate: the one without a language, else the one in the primary language. */
const chooseSource = (sources: Source[], primaryLanguage: string | null): Source | undefined =>
  sources.find(({ variant }) => variant.lang === null) ??
  sources.find(({ variant }) => variant.lang === primaryLanguage) ??
  sources.find(({ variant }) => baseOf(variant.lang) === baseOf(primaryLanguage)) ??
  sources[0]

/** Reads a group of files as a post, and tells whether they are one. */
const readGroup = async (
  group: Variant[],
  isNamed: boolean,
  context: Context,
): Promise<{ post: LocalPost; isOne: boolean }[]> => {
  const sources = await Promise.all(group.map((variant) => readSource(variant, context)))
  const source = chooseSource(sources, context.options.primaryLanguage)
  return source ? [{ post: toPost(sources, source, context.options), isOne: isPost(source, isNamed) }] : []
}

/** Marks posts that have the same slug: only one of them could be published. */
const markDuplicates = (posts: LocalPost[]): void => {
  const known = posts.filter(({ isReadable }) => isReadable)
  for (const [slug, same] of Map.groupBy(known, (post) => post.slug))
    for (const post of same) {
      const other = same.find((one) => one !== post)
      if (!other) continue
      const message = `${other.source.file} has the slug ${slug} too. Set \`slug\` in one of them.`
      post.findings.push({ level: "error", code: "duplicate_slug", message, file: post.source.file, line: 1 })
    }
}

const filesOf = ({ source, translations }: LocalPost): string[] =>
  [source, ...Object.values(translations)].map(({ file }) => file)

/**
 * Reads the posts of a folder, sorted by file. All are read even if only some are asked for, since two may have the same slug.
 * @returns the posts asked for; `all` posts of the folder; `leftOut`, the Markdown files asked for that are no posts; `otherSlugs`,
 * which files of the folder would have that are no posts
 */
export const readPosts = async (
  folder: Folder,
  options: ReadOptions,
): Promise<{ posts: LocalPost[]; all: LocalPost[]; leftOut: string[]; otherSlugs: string[] }> => {
  const paths = new Set(options.paths.map((path) => path.normalize("NFC")))
  const isNamed = (file: string): boolean => paths.has(file.normalize("NFC"))
  const isAsked = (file: string): boolean =>
    paths.size === 0 || isNamed(file) || [...paths].some((path) => file.normalize("NFC").startsWith(`${path}/`))
  const primaryLanguage = options.primaryLanguage === null ? null : knownLanguage(options.primaryLanguage)
  const context: Context = {
    folder,
    options: { ...options, primaryLanguage },
    authors: await readAuthors(folder),
  }
  const files: string[] = []
  for (const file of folder.files.filter(mayBePost))
    if (!isAboutRepository(file) || (await saysPost(folder, file))) files.push(file)
  const groups = groupVariants(files, primaryLanguage)
  const found: { post: LocalPost; isOne: boolean }[] = []
  for (let i = 0; i < groups.length; i += AT_ONCE) {
    const read = groups.slice(i, i + AT_ONCE).map((group) =>
      readGroup(
        group,
        group.some(({ file }) => isNamed(file)),
        context,
      ),
    )
    found.push(...(await Promise.all(read)).flat())
  }
  const posts = found.filter(({ isOne }) => isOne).map(({ post }) => post)
  markDuplicates(posts)
  const all = posts.toSorted((one, other) => (one.source.file < other.source.file ? -1 : 1))
  const taken = new Set(posts.flatMap(filesOf))
  const isLeftOut = (file: string): boolean =>
    !taken.has(file) &&
    (mayBePost(file) && !isAboutRepository(file) ? isAsked(file) : MARKDOWN.test(file) && isNamed(file))
  return {
    posts: all.filter((post) => filesOf(post).some(isAsked)),
    all,
    leftOut: folder.files.filter(isLeftOut),
    otherSlugs: found.filter(({ isOne }) => !isOne).map(({ post }) => post.slug),
  }
}
