import { posix } from "node:path"

import { UNKNOWN_SITE } from "../site.ts"
import type { ToolSettings } from "../tools/tool.ts"
import type { Variant } from "./languages.ts"
import { isIndex, isRoot, stemOf } from "./paths.ts"

// Where an old site may have shown a post: by its file, its date and the pattern of the blog's configuration.

/** What addresses of a post are made of. */
export interface Named {
  /** The name of the file and the slug. */
  names: string[]
  /** The title as tools write it in addresses; "" if it has no letters. */
  titled: string
  /** Dates such as `2020-01-02`: the one in the author's zone and others. */
  dates: string[]
  categories: string[]
}

/** Matches the parts of patterns that stand for the name of a post. Does not match `:year`. */
const NAME = /^(?:title|slug|name|filename|slugorfilename|contentbasename|slugorcontentbasename|post_title)$/

const withTitle = ({ names, titled }: Pick<Named, "names" | "titled">): string[] => [
  ...new Set([...names, ...(titled === "" ? [] : [titled])]),
]

/** Returns the paths of a post by the pattern of the blog's configuration, `/:year/:title/`; none by one with other parts, such as `:id`. */
const patternPaths = (pattern: string, { names, titled, dates, categories }: Named): string[] => {
  const pathOf = (name: string, [year = "", month = "", day = ""]: string[]): string | null => {
    const values: Record<string, string> = {
      year,
      month,
      day,
      i_month: month.replace(/^0/, ""),
      i_day: day.replace(/^0/, ""),
      short_year: year.slice(2),
      categories: categories.map((category) => category.toLowerCase()).join("/"),
      category: categories[0] ?? "",
      section: categories[0] ?? "",
      sections: categories.join("/"),
      output_ext: "",
    }
    let isKnown = true
    // Matches `:year`. Does not match the `:` of a time.
    const path = pattern.replaceAll(/:([a-z_]+)/g, (_, part: string) => {
      const value = NAME.test(part) ? name : values[part]
      isKnown &&= value !== undefined
      return value ?? ""
    })
    return isKnown ? `/${path}`.replaceAll(/\/{2,}/g, "/") : null
  }
  return dates
    .flatMap((date) => withTitle({ names, titled }).map((name) => pathOf(name, date.split("-"))))
    .filter((path) => path !== null)
}

/** Returns the paths at which tools show a post, by its file, names and dates. */
const usualPaths = (variant: Variant, { names, titled, dates }: Named, roots?: string[]): string[] => {
  const folder = posix.dirname(variant.file)
  const folders = (isIndex(variant) ? folder : posix.join(folder, stemOf(variant))).split("/")
  const starts = [0, ...folders.flatMap((one, i) => (isRoot(one, roots) ? [i, i + 1] : []))]
  const dated = dates.flatMap((date) => {
    const parts = date.split("-").map((part) => part.padStart(2, "0"))
    // Without a date the title of a post may be the name of another.
    return [3, 2, 1].flatMap((count) => withTitle({ names, titled }).map((name) => [...parts.slice(0, count), name]))
  })
  const paths = [...starts.map((start) => folders.slice(start)), ...names.map((name) => [name]), ...dated]
  return [...new Set(paths.map((path) => `/${path.join("/")}`))].filter((path) => path !== "/" && path !== "/.")
}

/**
 * Returns the paths at which the old site may have shown a post, the likeliest first.
 * @param given those that the file names
 */
export const oldPathsOf = (
  variant: Variant,
  given: string[],
  { permalink, url, tool }: Pick<ToolSettings, "permalink" | "url" | "tool">,
  named: Named,
): string[] => {
  const base = new URL(url ?? UNKNOWN_SITE).pathname.slice(1)
  const byPattern = permalink === null ? [] : patternPaths(permalink, named)
  const usual = [...byPattern, ...usualPaths(variant, named, tool.roots)]
  const { postsPath } = tool
  const bases = new Set([
    ...(postsPath === undefined ? [] : [`/${base}${postsPath}`]),
    `/${base}`.replace(/\/$/, ""),
    "",
  ])
  const paths = [...bases].flatMap((start) => usual.map((path) => `${start}${path}`))
  return [...new Set([...given, ...paths])].filter((path) => path !== "/")
}
