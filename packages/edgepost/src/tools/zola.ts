import { posix } from "node:path"

import { PATH_DATE } from "../folder/field-names.ts"
import type { Folder } from "../folder/files.ts"
import { splitFrontMatter } from "../folder/front-matter.ts"
import { knownLanguage, type Reading } from "../folder/languages.ts"
import { toLatin } from "../folder/slugify.ts"
import { asText } from "../folder/values.ts"
import { below, withoutExtension } from "./addresses.ts"
import {
  anyRule,
  byConfiguration,
  codesIn,
  globRule,
  mainFirst,
  outsideRule,
  readConfiguration,
  readTextFile,
  textsAt,
} from "./configuration.ts"
import type { Addressed, FileRule, Tool, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

/** Splits the path of a page, without its extension, into that of all its texts and the language of this one. */
const split = (path: string, { data }: ToolSettings): { key: string; code: string | null } => {
  // Matches the language of `post.fr`. Does not match `post`.
  const [, key = path, suffix = ""] = /^(.*[^/])\.([^./]+)$/.exec(path) ?? []
  return codesIn(data["languages"]).includes(suffix) ? { key, code: suffix } : { key: path, code: null }
}

/** Reads a path as that of a text, if the blog has several languages. */
const translationOf = (path: string, settings: ToolSettings): Reading | null => {
  if (codesIn(settings.data["languages"]).length === 0) return null
  const { key, code } = split(path, settings)
  return { key, lang: knownLanguage(code ?? "") }
}

/** Matches the date before a name: `2024-01-02-a`, `2024-01-02T10:00:00Z_a`. Does not match `2024-a`. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?[_-]\s*/

/** Writes a text as a part of an address. */
const toPart = (text: string): string =>
  toLatin(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

/** Returns the address of a page: `path`, else its folders and its slug or name below the code of a language that is not the main one. The code is not before `path` (guessed otherwise). */
const addressesOf = ({ file, data }: Addressed, settings: ToolSettings): string[] => {
  const { contentFolder } = settings
  const { key, code } = split(withoutExtension(below(contentFolder ?? "content", file) ?? file), settings)
  const prefix = code === null || code === textAt(settings.data, "default_language") ? "" : `/${code}`
  const own = asText(data["path"])
  if (own) return [`/${own}`]
  // Other forms of names are not known.
  if ((textAt(settings.data, "slugify.paths") ?? "on") !== "on") return []
  const parts = (posix.basename(key) === "index" ? posix.dirname(key) : key).split("/")
  const name = parts.at(-1) ?? ""
  const keepsDate = valueAt(settings.data, "slugify.paths_keep_dates") === true
  const slug = toPart(asText(data["slug"]) ?? (keepsDate ? name : name.replace(DATE, "")))
  return [`${prefix}/${[...parts.slice(0, -1), slug].join("/")}`]
}

/** Tells whether the page of a section says that it is a draft. One that cannot be read stops the tool, so nothing of it is public. */
const isDraft = (text: string): boolean => {
  try {
    return splitFrontMatter(text).data["draft"] === true
  } catch {
    return true
  }
}

/** Makes a rule of sections that are drafts: all below them is left out. */
const draftRule = async (folder: Folder, { contentFolder }: ToolSettings): Promise<FileRule> => {
  const drafts: string[] = []
  // Matches `a/_index.md` and `_index.fr.md`. Does not match `a/index.md`.
  const sections = folder.files.filter((file) => /(?:^|\/)_index(?:\.\w+)?\.md$/.test(file))
  for (const file of sections.filter((one) => one.startsWith(`${contentFolder}/`)))
    if (isDraft(await readTextFile(folder, file))) drafts.push(`${posix.dirname(file)}/`)
  return (file) => (drafts.some((above) => file.startsWith(above)) ? "a section with `draft = true`" : null)
}

/** Makes a rule of globs in which an asterisk goes on over folders, and which count from anywhere. */
const ignoredRule = ({ contentFolder, data }: ToolSettings): FileRule => {
  const globs = textsAt(data, "ignored_content").flatMap((glob) => [glob, `**/${glob}`])
  return globRule(byConfiguration("ignored_content"), globs, [contentFolder ?? ""], true)
}

export const zola: Tool = {
  name: "Zola",
  // No: in themes it only hides buttons.
  hidesByShare: false,
  read: async ({ folder, file }) => {
    const data = await readConfiguration(folder, file, /^\s*base_url\b/m)
    if (!("base_url" in data)) return null
    const languages = codesIn(data["languages"])
    return {
      title: textAt(data, "title"),
      url: textAt(data, "base_url"),
      timezone: "UTC",
      // The main one is no key of the others.
      languages: mainFirst(
        { default_language: languages.length > 0 ? "en" : "", ...data },
        data["languages"],
        languages,
      ),
      contentFolder: "content",
      data,
    }
  },
  // A file outside of the content, one of `ignored_content`, and what lies in a section whose `_index.md` has `draft = true`.
  skipsFile: async (folder, settings) =>
    anyRule(outsideRule(settings), ignoredRule(settings), await draftRule(folder, settings)),
  // A page with `render = false`.
  skipsPost: ({ data, lines }) =>
    data["render"] === false ? { reason: "render = false", line: lines["render"] ?? 1 } : null,
  // `draft`.
  hidesBy: ["draft"],
  // `date`, else the date of the name.
  dateFields: () => ["date", PATH_DATE],
  // The code at the end of a name, if the configuration has languages.
  translationOf,
  // `path`, else the path with `slug` and without the date of the name; below the code of a language that is not the main one.
  addressesOf,
  // `@/posts/a.md`, below the content.
  pathOfLink: (href, { contentFolder }) =>
    href.startsWith("@/") ? `/${posix.join(contentFolder ?? "content", href.slice(2))}` : href,
  // `{{ youtube(id="x") }}`, `{% quote(author="A") %}…{% end %}`.
  hasCalls: true,
  // None of them.
  comments: [],
  // Names of emoji with `markdown.render_emoji`.
  markup: (data) => ({ hasEmoji: valueAt(data, "markdown.render_emoji") === true }),
}
