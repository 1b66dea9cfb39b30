import { posix } from "node:path"

import { isCalmPattern } from "../folder/calm.ts"
import { fieldsOf } from "../folder/field-names.ts"
import type { Folder } from "../folder/files.ts"
import { splitFrontMatter } from "../folder/front-matter.ts"
import { knownLanguage } from "../folder/languages.ts"
import { MARKDOWN, matcherOf } from "../folder/paths.ts"
import { asList, asText } from "../folder/values.ts"
import { UsageError } from "../usage-error.ts"
import {
  anyRule,
  byConfiguration,
  codesIn,
  filesIn,
  folderAt,
  formRule,
  mainFirst,
  outsideRule,
  readAll,
  readConfiguration,
  readGivenFields,
  textsAt,
  toGivenFields,
} from "./configuration.ts"
import { addressesOf, dateFields, languageOfPath, usedLanguages } from "./hugo-addresses.ts"
import type { FileRule, GivenFields, Tool, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

/** Matches pages that stand for their folder: `a/index.md`, `index.fr.md`. Does not match `_index.md`. */
const INDEX = /(?:^|\/)index(?:\.[\w-]+)?\.\w+$/i

/** Makes a rule that leaves out files of a leaf bundle, beside its page or deeper. */
const bundleRule = ({ files }: Folder, { contentFolder }: ToolSettings): FileRule => {
  const bundles = new Set(files.filter((file) => INDEX.test(file)).map((file) => posix.dirname(file)))
  return (file) => {
    const folders = (INDEX.test(file) ? posix.dirname(file) : file).split("/").slice(0, -1)
    const isResource = folders.some((_, i) => {
      const above = folders.slice(0, i + 1).join("/")
      return above !== contentFolder && bundles.has(above)
    })
    return isResource ? "file of a bundle" : null
  }
}

/** Lists the folders that languages have for themselves. */
const languageFolders = ({ base, data }: Pick<ToolSettings, "base" | "data">): string[] =>
  Object.values(data["languages"] ?? {})
    .map((one) => asText(valueAt(one, "contentDir")))
    .filter((one) => one !== null)
    .map((one) => folderAt(base, one))

/** Names the section of a page: the first folder below the content; "" for a page in none, also as a bundle. */
const sectionOf = (file: string, roots: string[]): string => {
  const [root = ""] = roots
    .filter((one) => file.startsWith(`${one}/`))
    .toSorted((one, other) => other.length - one.length)
  const [section = "", ...below] = posix.relative(root, INDEX.test(file) ? posix.dirname(file) : file).split("/")
  return below.length > 0 ? section : ""
}

/** Tells whether pages in no section are no posts: the configuration names sections of posts, or one has as many pages. */
const hasPagesInRoot = (files: string[], data: object, roots: string[]): boolean => {
  if ([valueAt(data, "mainSections"), valueAt(data, "params.mainSections")].some((names) => names !== undefined))
    return true
  const markdown = files.filter((file) => MARKDOWN.test(file) && !SECTION.test(file))
  const pages = markdown.filter((file) => roots.some((root) => file.startsWith(`${root}/`)))
  const sections = Map.groupBy(pages, (file) => sectionOf(file, roots))
  const inNone = sections.get("")?.length ?? 0
  return [...sections].some(([name, { length }]) => name !== "" && length >= inNone)
}

/** Matches lists: `a/_index.md`, `_index.fr.md`. Does not match `a/index.md`. */
const SECTION = /(?:^|\/)_index(?:\.([\w-]+))?\.(?:md|markdown)$/i

/** Reads a regular expression of Go. @throws UsageError for one that cannot be read, or whose search may take long */
const readPattern = (text: string, file: string | null): RegExp => {
  // Matches the flags at the start of `(?i)a`. Does not match `(?:a)`.
  const [head = "", flags = ""] = /^\(\?([ims]+)\)/.exec(text) ?? []
  try {
    if (isCalmPattern(text.slice(head.length), 1)) return new RegExp(text.slice(head.length), flags)
    throw new SyntaxError("Too many repetitions.")
  } catch {
    const advice = "Write it with few repetitions, and without what only Go's regular expressions have."
    throw new UsageError(`${file}: the pattern ${text} in \`ignoreFiles\` cannot be read.`, advice)
  }
}

/** Makes a rule of `ignoreFiles`, which are looked for in the whole path. */
const ignoreRule = ({ file: configuration, base, data }: ToolSettings): FileRule => {
  const patterns = textsAt(data, "ignoreFiles").map((text) => readPattern(text, configuration))
  return (file) =>
    patterns.some((one) => {
      const path = `/${posix.relative(base, file)}`
      return !isCalmPattern(one.source, path.length) || one.test(path)
    })
      ? byConfiguration("ignoreFiles")
      : null
}

/** Makes a rule of languages that are switched off: names with their code, and their folders. */
const languageRule = ({ base, contentFolder, data }: ToolSettings): FileRule => {
  const { languages } = data
  const off = [
    ...textsAt(data, "disableLanguages"),
    ...codesIn(languages).filter((code) => valueAt(languages, `${code}.disabled`) === true),
  ]
  const folders = off
    .map((code) => asText(valueAt(languages, `${code}.contentDir`)))
    .map((own) => (own === null ? contentFolder : folderAt(base, own)))
    .filter((folder) => folder !== contentFolder)
  return (file) => {
    // Matches the code of `a.fr.md`. Does not match `fr/a.md`.
    const [, code = ""] = /\.([\w-]+)\.\w+$/.exec(posix.basename(file)) ?? []
    const isNamed = off.some((one) => one.toLowerCase() === code.toLowerCase())
    return isNamed || folders.some((folder) => file.startsWith(`${folder}/`)) ? "a language that is switched off" : null
  }
}

/** Makes a rule of the folders that are mounted as content: others are left out, and so are the files that a mount excludes. */
const mountRule = ({ base, data }: ToolSettings): FileRule => {
  const mounts = asList(valueAt(data, "module.mounts"))
    // Matches `content` and `content/posts`. Does not match `static`.
    .filter((mount) => /^content(?:\/|$)/.test(textAt(mount, "target") ?? ""))
    .map((mount) => {
      // In `files` a blank may follow the sign of what is left out.
      const files = textsAt(mount, "files").map((glob) => glob.replace(/^!\s*/, "!"))
      const globs = [...textsAt(mount, "includeFiles"), ...files]
      const excluded = textsAt(mount, "excludeFiles").map((glob) => `!${glob}`)
      const isAll = globs.every((glob) => glob.startsWith("!"))
      const source = folderAt(base, textAt(mount, "source") ?? "")
      return {
        source,
        isMeant: matcherOf([...(isAll ? ["**"] : []), ...globs, ...excluded], { isWhole: true, isShown: true }),
      }
    })
  const sources = mounts.map(({ source }) => source).join(", ")
  return (file) => {
    const here = mounts.filter(({ source }) => file.startsWith(`${source}/`))
    if (here.some(({ source, isMeant }) => isMeant(posix.relative(source, file))) || mounts.length === 0) return null
    return here.length > 0 ? byConfiguration("module.mounts") : `outside of ${sources}`
  }
}

const cascadeOf = (text: string): unknown => splitFrontMatter(text).data["cascade"]

/** Reads `cascade` of the configuration and of lists. */
export const readCascades = async (folder: Folder, settings: ToolSettings): Promise<GivenFields[]> => {
  const base = settings.contentFolder ?? "content"
  const given = toGivenFields(valueAt(settings.data, "cascade"), { place: ".", base, lang: null })
  // One after another: systems limit the files that are open.
  for (const file of folder.files) {
    const [list, code = ""] = SECTION.exec(file) ?? []
    if (list === undefined) continue
    const place = posix.dirname(file)
    const lang = place.split("/").includes(code) ? null : knownLanguage(code)
    given.push(...(await readGivenFields(folder, file, { place, base, lang }, cascadeOf)))
  }
  return given
}

export const hugo: Tool = {
  name: "Hugo",
  // No: in themes it only hides buttons.
  hidesByShare: false,
  read: async (site) => {
    const isNamed = filesIn(site, /^content\/|^hugo\.|^config\/_default\//).length > 0
    const own = await readConfiguration(site.folder, site.file, isNamed ? /^/ : /^\s*["']?(?:baseURL|theme)\b/im)
    const inFolder = async (name: string) => {
      // `params.toml` is merged as `params`. Does not match `params.en.toml`.
      const files = filesIn(site, new RegExp(`^config/${name}/[\\w-]+\\.\\w+$`))
      const { hugo: first, config, ...parts } = await readAll(site.folder, files, readConfiguration)
      return { ...parts, ...config, ...first }
    }
    const data: Record<string, unknown> = { ...(await inFolder("_default")), ...own }
    // A build for readers has this environment.
    for (const [name, value] of Object.entries(await inFolder("production"))) {
      const isMap = typeof value === "object" && value !== null && !Array.isArray(value)
      const key = Object.keys(data).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
      data[key] = isMap ? { ...(data[key] as object | undefined), ...value } : value
    }
    const isHugo = textAt(data, "baseURL", "theme") !== null || filesIn(site, /^content\/|^hugo\./).length > 0
    if (!isHugo) return null
    const used = valueAt(data, "languages")
    // A language's key is also in the names of its files, and `languageCode` is not.
    const languages = mainFirst(data, used, usedLanguages(used), "languageCode", "locale")
    const contentFolder = textAt(data, "contentDir") ?? "content"
    const roots = [posix.join(site.base, contentFolder), ...languageFolders({ base: site.base, data })]
    const main = `languages.${languages.find((code) => knownLanguage(code) !== null)}`
    return {
      title: textAt(data, "title", `${main}.title`),
      url: textAt(data, "baseURL", `${main}.baseURL`),
      timezone: textAt(data, "timeZone") ?? "UTC",
      languages,
      contentFolder,
      breaksLines: valueAt(data, "markup.goldmark.renderer.hardWraps") === true,
      data: { ...data, hasPagesInRoot: hasPagesInRoot(site.folder.files, data, roots) },
    }
  },
  // Pages in HTML, below the content.
  unread: ({ contentFolder }) => formRule(contentFolder, /\.html?$/i),
  // A file outside of the content and of a language's `contentDir`, or of the folders that are mounted as content; what a mount excludes; `ignoreFiles`; a language that is switched off; a further file of a leaf bundle.
  skipsFile: (folder, settings) => {
    const isMounted = valueAt(settings.data, "module.mounts") !== undefined
    const [first, ...others] = languageFolders(settings)
    // If each of several languages has a folder, the content itself is none.
    const isAll = others.length > 0 && others.length + 1 === Object.keys(settings.data["languages"] ?? {}).length
    const site = isAll && first !== undefined ? { ...settings, contentFolder: first } : settings
    return anyRule(
      isMounted ? mountRule(settings) : outsideRule(site, first === undefined ? [] : [first, ...others]),
      ignoreRule(settings),
      languageRule(settings),
      bundleRule(folder, settings),
    )
  },
  // A page in no section, if the configuration names `mainSections`, or a section has as many pages.
  isPageFile: (file, settings) => {
    const roots = [settings.contentFolder ?? "content", ...languageFolders(settings)]
    return settings.data["hasPagesInRoot"] === true && sectionOf(file, roots) === ""
  },
  // By the names of `[taxonomies]`, such as `topics` for `category = "topics"`.
  labelsOf: (meaning, front, _, { data }) => {
    const name = textAt(data, `taxonomies.${meaning === "tags" ? "tag" : "category"}`)
    const [field] = name === null || name === meaning ? [] : fieldsOf(front, [name.toLowerCase()])
    return field ? [field] : null
  },
  // Those of `[frontmatter]`, else `date`, `publishDate`, `pubdate`, `published`, `lastmod` and `modified`.
  dateFields,
  // By `contentDir`, mounts and the code at the end of a name, if the configuration has several languages.
  translationOf: languageOfPath,
  // `translationKey`.
  pairOf: ({ data }) => asText(valueAt(data, "translationKey")) || null,
  // `url`, else `permalinks` of the section, if they are a map, else the path with `slug`; below the code of a language that is not the main one; and `aliases`.
  addressesOf,
  // `draft`, `published`, `expiryDate`, `unpublishDate`, `build`, `_build` and `headless`.
  hidesBy: ["draft", "published", "expirydate", "unpublishdate", "build", "_build", "headless"],
  // None of them.
  comments: [],
  // `passthrough` of `markup.goldmark.extensions`, and braces as they stand.
  markup: (data) => {
    const extensions = valueAt(data, "markup.goldmark.extensions")
    const isOn = (name: string): boolean => valueAt(extensions, `${name}.enable`) === true
    const pairs = (name: string, isBlock: boolean) =>
      asList(valueAt(extensions, `passthrough.delimiters.${name}`) ?? []).map((one) => {
        const [open, close] = asList(one)
        return { open: asText(open) ?? "", close: asText(close) ?? "", isBlock }
      })
    const formulas = [...pairs("block", true), ...pairs("inline", false)].filter(({ open, close }) => open && close)
    return {
      ...(isOn("passthrough") && { formulas }),
      hasDefinitions: valueAt(extensions, "definitionList") !== false,
      hasEmoji: data["enableEmoji"] === true,
      literalBraces: "values",
    }
  },
  // None: a text has no templates.
  scope: () => ({}),
}
