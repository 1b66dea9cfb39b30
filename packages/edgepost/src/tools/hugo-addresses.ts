import { posix } from "node:path"

import { knownLanguage, type Reading } from "../folder/languages.ts"
import { asList, asText } from "../folder/values.ts"
import { below, datesOf, fillPattern, withoutExtension } from "./addresses.ts"
import { codesIn, folderAt } from "./configuration.ts"
import type { Addressed, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

// Where Hugo shows a page, and in which language. Guessed otherwise: without `en` among the languages the main one is the first by
// weight; a blank of a file's path is a hyphen beside another one; an alias of a translation is below its language; `+` of a name is lost.

const weightOf = (language: unknown): number => Number(textAt(language, "weight") ?? Infinity)

/** Returns the codes of the languages by their weight, English before all, without those that are switched off. */
export const usedLanguages = (languages: unknown): string[] => {
  const codes = codesIn(languages)
    .filter((code) => valueAt(languages, `${code}.disabled`) !== true)
    .toSorted((one, other) => (weightOf(valueAt(languages, one)) < weightOf(valueAt(languages, other)) ? -1 : 1))
  return codes.includes("en") ? ["en", ...codes] : codes
}

/** A folder of the content. */
interface Root {
  /** Its path from the folder's root. */
  folder: string
  /** The path of its files below the content. */
  place: string
  /** The language of its files, as the configuration has it; null if their names tell it. */
  code: string | null
}

/** Lists the folders of the content: mounted ones, those that languages have for themselves, and the one of all. */
const rootsOf = ({ base, contentFolder, data }: ToolSettings): Root[] => {
  const mounts = asList(valueAt(data, "module.mounts") ?? []).flatMap((mount): Root[] => {
    const [source, target] = [textAt(mount, "source"), textAt(mount, "target")]
    const place = below("content", posix.join(target ?? ""))
    if (source === null || target === null || place === null) return []
    const languages = asList(valueAt(mount, "sites.matrix.languages"))
    return [{ folder: folderAt(base, source), place, code: textAt(mount, "lang") ?? asText(languages[0]) }]
  })
  const own = codesIn(data["languages"]).flatMap((code): Root[] => {
    const folder = textAt(valueAt(valueAt(data, "languages"), code), "contentDir")
    return folder === null ? [] : [{ folder: folderAt(base, folder), place: "", code }]
  })
  return [...mounts, ...own, { folder: contentFolder ?? posix.join(base, "content"), place: "", code: null }]
}

/** Returns the main language, as the configuration has it: English if there are no others. */
const mainLanguage = ({ data }: ToolSettings): string =>
  textAt(data, "defaultContentLanguage") ?? usedLanguages(data["languages"])[0] ?? "en"

/** Returns the path of a page below the content, without language and extension, and the language as the configuration has it. */
const placeOf = (path: string, settings: ToolSettings): { place: string; code: string | null } => {
  const roots = rootsOf(settings).toSorted((one, other) => other.folder.length - one.folder.length)
  const root = roots.find(({ folder }) => below(folder, path) !== null)
  const place = root ? posix.join(root.place, below(root.folder, path) ?? "") : path
  // Matches the language of `post.pt-br`. Does not match `post`.
  const [, stem = place, suffix = ""] = /^(.*[^/])\.([^./]+)$/.exec(place) ?? []
  const codes = [...codesIn(settings.data["languages"]), mainLanguage(settings)]
  const code = codes.find((one) => one.toLowerCase() === suffix.toLowerCase())
  return code === undefined ? { place, code: root?.code ?? null } : { place: stem, code }
}

/** Reads a path as that of a text, if the blog has several languages. */
export const languageOfPath = (path: string, settings: ToolSettings): Reading | null => {
  const { languages } = settings.data
  if (codesIn(languages).length < 2) return null
  const { place, code } = placeOf(path, settings)
  const own = valueAt(languages, code ?? "")
  // A key may be no code of a language: `jp`, with the code `ja`.
  const codes = code === null ? [] : [code, textAt(own, "locale") ?? "", textAt(own, "languageCode") ?? ""]
  const lang = codes.map(knownLanguage).find((one) => one !== null) ?? null
  return { key: posix.join(settings.contentFolder ?? "content", place), lang }
}

/** Matches what is left out of a path: `!` and `%` without digits after it. Does not match letters, digits, blanks and `./\\_#+~@%20-`. */
const NO_PATH = /[^\p{L}\p{Nd}\p{M}\s./\\_#+~@%-]|%(?![\da-f]{2})/giu

/** Writes a text as a part of an address. */
const toPath = (text: string, { data }: ToolSettings): string => {
  const clean = text.replaceAll(NO_PATH, "").trim()
  // Matches ` - ` and `--`. Each blank is a hyphen, but beside one.
  const joined = clean.replaceAll(/\s*(-+)\s*/g, "$1").replaceAll(/\s+/g, "-")
  // Matches the accent of `é` in NFD. Does not match `e`.
  const plain =
    valueAt(data, "removePathAccents") === true ? joined.normalize("NFD").replaceAll(/\p{Mn}/gu, "") : joined
  return (valueAt(data, "disablePathToLower") === true ? plain : plain.toLowerCase()).normalize("NFC")
}

/** Writes a text as the value of a pattern, where `+` is a blank, and no sign ends it. Matches `# ` at the end. */
const toValue = (text: string, settings: ToolSettings): string =>
  toPath(text, settings)
    .replaceAll("+", " ")
    .replace(/[ #]+$/, "")

/** Matches the day before a name: `2024-06-01-name`. Does not match `2024-name`. */
const DAY = /^\d{4}-\d{2}-\d{2}[ _-]*/

/** Names of the fields of a date without `[frontmatter]`. */
const DATES = ["date", "publishDate", "pubdate", "published", "lastmod", "modified"]

/** Names the fields of a date, in the order in which they count. */
export const dateFields = ({ data }: ToolSettings): string[] =>
  asList(valueAt(data, "frontmatter.date") ?? ":default").flatMap((name) =>
    name === ":default" ? DATES : String(name),
  )

/** Returns the slug that the name of a page gives it where `[frontmatter]` takes the date of the name. */
const slugOfName = (name: string, page: Addressed["data"], settings: ToolSettings): string | null => {
  const isThere = (one: string) => (one === ":filename" ? DAY.test(name) : valueAt(page, one) !== undefined)
  const first = dateFields(settings).find(isThere)
  return first === ":filename" ? name.replace(DAY, "") : null
}

/** Returns the pattern of the addresses of a page. @param folders those above it, below the content */
const patternOf = (folders: string[], name: string, permalinks: unknown): string | null => {
  const place = `/${[...folders, name].join("/")}`.toLowerCase()
  const patterns = { ...(permalinks as object | undefined), ...(valueAt(permalinks, "page") as object | undefined) }
  const sections = Object.entries(patterns).map(([key, pattern]) => [
    key.toLowerCase().replaceAll(/^[ /]+|[ /]+$/g, ""),
    pattern,
  ])
  const meant = sections.filter(([key]) => (key === "" ? folders.length === 0 : place.startsWith(`/${String(key)}/`)))
  return asText(meant.toSorted(([one], [other]) => String(other).length - String(one).length)[0]?.[1])
}

/** Returns what the clock of a page shows: a date with an offset has its own. */
const clockOf = ({ date, data }: Addressed): string | null => {
  // Matches `2024-01-02T03:04:05+08:00` and `2024-01-02`. Does not match `2 January`.
  const [, day, time = "00:00:00"] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}))?/.exec(String(data["date"])) ?? []
  const isNear = Math.abs(Date.parse(`${day}Z`) - Date.parse(`${date}Z`)) < 2 * 86_400_000
  return isNear ? `${day}T${time}` : date
}

/** Returns the values of the parts of a pattern. */
const valuesOf = (page: Addressed, folders: string[], name: string, slug: string | null, settings: ToolSettings) => {
  const [title, file] = [toValue(asText(page.data["title"]) ?? page.title, settings), toValue(name, settings)]
  const own = slug === null ? null : toValue(slug, settings)
  const names = { title, slug: own ?? title, filename: file, contentbasename: file, section: folders[0] ?? "" }
  return { ...datesOf(clockOf(page)), ...names, slugorfilename: own ?? file, slugorcontentbasename: own ?? file }
}

/** Returns the folders that are sections: the first, and those down to the last that has a list. @param file the page, or the folder of its bundle */
const sectionsOf = (file: string, folders: string[], files: ReadonlySet<string>): string[] => {
  const above = posix.dirname(file).split("/")
  const last = folders.findLastIndex((_, i) => {
    const folder = above.slice(0, above.length - folders.length + i + 1).join("/")
    return ["md", "markdown", "html"].some((extension) => files.has(`${folder}/_index.${extension}`))
  })
  return folders.slice(0, Math.max(1, last + 1))
}

/** Returns the address of a page, and those of its aliases. */
export const addressesOf = (page: Addressed, settings: ToolSettings, files: ReadonlySet<string>): string[] => {
  const { data } = settings
  const { place, code } = placeOf(withoutExtension(page.file), settings)
  const main = mainLanguage(settings)
  const language = valueAt(valueAt(data, "languages"), code ?? main)
  const isMain = code === null || code.toLowerCase() === main.toLowerCase()
  const isBelow = !isMain || valueAt(data, "defaultContentLanguageInSubdir") === true
  // Languages with hosts for themselves have no folders.
  const prefix = isBelow && textAt(language, "baseURL") === null ? `/${(code ?? main).toLowerCase()}` : ""
  const isBundle = posix.basename(place) === "index"
  const parts = (isBundle ? posix.dirname(place) : place).split("/")
  const name = parts.at(-1) ?? ""
  // Each blank of a file's path is a hyphen, unless the path keeps its capitals.
  const keepsCase = valueAt(data, "disablePathToLower") === true
  const toPlace = (part: string) => toPath(keepsCase ? part : part.replaceAll(" ", "-"), settings)
  const folders = parts.slice(0, -1).map(toPlace)
  const slug = asText(valueAt(page.data, "slug")) || slugOfName(name, page.data, settings)
  const sections = sectionsOf(isBundle ? posix.dirname(page.file) : page.file, folders, files)
  const values: Record<string, string | undefined> = {
    ...valuesOf(page, folders, name, slug, settings),
    sections: sections.join("/"),
    "sections[last]": sections.at(-1) ?? "",
  }
  const fill = (pattern: string) =>
    // Matches `:year`, `:sections[last]` and `:sections[1:]`, which is not known. Does not match `\:`, which is a colon.
    fillPattern(pattern, /(?<!\\):(\w+(?:\[[^\]]+\])?)/g, (part) => values[part])
  const url = asText(valueAt(page.data, "url"))
  const permalinks = valueAt(language, "permalinks") ?? valueAt(data, "permalinks")
  // Rules in a list are not known.
  if (Array.isArray(permalinks)) return []
  const pattern = patternOf(folders, name, permalinks)
  const path = url
    ? fill(url)
    : pattern === null
      ? posix.join(...folders, slug === null ? toPlace(name) : toPath(slug, settings))
      : fill(pattern)
  if (path === null) return []
  const address = url ? (url.startsWith("/") ? path : `${prefix}/${path}`) : `${prefix}/${toPath(path, settings)}`
  const aliases = asList(valueAt(page.data, "aliases") ?? []).map((alias) => asText(alias) ?? "")
  const toAlias = (alias: string) =>
    alias.startsWith("/") ? `${prefix}${alias}` : posix.join("/", posix.dirname(address), alias)
  return [address, ...aliases.filter(Boolean).map(toAlias)]
}
