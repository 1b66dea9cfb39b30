import { posix } from "node:path"

import { decode, UNKNOWN_SITE } from "../site.ts"
import type { Addressed, ToolSettings } from "../tools/tool.ts"
import { localTime } from "./dates.ts"
import type { Variant } from "./languages.ts"
import { isIndex, isRoot, nameOf, stemOf } from "./paths.ts"

// Finds where an old site shows a post: by the rules of its tool, else by its file and its date.

/** The parts of a text that make its addresses, with its time in UTC. */
export interface Dated extends Omit<Addressed, "date" | "file" | "lang"> {
  published_at: string | null
  /** IANA name of the author's time zone; null if there is none. */
  timezone: string | null
}

/** Returns the path of a site on its host, without a slash at its end. */
const basePath = (url: string | null): string => new URL(url ?? UNKNOWN_SITE).pathname.replace(/\/$/, "")

/** Returns what clocks show at the time of a text, as `2020-01-02T03:04:05`: the likeliest first. */
const clocksOf = (variant: Variant, { published_at, timezone, data }: Dated): string[] => {
  if (published_at === null) {
    const { date } = nameOf(variant)
    return date === null ? [] : [`${date}T00:00:00`]
  }
  const utc = published_at.slice(0, 19)
  const local = new Date(localTime(Date.parse(published_at), timezone ?? "UTC")).toISOString().slice(0, 19)
  // Matches a date with its time: `2020-01-02 03:04:05+08:00`. Does not match `2 January`.
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ]+(\d{2}:\d{2}:\d{2})/.exec(String(data["date"])) ?? []
  const written = day === undefined ? [] : [`${day}T${time}`]
  // A day alone begins in UTC.
  return [...new Set(utc.endsWith("T00:00:00") ? [utc, local] : [local, utc, ...written])]
}

/** Returns a path as its address: the signs that end a path, or begin an escape, stand for themselves. */
const toAddress = (path: string): string => decode(path).replaceAll(/[%#?]/g, encodeURIComponent)

/** Returns the paths at which the blog's tool shows a text, the surest first; none if the tool has no rule for them. */
export const addressesByTool = (
  variant: Variant,
  dated: Dated,
  settings: ToolSettings,
  files: ReadonlySet<string>,
): string[] => {
  const { tool, url } = settings
  const { published_at: _, timezone: __, ...page } = dated
  const clocks = clocksOf(variant, dated)
  const { file, lang } = variant
  const paths = (clocks.length > 0 ? clocks : [null]).flatMap(
    (date) => tool.addressesOf?.({ ...page, file, lang, date }, settings, files) ?? [],
  )
  const whole = paths.map((path) => toAddress(`${basePath(url)}/${path}`.replaceAll(/\/{2,}/g, "/")))
  return [...new Set(whole)].filter((path) => path !== "/")
}

/** The names of a post for addresses that no tool tells. */
export interface Named {
  /** The name of the file and the slug. */
  names: string[]
  /** The title as tools write it in addresses; "" if it has no letters. */
  titled: string
}

/** Returns the paths at which tools show a post, by its file, names and dates. */
const usualPaths = (variant: Variant, { names, titled }: Named, days: string[], roots?: string[]): string[] => {
  const folder = posix.dirname(variant.file)
  const folders = (isIndex(variant) ? folder : posix.join(folder, stemOf(variant))).split("/")
  const starts = [0, ...folders.flatMap((one, i) => (isRoot(one, roots) ? [i, i + 1] : []))]
  const titles = titled === "" ? names : [...new Set([...names, titled])]
  const dated = days.flatMap((date) => {
    const parts = date.split("-").map((part) => part.padStart(2, "0"))
    // Without a date the title of a post may be the name of another.
    return [3, 2, 1].flatMap((count) => titles.map((name) => [...parts.slice(0, count), name]))
  })
  const paths = [...starts.map((start) => folders.slice(start)), ...names.map((name) => [name]), ...dated]
  return [...new Set(paths.map((path) => `/${path.join("/")}`))].filter((path) => path !== "/" && path !== "/.")
}

/** Matches paths of files that no tool has as addresses: `/content/a`, `/b/_posts/a`. Does not match `/posts/a`. */
const NO_ADDRESS = /^\/(?:contents?|src|source|app|vault)\/|\/(?:_posts|_drafts|i18n)\//
/** Matches a configuration that is code: `a.config.mjs`, `conf.py`. Does not match `_config.yml`. */
const CODE = /\.(?:[cm]?[jt]s|py|rb)$/

/** The paths at which the old site may have shown a post. */
export interface OldPaths {
  /** Those by which links of the blog find the post: those that the file names and those of the tool first. */
  oldPaths: string[]
  /** Those that lead to the post if they are asked for and no tool tells them, the likeliest first. */
  likelyPaths: string[]
}

/**
 * Returns the paths at which the old site may have shown a post.
 * @param given those that the file names
 * @param addresses those of the blog's tool
 */
export const oldPathsOf = (
  variant: Variant,
  given: string[],
  addresses: string[],
  { file, url, tool }: Pick<ToolSettings, "file" | "url" | "tool">,
  named: Named,
  dated: Dated,
): OldPaths => {
  const { date } = nameOf(variant)
  const days = new Set([
    ...clocksOf(variant, dated).map((clock) => clock.slice(0, 10)),
    ...(date === null ? [] : [date]),
  ])
  const bases = [...new Set([basePath(url), ""])]
  const pathsOf = (titled: string) => {
    const paths = usualPaths(variant, { ...named, titled }, [...days], tool.roots)
    return bases.flatMap((base) => paths.map((path) => `${base}${path}`))
  }
  // A configuration that is data tells all addresses.
  const isTold = addresses.length > 0 && !CODE.test(file ?? "")
  return {
    oldPaths: [...new Set([...given, ...addresses, ...pathsOf("")])].filter((path) => path !== "/"),
    likelyPaths: isTold ? [] : pathsOf(named.titled).filter((path) => !NO_ADDRESS.test(path)),
  }
}
