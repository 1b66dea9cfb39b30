import { posix } from "node:path"

import { isCalmPattern } from "../folder/calm.ts"
import { findFields } from "../folder/field-names.ts"
import { type FrontMatter, splitFrontMatter } from "../folder/front-matter.ts"
import { MARKDOWN, matcherOf } from "../folder/paths.ts"
import { toLatin } from "../folder/slugify.ts"
import { asText } from "../folder/values.ts"
import { UsageError } from "../usage-error.ts"
import { fillBraces } from "./addresses.ts"
import { indentedBlocks } from "./admonitions.ts"
import { anyRule, formRule, isIn, outsideRule, readLines, textsAt } from "./configuration.ts"
import { markupOfPython, namesOfExtensions } from "./markup.ts"
import { readPython } from "./python.ts"
import type { FileRule, Tool, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

/** Matches `Title: A`. Does not match `A title: b`. */
const FIELD = /^ {0,3}([\w-]+):\s*(.*)$/
/** Matches a line that begins with four blanks, which goes on with the field before it. Does not match `a`. */
const MORE = /^ {4,}(.*)$/

const splitFields = (text: string): FrontMatter | null => {
  try {
    if (splitFrontMatter(text).bodyLine > 1) return null
  } catch {
    // It is no YAML, but lines of fields.
  }
  const all = text.replace(/^\uFEFF/, "").split("\n")
  const { data, lines, end } = readLines(all, all[0]?.startsWith("---") ? 1 : 0, FIELD, MORE)
  // Matches what ends fields and is no text: a blank line, `---`. Does not match `----`.
  const bodyAt = /^\s*$|^(?:---|\.\.\.)(?:\s|$)/.test(all[end] ?? "") ? end + 1 : end
  const body = all.slice(bodyAt).join("\n")
  return Object.keys(data).length === 0 ? null : { data, lines, body, bodyLine: bodyAt + 1, repeated: [] }
}

const pathIn = (file: string, { contentFolder, file: configuration }: ToolSettings): string =>
  posix.relative(contentFolder ?? posix.dirname(configuration ?? ""), file)

const isPageFile = (file: string, settings: ToolSettings): boolean =>
  isIn(pathIn(file, settings), settings.data["PAGE_PATHS"] ?? "pages")

const pathsRule = (settings: ToolSettings): FileRule => {
  const { data } = settings
  const isIgnored = matcherOf(textsAt(data, "IGNORE_FILES"))
  return (file) => {
    const path = pathIn(file, settings)
    const kind = isPageFile(file, settings) ? "PAGE" : "ARTICLE"
    if (kind === "ARTICLE" && !isIn(path, data["ARTICLE_PATHS"] ?? "")) return "outside of `ARTICLE_PATHS`"
    if (isIn(path, data[`${kind}_EXCLUDES`] ?? [])) return `\`${kind}_EXCLUDES\` of the configuration`
    return path.split("/").some(isIgnored) ? "`IGNORE_FILES` of the configuration" : null
  }
}

/** Matches the settings that leave files out, or make them drafts. */
const HIDING = /^(?:PATH|IGNORE_FILES|DEFAULT_METADATA|(?:ARTICLE|PAGE)_(?:PATHS|EXCLUDES))$/

/** Returns the named groups of `FILENAME_METADATA` in a name. @throws UsageError if its search may take long and it may hide the file */
const groupsOf = (pattern: unknown, text: string, file: string | null): Record<string, string> => {
  if (typeof pattern !== "string") return {}
  if (!isCalmPattern(`^${pattern}`, text.length)) {
    // Matches the name of a group that may hide a file. Does not match `(?P<date>`.
    if (!/\(\?P<status>/i.test(pattern)) return {}
    const advice = "Write it with few repetitions, and with none of a group."
    throw new UsageError(`${file}: the pattern ${pattern} in \`FILENAME_METADATA\` takes long to search for.`, advice)
  }
  try {
    return { ...new RegExp(`^(?:${pattern.replaceAll("(?P<", "(?<")})`).exec(text)?.groups }
  } catch {
    return {}
  }
}

/** Returns the fields that the configuration and its path give a file. */
const givenTo = (file: string, settings: ToolSettings): Record<string, unknown> => {
  const { data } = settings
  const path = pathIn(file, settings)
  const defaults = data["DEFAULT_METADATA"] ?? {}
  const folder = data["USE_FOLDER_AS_CATEGORY"] === false ? "." : posix.basename(posix.dirname(path))
  const dated = data["FILENAME_METADATA"] ?? String.raw`(?P<date>\d{4}-\d\d-\d\d).*`
  return {
    category: data["DEFAULT_CATEGORY"] ?? "misc",
    ...(Array.isArray(defaults) ? Object.fromEntries(defaults as [string, unknown][]) : defaults),
    ...(folder !== "." && { category: folder }),
    ...groupsOf(dated, posix.parse(path).name, settings.file),
  }
}

/** Returns a name as addresses have it. */
const toAddress = (name: string): string => {
  const latin = toLatin(name.normalize("NFKC")).replaceAll(/[^\w\s-]/g, "")
  return latin
    .trim()
    .replaceAll(/[-\s]+/g, "-")
    .toLowerCase()
}

// Guessed otherwise: a title of two lines is joined by a comma.

export const pelican: Tool = {
  name: "Pelican",
  read: async ({ folder, file }) => {
    // The second is that of the site on the web, and begins with the values of the first.
    const { data, unread } = await readPython(folder, file, posix.join(posix.dirname(file), "publishconf.py"))
    return {
      title: textAt(data, "SITENAME"),
      url: textAt(data, "SITEURL"),
      timezone: textAt(data, "TIMEZONE") ?? "UTC",
      languages: [textAt(data, "DEFAULT_LANG") ?? "en"],
      // The command of the documentation names this folder.
      contentFolder: textAt(data, "PATH") ?? "content",
      breaksLines: namesOfExtensions(Object.keys(valueAt(data, "MARKDOWN.extension_configs") ?? {})).includes("nl2br"),
      data,
      unread: unread.filter((name) => HIDING.test(name)),
    }
  },
  // Files in reStructuredText and HTML, and of Markdown in `.mkd` and `.mdown`, below `PATH`.
  unread: ({ contentFolder }) => formRule(contentFolder, /\.(?:rst|html?|mkd|mdown)$/i),
  // A file outside of `PATH`, `ARTICLE_PATHS` and `PAGE_PATHS`; `ARTICLE_EXCLUDES`, `PAGE_EXCLUDES` and `IGNORE_FILES`.
  skipsFile: (_, settings) => anyRule(outsideRule(settings), pathsRule(settings)),
  // Lines such as `Title: A` up to a blank one, also between `---` if they are no YAML.
  splitFields,
  // A file without a title, a post without a date, and a `Status` that is not known.
  skipsPost: (front, file, settings) => {
    const [status] = findFields(front, "status")
    const word = asText(status?.value) ?? "published"
    if (!/^(?:published|draft|hidden|pb|df)$/i.test(word)) return { reason: `status: ${word}`, line: status?.line ?? 1 }
    if (findFields(front, "title").length === 0) return { reason: "no title", line: 1 }
    const isDated = findFields(front, "date").length > 0 || "DEFAULT_DATE" in settings.data || /^draft$/i.test(word)
    return isDated || isPageFile(file, settings) ? null : { reason: "no date", line: 1 }
  },
  // `DEFAULT_CATEGORY`, `DEFAULT_METADATA`, the last folder as category, and `FILENAME_METADATA`.
  givenFields: async ({ files }, settings) =>
    files
      .filter((file) => MARKDOWN.test(file))
      .map((file) => ({ place: file, target: null, base: ".", lang: null, fields: givenTo(file, settings) })),
  // `Category` is one name; semicolons separate `Tags` if there is one, else commas.
  labelsOf: (meaning, front) => {
    const value = findFields(front, meaning)[0]?.value
    if (typeof value !== "string") return null
    return [{ value: meaning === "categories" ? [value] : value.split(value.includes(";") ? ";" : ",") }]
  },
  // A file below `PAGE_PATHS`.
  isPageFile,
  // `Slug`.
  pairOf: ({ data }) => asText(data["slug"]),
  // `Url`, else `ARTICLE_URL`, `PAGE_URL` and those of other languages, with the slug of the title, or of the name by `SLUGIFY_SOURCE`.
  addressesOf: ({ file, title, slug, date, categories, data: fields }, settings) => {
    const { data, languages } = settings
    const [kind, usual] = isPageFile(file, settings) ? ["PAGE", "pages/{slug}"] : ["ARTICLE", "{slug}"]
    const lang = textAt(fields, "lang") ?? languages[0]
    const [key, end] = lang === languages[0] ? ["URL", ".html"] : ["LANG_URL", "-{lang}.html"]
    const named = data["SLUGIFY_SOURCE"] === "basename" ? posix.parse(file).name : title
    const author = toAddress(textAt(fields, "author", "authors") ?? textAt(data, "AUTHOR") ?? "")
    const values = { slug: slug ?? toAddress(named), lang, category: toAddress(categories[0] ?? ""), author }
    const path = fillBraces(textAt(fields, "url") ?? textAt(data, `${kind}_${key}`) ?? usual + end, date, {
      ...fields,
      ...values,
    })
    return path === null ? [] : [path]
  },
  // `{filename}`, `{static}` and `{attach}`, also between bars: a slash is `PATH`.
  pathOfLink: (href, { contentFolder, file }) => {
    // Matches `{filename}/a.md` and `|static|b.png`. Does not match `{{ a }}` and `{category}a`.
    const [, path = href] = /^[{|](?:filename|static|attach)[}|](.*)$/s.exec(href) ?? []
    return path !== href && path.startsWith("/")
      ? posix.join("/", contentFolder ?? posix.dirname(file ?? ""), path)
      : path
  },
  // `status`.
  hidesBy: ["status"],
  // `!!!` with text that is indented, and its kin.
  blocks: (body, _, data) =>
    namesOfExtensions(Object.keys(valueAt(data["MARKDOWN"], "extension_configs") ?? {})).includes("admonition")
      ? indentedBlocks(body)
      : [],
  // None of them.
  comments: [],
  // That of Python-Markdown with the extension `extra`, unless `MARKDOWN` names others.
  markup: ({ MARKDOWN: given }) => markupOfPython(Object.keys(valueAt(given, "extension_configs") ?? { extra: {} })),
  // None: a text has no templates.
  scope: () => ({}),
}
