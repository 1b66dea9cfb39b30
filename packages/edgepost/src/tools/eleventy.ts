import { posix } from "node:path"

import type { Folder } from "../folder/files.ts"
import { DATA_FILES, filesIn, readAll, readCode, readGivenFields } from "./configuration.ts"
import type { FileRule, GivenFields, Tool } from "./tool.ts"
import { literal, literals, textAt } from "./values.ts"

/** Returns the paths of a field in the files of `_data` that blogs have for it. */
const inSite = (name: string): string[] => ["site", "metadata", "meta"].map((file) => `${file}.${name}`)

/** Matches data for a folder or a file: `a/a.json`, `a/b.11tydata.json`. Does not match `a/b.json`. */
const DATA = /(?:^|\/)([^/]+)\/\1\.json$|(?:^|\/)[^/]+\.11tydata\.json$/

/** Tells whether a file is data for a folder, or for a file of its name. */
export const isDataOfFolder = (file: string): boolean => DATA.test(file)

/** Reads the fields that files of data give. */
export const readDataOfFolders = async (folder: Folder, files: string[]): Promise<GivenFields[]> => {
  const given: GivenFields[] = []
  // One after another: systems limit the files that are open.
  for (const file of files) {
    const above = posix.dirname(file)
    const name = posix.basename(file).replace(/\.(?:11tydata\.)?json$/, "")
    const place = posix.basename(above) === name ? above : posix.join(above, name)
    given.push(...(await readGivenFields(folder, file, { place, base: ".", lang: null }, JSON.parse)))
  }
  return given
}

/** Leaves out data in code, which may keep posts off the old site. Matches `posts/posts.11tydata.js`. Does not match `posts/posts.json`. */
export const codeRule: FileRule = (file) => (/\.11tydata\.[cm]?js$/.test(file) ? "code is not run" : null)

/** Tells whether a text is one of the words that stand for a date. Matches `Last Modified`, `git Created`. Does not match `2024-01-31`. */
export const isDateWord = (text: string): boolean => /^(?:git )?(?:last modified|created)$/i.test(text)

/** Tells whether a tag is one by which posts are collected. */
export const isCollectionTag = (tag: string): boolean => tag === "posts" || tag === "all"

export const eleventy: Tool = {
  name: "Eleventy",
  // Matches `.eleventy.js` and `eleventy.config.cjs`. Does not match `eleventy.js`.
  configs: [/^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/],
  read: async (site) => {
    const { folder, file } = site
    const dataFiles = filesIn(site, DATA_FILES)
    const code = await readCode(folder, [file, ...dataFiles])
    const data = await readAll(folder, dataFiles)
    const main =
      textAt(data, ...inSite("language"), ...inSite("lang")) ??
      literal(code, "defaultLocale", "language", "lang", "locale")
    return {
      title: textAt(data, ...inSite("title")) ?? literal(code, "title", "SITE_TITLE"),
      url: textAt(data, ...inSite("url")) ?? literal(code, "site", "url", "website", "SITE_URL"),
      path: literal(code, "pathPrefix"),
      timezone: literal(code, "timezone", "timeZone") ?? "UTC",
      languages: [main ?? "", ...literals(code, "locales")],
      contentFolder: literal(code, "input") ?? "",
      data,
    }
  },
  unread: () => codeRule,
  givenFields: (folder) => {
    const files = new Set(folder.files)
    const isOfFile = (file: string) => file.endsWith(".json") && files.has(file.replace(/\.json$/, ".md"))
    return readDataOfFolders(
      folder,
      folder.files.filter((file) => isDataOfFolder(file) || isOfFile(file)),
    )
  },
  isCollection: isCollectionTag,
  isFileDate: isDateWord,
  comments: ["{#"],
  scope: (data, page) => ({ ...data, ...page }),
}
