import { posix } from "node:path"

import type { FolderConfig } from "../config.ts"
import type { Folder } from "../folder/files.ts"
import { type LocalPost, textsOf } from "../folder/post.ts"
import { type FolderPosts, readPosts } from "../folder/posts.ts"
import { type ConvertOnce, converter } from "../markdown/convert-once.ts"
import { isData, listImages } from "../markdown/images.ts"
import { type OldPage, readRedirects, REDIRECTS_FILE } from "../redirects-csv.ts"
import { NO_TOOL, readTool } from "../tools/index.ts"
import type { ToolSettings } from "../tools/tool.ts"
import { UsageError } from "../usage-error.ts"
import { type Library, openLibrary } from "./image-library.ts"

/** The posts to plan, and how. */
export interface PlanOptions {
  /** Paths from the root of files and folders; all posts of the folder if empty. */
  paths: string[]
  /** Foreign syntax is a warning, and is published as it stands. */
  allowForeign: boolean
  /** Posts are written even if over a tenth of the images that readers see are missing. */
  allowMissingImages: boolean
  /** Pages that are new are left out. */
  noPages: boolean
  /** Posts with the folder's mark that the folder no longer has are removed. */
  prune: boolean
  /** Changes are carried out even if they are many, or not the author's. */
  acceptChanges: boolean
  /** Why the folder may lack files, so that nothing is removed; null if it lacks none, and without `prune`. */
  incomplete: string | null
  now: Date
}

/** The settings, posts and images of a folder. */
export interface Blog {
  /** Absolute path of the folder's root. */
  root: string
  config: FolderConfig
  options: PlanOptions
  /** The posts as their files have them: two may have one slug, and some have no text. */
  posts: FolderPosts
  convertOnce: ConvertOnce
  library: Library
  /** Number of the images that the posts of the folder name, of those that are planned if none of theirs is missing. */
  imageCount: number
  /** How the tool shows single line ends: see `ToolSettings`. */
  lineBreaks: ToolSettings["lineBreaks"]
  /** The sentence that says by which rules the folder is read; null in a plan of a later run, and where a question says it. */
  readAs: string | null
  /** The question that the author must answer before the first publication of the folder; null without one. */
  question: string | null
  /** The question stands before each new post. */
  asksAgain: boolean
  /** The lines of `redirects.csv`, none of them for a folder without a mark; null without the file. */
  oldPages: OldPage[] | null
}

/** Lists the posts of which a plan needs the texts and images: with `prune` all, since one of them may be what looks as if it were gone. */
export const neededOf = ({ posts, all }: FolderPosts, { prune }: PlanOptions): LocalPost[] => (prune ? all : posts)

/** Lists the images of posts as their files name them, the cover first. */
export function* referencesOf(posts: LocalPost[], convertOnce: ConvertOnce) {
  for (const post of posts) {
    const { cover, source } = post
    if (cover !== null) yield { reference: cover, file: source.file, isStored: source.isStored }
    for (const text of textsOf(post)) {
      const { file, isStored } = text
      for (const reference of listImages(convertOnce(text).document))
        if (!isStored || !isData(reference)) yield { reference, file, isStored }
    }
  }
}

/** Counts the images that posts name. */
const countImages = ({ images, notes, missing }: Library): number =>
  new Set([...images.keys(), ...notes.keys(), ...missing]).size

/** Bytes of `redirects.csv`. */
const MAX_CSV_BYTES = 2 ** 20

const ONE_BLOG = "Publish one after another."

/** Finds the tool of each of some paths; without one that of the folder. */
const readTools = (folder: Folder, { as, publish_by }: FolderConfig, paths: string[]): Promise<ToolSettings[]> => {
  const folders = new Set(paths.map((path) => (folder.files.includes(path) ? posix.dirname(path) : path)))
  const places = folders.size === 0 ? [undefined] : [...folders].map((path) => (path === "." ? "" : path))
  return Promise.all(places.map((place) => readTool(folder, as, publish_by, place)))
}

/** Says by which rules a folder is read. */
const readAsOf = ({ tool, file, app }: ToolSettings): string => {
  if (file !== null) return `Read as a blog of ${tool.name}, by ${file}.`
  if (tool !== NO_TOOL.tool) return `Read as a folder of ${tool.name}.`
  return `Read as a folder of ${app?.name ?? "Markdown, by the rules of no tool"}.`
}

/** Reads the posts of a folder and their images, without the service. @param primaryLanguage BCP 47 code of the account's language */
export const readBlog = async (
  folder: Folder,
  config: FolderConfig,
  primaryLanguage: string,
  options: PlanOptions,
): Promise<Blog> => {
  const [read = NO_TOOL, ...others] = await readTools(folder, config, options.paths)
  const other = others.find(({ file }) => file !== read.file)
  if (other) throw new UsageError(`The paths are of two blogs, by ${read.file} and ${other.file}.`, ONE_BLOG)
  // Configurations in code often have a base path alone, without the address.
  const settings = { ...read, url: read.url ?? config.site_url }
  const theme = { ...config, settings }
  const posts = await readPosts(folder, {
    settings,
    timezone: config.timezone,
    category: config.category,
    primaryLanguage: config.primary_language ?? primaryLanguage,
    theme,
    now: options.now,
    paths: options.paths,
    publishBy: config.publish_by,
    showHidden: config.show_hidden_fields ?? false,
  })
  const convertOnce = converter(theme, options.allowForeign)
  const open = (shown: LocalPost[]) => openLibrary(folder, referencesOf(shown, convertOnce), config.site_url)
  const needed = neededOf(posts, options)
  const library = await open(needed)
  const isLacking = library.missing.size > 0 && needed.length < posts.all.length
  const redirects = folder.blog + REDIRECTS_FILE
  const readPages = async () =>
    config.source === null
      ? []
      : readRedirects(String(await folder.read(redirects, MAX_CSV_BYTES))).map((page) => ({
          ...page,
          file: folder.blog + page.file,
        }))
  return {
    root: folder.root,
    config,
    options,
    posts,
    convertOnce,
    library,
    imageCount: countImages(isLacking ? await open(posts.all) : library),
    lineBreaks: settings.lineBreaks,
    readAs: readAsOf(settings),
    question: settings.question ?? posts.question,
    asksAgain: settings.question === null ? posts.question !== null : settings.asksAgain,
    oldPages: folder.files.includes(redirects) ? await readPages() : null,
  }
}
