import { posix } from "node:path"

import { isCalmPattern } from "../folder/calm.ts"
import { inZone } from "../folder/dates.ts"
import { matcherOf } from "../folder/paths.ts"
import { asList, asText } from "../folder/values.ts"
import { below, datesOf, fillPattern, withoutExtension } from "./addresses.ts"
import {
  anyRule,
  byConfiguration,
  codesIn,
  filesIn,
  globRule,
  outsideRule,
  readConfiguration,
  readData,
  textsAt,
  underscoreRule,
} from "./configuration.ts"
import type { Addressed, FileRule, Site, Tool, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

/** The renderers that show a single line end as a line break, with the settings of which one that is false turns it off. */
const RENDERERS: Record<string, string[]> = {
  "hexo-renderer-marked": ["marked.breaks", "marked.gfm"],
  "hexo-renderer-kramed": ["kramed.breaks", "kramed.gfm"],
  "hexo-renderer-markdown-it": ["markdown.render.breaks"],
  "hexo-renderer-markdown-it-plus": ["markdown_it_plus.breaks"],
}

/** Tells whether the renderer of a blog makes line breaks of single line ends: of several the last counts, and without any the stock one. */
const breaksLines = async ({ folder, base }: Site, data: Record<string, unknown>): Promise<boolean> => {
  const { dependencies, devDependencies } = await readData(folder, `${base}package.json`)
  const names = Object.keys({ ...Object(dependencies), ...Object(devDependencies) })
  // Matches renderers of Markdown. Does not match `hexo-renderer-ejs`.
  const renderer = names.findLast((name) => /hexo-renderer-.*(?:mark|kram|md|pandoc)/.test(name))
  const settings = RENDERERS[renderer ?? "hexo-renderer-marked"]
  return settings !== undefined && settings.every((path) => valueAt(data, path) !== false)
}

/** Makes a rule of a setting of globs, which count from the sources, and from anywhere if they begin with two asterisks. */
const settingRule = ({ contentFolder, data }: ToolSettings, name: string): FileRule =>
  globRule(byConfiguration(name), textsAt(data, name), [contentFolder ?? ""])

/** Matches the folders of posts. Does not match `source/about/index.md`. */
const POST = /(?:^|\/)_(?:posts|drafts)\//

/** Makes a rule of names that begin with an underscore, below `source_dir`, but for the folders of posts and what `include` names. */
const underscored = ({ contentFolder, data }: ToolSettings): FileRule => {
  const isIncluded = matcherOf(textsAt(data, "include"), { isShown: true })
  return (file) => {
    const path = posix.relative(contentFolder ?? "", file)
    return /(?:^|\/)_/.test(path.replace(POST, "/")) && !isIncluded(path) ? "name with _" : null
  }
}

/** Leaves out posts whose names begin with an underscore. */
export const underscoredPosts = underscoreRule("source/_posts")

/** Matches the signs that are a hyphen in an address. Does not match letters and digits. */
const SIGNS = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g

/** Writes a text as a part of an address. */
const toPart = (text: string): string => {
  // Matches the accent of `é` in NFD. Does not match `e`.
  const plain = text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
  return plain.replaceAll(SIGNS, "-").replaceAll(/^-+|-+$/g, "")
}

/** Returns the parts of a path that `new_post_name` names: its title above all. */
const partsOfName = (path: string, { data }: ToolSettings): Record<string, string> => {
  const pattern = withoutExtension(textAt(data, "new_post_name") ?? ":title.md")
  const names: string[] = []
  const source = pattern.split(/:(\w+)/).map((part, i) => {
    if (i % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    names.push(part)
    return /year|month|day/.test(part) ? String.raw`(\d{1,4})` : "(.+?)"
  })
  const whole = `^${source.join("")}$`
  const found = isCalmPattern(whole, path.length) ? new RegExp(whole).exec(path) : null
  const parts = Object.fromEntries(names.map((name, i) => [name, found?.[i + 1] ?? ""]))
  return found ? { title: toPart(path), ...parts } : { title: toPart(path) }
}

/** Returns the last category with those above it, as addresses have them. */
const categoryOf = ({ data: { categories, category } }: Addressed, { data }: ToolSettings): string => {
  const all = asList(categories ?? category ?? [])
  const last = all.some(Array.isArray) ? asList(all.at(-1)) : all
  const names = last.map((one) => String(one)).filter(Boolean)
  const mapped = names.map((one) => toPart(textAt(valueAt(data, "category_map"), one) ?? one))
  return mapped.length > 0 ? mapped.join("/") : (textAt(data, "default_category") ?? "uncategorized")
}

/**
 * Returns what clocks show at the time of a post, on a machine in the blog's zone and on one in UTC, as in continuous integration
 * (guessed otherwise: `timezone` does not count for addresses). Of a date with an offset it is the time in UTC (guessed otherwise).
 */
const clocksOf = ({ date, data }: Addressed, { timezone }: ToolSettings): (string | null)[] => {
  if (date === null) return [null]
  const inUtc = (clock: string): string =>
    new Date(inZone(Date.parse(`${clock}Z`), timezone ?? "UTC")).toISOString().slice(0, 19)
  // Matches the offset of `2024-01-02T03:04:05+08:00`. Does not match `2024-01-02`.
  const hasOffset = /:\d{2}(?:\.\d+)?\s*(?:Z|[+-]\d{2}:?\d{2})$/.test(String(data["date"]))
  const clock = hasOffset ? inUtc(date) : date
  return [clock, inUtc(clock)]
}

/** Returns the address of a post by `permalink`, and of a page by its path. */
const addressesOf = (page: Addressed, settings: ToolSettings): string[] => {
  const { data, contentFolder } = settings
  const own = asText(page.data["permalink"])
  if (own) return [`/${own}`]
  const path = withoutExtension(below(contentFolder ?? "source", page.file) ?? page.file)
  const inPosts = below("_posts", path)
  if (inPosts === null) return [`/${path}.html`]
  const { title = "", ...parts } = partsOfName(inPosts, settings)
  const values: Record<string, unknown> = {
    ...(valueAt(data, "permalink_defaults") as object | undefined),
    ...page.data,
    ...parts,
    title,
    name: posix.basename(title),
    post_title: toPart(page.title).toLowerCase(),
    category: categoryOf(page, settings),
  }
  const pattern = textAt(data, "permalink") ?? ":year/:month/:day/:title/"
  // Matches `:year`. Does not match the `:` of a time.
  const addresses = clocksOf(page, settings).map((clock) => {
    const dated: Record<string, unknown> = { ...values, ...datesOf(clock) }
    return fillPattern(pattern, /:(\w+)/g, (part) => asText(dated[part]) ?? undefined)
  })
  return [...new Set(addresses)].flatMap((address) => (address === null ? [] : [`/${address}`]))
}

export const hexo: Tool = {
  name: "Hexo",
  // No: in themes it only hides buttons.
  hidesByShare: false,
  read: async (site) => {
    const data = await readConfiguration(site.folder, site.file)
    if (!("source_dir" in data) && filesIn(site, /^source\/_posts\//).length === 0) return null
    return {
      title: textAt(data, "title"),
      url: textAt(data, "url"),
      // Without one, dates are in the zone of the machine.
      timezone: textAt(data, "timezone"),
      languages: codesIn(data["languages"] ?? data["language"]),
      contentFolder: textAt(data, "source_dir") ?? "source",
      breaksLines: await breaksLines(site, data),
      data,
    }
  },
  // A file outside of `source_dir`; a file or a folder whose name begins with an underscore, but `_posts`, `_drafts` and what `include` names; `ignore` and `skip_render`; `exclude`, but no post.
  skipsFile: (_, settings) => {
    const [excluded, ignored, unrendered] = ["exclude", "ignore", "skip_render"].map((name) =>
      settingRule(settings, name),
    )
    // The tool itself looks at `exclude` for pages alone.
    const excludedPage: FileRule = (file) => (POST.test(file) ? null : (excluded?.(file) ?? null))
    return anyRule(outsideRule(settings), underscored(settings), excludedPage, ignored, unrendered)
  },
  // `published`; plugins know `hidden` and `password`.
  hidesBy: ["published", "hidden", "password"],
  // A file outside of `_posts` and `_drafts`.
  isPageFile: (file) => !POST.test(file),
  // A post: the tool takes the time at which its file was made. It also drops the offset of a date, which counts here.
  isDatedByCommit: (file) => POST.test(file),
  // `permalink` of the post; else the pattern `permalink`, with fields of the post and `permalink_defaults` by their names; the path of a page.
  addressesOf,
  // `{#`.
  comments: ["{#"],
  // Braces stay with `disableNunjucks`.
  markup: (_, page) => (page["disableNunjucks"] === true ? { literalBraces: "all" } : {}),
}
