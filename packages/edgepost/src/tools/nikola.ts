import { posix } from "node:path"

import { type FrontMatter, splitFrontMatter } from "../folder/front-matter.ts"
import { matcherOf } from "../folder/paths.ts"
import { asList } from "../folder/values.ts"
import { indentedBlocks } from "./admonitions.ts"
import { formRule, isIn, readBeside, readLines } from "./configuration.ts"
import { markupOfPython, namesOfExtensions } from "./markup.ts"
import { readPython } from "./python.ts"
import type { Tool, ToolSettings } from "./tool.ts"
import { textAt } from "./values.ts"

// By getnikola.com/handbook.html: the headings stand after the rules.

/** Splits off the fields that begin a text, within a comment of HTML or not. */
const splitFields = (text: string): FrontMatter | null => {
  const all = text.replace(/^\uFEFF/, "").split("\n")
  // Matches a blank line and `<!--`. Does not match `<!-- a`.
  const start = Math.max(
    0,
    all.findIndex((line) => !/^\s*(?:<!--\s*)?$/.test(line)),
  )
  const isComment = all.slice(0, start).some((line) => line.includes("<!--"))
  const end = isComment ? all.findIndex((line) => line.includes("-->")) + 1 || all.length : all.length
  // Matches `.. title: A`, also before the end of a comment. Does not match `.. a remark`. No line goes on with another.
  const field = /^\s*\.\. ([\w-]+): ?(.*?)(?:-->.*)?$/
  const front = readLines(all.slice(0, end), start, field, /^\b$/, isComment ? /^/ : /^\s*\.\.\s/)
  const { data, lines } = front
  if (Object.keys(data).length === 0) return null
  const bodyAt = isComment ? end : front.end
  return { data, lines, body: all.slice(bodyAt).join("\n"), bodyLine: bodyAt + 1, repeated: [] }
}

/** Finds the entry of `POSTS` or `PAGES` that a file is of: its folder, and that of the site. */
const placeOf = (file: string, { data, file: configuration }: ToolSettings, ...names: ("POSTS" | "PAGES")[]) =>
  names
    .flatMap((name) => asList(data[name] ?? [[`${name.toLowerCase()}/*.md`, name.toLowerCase()]]).map(asList))
    .map(([pattern, target]) => ({
      ...posix.parse(posix.join(posix.dirname(configuration ?? ""), String(pattern))),
      target,
    }))
    .find(({ dir, base }) => isIn(file, dir) && matcherOf([base], { isShown: true })(posix.basename(file)))

export const nikola: Tool = {
  name: "Nikola",
  read: async ({ folder, file }) => {
    const { data, unread } = await readPython(folder, file)
    // Other tools have a `conf.py` as well.
    if (!("BLOG_TITLE" in data || "POSTS" in data || unread.includes("POSTS"))) return null
    return {
      title: textAt(data, "BLOG_TITLE"),
      url: textAt(data, "SITE_URL"),
      timezone: textAt(data, "TIMEZONE") ?? "UTC",
      languages: [textAt(data, "DEFAULT_LANG") ?? "en"],
      contentFolder: "posts",
      data,
      unread: unread.filter((name) => name === "POSTS" || name === "PAGES"),
    }
  },
  // Other formats than Markdown, below `posts` (Supported input formats).
  unread: ({ contentFolder }) => formRule(contentFolder, /\.(?:rst|txt|html?|ipynb|php|org)$/i),
  // A file that no entry of `POSTS` and `PAGES` names (How does Nikola decide where posts should go?).
  skipsFile: (_, settings) => (file) =>
    placeOf(file, settings, "POSTS", "PAGES") ? null : "outside of `POSTS` and `PAGES`",
  // Lines such as `.. title: A`, also in a comment of HTML (Metadata formats).
  splitFields,
  // The tags `draft` and `private`, in versions before 8 (Drafts, Private Posts).
  skipsPost: ({ data, lines }) => {
    // Matches `a, draft`. Does not match `drafts`.
    const [, tag] = /(?:^|[\s,])(draft|private)(?:,|$)/.exec(asList(data["tags"]).join(",")) ?? []
    return tag === undefined ? null : { reason: `the tag ${tag}`, line: lines["tags"] ?? 1 }
  },
  // `a.meta` beside `a.md` (Two-file format).
  givenFields: (folder) => readBeside(folder, ".meta", (text) => (splitFields(text) ?? splitFrontMatter(text)).data),
  // A file of `PAGES` (Creating a Page).
  isPageFile: (file, settings) => placeOf(file, settings, "POSTS") === undefined,
  // The folder of the site, the folders of the file, and the slug (How does Nikola decide where posts should go?).
  addressesOf: ({ file, slug }, settings) => {
    const { dir = "", target = "" } = placeOf(file, settings, "POSTS", "PAGES") ?? {}
    const name = slug ?? posix.parse(file).name
    const path = posix.join("/", String(target), posix.relative(dir, posix.dirname(file)), name)
    return [settings.data["PRETTY_URLS"] === false ? `${path}.html` : `${path}/`]
  },
  // `status` (Drafts).
  hidesBy: ["status"],
  // `!!!` with text that is indented, and its kin (getting started with Markdown extensions).
  blocks: (body, _, data) =>
    namesOfExtensions(data["MARKDOWN_EXTENSIONS"] ?? []).includes("admonition") ? indentedBlocks(body) : [],
  // None of them.
  comments: [],
  // That of Python-Markdown with the extension `extra`, unless `MARKDOWN_EXTENSIONS` names others (MARKDOWN_EXTENSIONS).
  markup: (data) => markupOfPython(data["MARKDOWN_EXTENSIONS"] ?? "extra"),
}
