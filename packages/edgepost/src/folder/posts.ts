import { slug as githubSlug } from "github-slugger"

import { atMost } from "../client/at-most.ts"
import type { Finding } from "../finding.ts"
import { toLabel } from "../labels.ts"
import { MAX_TITLE_CHARS } from "../limits.ts"
import type { Theme } from "../markdown/theme.ts"
import type { ToolSettings } from "../tools/tool.ts"
import { dateByCommits } from "./commit-dates.ts"
import { readDefaults } from "./defaults.ts"
import { firstHeading } from "./description.ts"
import type { Folder } from "./files.ts"
import { cutAtWord } from "./first-words.ts"
import { groupVariants, knownLanguage, type Variant } from "./languages.ts"
import { isPost, leaveOutPrivate, whyForNoReaders } from "./notes.ts"
import { addressesByTool, type Dated, oldPathsOf } from "./old-paths.ts"
import { chooseSource, pairGroups } from "./pairs.ts"
import { categoryOf, HTML_POST, isAboutRepository, MARKDOWN, mayBePost, nameOf } from "./paths.ts"
import { type LeftOut, type LocalPost, type PostText, textsOf } from "./post.ts"
import { remarkHidden, remarkIgnored } from "./remarks.ts"
import { addRedirects, makePathRule, redirectOf } from "./rendered.ts"
import { freeSharedSlugs, makeSlug } from "./slug.ts"
import { readAuthors, readSource, saysPost, type Source } from "./source.ts"
import { DEFAULT_CATEGORY } from "./values.ts"

/** The reason for which notes and pages are left out. */
export const NOTE = "no title and no date, or a page"

export interface ReadOptions {
  /** IANA name of the time zone of dates without an offset; null if there is none. */
  timezone: string | null
  /** The category of posts for which neither front matter nor folder gives one; null makes that an error. */
  category: string | null
  /** BCP 47 code of the text that others translate, if no file is without a language. */
  primaryLanguage: string | null
  theme: Theme
  now: Date
  /** The tool that makes the blog, and its configuration. */
  settings: ToolSettings
  /** Files and folders of which to read the posts; all if empty. */
  paths: string[]
  /** The field of which notes for readers have yes, or `all`; null if the author does not say. */
  publishBy: string | null
  /** Fields that the tool does not know hide no post. */
  showHidden: boolean
}

/** Files that are open at once: systems have limits, of 256 and more. */
const AT_ONCE = 32

/** The things that making a post needs. */
type PostContext = ReadOptions & { files: ReadonlySet<string> }

/** Returns what addresses of a text are made of. */
const datedOf = ({ front: { data }, fields }: Source, title: string, timezone: string | null): Dated => {
  const { published_at, slug, categories, tags } = fields
  return { published_at, timezone, title, slug, categories, tags, data }
}

const textOf = (source: Source, { theme, settings, timezone, files }: PostContext): PostText => {
  const { variant, front, fields } = source
  const { data, body, bodyLine, ownLines } = front
  const fromName = nameOf(variant, theme.settings.tool.dateOfPath)
    .name.replaceAll(/[-_\p{Cc}]+/gu, " ")
    .trim()
  const { file } = variant
  const { stored, meta_description, changed_at } = fields
  const heading = fields.title === null ? firstHeading({ file, data, body }, theme) : null
  const title = fields.title ?? cutAtWord(heading ?? (fromName || "Untitled"), MAX_TITLE_CHARS)
  const isStored = stored !== null
  const namedPaths = fields.paths.filter((path) => path !== "/")
  const addresses = addressesByTool(variant, datedOf(source, title, timezone), settings, files)
  return { file, title, meta_description, changed_at, data, body, bodyLine, ownLines, isStored, addresses, namedPaths }
}

/** Collects the translations by language. Two texts in one language are an error of the post. */
const translationsOf = (
  sources: Source[],
  source: Source,
  language: string | null,
  context: PostContext & { findings: Finding[] },
) => {
  const { now, findings } = context
  const translations: Record<string, PostText> = {}
  for (const { variant, ...rest } of sources) {
    const { file } = variant
    const lang = variant.lang ?? rest.fields.lang
    // A draft of a translation waits until it is done.
    const isUnknown = rest.fields.unknownStatus?.name === "status"
    if (variant === source.variant || lang === null || rest.isDraft || isUnknown) continue
    const time = Date.parse(rest.fields.published_at ?? "")
    if (time > now.getTime() && !(time <= Date.parse(source.fields.published_at ?? ""))) {
      const message = "The translation is left out until its date. Publish again then."
      findings.push({ level: "warning", code: "waiting_translation", message, file, line: 1 })
      continue
    }
    const other = lang === language ? source.variant.file : translations[lang]?.file
    if (other === undefined) translations[lang] = textOf({ variant, ...rest }, context)
    else {
      const message = `The file is in ${lang}, and so is ${other}. Set \`lang\` in that, or remove one of them.`
      findings.push({ level: "error", code: "duplicate_language", message, file, line: 1 })
    }
  }
  return translations
}

/** Makes a post of the texts that it has. */
const toPost = (sources: Source[], source: Source, options: PostContext): LocalPost => {
  const { category, timezone, primaryLanguage, settings } = options
  const { variant, fields, isReadable, isDraft } = source
  const { file, lang } = variant
  const findings = sources.flatMap((one) => one.findings)
  const { name } = nameOf(variant, settings.tool.dateOfPath)
  const text = textOf(source, options)
  const given = (fields.slug ?? fields.permalink?.replace(/\.html?$/, ""))?.split("/").findLast((part) => part !== "")
  const slug = makeSlug([given ?? null, name, text.title], file)
  const roots = [...(settings.tool.roots ?? []), ...settings.languages]
  const found = [categoryOf(variant, settings.base, roots), category].find((one) => one !== null)
  if (isReadable && fields.categories.length === 0 && found === undefined) {
    const message = `It has no category, so it gets ${DEFAULT_CATEGORY}, as all posts without one. Set \`category\` in edgepost.config.yaml, or \`categories\` in the post.`
    findings.push({ level: "warning", code: "default_category", message, file, line: 1 })
  }
  const isPage = settings.tool.isPageFile?.(file, settings) === true
  const primary_language = fields.lang ?? lang
  const categories = fields.categories.length > 0 ? fields.categories : [toLabel(found ?? DEFAULT_CATEGORY)]
  const named = { names: [...new Set([name, slug])], titled: githubSlug(text.title) }
  return {
    isReadable,
    slug,
    isSlugDerived: fields.slug === null,
    status: isDraft ? "DF" : "PB",
    isStatusByRule: fields.isByRule,
    unknownStatus: fields.unknownStatus,
    published_at: fields.published_at,
    former_at: fields.former_at,
    isUndated: isReadable && fields.isUndated && !isPage,
    isPage,
    notForReaders: whyForNoReaders(sources, options),
    categories,
    tags: fields.tags,
    canonical_url: fields.canonical_url,
    author_name: fields.author_name,
    listed: fields.listed,
    cover_alt: fields.cover_alt,
    cover_caption: fields.cover_caption,
    cover: fields.cover?.reference ?? null,
    coverLine: fields.cover?.line ?? 1,
    primary_language,
    translation_languages: fields.translation_languages,
    source: text,
    translations: translationsOf(sources, source, primary_language ?? primaryLanguage, { ...options, findings }),
    ...oldPathsOf(variant, fields.paths, text.addresses, settings, named, datedOf(source, text.title, timezone)),
    findings,
  }
}

/** A post that was read. */
interface Found {
  post: LocalPost
  /** False for notes and pages. */
  isOne: boolean
  /** Why the blog's tool renders no page of it, for the links to it; null if it renders one. */
  unrendered: LeftOut | null
  /** The address to which its page only redirects; null for other pages. */
  redirect: string | null
}

/** Leaves a text out with the one that it translates. */
const withReason = (source: Source, { file: main, reason }: LeftOut): Source => {
  const { file } = source.variant
  const hidden = { file, line: 1, reason: `${reason} in ${main}`, byField: "hides" as const }
  return { ...source, unrendered: source.unrendered ?? hidden }
}

/** Makes a post of a group of files, and one more of each file that the blog's tool renders no page of. */
const toFounds = (group: Source[], options: PostContext, isOne: (source: Source) => boolean): Found[] => {
  const hidden = chooseSource(group, options.primaryLanguage)?.unrendered
  const sources = hidden?.byField === "hides" ? group.map((one) => withReason(one, hidden)) : group
  const rendered = sources.filter(({ unrendered }) => unrendered === null)
  const source = chooseSource(rendered, options.primaryLanguage)
  const toFound = (texts: Source[], one: Source): Found => ({
    post: toPost(texts, one, options),
    isOne: isOne(one),
    unrendered: one.unrendered,
    redirect: one.unrendered && redirectOf(one.front),
  })
  return [
    ...(source ? [toFound(rendered, source)] : []),
    ...sources.filter(({ unrendered }) => unrendered !== null).map((one) => toFound([one], one)),
  ]
}

const filesOf = ({ source, translations, findings }: LocalPost): string[] =>
  [source, ...Object.values(translations), ...findings].map(({ file }) => file)

/** The posts of a folder. */
export interface FolderPosts {
  /** The posts asked for, sorted by file. */
  posts: LocalPost[]
  /** All posts of the folder. */
  all: LocalPost[]
  /** Files asked for that are no posts. */
  leftOut: LeftOut[]
  /** Files that the blog's tool renders no page of, as posts: links may lead to them. */
  unrendered: LocalPost[]
  /** The repository is a shallow clone, whose commits date nothing. */
  isShallow: boolean
  /** All files that are in none of the posts, as posts: the service may have them from before. */
  others: LocalPost[]
  /** Remarks to make once about the posts asked for. */
  remarks: string[]
  /** Names of the fields of which a note needs one with yes to be public; null if all notes are public. */
  publishedBy: string[] | null
  /** The question that the author must answer before each new post; null without one. */
  question: string | null
}

/** Reads the posts of a folder. All are read even if only some are asked for, since links lead to them. */
export const readPosts = async (folder: Folder, options: ReadOptions): Promise<FolderPosts> => {
  const paths = new Set(options.paths.map((path) => path.normalize("NFC")))
  const isNamed = (file: string): boolean => paths.has(file.normalize("NFC"))
  const isAsked = (file: string): boolean =>
    paths.size === 0 || isNamed(file) || [...paths].some((path) => file.normalize("NFC").startsWith(`${path}/`))
  const primaryLanguage = options.primaryLanguage === null ? null : knownLanguage(options.primaryLanguage)
  const ruleOf = await makePathRule(folder, options.settings, (file) => paths.size > 0 && isAsked(file))
  const context = {
    folder,
    ruleOf,
    isNamed,
    options: {
      ...options,
      primaryLanguage,
      timezone: options.timezone ?? options.settings.timezone,
      files: new Set(folder.files),
    },
    authors: await readAuthors(folder, options.settings.tool),
    addDefaults: await readDefaults(folder, options.settings),
  }
  const isOfBlog = (file: string): boolean => file.startsWith(folder.blog)
  const ofBlog = folder.files.filter(isOfBlog)
  // A file counts as left out until it is known to belong to a post.
  const leftOut = new Map(folder.leftOut.filter(({ file }) => isOfBlog(file)).map((one) => [one.file, one]))
  const files: string[] = []
  // Some have all of their posts in the folder that the tool copies.
  const readsPublic =
    options.settings.file === null && !ofBlog.some((file) => mayBePost(file) && !isAboutRepository(file))
  for (const file of ofBlog) {
    const reason = ruleOf(file)
    const isCandidate =
      reason === null &&
      mayBePost(file, readsPublic) &&
      (!isAboutRepository(file) || (await saysPost(folder, file, options.settings.tool)))
    if (isCandidate) files.push(file)
    if (reason !== null || isCandidate || (MARKDOWN.test(file) && isNamed(file)))
      leftOut.set(file, { file, line: 1, reason: reason ?? NOTE })
  }
  const { settings } = options
  const tellReading = (path: string) => settings.tool.translationOf?.(path, settings) ?? null
  const groups = groupVariants(files, [primaryLanguage, ...settings.languages], tellReading)
  const inTurn = atMost(AT_ONCE)
  const readGroup = (group: Variant[]) => inTurn(() => Promise.all(group.map((one) => readSource(one, context))))
  const read = await Promise.all(groups.map(readGroup))
  const titleOf = (source: Source): string => textOf(source, context.options).title
  const { groups: sources, chosen, publishedBy, question } = leaveOutPrivate(read, folder, options, titleOf)
  const found = pairGroups(sources, settings.tool).flatMap((group) => {
    const isOneNamed = group.some(({ variant }) => isNamed(variant.file))
    return toFounds(group, context.options, (one) => chosen.has(one) || isPost(one, isOneNamed, settings.tool))
  })
  const rendered = found.flatMap(({ post, isOne, unrendered }) => (isOne && unrendered === null ? [post] : []))
  const { posts: dated, isShallow } = await dateByCommits(folder.root, rendered, options)
  const all = dated.toSorted((one, other) => (one.source.file < other.source.file ? -1 : 1))
  // A note is one, whatever else it says.
  const others = found.filter(({ isOne, unrendered }) => isOne && unrendered !== null)
  addRedirects(all, others)
  freeSharedSlugs(all)
  for (const { unrendered } of others) if (unrendered) leftOut.set(unrendered.file, unrendered)
  for (const file of all.flatMap(filesOf)) leftOut.delete(file)
  const known = new Set(found.flatMap(({ post }) => textsOf(post).map(({ file }) => file)))
  const listed = [...ofBlog, ...folder.leftOut.map(({ file }) => file).filter(isOfBlog)]
  const unknown = listed.filter((file) => (MARKDOWN.test(file) || HTML_POST.test(file)) && !known.has(file))
  const readAlone = async (file: string): Promise<LocalPost> => {
    const source = await readSource({ file, lang: null }, context)
    return toPost([source], source, context.options)
  }
  const alone = await Promise.all(unknown.map((file) => inTurn(() => readAlone(file))))
  const posts = all.filter((post) => filesOf(post).some(isAsked))
  const asked = sources.flat().filter(({ variant }) => isAsked(variant.file))
  return {
    posts,
    all,
    leftOut: [...leftOut.values()].filter(({ file }) => isAsked(file)),
    // A link to a page that redirects leads to the post of the redirect.
    unrendered: others.flatMap(({ post, redirect }) => (redirect === null ? [post] : [])),
    isShallow,
    others: [...found.flatMap(({ post, isOne, unrendered }) => (isOne && !unrendered ? [] : [post])), ...alone],
    publishedBy,
    question,
    remarks: [...remarkHidden(asked, options.settings.tool), ...(await remarkIgnored(folder, posts.flatMap(filesOf)))],
  }
}
