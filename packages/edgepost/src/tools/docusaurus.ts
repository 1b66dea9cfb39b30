import { knownLanguage, type Reading } from "../folder/languages.ts"
import { readCode, readFacts, underscoreRule } from "./configuration.ts"
import type { Tool } from "./tool.ts"

/** Names the folder of translated posts, below that of the language. */
export const TRANSLATED = "docusaurus-plugin-content-blog"

/** Matches the folder of translated posts: `i18n/fr/docusaurus-plugin-content-blog/`. Does not match `i18n/fr/`. */
const TRANSLATION = new RegExp(String.raw`(^|\/)i18n\/([^/]+)\/${TRANSLATED}\/`)

/** Reads a path as that of a translated post. */
export const translationOf = (path: string): Reading | null => {
  const [, before = "", code = ""] = TRANSLATION.exec(path) ?? []
  return code === "" ? null : { key: path.replace(TRANSLATION, `${before}blog/`), lang: knownLanguage(code) }
}

/** Matches the file that names authors by keys. Does not match `authors.md`. */
export const AUTHORS = /(?:^|\/)authors\.ya?ml$/

export const docusaurus: Tool = {
  name: "Docusaurus",
  read: async ({ folder, file }) => {
    const inCode = readFacts(await readCode(folder, [file]))
    return { ...inCode, contentFolder: inCode.contentFolder ?? "blog", data: {} }
  },
  // A file or a folder whose name begins with an underscore, below `blog`.
  skipsFile: () => underscoreRule("blog"),
  // `authors.yml`.
  authors: AUTHORS,
  // `i18n/<lang>/docusaurus-plugin-content-blog/`.
  translationOf,
  // `docusaurus-plugin-content-blog`.
  roots: [TRANSLATED],
  // `blog`.
  postsPath: "blog",
  // `{/*`.
  comments: ["{/*"],
}
