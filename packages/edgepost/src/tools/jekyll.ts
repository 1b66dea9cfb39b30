import { posix } from "node:path"

import { PATH_DATE } from "../folder/field-names.ts"
import { isRoot, nameOf } from "../folder/paths.ts"
import { asList, asText } from "../folder/values.ts"
import { datesOf, fillPattern, withoutExtension } from "./addresses.ts"
import {
  anyRule,
  byConfiguration,
  codesIn,
  DATA_FILES,
  filesIn,
  globRule,
  mainFirst,
  readAll,
  readConfiguration,
  textsAt,
  toGivenFields,
} from "./configuration.ts"
import { readCascades } from "./hugo.ts"
import { KRAMDOWN } from "./markup.ts"
import type { Addressed, FileRule, GivenFields, InclusionSyntax, Tool, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

/** Patterns of addresses that have names. */
const PERMALINKS: Record<string, string> = {
  date: "/:categories/:year/:month/:day/:title",
  pretty: "/:categories/:year/:month/:day/:title",
  ordinal: "/:categories/:year/:y_day/:title",
  weekdate: "/:categories/:year/W:week/:short_day/:title",
  none: "/:categories/:title",
}

/** Names the folder in which collections are. */
const collectionsIn = (settings: ToolSettings): string =>
  posix.join(settings.contentFolder ?? settings.base, textAt(settings.data, "collections_dir") ?? "")

/** Folders that Jekyll leaves out, also if `exclude` names others: Bundler keeps gems with posts there. */
const EXCLUDED = ["gemfiles", "vendor/bundle", "vendor/cache", "vendor/gems", "vendor/ruby"]

/** Makes a rule of the folders and names that are read. */
const namesRule = (settings: ToolSettings): FileRule => {
  const { collections } = settings.data
  const named = Array.isArray(collections) ? collections.map(String) : Object.keys(collections ?? {})
  const isWritten = (name: string) => name === "posts" || valueAt(collections, `${name}.output`) === true
  const silent = new Set(named.filter((name) => !isWritten(name)).map((name) => `_${name}`))
  const isElsewhere = textAt(settings.data, "source", "collections_dir") !== null
  const root = collectionsIn(settings)
  const read = new Set(["_posts", "_drafts", ...named.map((name) => `_${name}`)])
  return (path) => {
    const file = posix.relative(settings.base, path)
    const folders = posix.dirname(file).split("/")
    if (isElsewhere && !path.startsWith(`${root}/`)) return `outside of ${root}`
    if (folders.some((name) => name.startsWith("_") && !read.has(name))) return "folder with _"
    if (!folders.some((name) => read.has(name))) return "outside of _posts"
    if (folders.some((name) => silent.has(name))) return "collection without `output: true`"
    if (/^[_#~]/.test(posix.basename(file))) return "name with _, # or ~"
    return folders.includes("_posts") && nameOf({ file, lang: null }).date === null ? "no date in its name" : null
  }
}

const excludeRule = (settings: ToolSettings): FileRule => {
  // What `include` names is read in spite of it.
  const included = textsAt(settings.data, "include").map((one) => `!${one}`)
  const rule = (reason: string, globs: string[]) => globRule(reason, [...globs, ...included], [settings.base], true)
  return anyRule(
    rule(byConfiguration("exclude"), textsAt(settings.data, "exclude")),
    rule("a folder of packages", EXCLUDED),
  )
}

/** Names the collection of a file, by the last of its folders whose name begins with an underscore; "" for a page. */
const collectionOf = (file: string, { base }: ToolSettings): string => {
  const folders = posix.relative(base, posix.dirname(file)).split("/")
  return (folders.findLast((one) => one.startsWith("_")) ?? "").slice(1)
}

/** Reads `defaults`, the longest path last. */
const readScopes = (settings: ToolSettings): GivenFields[] =>
  asList(settings.data["defaults"])
    .flatMap((one) => {
      const type = asText(valueAt(one, "scope.type")) ?? ""
      const isOf = (file: string) => ["", collectionOf(file, settings).replace(/^drafts$/, "posts")].includes(type)
      const at = { place: ".", base: settings.base, lang: null, isOf }
      return toGivenFields(valueAt(one, "values"), at, valueAt(one, "scope.path"))
    })
    .toSorted((one, other) => (one.target?.length ?? 0) - (other.target?.length ?? 0))

/** Matches what YAML calls a timestamp, without an offset: `2024-01-02 9:00:00`. Does not match `2024-01-02 09:00` and `Jan 2, 2024 9:00:00`. */
const TIMESTAMP = /^\d{4}-\d\d?-\d\d?(?:T|\s+)\d\d?:\d\d:\d\d(?:\.\d*)?$/i

/** Tells whether a file lies in a folder of posts, where blanks separate labels; but not in one of Hexo, which is in `source`. */
const isBelowPosts = (file: string): boolean =>
  /(?:^|\/)_(?:posts|drafts)\//.test(file) && !/(?:^|\/)source\//.test(file)

/** Lists the folders above `_posts` and `_drafts`, from that of the site or of `collections_dir`. In a folder without a configuration those count that are about something. */
const foldersAbovePosts = (file: string, settings: ToolSettings): string[] => {
  const folders = posix.relative(collectionsIn(settings), file).split("/")
  const end = folders.findIndex((one) => one === "_posts" || one === "_drafts")
  const above = folders.slice(0, Math.max(0, end))
  return settings.file === null ? above.filter((one) => !isRoot(one)) : above
}

/** Reads labels: a text in the singular is one name, and blanks separate those of one in the plural. */
const labelsOf: Tool["labelsOf"] = (meaning, { data, given = [] }, file, settings) => {
  if (meaning === "tags") return data["tag"] ? [{ value: data["tag"] }] : [{ value: data["tags"], isSpaced: true }]
  const plural = [...given, data].map(({ categories }) => ({ value: categories, isSpaced: true }))
  const singular = data["category"] ?? given.findLast(({ category }) => category)?.["category"]
  return [{ value: foldersAbovePosts(file, settings) }, ...plural, { value: singular }]
}

/** Reads labels below `_posts` and `_drafts` of a folder that may be of no tool. */
export const labelsOfPosts: Tool["labelsOf"] = (meaning, front, file, settings) =>
  isBelowPosts(file) ? labelsOf(meaning, front, file, settings) : null

/** Names the zone of a timestamp of YAML without an offset. */
export const zoneOfTimestamp = (date: string): string | null => (TIMESTAMP.test(date) ? "UTC" : null)

/** Matches what is no part of an address, in `:title` and in other parts. Does not match letters and digits. */
const NO_TITLE = /[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu
const NO_SLUG = /[^\p{M}\p{L}\p{Nd}]+/gu

/** Writes a text as a part of an address. */
const toPart = (text: string, signs: RegExp): string => text.replaceAll(signs, "-").replaceAll(/^-|-$/g, "")

/** Returns the address of a page of `_posts` or of a collection, which the blog's `permalink` does not count for (guessed otherwise). */
const addressesOf = (page: Addressed, settings: ToolSettings): string[] => {
  const path = withoutExtension(posix.relative(settings.base, page.file))
  const label = collectionOf(page.file, settings)
  const collection = valueAt(settings.data, "collections")
  const ofAll = textAt(settings.data, "permalink") ?? "date"
  const own = textAt(valueAt(collection, label), "permalink") ?? (label === "posts" ? ofAll : "/:collection/:path")
  const pattern = asText(page.data["permalink"]) ?? PERMALINKS[own] ?? own
  const name = posix.basename(path)
  const slug = asText(page.data["slug"]) ?? nameOf({ file: page.file, lang: null, key: name }).name
  // In a text, a comma is a sign of a name.
  const written = asText(page.data["categories"])?.split(/\s+/) ?? []
  const categories = page.categories.map((one) => (written.includes(`${one},`) ? `${one},` : one))
  const values: Record<string, string | undefined> = {
    ...datesOf(page.date),
    collection: label,
    output_ext: "",
    title: toPart(slug, NO_TITLE),
    slug: toPart(slug, NO_SLUG).toLowerCase(),
    name: toPart(name, NO_SLUG).toLowerCase(),
    path: withoutExtension(posix.relative(collectionsIn(settings), page.file)).replace(`_${label}/`, ""),
    categories: [...new Set(categories.map((one) => one.toLowerCase()))].join("/"),
    slugified_categories: [...new Set(categories.map((one) => toPart(one, NO_SLUG).toLowerCase()))].join("/"),
  }
  // Matches `:year`. Does not match the `:` of a time.
  const address = fillPattern(pattern, /:([a-z_]+)/g, (part) => values[part])
  return address === null ? [] : [`/${address}`]
}

/** Reads a tag that includes a file without logic. @param tag its name @param folderOf names the folder from which the file counts */
const inclusion = (tag: string, folderOf: (settings: ToolSettings, file: string) => string): InclusionSyntax => ({
  // Matches `{% include a/b.html c="d" %}`. Does not match `{% include {{ a }} %}` and `{% include ../a %}`.
  pattern: new RegExp(String.raw`\{%-?\s*${tag}\s+((?!\.)(?:[\w/-]|\.(?!\.))+)(?:\s[^{}%]*)?-?%\}`, "g"),
  read: ([, name = ""], { file, data, settings }) =>
    data["render_with_liquid"] === false ? [] : [{ paths: [posix.join(folderOf(settings, file), name)] }],
  isForeign: true,
})

export const jekyll: Tool = {
  name: "Jekyll",
  // No: in themes it only hides buttons.
  hidesByShare: false,
  read: async (site) => {
    const data = await readConfiguration(site.folder, site.file)
    return {
      title: textAt(data, "title"),
      url: textAt(data, "url"),
      path: textAt(data, "baseurl"),
      timezone: textAt(data, "timezone") ?? "UTC",
      languages: mainFirst(data, data["languages"], codesIn(data["languages"]), "locale", "lang", "default_lang"),
      contentFolder: textAt(data, "source") ?? "",
      breaksLines: valueAt(data, "kramdown.hard_wrap") === true,
      data: { ...data, data: await readAll(site.folder, filesIn(site, DATA_FILES)) },
    }
  },
  // `exclude`, and the folders that are always excluded, but not what `include` names; a file outside of `_posts`, `_drafts` and collections; a collection without `output: true`; a folder with another name that begins with an underscore; a file whose name begins with `_`, `#` or `~`; in `_posts`, a name without a date.
  skipsFile: (_, settings) => anyRule(excludeRule(settings), namesRule(settings)),
  // A file without front matter.
  skipsPost: ({ bodyLine }) => (bodyLine === 1 ? { reason: "no front matter", line: 1 } : null),
  // `defaults` by `scope`, the longest path last, and `cascade` as Hugo.
  givenFields: async (folder, settings) => [...readScopes(settings), ...(await readCascades(folder, settings))],
  // Categories: the folders above `_posts` and `_drafts`, then `categories`, also those of `defaults`, then `category`, of which an empty one leaves that of `defaults`. Tags: `tag`, else `tags`. Blanks separate the names of a text in the plural.
  labelsOf,
  // `date`, else the date of the name.
  dateFields: () => ["date", PATH_DATE],
  // `permalink` of the post, of its collection or of the blog, also by its name, with categories of folders and fields.
  addressesOf,
  // A timestamp of YAML without an offset is one in UTC.
  zoneOf: zoneOfTimestamp,
  // `{% include a.html %}` of `includes_dir`, and `{% include_relative a.md %}` beside the post.
  inclusions: [
    inclusion("include", (settings) =>
      posix.join(settings.contentFolder ?? settings.base, textAt(settings.data, "includes_dir") ?? "_includes"),
    ),
    inclusion("include_relative", (_, file) => posix.dirname(file)),
  ],
  // `published`.
  hidesBy: ["published"],
  // None of them.
  comments: [],
  // That of kramdown, unless `markdown` names another, with `parse_block_html`; braces stay with `render_with_liquid: false`.
  markup: (data, page) => ({
    ...(/kramdown/i.test(textAt(data, "markdown") ?? "kramdown") && KRAMDOWN),
    ...(valueAt(data, "kramdown.parse_block_html") === true && { markdownInHtml: "all" }),
    ...(page["render_with_liquid"] === false && { literalBraces: "all" }),
    hasEmoji: asList(data["plugins"] ?? []).includes("jemoji"),
  }),
}
