import { posix } from "node:path"

import { PATH_DATE } from "../folder/field-names.ts"
import type { Folder } from "../folder/files.ts"
import { slugify } from "../folder/slugify.ts"
import { asText } from "../folder/values.ts"
import { below, fillPattern, formatDate, withoutExtension } from "./addresses.ts"
import {
  anyRule,
  codesIn,
  DATA_FILES,
  filesIn,
  globRule,
  outsideRule,
  readAll,
  readCode,
  readGivenFields,
  readTextFile,
} from "./configuration.ts"
import { readCascades } from "./hugo.ts"
import type { Addressed, FileRule, GivenFields, Tool, ToolSettings } from "./tool.ts"
import { literal, objectsIn, OF_MARKDOWN_IT, readFacts, textAt, unreadNames, valueAt } from "./values.ts"

/** Returns the paths of a field in the files of `_data` in which blogs keep it, such as `_data/site.json`. */
const inSite = (name: string): string[] => ["site", "metadata", "meta"].map((file) => `${file}.${name}`)

/** Matches data for a folder or a file: `a/a.json`, `a/b.11tydata.json`, `a/b.data.json` of version 4. Does not match `a/b.json`. */
const DATA = /(?:^|\/)([^/]+)\/\1\.json$|(?:^|\/)[^/]+\.(?:11ty)?data\.json$/

/** Tells whether a file is data for a folder, or for a file of its name. */
export const isDataOfFolder = (file: string): boolean => DATA.test(file)

/** Reads the fields that files of data give. */
export const readDataOfFolders = async (folder: Folder, files: string[]): Promise<GivenFields[]> => {
  const given: GivenFields[] = []
  // One after another: systems limit the files that are open.
  for (const file of files) {
    const above = posix.dirname(file)
    const name = posix.basename(file).replace(/\.(?:(?:11ty)?data\.)?json$/, "")
    const place = posix.basename(above) === name ? above : posix.join(above, name)
    given.push(...(await readGivenFields(folder, file, { place, base: ".", lang: null }, JSON.parse)))
  }
  return given
}

/** Leaves out data in code, which is never run. Matches `posts/posts.11tydata.js`. Does not match `posts/posts.json`. */
export const codeRule: FileRule = (file) => (/\.11tydata\.[cm]?js$/.test(file) ? "code is not run" : null)

/** Matches a glob that code adds to what is ignored: `c.ignores.add("a/**")`. Does not match `ignores.add(PATH)`. */
const ADDED = /\bignores\.add\(\s*(["'`])((?:(?!\1)[^\n$])+)\1/g

/** Matches `ignores.add(PATH)`. Does not match `c.ignores.add("a/**")`. */
const ADDED_BY_CODE = /\bignores\.add\(\s*(?!(["'`])(?:(?!\1)[^\n$])+\1\s*\))/

/** Returns the folders that code names. */
const dirIn = (code: string): string => objectsIn(code, /(?<![\w.$-])dir["']?\s*:\s*/g)[0] ?? ""

/** Returns the patterns of an ignore file, without comments and what takes files back. */
const ignoreLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[#!]/.test(line))

/** Makes a rule of the files that say what is ignored, in the folder of the configuration and in that of the pages, and of code. */
const ignoredRule = async (folder: Folder, { file, base, contentFolder }: ToolSettings): Promise<FileRule> => {
  const code = await readCode(folder, [file ?? ""])
  const added = Array.from(code.matchAll(ADDED), ([, , glob = ""]) => glob)
  const parts = ["includes", "layouts", "data"].map((name) => literal(dirIn(code), name) ?? `_${name}`)
  const rules = [
    globRule("`ignores` of the configuration", added, [base]),
    globRule(
      "parts and data of pages",
      parts.map((one) => `/${one}/**`),
      [contentFolder ?? base],
    ),
  ]
  // Matches the call by which a blog leaves `.gitignore` aside.
  const names = /setUseGitIgnore\(\s*false/.test(code) ? [".eleventyignore"] : [".gitignore", ".eleventyignore"]
  for (const above of new Set([base, contentFolder ?? base]))
    for (const name of names) {
      const lines = ignoreLines(await readTextFile(folder, posix.join(above, name)))
      rules.push(globRule(`\`${name}\``, lines, [above]))
    }
  return anyRule(...rules)
}

/** Tells whether a text is one of the words that stand for a date. Matches `Last Modified`, `git Created`. Does not match `2024-01-31`. */
export const isDateWord = (text: string): boolean => /^(?:git )?(?:last modified|created)$/i.test(text)

/** Tells whether a tag is one by which posts are collected. */
export const isCollectionTag = (tag: string): boolean => tag === "posts" || tag === "all"

/** Matches the date before a name: `2024-01-02-a`. Does not match `2024-a`. */
const DATE = /^\d{4}-\d{2}-\d{2}-/

/** Returns the value of an expression with filters, such as `title | slugify`; undefined for other ones. */
const evaluate = (expression: string, data: object, date: string | null): string | undefined => {
  // Matches a filter with its argument: `| date: "%Y"`. Does not match `||`.
  const [path = "", ...filters] = expression.split(/\s*\|\s*/).map((part) => part.trim())
  let value = path === "page.date" ? (date ?? undefined) : (textAt(data, path) ?? undefined)
  for (const filter of filters) {
    const [, name = "", format = ""] = /^(\w+)(?:\s*[:(]\s*["']([^"']*)["']\)?)?$/.exec(filter) ?? []
    if (value === undefined) return undefined
    if (/^slug(?:ify)?$/.test(name)) value = slugify(value.replaceAll("&", " and "))
    else if (/^(?:downcase|lower)$/.test(name)) value = value.toLowerCase()
    else if (name !== "date" || path !== "page.date" || format === "" || date === null) return undefined
    else value = formatDate(date, format) ?? undefined
  }
  return filters.length === 0 && path === "page.date" ? undefined : value
}

/** Returns the address of a page: `permalink` with simple expressions, else its path with the date of its name (guessed otherwise). */
const addressesOf = ({ file, data, date }: Addressed, settings: ToolSettings): string[] => {
  const folders = posix.dirname(below(settings.contentFolder ?? "", file) ?? file)
  const name = withoutExtension(posix.basename(file))
  const above = posix.basename(folders)
  const isIndex = name === "index"
  const permalink = asText(
    valueAt(data, "eleventyComputed.permalink") ?? valueAt(data, "permalink.build") ?? data["permalink"],
  )
  if (!permalink) return [posix.join("/", folders, isIndex || name === above ? "" : name)]
  const fileSlug = (isIndex ? above : name).replace(DATE, "")
  const page = { fileSlug, filePathStem: posix.join("/", folders, name.replace(DATE, "")) }
  const path = fillPattern(permalink, /\{\{-?\s*(.*?)\s*-?\}\}/g, (expression) =>
    evaluate(expression, { ...settings.data, ...data, page }, date),
  )
  // Matches a tag of a template. Does not match `{`.
  return path === null || /\{%/.test(path) ? [] : [posix.join("/", path)]
}

export const eleventy: Tool = {
  name: "Eleventy",
  // No: in themes it only hides buttons.
  hidesByShare: false,
  read: async (site) => {
    const { folder, file } = site
    const dataFiles = filesIn(site, DATA_FILES)
    const code = await readCode(folder, [file, ...dataFiles])
    const data = await readAll(folder, dataFiles)
    const inCode = readFacts(code, OF_MARKDOWN_IT)
    const language = textAt(data, ...inSite("language"), ...inSite("lang"))
    return {
      ...inCode,
      title: textAt(data, ...inSite("title")) ?? inCode.title,
      url: textAt(data, ...inSite("url")) ?? inCode.url,
      languages: [language ?? inCode.languages[0] ?? "", ...codesIn(data["languages"]), ...inCode.languages.slice(1)],
      contentFolder: inCode.contentFolder ?? "",
      data,
      unread: [...(ADDED_BY_CODE.test(code) ? ["ignores"] : []), ...unreadNames(dirIn(code), "input")],
    }
  },
  // A file outside of `input`; a file in the folders of includes, layouts and data; what `.gitignore`, `.eleventyignore` and texts in `ignores.add()` of the configuration name.
  skipsFile: async (folder, settings) => anyRule(outsideRule(settings), await ignoredRule(folder, settings)),
  // Data files of a folder and of a file, in JSON, and `cascade` as Hugo.
  givenFields: async (folder, settings) => {
    const files = new Set(folder.files)
    const isOfFile = (file: string) => file.endsWith(".json") && files.has(file.replace(/\.json$/, ".md"))
    const given = await readDataOfFolders(
      folder,
      folder.files.filter((file) => isDataOfFolder(file) || isOfFile(file)),
    )
    return [...given, ...(await readCascades(folder, settings))]
  },
  // `tags` of the data files, then those of the file. Commas separate the names of a text.
  labelsOf: (meaning, { data, given = [] }) =>
    meaning === "tags" && given.some(({ tags }) => tags) ? [...given, data].map(({ tags }) => ({ value: tags })) : null,
  // `date`, else the first date of the path.
  dateFields: () => ["date", PATH_DATE],
  // The first `2024-01-31` of the path: that of a folder before that of the name.
  dateOfPath: (file) => /\d{4}-\d\d-\d\d/.exec(file)?.[0] ?? null,
  // `permalink` of the front matter and of data files, with expressions of names and the filters `slugify`, `downcase` and `date`; else the path.
  addressesOf,
  // `{#`.
  comments: ["{#"],
  // Global data and the front matter, by their names.
  scope: (data, page) => ({ ...data, ...page }),
}
