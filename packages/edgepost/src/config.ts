import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

import { parse } from "yaml"

import { isSafe } from "./client/access.ts"
import { isTimeZone } from "./folder/dates.ts"
import { isFields } from "./import/data.ts"
import { TOOL_NAMES } from "./tools/index.ts"
import { UsageError } from "./usage-error.ts"

/** The settings of a folder of posts, from its configuration file; null is for what the file does not set. */
export interface FolderConfig {
  /** Origin of the service, used together with the key of `edgepost login` only. */
  url: string | null
  /** The mark that all posts of this folder carry on the service; `--prune` needs it. */
  source: string | null
  /** IANA name of the time zone of dates without an offset. */
  timezone: string | null
  /** Category of posts that have none. */
  category: string | null
  /** Address of the old site, whose links become links to the posts. */
  site_url: string | null
  /** BCP 47 code of posts that name no language. */
  primary_language: string | null
  /** BCP 47 codes into which posts are translated. */
  translation_languages: string[] | null
  /** Markdown or HTML instead of shortcodes, tags, components and containers of the author's theme, by their names. */
  shortcodes: Record<string, string> | null
  /** Markdown instead of variables such as `site.license.url`. */
  variables: Record<string, string> | null
  /** The name of the tool by whose rules the folder is read, if not by those of its configuration. */
  as: string | null
  /** The field of which notes for readers have yes, or `all`. */
  publish_by: string | null
  /** Fields that hide posts elsewhere, and that the blog's tool does not know, hide none. */
  show_hidden_fields: boolean | null
  /** Single line ends are line breaks; null: as the blog's tool shows them. */
  line_breaks: boolean | null
}

/** The address to send calls to, and the key. */
export interface Access {
  url: string
  key: string
}

/** Names of the configuration file; a folder has at most one. */
export const CONFIG_FILES = ["edgepost.config.json", "edgepost.config.yaml", "edgepost.config.yml"]
const MAX_CONFIG_BYTES = 65_536
export const isLanguage = (code: string): boolean => {
  try {
    return Intl.getCanonicalLocales(code).length === 1
  } catch {
    return false
  }
}

const canonicalCode = (code: string): string => Intl.getCanonicalLocales(code)[0] ?? code

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""

const isTexts = (value: unknown): boolean =>
  isFields(value) && Object.values(value).every((text) => typeof text === "string")

/** Tells for each field whether a value is right, and what it must be. */
const FIELDS: Record<keyof FolderConfig, [(value: unknown) => boolean, string]> = {
  url: [(value) => isText(value) && URL.canParse(value), "an address such as https://blog.example"],
  source: [(value) => isText(value) && value.length <= 200, "a text of at most 200 characters"],
  timezone: [(value) => isText(value) && isTimeZone(value), "the name of a time zone, such as Europe/Paris"],
  category: [(value) => isText(value) && !value.includes(","), "a name without commas"],
  site_url: [(value) => isText(value) && URL.canParse(value), "an address such as https://old.example/blog/"],
  primary_language: [(value) => isText(value) && isLanguage(value), "a language code such as en or pt-BR"],
  translation_languages: [
    (value) => Array.isArray(value) && value.every((code) => isText(code) && isLanguage(code)),
    "a list of language codes such as [fr, es]",
  ],
  shortcodes: [isTexts, 'names with a text each, such as `private: ""` and `file: keep`'],
  variables: [isTexts, "names with a text each, such as `site.license.url: https://license.example`"],
  as: [(value) => TOOL_NAMES.includes(String(value)), `one of ${TOOL_NAMES.join(", ")}`],
  publish_by: [isText, "the name of a field such as publish, or all"],
  show_hidden_fields: [(value) => typeof value === "boolean", "true or false"],
  line_breaks: [(value) => typeof value === "boolean", "true or false"],
}

/** The settings of a folder without a configuration file: all are null. */
export const EMPTY_CONFIG = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, null])) as Record<
  keyof FolderConfig,
  null
>

/** Checks the data of a configuration file. @throws UsageError that names the file and each wrong field */
const checkConfig = (data: unknown, file: string): FolderConfig => {
  if (!isFields(data)) throw new UsageError(`${file} must hold fields such as \`category: Blog\`.`)
  const wrong = Object.entries(data).flatMap(([name, value]) => {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof FolderConfig] : undefined
    if (!field) return [`${name} is unknown`]
    return value === null || field[0](value) ? [] : [`${name} must be ${field[1]}`]
  })
  if (wrong.length > 0)
    throw new UsageError(`${file}: ${wrong.join("; ")}.`, `Its fields are ${Object.keys(FIELDS).join(", ")}.`)
  const config: FolderConfig = { ...EMPTY_CONFIG, ...data }
  const { source, primary_language, translation_languages } = config
  return {
    ...config,
    // As the service stores them: another spelling would differ at every run.
    source: source?.trim().normalize("NFC") ?? null,
    primary_language: primary_language && canonicalCode(primary_language),
    translation_languages: translation_languages && [...new Set(translation_languages.map(canonicalCode))],
  }
}

/** Lists the configuration files of a folder. */
export const configFilesIn = (root: string): string[] => CONFIG_FILES.filter((name) => existsSync(join(root, name)))

/** Reads a file. @throws an error that names the file: Node's does not if the path is a folder */
const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

/** Reads the configuration file of a folder; all fields are null without one. @throws UsageError */
export const readConfig = (root: string): FolderConfig => {
  const found = configFilesIn(root)
  const [file, other] = found
  if (file === undefined) return EMPTY_CONFIG
  if (other !== undefined) throw new UsageError(`There are ${file} and ${other}.`, "Remove one of them.")
  const path = join(root, file)
  const { size } = statSync(path)
  if (dirname(realpathSync(path)) !== realpathSync(root) || !statSync(path).isFile() || size > MAX_CONFIG_BYTES)
    throw new UsageError(
      `${file} is no file of the folder, or has more than ${MAX_CONFIG_BYTES} bytes.`,
      "Put a file of settings there.",
    )
  const text = readText(path)
  try {
    // JSON is YAML as well. Aliases are of no use here, and a file of nested ones can become huge.
    return checkConfig(parse(text, { maxAliasCount: 0 }) ?? {}, file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read: ${(error as Error).message.split("\n")[0]}`, "See docs/publish.md.")
  }
}

/** Returns a configuration with the tool of the option `--as`. @throws UsageError */
export const withTool = (config: FolderConfig, as: string | undefined): FolderConfig => {
  if (as !== undefined && !TOOL_NAMES.includes(as))
    throw new UsageError(`--as knows no tool ${as}.`, `Give one of ${TOOL_NAMES.join(", ")}.`)
  return { ...config, as: as ?? config.as }
}

/** Returns the origin of an address. @throws UsageError unless it is https, or http on this machine */
export const originOf = (url: string): string => {
  if (!URL.canParse(url)) throw new UsageError(`${url} is no address.`, "Give one such as https://blog.example.")
  const address = new URL(url)
  if (isSafe(address)) return address.origin
  throw new UsageError(`${url} is not https, so the key could be read on its way.`, "Give the https address.")
}

type Environment = Record<string, string | undefined>

/** The file of the keys that `edgepost login` keeps, by origin. */
export const loginFile = (env: Environment): string =>
  join(env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? homedir(), ".config"), "edgepost", "auth.json")

const isLogins = (data: unknown): data is Record<string, string> => isFields(data) && Object.values(data).every(isText)

/** Reads the kept keys by origin. @throws UsageError */
export const readLogins = (env: Environment): Record<string, string> => {
  const file = loginFile(env)
  if (!existsSync(file)) return {}
  const text = readText(file)
  try {
    const logins: unknown = JSON.parse(text)
    if (isLogins(logins)) return logins
  } catch {
    // It is no JSON.
  }
  throw new UsageError(`${file} holds no keys.`, "Remove it, and run `edgepost login` again.")
}

/**
 * Decides where calls go and with which key. A key of the environment goes only where the flag or the environment says: a changed
 * file of the folder cannot lead it elsewhere. A kept key goes only to the origin that it was kept for.
 * @throws UsageError
 */
export const findAccess = (flag: string | undefined, config: FolderConfig, env: Environment): Access => {
  const key = env["EDGEPOST_API_KEY"]
  const given = flag ?? env["EDGEPOST_URL"]
  if (key) {
    if (given) return { url: originOf(given), key: key.trim() }
    throw new UsageError(
      "EDGEPOST_API_KEY is set, but not where the service is.",
      "Set EDGEPOST_URL or give --url. With a key from the environment, the configuration file is not asked.",
    )
  }
  const logins = readLogins(env)
  const [only, ...others] = Object.keys(logins)
  const url = given ?? config.url ?? (others.length === 0 ? only : undefined)
  if (url === undefined)
    throw new UsageError(
      "There is no key.",
      "Run `edgepost login --url ADDRESS`, or set EDGEPOST_URL and EDGEPOST_API_KEY.",
    )
  const origin = originOf(url)
  const kept = logins[origin]
  if (kept !== undefined) return { url: origin, key: kept }
  throw new UsageError(
    `There is no key for ${origin}.`,
    `Run \`edgepost login --url ${origin}\`, or set EDGEPOST_API_KEY.`,
  )
}
