import { posix } from "node:path"

import { PATH_DATE } from "../folder/field-names.ts"
import type { Folder } from "../folder/files.ts"
import { knownLanguage, type Reading } from "../folder/languages.ts"
import { asText } from "../folder/values.ts"
import { below, withoutExtension } from "./addresses.ts"
import { anyRule, byConfiguration, globRule, readCode, readData, underscoreRule } from "./configuration.ts"
import { mdxBlocks } from "./lines.ts"
import { contentOf, markRemover } from "./shown-code.ts"
import type { Addressed, FileRule, Tool, ToolSettings } from "./tool.ts"
import { literal, literals, objectsIn, readFacts, textAt, unreadNames } from "./values.ts"

/** Names the folder of translated posts, below that of the language. */
export const TRANSLATED = "docusaurus-plugin-content-blog"

/** Matches the folder of translated posts: `i18n/fr/docusaurus-plugin-content-blog/`, with the id of a second blog. Does not match `i18n/fr/`. */
const TRANSLATION = new RegExp(String.raw`(^|\/)i18n\/([^/]+)\/${TRANSLATED}(?:-([^/]+))?\/`)

/** A blog of a site. */
interface BlogOfSite {
  id: string
  /** Its folder from that of the configuration. */
  path: string
  /** The path below the site's address at which its posts are. */
  route: string
}

/** Reads the blogs of a configuration: one of the preset, and those of plugins. */
const readBlogs = (code: string): BlogOfSite[] => {
  // Matches `blog: {` and `"@docusaurus/plugin-content-blog", {`. Does not match `docs: {`.
  const blogs = objectsIn(code, /(?<![\w.$-])blog["']?\s*:\s*|plugin-content-blog["']\s*,\s*/g).map((one) => ({
    id: literal(one, "id") ?? "default",
    path: posix.join(literal(one, "path") ?? "blog"),
    route: literal(one, "routeBasePath") ?? "blog",
  }))
  return blogs.some(({ id }) => id === "default") ? blogs : [{ id: "default", path: "blog", route: "blog" }, ...blogs]
}

const blogsOf = ({ data }: ToolSettings): BlogOfSite[] => (data["blogs"] as BlogOfSite[] | undefined) ?? readBlogs("")

/** Reads the languages by the folders below `i18n` to which `localeConfigs` gives other names. */
const readLocales = (code: string): Record<string, string> =>
  Object.fromEntries(
    objectsIn(code, /localeConfigs["']?\s*:\s*/g).flatMap((configs) =>
      // Matches `fr: { path: "francais"`. Does not match `fr: { label: "Français" }`.
      Array.from(configs.matchAll(/([\w-]+)["']?\s*:\s*\{[^{}]*?\bpath\s*:\s*["']([^"']+)/g), ([, lang, path]) => [
        path,
        lang,
      ]),
    ),
  )

const withoutMarks = markRemover("highlight-(?:next-line|start|end)")

/** Reads a path as that of a translated post. */
export const translationOf = (path: string, settings: ToolSettings): Reading | null => {
  const [, before = "", code = "", id = "default"] = TRANSLATION.exec(path) ?? []
  const folder = blogsOf(settings).find((blog) => blog.id === id)?.path ?? "blog"
  if (code === "") return null
  const lang = knownLanguage(textAt(settings.data, `locales.${code}`) ?? code)
  return { key: path.replace(TRANSLATION, `${before}${folder}/`), lang }
}

/** Matches a date of folders and names, with what is before and after it: `a/2024-06-01-b`, `2024/06/01/b`. Does not match `2024/b`. */
const DATED_PATH = /^(?<folder>.*)(?<date>\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(?<text>.*?)(?:\/index)?$/

/** Returns the address of a post: `slug`, else its path with the date as folders; and that below the codes of the other languages. */
const addressesOf = ({ file, lang, data }: Addressed, settings: ToolSettings): string[] => {
  const path = withoutExtension(posix.relative(settings.base, file))
  const [folder, , code, id = "default"] = TRANSLATION.exec(path) ?? []
  const blogs = blogsOf(settings).filter((blog) =>
    folder === undefined ? below(blog.path, path) !== null : blog.id === id,
  )
  const blog = blogs.toSorted((one, other) => other.path.length - one.path.length)[0]
  if (!blog) return []
  const place = folder === undefined ? (below(blog.path, path) ?? path) : path.slice(folder.length)
  const { folder: before = "", date, text = place.replace(/(?:^|\/)index$/, "") } = DATED_PATH.exec(place)?.groups ?? {}
  const slug = asText(data["slug"]) ?? [date?.replaceAll("-", "/"), `${before}${text}`].filter(Boolean).join("/")
  const address = `/${blog.route}/${slug}`
  if (code !== undefined) return [`/${lang ?? code}${address}`]
  const [, ...others] = lang === null ? settings.languages : []
  return [address, ...others.map((other) => `/${other}${address}`)]
}

/** Matches the last date of a path: `2024/06/01/a.md`, `2024/06-01-a.md`. Does not match `2024/06/a.md`. */
const DATED = /^.*(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/

/** Matches documentation: `docs/intro.md`, `versioned_docs/version-1.0/intro.md`. Does not match `blog/docs/a.md`. */
const DOCS = /^(?:docs|(?:\w+_)?versioned_docs|i18n\/[^/]+\/docusaurus-plugin-content-docs[^/]*)\//

/** Matches the file that names authors by keys. Does not match `authors.md`. */
export const AUTHORS = /(?:^|\/)authors\.ya?ml$/

/** Makes a rule of the lists of all plugins: which of them is that of the blog, only the code knows. */
const excludeRule = ({ base, contentFolder, data }: ToolSettings): FileRule =>
  globRule(byConfiguration("exclude"), (data["exclude"] as string[] | undefined) ?? [], [contentFolder ?? base, base])

/** Makes a rule that leaves out translations without their posts, and those in a folder whose language has another one. */
const originalRule = ({ files }: Folder, settings: ToolSettings): FileRule => {
  const paths = new Set(files.map(withoutExtension))
  const moved = new Set(Object.values(settings.data["locales"] ?? {}))
  return (file) => {
    const [, , code] = TRANSLATION.exec(file) ?? []
    if (code === undefined) return null
    const { key = "" } = translationOf(withoutExtension(file), settings) ?? {}
    return paths.has(key) && !moved.has(code) ? null : "translation without its post"
  }
}

export const docusaurus: Tool = {
  name: "Docusaurus",
  // No: in themes it only hides buttons.
  hidesByShare: false,
  read: async ({ folder, file, base }) => {
    const code = await readCode(folder, [file])
    const blogs = readBlogs(code)
    const contentFolder = blogs[0]?.path ?? "blog"
    const tags = await readData(folder, posix.join(base, contentFolder, "tags.yml"))
    const data = { blogs, tags, locales: readLocales(code), exclude: literals(code, "exclude") }
    return { ...readFacts(code), contentFolder, data, unread: unreadNames(code, "exclude") }
  },
  // A file or a folder whose name begins with an underscore, below `blog`; the texts of each list `exclude` of the configuration; a translation without its post (guessed otherwise).
  skipsFile: (folder, settings) =>
    anyRule(underscoreRule("blog"), excludeRule(settings), originalRule(folder, settings)),
  // `draft` and `unlisted`.
  hidesBy: ["draft", "unlisted"],
  // `docs` and `versioned_docs` beside the configuration, or in the root.
  skipsUnasked: ({ file: configuration }) => {
    const base = posix.dirname(configuration ?? "")
    return (file) =>
      [file, posix.relative(base, file)].some((path) => DOCS.test(path))
        ? "documentation: give its folder as a path to publish it"
        : null
  },
  // A file below `src/pages`.
  isPageFile: (file) => /(?:^|\/)src\/pages\//.test(file),
  // Tags by the `label` that `tags.yml` beside the posts gives them.
  labelsOf: (meaning, { data }, _, settings) =>
    meaning === "tags" && Array.isArray(data["tags"])
      ? [{ value: data["tags"].map((tag: unknown) => textAt(settings.data, `tags.${String(tag)}.label`) ?? tag) }]
      : null,
  // `date`, else the date of the path.
  dateFields: () => ["date", PATH_DATE],
  // The last date of the path: `2024/06/01/a`, `2024/06-01-a`, `2024-06-01/a`.
  dateOfPath: (file) => DATED.exec(file)?.slice(1).join("-") ?? null,
  // Any file: by the date of the author, where the tool takes that of the committer.
  isDatedByCommit: () => true,
  // `@site/blog/a.md`, from the folder of the configuration.
  pathOfLink: (href, { base }) => href.replace(/^@site\//, `/${base}`),
  // `slug` or the path with its date as folders, below `routeBasePath`; also below the codes of languages.
  addressesOf,
  // All texts are MDX, also `.md`.
  blocks: (body) => mdxBlocks(body, ".mdx"),
  // `mdx-code-block` as its content; code without comments that mark lines (guessed otherwise: with `{1}` after the language the tool shows them).
  shownCode: {
    sign: /mdx-code-block|highlight-(?:next-line|start|end)/,
    of: (source) => (/^[`~]+[ \t]*mdx-code-block/.test(source) ? contentOf(source) : withoutMarks(source)),
  },
  // `{/*`.
  comments: ["{/*"],
  // Markdown in elements, and names of emoji.
  markup: () => ({ markdownInHtml: "signs", hasEmoji: true }),
}
