import { posix } from "node:path"

import type { Generator } from "../generator/generator.ts"
import { valueAt } from "../generator/values.ts"
import type { Folder } from "./files.ts"
import { type FrontMatter, FrontMatterError, splitFrontMatter } from "./front-matter.ts"
import { knownLanguage } from "./languages.ts"
import { matchesPattern } from "./paths.ts"
import { asList, asText } from "./values.ts"

// Reads the fields that a folder gives all posts below it: `cascade` of Hugo, `defaults` of Jekyll, data files of Eleventy.

/** Fields for the files at a place, or why they cannot be read. */
interface Given {
  /** A folder, or a file without its extension; "." for all. */
  place: string
  /** Pattern of the files that are meant, from the folder of the content or of Jekyll's configuration; null for all. */
  target: string | null
  /** BCP 47 code of the texts that are meant; null for all. */
  lang?: string | null
  fields: Record<string, unknown> | Error
}

/** Matches lists of Hugo: `a/_index.md`, `_index.fr.md`. Does not match `a/index.md`. */
const SECTION = /(?:^|\/)_index(?:\.([\w-]+))?\.(?:md|markdown)$/i
/** Matches data of Eleventy for a folder or a file: `a/a.json`, `a/b.11tydata.json`. Does not match `a/b.json`. */
const DATA = /(?:^|\/)([^/]+)\/\1\.json$|(?:^|\/)[^/]+\.11tydata\.json$/
const MAX_BYTES = 2 ** 20

const toGiven = (fields: unknown, place: string, lang: string | null = null, pattern?: unknown): Given[] =>
  asList(fields).flatMap((one) => {
    if (typeof one !== "object" || one === null) return []
    const target = pattern ?? valueAt(one, "_target.path") ?? valueAt(one, "target.path")
    return [{ place, target: asText(target) || null, lang, fields: { ...one } }]
  })

/** Reads `defaults` of Jekyll for posts, the longest path last. */
const readScopes = (defaults: unknown): Given[] =>
  asList(defaults)
    .filter((one) => ["", "posts"].includes(asText(valueAt(one, "scope.type")) ?? ""))
    .flatMap((one) => toGiven(valueAt(one, "values"), ".", null, valueAt(one, "scope.path")))
    .toSorted((one, other) => (one.target?.length ?? 0) - (other.target?.length ?? 0))

const readGiven = async (folder: Folder, file: string, isEleventy: boolean): Promise<Given[]> => {
  const above = posix.dirname(file)
  const name = posix.basename(file).replace(/\.(?:11tydata\.)?json$/, "")
  const place = SECTION.test(file) || posix.basename(above) === name ? above : posix.join(above, name)
  try {
    const [, code = ""] = SECTION.exec(file) ?? []
    const lang = above.split("/").includes(code) ? null : knownLanguage(code)
    const text = String(await folder.read(file, MAX_BYTES))
    return toGiven(SECTION.test(file) ? splitFrontMatter(text).data["cascade"] : JSON.parse(text), place, lang)
  } catch (error) {
    // `a/a.json` may be anything where no Eleventy is.
    if (!isEleventy && !SECTION.test(file)) return []
    return [{ place, target: null, fields: new Error(`${file} cannot be read: ${(error as Error).message}`) }]
  }
}

/**
 * Reads the fields that folders give their posts.
 * @returns a function that adds them to a front matter, whose own fields win. It throws FrontMatterError if they cannot be read
 */
export const readDefaults = async (
  folder: Folder,
  { tool, file: config, contentFolder, languages, data }: Generator,
): Promise<(file: string, front: FrontMatter) => FrontMatter> => {
  const isEleventy = tool === "eleventy"
  const files = new Set(folder.files)
  const isOfFile = (file: string) => file.endsWith(".json") && files.has(file.replace(/\.json$/, ".md"))
  const isData = (file: string) => (isEleventy && isOfFile(file)) || ((isEleventy || tool === null) && DATA.test(file))
  const base = tool === "jekyll" ? posix.dirname(config ?? "") : (contentFolder ?? "content")
  const given = [...readScopes(tool === "jekyll" ? data["defaults"] : []), ...toGiven(valueAt(data, "cascade"), ".")]
  // One after another: systems limit the files that are open.
  for (const file of files)
    if (SECTION.test(file) || isData(file)) given.push(...(await readGiven(folder, file, isEleventy)))
  // The nearest folder is the last.
  given.sort((one, other) => one.place.length - other.place.length)
  return (file, front) => {
    const path = file.replace(/\.[^./]+$/, "")
    const langHere = knownLanguage(posix.extname(path).slice(1)) ?? languages[0]
    const fields: Record<string, unknown> = {}
    for (const { place, target, lang, fields: added } of given) {
      const isMeant = target === null || [file, path].some((one) => matchesPattern(posix.relative(base, one), target))
      if (lang && lang !== (langHere ?? lang)) continue
      if (!isMeant || (place !== "." && !`${path}/`.startsWith(`${place}/`))) continue
      if (added instanceof Error) throw new FrontMatterError(added.message, 1)
      Object.assign(fields, added)
    }
    const own = new Set(Object.keys(front.data).map((name) => name.toLowerCase()))
    const others = Object.entries(fields).filter(([name]) => !own.has(name.toLowerCase()))
    return others.length === 0 ? front : { ...front, data: { ...front.data, ...Object.fromEntries(others) } }
  }
}
