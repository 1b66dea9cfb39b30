import { posix } from "node:path"

import { parse as parseToml, TomlError } from "smol-toml"
import { parse as parseYaml, YAMLParseError } from "yaml"

import type { Folder } from "../folder/files.ts"
import { FolderError, UNREADABLE } from "../folder/folder-error.ts"
import { knownLanguage, type Reading } from "../folder/languages.ts"
import { matcherOf } from "../folder/paths.ts"
import { asList, asText } from "../folder/values.ts"
import { UsageError } from "../usage-error.ts"
import type { FileRule, GivenFields, Site, ToolSettings } from "./tool.ts"
import { literal, textAt, valueAt } from "./values.ts"

// What several tools have in common: files of configuration, the facts in them, and rules about files.

const MAX_BYTES = 262_144
const MAX_DATA_FILES = 100

/** The reason for which a file is left out that a setting names. */
export const byConfiguration = (name: string): string => `\`${name}\` of the configuration`

/** Returns the texts of a setting that is one or a list. */
export const textsAt = (data: unknown, path: string): string[] =>
  asList(valueAt(data, path) ?? []).flatMap((one) => asText(one) ?? [])

/** Stops if something only stands for a file of settings, which may hide posts. */
const refuseSettings = (error: unknown, file: string): void => {
  if (error instanceof FolderError && error.code !== UNREADABLE) throw new UsageError(`${file}: ${error.message}`)
}

/** Reads a file as a text; "" if it cannot be read: a blog can be planned without its configuration. @throws UsageError if something stands for it */
export const readTextFile = (folder: Folder, file: string): Promise<string> =>
  folder.read(file, MAX_BYTES).then(String, (error: unknown) => {
    refuseSettings(error, file)
    return ""
  })

const parseData = (file: string, text: string): Record<string, unknown> => {
  const data: unknown = file.endsWith(".toml")
    ? parseToml(text)
    : // JSON is YAML as well. Unknown tags are no reason for a message of the library.
      parseYaml(text, { logLevel: "error", uniqueKeys: false, maxAliasCount: 100 })
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {}
}

/** Reads a file of data; {} if it is no data. */
export const readData = async (folder: Folder, file: string): Promise<Record<string, unknown>> => {
  const text = await readTextFile(folder, file)
  try {
    return parseData(file, text)
  } catch {
    return {}
  }
}

/**
 * Reads the configuration of a tool: without it, what it hides would be public.
 * @param sign matches in the text if the file is the tool's, since others may have its name
 * @throws UsageError if it cannot be read
 */
export const readConfiguration = async (folder: Folder, file: string, sign = /^/): Promise<Record<string, unknown>> => {
  let text = ""
  try {
    text = String(await folder.read(file, MAX_BYTES))
    return parseData(file, text)
  } catch (error) {
    refuseSettings(error, file)
    if (!sign.test(text)) return {}
    const line = error instanceof TomlError ? error.line : error instanceof YAMLParseError ? error.linePos?.[0].line : 1
    const [told = ""] = (error as Error).message.split("\n")
    throw new UsageError(
      `${file}:${line ?? 1}: The configuration cannot be read: ${told.replace(/ at line \d+, column \d+:?$/, "").replace(/\.$/, "")}.`,
      "Mend it, or give --as folder to read the folder without it.",
    )
  }
}

/** Lists the files of a site whose paths from its folder match a pattern. */
export const filesIn = ({ folder, base }: Pick<Site, "folder" | "base">, pattern: RegExp): string[] =>
  folder.files.filter((path) => path.startsWith(base) && pattern.test(path.slice(base.length)))

/** Matches files of data: `_data/site.json` and `src/_data/site.js`. Does not match `_data/en/site.json`. */
export const DATA_FILES = /^(?:\w+\/)?_data\/[^/]+$/

/** Reads files of data by their names without extension. */
export const readAll = async (
  folder: Folder,
  files: string[],
  readOne: typeof readData = readData,
): Promise<Record<string, Record<string, unknown>>> => {
  const read = files
    .filter((file) => /\.(?:toml|ya?ml|json)$/.test(file))
    .slice(0, MAX_DATA_FILES)
    .map(async (file) => [posix.parse(file).name, await readOne(folder, file)] as const)
  return Object.fromEntries(await Promise.all(read))
}

/** Matches texts, in which a glob may look like a comment, and comments. Matches `"a/**"`, `/* a *\/` and `// a`. Does not match `https://a`. */
const TEXTS_AND_COMMENTS =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`|\/\*[^]*?(?:\*\/|(?![^]))|(?<![:\\])\/\/.*/g

/** Removes comments of code. */
const withoutCodeComments = (code: string): string =>
  code.replaceAll(TEXTS_AND_COMMENTS, (part) => (/^["'`]/.test(part) ? part : ""))

/** Reads files of code as one text without comments. Code is never run. */
export const readCode = async (folder: Folder, files: string[]): Promise<string> => {
  const texts = await Promise.all(files.filter((path) => /[jt]s$/.test(path)).map((path) => readTextFile(folder, path)))
  return withoutCodeComments(texts.join("\n"))
}

/**
 * Reads fields that stand as lines, from a line on.
 * @param more matches a line that goes on with the field before it
 * @param other matches a line between fields that is none
 */
export const readLines = (all: string[], start: number, field: RegExp, more: RegExp, other = /(?!)/) => {
  const front = { data: {} as Record<string, string>, lines: {} as Record<string, number>, end: start }
  for (let last = ""; front.end < all.length; front.end++) {
    const line = all[front.end] ?? ""
    const [, name, value = ""] = field.exec(line) ?? []
    const [, next] = (last !== "" && more.exec(line)) || []
    if (name === undefined && next === undefined && other.test(line)) continue
    if (name === undefined && next === undefined) break
    last = name?.toLowerCase() ?? last
    front.lines[last] ??= front.end + 1
    front.data[last] = next === undefined ? (front.data[last] ?? value.trim()) : `${front.data[last]}\n${next.trim()}`
  }
  // A field without a value says nothing.
  for (const [name, value] of Object.entries(front.data)) if (value === "") delete front.data[name]
  return front
}

/** Matches the language of a folder in code: `"/fr/": { label: "F", lang: "fr-FR" }`, `fr = define({ lang: "fr" })` and `{ code: "fr", language: "fr-FR" }`. Does not match `fr: "F"`. */
const LOCALE =
  /(?:(?:["'`]?\/?\b([\w-]{0,20})\/?["'`]?\s*:|\b([a-z]{2,3})\s*=)\s*(?:\w+\()?\{(?=[^{}]*\b(?:lang|label)\s*:)|\{\s*code\s*:\s*["'`]([\w-]+))(?:[^{}]*?\b(?:lang|language|iso)\s*:\s*["'`]([\w-]+))?/g

/** Returns the languages of a site in code by their folders, "" for those outside of them. @param main that of a site that names none */
export const localesIn = (code: string, main: string): Record<string, string> => {
  const found = Array.from(
    code.matchAll(LOCALE),
    ([, key, name = key, short = name ?? "", lang]) => [short, lang] as const,
  )
  // A folder may be named once more without its language, which then has the name of the folder.
  const named = found.map(([folder, lang]) => [folder, lang ?? (folder === "root" ? "" : folder)] as const)
  const {
    root = "",
    "": site = root,
    ...locales
  } = Object.fromEntries([...named, ...named.filter((_, i) => found[i]?.[1])])
  const own = literal(code.replaceAll(LOCALE, ""), "lang", "defaultLocale") ?? main
  return { "": site || (locales[own] ?? own), ...locales }
}

/** Reads a path as that of a text in the language of its folder; null for the language of the site. */
export const inLocaleFolder = (path: string, { contentFolder, data }: ToolSettings): Reading => {
  const [folder = "", ...rest] = posix.relative(contentFolder ?? "", path).split("/")
  const lang = rest.length === 0 ? null : knownLanguage(textAt(data, `locales.${folder}`) ?? "")
  return lang === null ? { key: path, lang } : { key: posix.join(contentFolder ?? "", ...rest), lang }
}

/** Puts the main language before the others. @param names of it in a configuration whose languages are no map */
export const mainFirst = (data: object, languages: unknown, codes: string[], ...names: string[]): string[] => {
  const isMap = typeof languages === "object" && languages !== null && !Array.isArray(languages)
  return [textAt(data, ...(isMap ? [] : names), "defaultContentLanguage", "default_language") ?? "", ...codes]
}

/** Lists the codes of languages in a list, or in the keys of a map. */
export const codesIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : asList(value ?? []).map((code) => asText(code) ?? "")

/** Returns the fields that one object, or each of a list, gives at a place. @param target the pattern of files; by default each object has it */
export const toGivenFields = (
  fields: unknown,
  at: Omit<GivenFields, "fields" | "target">,
  target?: unknown,
): GivenFields[] =>
  asList(fields).flatMap((one) =>
    typeof one === "object" && one !== null
      ? [
          {
            ...at,
            target: asText(target ?? valueAt(one, "_target.path") ?? valueAt(one, "target.path")) || null,
            fields: { ...one },
          },
        ]
      : [],
  )

/** Bytes of a file that gives fields. */
const MAX_FIELDS_BYTES = 2 ** 20

/** Reads the fields that a file gives. If it cannot be read, the files at the place get the error. */
export const readGivenFields = async (
  folder: Folder,
  file: string,
  at: Omit<GivenFields, "fields" | "target">,
  parse: (text: string) => unknown,
): Promise<GivenFields[]> => {
  try {
    return toGivenFields(parse(String(await folder.read(file, MAX_FIELDS_BYTES))), at)
  } catch (error) {
    return [{ ...at, target: null, fields: new Error(`${file} cannot be read: ${(error as Error).message}`) }]
  }
}

/** Reads the fields that stand in a file beside a text, with its name: `a.yaml` for `a.md`. @param end of the names of such files */
export const readBeside = async (
  folder: Folder,
  end: string,
  parse: (text: string) => unknown,
): Promise<GivenFields[]> => {
  const files = new Set(folder.files)
  const given: GivenFields[] = []
  // One after another: systems limit the files that are open.
  for (const file of folder.files.filter((one) => one.endsWith(end))) {
    const stem = file.slice(0, -end.length)
    const place = [".md", ".markdown"].map((one) => stem + one).find((one) => files.has(one))
    if (place !== undefined)
      given.push(...(await readGivenFields(folder, file, { place, base: ".", lang: null }, parse)))
  }
  return given
}

/** Returns the path of a folder that a configuration names, without a slash at its end. */
export const folderAt = (base: string, path: string): string => posix.join(base, path).replace(/\/$/, "")

/** Makes a rule that leaves out what lies in no folder of content. @param others further folders, such as those of languages */
export const outsideRule = ({ contentFolder }: ToolSettings, others: string[] = []): FileRule => {
  if (contentFolder === null) return () => null
  const roots = [contentFolder, ...others]
  return (file) => (roots.some((root) => file.startsWith(`${root}/`)) ? null : `outside of ${contentFolder}`)
}

/** Makes a rule that leaves out what lies neither below the configuration nor in the folder of content: other things than the site are in the root then. */
export const belowBaseRule =
  ({ base, contentFolder }: ToolSettings): FileRule =>
  (file) =>
    file.startsWith(base) || (contentFolder !== null && file.startsWith(`${contentFolder}/`))
      ? null
      : `outside of ${base}, where the configuration is: give its path to publish it`

/** Makes a rule that leaves out what is below a folder and has a form that is not read. */
export const formRule =
  (contentFolder: string | null, form: RegExp): FileRule =>
  (file) => {
    const [extension] = file.startsWith(`${contentFolder}/`) ? (form.exec(file) ?? []) : []
    return extension === undefined ? null : `${extension.toLowerCase()} is not read`
  }

/** Tells whether a path is in one of the folders; "" is all of them. */
export const isIn = (path: string, folders: unknown): boolean =>
  asList(folders).some((folder) => folder === "" || `${path}/`.startsWith(`${String(folder)}/`))

/** Makes a rule that leaves out what no glob means, and what one with `!` means. @param base folder from which the globs count */
export const onlyRule = (reason: string, globs: string[], base: string | null): FileRule => {
  const isMeant = matcherOf(globs, { isShown: true })
  return (file) => (isMeant(posix.relative(base ?? "", file)) ? null : reason)
}

/** Makes a rule that leaves out names that begin with an underscore, and what lies in folders with such names, below a folder. */
export const underscoreRule = (folder: string): FileRule => {
  const pattern = new RegExp(String.raw`(?:^|\/)${folder}\/(?:.*\/)?_`)
  return (file) => (pattern.test(file) ? "name with _" : null)
}

/**
 * Makes a rule that leaves out the files of globs.
 * @param bases folders from which the globs count
 * @param isLoose `*` goes on over folders
 */
export const globRule = (reason: string, globs: string[], bases: string[], isLoose = false): FileRule => {
  if (globs.length === 0) return () => null
  const isMeant = matcherOf(globs, { isLoose })
  return (file) => (bases.some((base) => isMeant(posix.relative(base, file))) ? reason : null)
}

/** Joins rules: the first reason counts. */
export const anyRule =
  (...rules: (FileRule | undefined)[]): FileRule =>
  (file) => {
    for (const rule of rules) {
      const reason = rule?.(file) ?? null
      if (reason !== null) return reason
    }
    return null
  }
