import { posix } from "node:path"

import { asList } from "../folder/values.ts"
import { fillBraces } from "./addresses.ts"
import { indentedBlocks } from "./admonitions.ts"
import { anyRule, byConfiguration, globRule, isIn, outsideRule, readConfiguration, textsAt } from "./configuration.ts"
import { markupOfPython, namesOfExtensions } from "./markup.ts"
import type { FileRule, Inclusion, Tool, ToolSettings } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

// By www.mkdocs.org/user-guide/configuration, and of posts by squidfunk.github.io/mkdocs-material/plugins/blog: the headings stand after the rules.

/** Returns the settings of the blog, and its folders from that of the pages. */
const blogOf = ({ data }: ToolSettings) => {
  const blog = valueAt(
    asList(data["plugins"]).find((one) => valueAt(one, "blog")),
    "blog",
  )
  const folder = textAt(blog, "blog_dir") ?? "blog"
  return { blog, folder, posts: (textAt(blog, "post_dir") ?? "{blog}/posts").replace("{blog}", folder) }
}

/** Makes a rule of lines as those of `.gitignore`. */
const linesRule = ({ data, contentFolder }: ToolSettings, name: string): FileRule => {
  const text = data[name]
  const lines = typeof text === "string" ? text.split("\n").filter((line) => !line.startsWith("#")) : []
  // Matches a pattern for any depth: `a`, `!b/`. Does not match `/a` and `a/b`.
  const globs = lines.map((line) => line.trim().replace(/^(!?)(?=[^/!]+\/?$)/, "$1**/"))
  return globRule(byConfiguration(name), globs, [contentFolder ?? ""])
}

/** Reads the name of a part, with its lines or a name of its section: `a.md:4:9`, `a.md:end`. It counts from `base_path`, that of the configuration or that of the pages. */
const toPart = (text: string, { data, base, contentFolder }: ToolSettings): Inclusion => {
  const [, name = "", lines, region] = /^(.*?)(?::(\d*(?::\d+)?)|:([a-z][\w-]*))?$/i.exec(text.trim()) ?? []
  const extensions = [data["markdown_extensions"] ?? []].flat() as Record<string, unknown>[]
  const given = extensions.flatMap((one) => textsAt(one["pymdownx.snippets"], "base_path"))
  const folders = [...given.map((one) => posix.join(base, one)), base, contentFolder ?? ""]
  return { paths: folders.map((folder) => posix.join(folder, name)), lines, region }
}

/** Matches `--8<-- "a.md"`. Does not match `;--8<-- "a.md"`. */
const PART = /(?<!-)-{1,9}8<-{1,9}(?<=^[ \t]*[-8<]+)[ \t]+(?:"([^"\n]+)"|'([^'\n]+)')[ \t]*$/gm
/** Matches `--8<--\na.md\nb.md\n--8<--`. Does not match `--8<-- "a.md"`. */
const PARTS = /(?<!-)-{1,9}8<-{1,9}(?<=^[ \t]*[-8<]+)[ \t]*\n((?:.*\n){0,40}?)[ \t]*-{1,9}8<-{1,9}[ \t]*$/gm

const isPageFile = (file: string, settings: ToolSettings): boolean =>
  !isIn(posix.relative(settings.contentFolder ?? "", file), blogOf(settings).posts)

const hasSnippets = ({ data }: ToolSettings): boolean =>
  namesOfExtensions(data["markdown_extensions"] ?? []).includes("snippets")

export const mkdocs: Tool = {
  name: "MkDocs",
  read: async ({ folder, file }) => {
    const data = await readConfiguration(folder, file)
    return {
      title: textAt(data, "site_name"),
      url: textAt(data, "site_url"),
      timezone: "UTC",
      languages: [textAt(data, "theme.language") ?? ""],
      contentFolder: textAt(data, "docs_dir") ?? "docs",
      breaksLines: namesOfExtensions(data["markdown_extensions"] ?? []).includes("nl2br"),
      data,
    }
  },
  // A file outside of `docs_dir`; `exclude_docs` and `draft_docs` (exclude_docs, draft_docs).
  skipsFile: (_, settings) =>
    anyRule(outsideRule(settings), linesRule(settings, "exclude_docs"), linesRule(settings, "draft_docs")),
  // A file outside of the blog's `post_dir` (post_dir).
  isPageFile,
  // `post_url_format`, with the title in small letters (post_url_format, post_slugify).
  addressesOf: ({ title, slug, date, file }, settings) => {
    const { blog, folder } = blogOf(settings)
    const isUsual = textAt(blog, "post_url_date_format") === null
    const values = {
      date: isUsual ? date?.slice(0, 10).replaceAll("-", "/") : null,
      // Matches signs. Does not match letters of any script, digits and blanks.
      slug:
        slug ??
        title
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
          .replaceAll(" ", "-"),
      file: posix.parse(file).name,
    }
    const path = fillBraces(`${folder}/${textAt(blog, "post_url_format") ?? "{date}/{slug}"}/`, null, values)
    return path === null || isPageFile(file, settings) ? [] : [path]
  },
  // `--8<-- "a.md:4:9"` and lines between two `--8<--`, also in code (facelessuser.github.io/pymdown-extensions/extensions/snippets).
  inclusions: [
    {
      pattern: PART,
      read: ([, double, single = ""], { settings }) =>
        hasSnippets(settings) ? [toPart(double ?? single, settings)] : [],
      inCode: true,
    },
    {
      pattern: PARTS,
      read: ([, names = ""], { settings }) =>
        hasSnippets(settings) ? (names.match(/\S.*/g) ?? []).map((name) => toPart(name, settings)) : [],
      inCode: true,
    },
  ],
  // `draft` (draft).
  hidesBy: ["draft"],
  // `!!!`, `???` and `===` with text that is indented (mkdocs-material: admonitions, content-tabs).
  blocks: indentedBlocks,
  // None of them.
  comments: [],
  // That of Python-Markdown with `markdown_extensions` (markdown_extensions).
  markup: (data) => {
    const { literalBraces, ...markup } = markupOfPython(data["markdown_extensions"] ?? [])
    // The plugin evaluates them.
    return namesOfExtensions(data["plugins"] ?? []).includes("macros") ? markup : { ...markup, literalBraces }
  },
}
