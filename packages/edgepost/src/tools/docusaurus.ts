import { knownLanguage, type Reading } from "../folder/languages.ts"
import { readCode, underscoreRule } from "./configuration.ts"
import type { Tool } from "./tool.ts"
import { literal, literals } from "./values.ts"

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
  // Matches `docusaurus.config.ts`. Does not match `docusaurus.ts`.
  configs: [/^docusaurus\.config\.[cm]?[jt]s$/],
  read: async ({ folder, file }) => {
    const code = await readCode(folder, [file])
    return {
      title: literal(code, "title"),
      url: literal(code, "url"),
      path: literal(code, "baseUrl"),
      timezone: literal(code, "timezone", "timeZone") ?? "UTC",
      languages: [literal(code, "defaultLocale") ?? "", ...literals(code, "locales")],
      contentFolder: "blog",
      data: {},
    }
  },
  skipsFile: () => underscoreRule("blog"),
  authors: AUTHORS,
  translationOf,
  roots: [TRANSLATED],
  postsPath: "blog",
  comments: ["{/*"],
}
