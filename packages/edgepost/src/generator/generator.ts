import { posix } from "node:path"

import { parse as parseToml } from "smol-toml"
import { parse as parseYaml } from "yaml"

import { isTimeZone } from "../folder/dates.ts"
import type { Folder } from "../folder/files.ts"
import { knownLanguage } from "../folder/languages.ts"
import { asList, asText } from "../folder/values.ts"
import { literal, literals, textAt, valueAt, withoutCodeComments } from "./values.ts"

/** The tool that makes the blog, and what its configuration says. */
export interface Generator {
  tool: Tool | null
  /** Path of its configuration file from the folder's root; null without one. */
  file: string | null
  title: string | null
  /** Absolute address of the site with its base path, which ends with `/`. */
  url: string | null
  /** IANA name of the zone of dates without an offset; null if that is the zone of the author's machine. */
  timezone: string | null
  /** BCP 47 codes, the main one first. */
  languages: string[]
  /** Folder of the posts from the folder's root, such as `content`; null if it is not there. */
  contentFolder: string | null
  permalink: string | null
  /** The configuration as far as it is data (YAML, TOML, JSON), with the files of `_data`; {} for code, which is never run. */
  data: Record<string, unknown>
}

type Tool = "hugo" | "jekyll" | "hexo" | "eleventy" | "docusaurus" | "astro" | "zola"

const MAX_BYTES = 262_144
const MAX_DATA_FILES = 100

/** Configuration files by name, the surest first. `config.toml` is of Hugo or Zola, `_config.yml` of Jekyll or Hexo. */
const FILES: [Tool, RegExp][] = [
  // Matches `hugo.toml`. Does not match `hugo.md`.
  ["hugo", /^hugo\.(?:toml|ya?ml|json)$/],
  // Matches `docusaurus.config.ts`. Does not match `docusaurus.ts`.
  ["docusaurus", /^docusaurus\.config\.[cm]?[jt]s$/],
  // Matches `astro.config.mjs`. Does not match `astro.mjs`.
  ["astro", /^astro\.config\.[cm]?[jt]s$/],
  // Matches `.eleventy.js` and `eleventy.config.cjs`. Does not match `eleventy.js`.
  ["eleventy", /^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/],
  // Matches `_config.yml`. Does not match `_config.dev.yml`.
  ["jekyll", /^_config\.ya?ml$/],
  // Matches `config.toml` and `config/_default/config.toml`. Does not match `config/a.toml`.
  ["hugo", /^(?:config|config\/_default\/(?:hugo|config))\.(?:toml|ya?ml|json)$/],
]

/** Matches the folders of themes and their examples. Does not match `site/`. */
const FOREIGN = /^(?:.*\/)?(?:themes?|exampleSite|examples?)\//

/** Reads a file as a text; "" if it cannot be read: a blog can be planned without its configuration. */
const readText = (folder: Folder, file: string): Promise<string> => folder.read(file, MAX_BYTES).then(String, () => "")

/** Reads a file of data; {} if it is no data. */
const readData = async (folder: Folder, file: string): Promise<Record<string, unknown>> => {
  const text = await readText(folder, file)
  try {
    const data: unknown = file.endsWith(".toml")
      ? parseToml(text)
      : // JSON is YAML as well. Unknown tags are no reason for a message of the library.
        parseYaml(text, { logLevel: "error", uniqueKeys: false, maxAliasCount: 100 })
    return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Reads the files of a folder of data by their names without extension. */
const readAll = async (folder: Folder, files: string[]): Promise<Record<string, Record<string, unknown>>> => {
  const read = files
    .filter((file) => /\.(?:toml|ya?ml|json)$/.test(file))
    .slice(0, MAX_DATA_FILES)
    .map(async (file) => [posix.parse(file).name, await readData(folder, file)] as const)
  return Object.fromEntries(await Promise.all(read))
}

/** A tool with the files that say how it makes the blog. */
interface Found {
  tool: Tool
  file: string
  data: Record<string, unknown>
  /** Files of code, without comments. */
  code: string
  /** Folder of the configuration from the folder's root; "" if it is that. */
  base: string
}

const readFound = async (folder: Folder, tool: Tool, file: string, base: string): Promise<Found | null> => {
  const filesOf = (pattern: RegExp) =>
    folder.files.filter((path) => path.startsWith(base) && pattern.test(path.slice(base.length)))
  // Matches `_data/site.json` and `src/_data/site.js`. Does not match `_data/en/site.json`.
  const dataFiles = filesOf(/^(?:\w+\/)?_data\/[^/]+$/)
  if (tool === "hugo" || tool === "jekyll") {
    const data = await readData(folder, file)
    const found = { tool, file, data, code: "", base }
    if (tool === "jekyll" && ("source_dir" in data || filesOf(/^source\/_posts\//).length > 0))
      return { ...found, tool: "hexo" }
    if (tool === "jekyll") return { ...found, data: { ...data, data: await readAll(folder, dataFiles) } }
    if ("base_url" in data) return { ...found, tool: "zola" }
    // Hugo merges `config/_default/params.toml` as `params`. Does not match `params.en.toml`.
    const { hugo, config, ...parts } = await readAll(folder, filesOf(/^config\/_default\/[\w-]+\.\w+$/))
    const merged = { ...parts, ...config, ...hugo, ...data }
    const isHugo = textAt(merged, "baseURL", "theme") !== null || filesOf(/^content\/|^hugo\./).length > 0
    return isHugo ? { ...found, data: merged } : null
  }
  // Matches the files where themes of Astro keep title and language: `src/consts.ts`. Does not match `src/pages/config.ts`.
  const parts = tool === "astro" ? filesOf(/^src\/(?:consts?|config|site|site\.config)\.\w+$/) : dataFiles
  const codeFiles = [file, ...parts].filter((path) => /[jt]s$/.test(path))
  const texts = await Promise.all(codeFiles.map((path) => readText(folder, path)))
  const data = tool === "eleventy" ? await readAll(folder, dataFiles) : {}
  return { tool, file, data, code: withoutCodeComments(texts.join("\n")), base }
}

const weightOf = ([, language]: [string, unknown]): number => Number(textAt(language, "weight") ?? Infinity)

/** Returns the paths of a field in the files of `_data` that blogs of Eleventy have for it. */
const inSite = (name: string): string[] => ["site", "metadata", "meta"].map((file) => `${file}.${name}`)

/** Returns the codes of the blog's languages, the main one first. */
const languagesOf = ({ tool, data, code }: Found): string[] => {
  const list = valueAt(data, "languages") ?? (tool === "hexo" ? data["language"] : null)
  const isMap = typeof list === "object" && list !== null && !Array.isArray(list)
  const byWeight = isMap
    ? Object.entries(list).toSorted((one, other) => (weightOf(one) < weightOf(other) ? -1 : 1))
    : asList(list).map((name) => [asText(name) ?? "", null] as const)
  const used = byWeight.filter(([, language]) => valueAt(language, "disabled") !== true).map(([name]) => name)
  // The keys of a map are also in the names of files, and `en-us` is not.
  const single = isMap
    ? []
    : ["languageCode", "locale", "lang", "default_lang", ...inSite("language"), ...inSite("lang")]
  const main =
    textAt(data, ...single, "defaultContentLanguage", "default_language") ??
    literal(code, "defaultLocale", "language", "lang", "locale")
  const codes = [main ?? "", ...used, ...literals(code, "locales")].map(knownLanguage)
  return [...new Set(codes.filter((one) => one !== null))]
}

/** Returns the address of a site below its base path; null for an address that is not of the web. */
const addressOf = (url: string | null, base: string | null): string | null => {
  // Matches `https://e.x`. Does not match `/` and `$URL`.
  if (url === null || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  // Matches `//`.
  return origin + `/${pathname}/${base ?? ""}/`.replaceAll(/\/{2,}/g, "/")
}

/** Folders of the texts, by tool, if the configuration names none. */
const CONTENT: Partial<Record<Tool, string>> = {
  hugo: "content",
  zola: "content",
  hexo: "source",
  astro: "src/content",
  docusaurus: "blog",
}

/** Returns the first text in a value: `permalinks` of Hugo are by section. */
const firstText = (value: unknown): string | null =>
  typeof value === "object" && value !== null
    ? (Object.values(value).map(firstText).find(Boolean) ?? null)
    : asText(value)

const describe = (found: Found, folder: Folder): Generator => {
  const { tool, file, data, code, base } = found
  const languages = languagesOf(found)
  const inMain = `languages.${languages[0]}`
  const url =
    textAt(data, "url", ...inSite("url"), "base_url", "baseURL", `${inMain}.baseURL`) ??
    literal(code, "site", "url", "website", "SITE_URL")
  const path = tool === "jekyll" ? textAt(data, "baseurl") : literal(code, "base", "baseUrl", "pathPrefix")
  const zone = textAt(data, "timezone") ?? literal(code, "timezone", "timeZone")
  // Hexo takes the zone of the machine; the others read times without an offset as UTC.
  const usual = zone !== null || tool === "hexo" ? null : "UTC"
  const content = textAt(data, "contentDir", "source_dir", "source") ?? literal(code, "input") ?? CONTENT[tool] ?? ""
  // Matches the `/` of `content/`.
  const contentFolder = posix.join(base, content).replace(/\/$/, "")
  return {
    tool,
    file,
    title: textAt(data, "title", ...inSite("title"), `${inMain}.title`) ?? literal(code, "title", "SITE_TITLE"),
    url: addressOf(url, path),
    timezone: zone !== null && isTimeZone(zone) ? zone : usual,
    languages,
    contentFolder: folder.files.some((one) => one.startsWith(`${contentFolder}/`)) ? contentFolder : null,
    permalink: firstText(valueAt(data, "permalink") ?? valueAt(data, "permalinks")),
    data,
  }
}

/** Stands for the tool of a blog that has none, or code alone. */
export const NO_GENERATOR: Generator = {
  tool: null,
  file: null,
  title: null,
  url: null,
  timezone: null,
  languages: [],
  contentFolder: null,
  permalink: null,
  data: {},
}

/** Finds the tool that makes a blog, by the configuration nearest to the folder's root: there, or at most two folders below it. */
export const readGenerator = async (folder: Folder): Promise<Generator> => {
  for (const depth of [0, 1, 2])
    for (const [tool, name] of FILES)
      for (const file of folder.files) {
        const base = file
          .split("/")
          .slice(0, depth)
          .map((part) => `${part}/`)
          .join("")
        if (!name.test(file.slice(base.length)) || FOREIGN.test(base)) continue
        const found = await readFound(folder, tool, file, base)
        if (found) return describe(found, folder)
      }
  return NO_GENERATOR
}
