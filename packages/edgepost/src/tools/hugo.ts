import { posix } from "node:path"

import type { Folder } from "../folder/files.ts"
import { splitFrontMatter } from "../folder/front-matter.ts"
import { knownLanguage } from "../folder/languages.ts"
import { asText } from "../folder/values.ts"
import {
  anyRule,
  codesIn,
  filesIn,
  firstText,
  formRule,
  mainFirst,
  outsideRule,
  readAll,
  readData,
  readGivenFields,
  toGivenFields,
} from "./configuration.ts"
import type { FileRule, GivenFields, Tool, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

const weightOf = (language: unknown): number => Number(textAt(language, "weight") ?? Infinity)

/** Returns the codes of the languages by their weight, without those that are switched off. */
const usedLanguages = (languages: unknown): string[] =>
  codesIn(languages)
    .filter((code) => valueAt(languages, `${code}.disabled`) !== true)
    .toSorted((one, other) => (weightOf(valueAt(languages, one)) < weightOf(valueAt(languages, other)) ? -1 : 1))

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
const languageFolders = ({ file, data }: ToolSettings): string[] =>
  Object.values(data["languages"] ?? {})
    .map((one) => asText(valueAt(one, "contentDir")))
    .filter((one) => one !== null)
    .map((one) => posix.join(posix.dirname(file ?? ""), one))

/** Matches lists: `a/_index.md`, `_index.fr.md`. Does not match `a/index.md`. */
const SECTION = /(?:^|\/)_index(?:\.([\w-]+))?\.(?:md|markdown)$/i

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
  read: async (site) => {
    const own = await readData(site.folder, site.file)
    // `config/_default/params.toml` is merged as `params`. Does not match `params.en.toml`.
    const files = filesIn(site, /^config\/_default\/[\w-]+\.\w+$/)
    const { hugo: first, config, ...parts } = await readAll(site.folder, files)
    const data = { ...parts, ...config, ...first, ...own }
    const isHugo = textAt(data, "baseURL", "theme") !== null || filesIn(site, /^content\/|^hugo\./).length > 0
    if (!isHugo) return null
    const used = valueAt(data, "languages")
    // A language's key is also in the names of its files, and `languageCode` is not.
    const languages = mainFirst(data, used, usedLanguages(used), "languageCode", "locale")
    const main = `languages.${languages.find((code) => knownLanguage(code) !== null)}`
    return {
      title: textAt(data, "title", `${main}.title`),
      url: textAt(data, "baseURL", `${main}.baseURL`),
      timezone: textAt(data, "timeZone") ?? "UTC",
      languages,
      contentFolder: textAt(data, "contentDir") ?? "content",
      permalink: firstText(valueAt(data, "permalinks")),
      data,
    }
  },
  // Pages in HTML, below the content.
  unread: ({ contentFolder }) => formRule(contentFolder, /\.html?$/i),
  // A file outside of the content and of a language's `contentDir`, unless folders are mounted; a further file of a leaf bundle.
  skipsFile: (folder, settings) => {
    const outside = valueAt(settings.data, "module.mounts") ? [] : [outsideRule(settings, languageFolders(settings))]
    return anyRule(...outside, bundleRule(folder, settings))
  },
  // `cascade` of the configuration and of `_index` files, for `_target` and for a language.
  givenFields: readCascades,
  // None of them.
  comments: [],
  // None: a text has no templates.
  scope: () => ({}),
}
