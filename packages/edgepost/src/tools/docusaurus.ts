import { posix } from "node:path"

import { PATH_DATE } from "../folder/field-names.ts"
import { knownLanguage, type Reading } from "../folder/languages.ts"
import { readCode, readData, readFacts, underscoreRule } from "./configuration.ts"
import type { Tool } from "./tool.ts"
import { textAt } from "./values.ts"

/** Names the folder of translated posts, below that of the language. */
export const TRANSLATED = "docusaurus-plugin-content-blog"

/** Matches the folder of translated posts: `i18n/fr/docusaurus-plugin-content-blog/`. Does not match `i18n/fr/`. */
const TRANSLATION = new RegExp(String.raw`(^|\/)i18n\/([^/]+)\/${TRANSLATED}\/`)

/** Reads a path as that of a translated post. */
export const translationOf = (path: string): Reading | null => {
  const [, before = "", code = ""] = TRANSLATION.exec(path) ?? []
  return code === "" ? null : { key: path.replace(TRANSLATION, `${before}blog/`), lang: knownLanguage(code) }
}

/** Matches the last date of a path: `2024/06/01/a.md`, `2024/06-01-a.md`. Does not match `2024/06/a.md`. */
const DATED = /^.*(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/

/** Matches documentation: `docs/intro.md`, `versioned_docs/version-1.0/intro.md`. Does not match `blog/docs/a.md`. */
const DOCS = /^(?:docs|(?:\w+_)?versioned_docs|i18n\/[^/]+\/docusaurus-plugin-content-docs[^/]*)\//

/** Matches the file that names authors by keys. Does not match `authors.md`. */
export const AUTHORS = /(?:^|\/)authors\.ya?ml$/

export const docusaurus: Tool = {
  name: "Docusaurus",
  read: async ({ folder, file, base }) => {
    const inCode = readFacts(await readCode(folder, [file]))
    const contentFolder = inCode.contentFolder ?? "blog"
    const tags = await readData(folder, posix.join(base, contentFolder, "tags.yml"))
    return { ...inCode, contentFolder, data: { tags } }
  },
  // A file or a folder whose name begins with an underscore, below `blog`.
  skipsFile: () => underscoreRule("blog"),
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
  // `authors.yml`.
  authors: AUTHORS,
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
  // `i18n/<lang>/docusaurus-plugin-content-blog/`.
  translationOf,
  // `docusaurus-plugin-content-blog`.
  roots: [TRANSLATED],
  // `blog`.
  postsPath: "blog",
  // `{/*`.
  comments: ["{/*"],
}
