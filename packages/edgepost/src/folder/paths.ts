import { posix } from "node:path"

import picomatch from "picomatch"

import { toLabel } from "../labels.ts"
import { isCalmGlob } from "./calm.ts"
import { readDate } from "./dates.ts"
import { knownLanguage, type Variant } from "./languages.ts"

// Reads from a file's path what it says about a post: its name, its date and its category.

/** Matches files of Markdown. Does not match `a.txt`. */
export const MARKDOWN = /\.(?:md|mdx|markdown)$/i
/** Matches posts in HTML: `_posts/a.html`. Does not match `a.html`. */
export const HTML_POST = /(?:^|\/)_(?:posts|drafts)\/(?:.*\/)?[^/]+\.html?$/i
/** Matches lists of posts: `_index.md`, `_index.fr.md`. Does not match `index.md`. */
const LIST = /(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/i
/** Matches files about a repository: `README.md`, `readme.fr.md`. Does not match `readme-first.md`. */
const ABOUT = /(?:^|\/)(?:readme|licen[cs]e|changelog|contributing|code_of_conduct|security)(?:\.[\w-]+)?\.\w+$/i
/** Matches files for agents that write code: `AGENTS.md`. Does not match `claude.md`, which may be a post. */
const FOR_AGENTS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|copilot-instructions)(?:\.[\w-]+)?\.md$/
/** Matches folders of templates, of settings and of sites that are made: `themes/a/`, `.foam/a`. Does not match `my-themes/`. */
const NO_POSTS =
  /(?:^|\/)(?:\.[^/]+|_includes|_layouts|_site|_?templates|layouts|themes|archetypes|scaffolds|dist|public|static|node_modules)\//i
/** Matches names with a date: `2020-01-02-name`, `2020-1-2 Name`, `2020-01-02`. Does not match `2020-name`. */
const DATED = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[-_ ]+(.+))?$/
/** Folders whose names say where posts are, and not what they are about. */
const ROOTS = new Set(
  (
    "posts post public blog blogs articles article content contents src source docs pages notes data app collections vault site website " +
    "drafts i18n"
  ).split(" "),
)

/** Tells whether a folder's name says where posts are, and not what they are about, as that of a collection: `_recipes`. */
export const isRoot = (folder: string, roots: string[] = []): boolean =>
  folder.startsWith("_") || ROOTS.has(folder.toLowerCase()) || roots.includes(folder)

/** Tells whether a file may be a post, by its path alone. @param readsPublic what lies in `public/` may be one */
export const mayBePost = (file: string, readsPublic = false): boolean =>
  (MARKDOWN.test(file) || HTML_POST.test(file)) &&
  !LIST.test(file) &&
  // Matches the folder `public/` of a path. Does not match `a-public/`.
  !NO_POSTS.test(readsPublic ? file.replaceAll(/(?<=^|\/)public\//g, "") : file)

/** Tells whether a file has a name of files about a repository. Such a file is a post only if its front matter says so. */
export const isAboutRepository = (file: string): boolean => ABOUT.test(file) || FOR_AGENTS.test(file)

/** Returns the name without extension and language. */
export const stemOf = ({ file, lang, key }: Variant): string => {
  // Matches the end of `a.md` and `a.html.markdown`. Does not match `a.b`.
  const stem = posix.basename(key ?? file).replace(/\.html?$|(?:\.html?)?\.(?:md|mdx|markdown)$/i, "")
  if (key !== undefined) return stem
  // Matches the language of `post.pt-br`. Does not match `post`.
  const [, base = stem, suffix = ""] = /^(.+)\.([^.]+)$/.exec(stem) ?? []
  return lang !== null && knownLanguage(suffix) === lang ? base : stem
}

/** Tells whether a file is the page of its folder. */
export const isIndex = (variant: Variant): boolean => stemOf(variant).toLowerCase() === "index"

const isDate = (text: string): boolean => "time" in readDate(text, null)

/** Returns a name without the end of a date before it: `06-01-a` and `2024-06-a` of 2024-06-01 are `a`. */
const withoutDate = (name: string, date: string): string => {
  const [year = "", month = "", day = ""] = date.split("-").map((part) => part.replace(/^0+/, ""))
  // Matches `06-01-a`, `2024-6-a` and `1-a` of 2024-06-01. Does not match `06`.
  const part = new RegExp(`^(?:(?:${year}-)?0?${month}(?:-0?${day})?|0?${day})[-_ ]+(.+)$`)
  return part.exec(name)?.[1] ?? name
}

/**
 * Reads the name of a post's file, that of its folder for `index.md`, without date and language; and the date in it as `2020-01-02`.
 * @param dateOfPath the rule of a tool for other paths with a date
 */
export const nameOf = (
  variant: Variant,
  dateOfPath?: (file: string) => string | null,
): { name: string; date: string | null } => {
  const { file } = variant
  const above = posix.dirname(variant.key ?? file)
  const isOfFolder = isIndex(variant) && above !== "."
  const whole = isOfFolder ? posix.basename(above) : stemOf(variant)
  const [, year, month, day, rest] = DATED.exec(whole) ?? []
  const date = [year, month, day].join("-")
  const byPath = dateOfPath?.(file) ?? ""
  // The numbers of `2018-23-09` are no date, but a part of the name.
  if (isDate(date)) return { name: rest ?? whole, date: isDate(byPath) ? byPath : date }
  if (!isDate(byPath)) return { name: whole, date: null }
  const byFolders = dateOfPath?.(posix.join(isOfFolder ? posix.dirname(above) : above, "a.md"))
  return { name: byFolders === byPath ? whole : withoutDate(whole, byPath), date: byPath }
}

/** Returns the category that a post's folders name: the first one below `site` that is about something. */
export const categoryOf = (variant: Variant, site: string, roots?: string[]): string | null => {
  const folders = posix.relative(site, posix.dirname(variant.key ?? variant.file)).split("/")
  const above = folders
    .slice(0, isIndex(variant) ? -1 : undefined)
    .filter((folder) => folder !== "" && (variant.lang === null || knownLanguage(folder) !== variant.lang))
  const [first] = above.slice(above.findLastIndex((one) => isRoot(one, roots)) + 1)
  // Folders of years hold posts of all kinds. Matches `2020` and `2020-01`. Does not match `2020s`.
  return first === undefined || /^\d+(?:-|$)/.test(first) ? null : toLabel(first) || null
}

const MAX_GLOBS = 2000

/**
 * Makes a function that tells whether a path, or a folder above it, is of a glob such as `drafts`, `/posts/**` or `{a,b}/*.md`, in any
 * case. A glob that begins with `!` takes paths out again.
 * A glob that takes long to compare hides all that begins as it does, and shows nothing.
 * @param options `isLoose`: `*` goes on over folders; `isWhole`: a folder above it is not enough; `isShown`: the globs mean what is shown
 */
export const matcherOf = (
  globs: string[],
  { isLoose = false, isWhole = false, isShown = false } = {},
): ((path: string) => boolean) => {
  const toMatcher = (some: string[], isHiding: boolean) => {
    const plain = some
      // Matches a list of one, `{a}`. Does not match `{a,b}`.
      .map((glob) => glob.replaceAll(/\{([^{},]*)\}/g, "$1"))
      // Matches what stands around `a/b` in `./a/b/` and `/a/b`.
      .map((glob) => glob.replaceAll(/^(?:\.?\/)+|\/+$/g, ""))
      .filter((glob) => glob !== "")
      // In a path without signs of a glob brackets are a part of a name.
      .map((glob) => (/[*?|]/.test(glob) ? glob : glob.replaceAll(/[()]/g, "[$&]")))
    if (plain.length > MAX_GLOBS) return () => isHiding
    const matchers = plain.map((glob) => {
      // Matches what stands before the first sign of a glob. Does not match `*`.
      const [start = ""] = /^[^*?[\](){}+@!|\\]*/.exec(glob.toLowerCase()) ?? []
      const isLikely = (path: string) => isHiding && path.toLowerCase().startsWith(start)
      if (!isCalmGlob(glob, "", isLoose)) return isLikely
      const options = { dot: true, nocase: true, bash: isLoose }
      const is = picomatch(isWhole ? glob : [glob, `${glob}/**`], options)
      return (path: string) => (isCalmGlob(glob, path, isLoose) ? is(path) : isLikely(path))
    })
    return (path: string) => matchers.some((is) => is(path))
  }
  const isMeant = toMatcher(
    globs.filter((glob) => !glob.startsWith("!")),
    !isShown,
  )
  const isFree = toMatcher(
    globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
    isShown,
  )
  // Paths in a list may begin with a slash: `{/a,/b}`.
  const isOneOf = (is: typeof isMeant, path: string) => is(path) || is(`/${path}`)
  return (path) => {
    const plain = path.replace(/^\//, "")
    return isOneOf(isMeant, plain) && !isOneOf(isFree, plain)
  }
}
