import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join, resolve } from "node:path"

import { stringify } from "yaml"

import { configFilesIn, EMPTY_CONFIG, withTool } from "../config.ts"
import type { LocalPost } from "../folder/post.ts"
import { readPosts } from "../folder/posts.ts"
import { clean } from "../folder/values.ts"
import { listForeign } from "../markdown/convert.ts"
import { countForeign, type ForeignKind } from "../plan/foreign.ts"
import { plural } from "../plan/screen.ts"
import { plain } from "../terminal.ts"
import { readTool } from "../tools/index.ts"
import type { ToolSettings } from "../tools/tool.ts"
import { UsageError } from "../usage-error.ts"
import { findWorkspace, openWorkspace } from "../workspace/workspace.ts"
import { type Command, requireFolder } from "./context.ts"

/** Kinds of foreign syntax that a configuration file has room for. */
const MAX_KINDS = 200
const MAX_EXAMPLE_CHARS = 60

/** Writes a field of YAML, or without a value its usual line as a comment. */
const field = (name: string, value: unknown, usual: string): string =>
  value === undefined || value === null ? `# ${name}: ${usual}` : stringify({ [name]: value }).trimEnd()

/** Writes the kinds of foreign syntax that a field can give a meaning, as comments that an author completes. */
const proposals = (name: "shortcodes" | "variables", all: ForeignKind[]): string[] => {
  const kinds = all.filter((kind) => kind.field === name).slice(0, MAX_KINDS)
  const lines = kinds.map(({ name: key, posts, uses, example: { file, line, text } }) => {
    const shown = clean(text)
    const example = shown.length > MAX_EXAMPLE_CHARS ? `${shown.slice(0, MAX_EXAMPLE_CHARS).toWellFormed()}…` : shown
    const count = `${plural(uses, "use")} in ${plural(posts, "post")}`
    return `#   ${stringify({ [key]: "" }).trimEnd()} # ${count}: ${example} in ${clean(file)}:${line}`
  })
  return lines.length === 0 ? [] : [`# ${name}:`, ...lines]
}

const TEMPLATES = `
# What readers get instead of the syntax of your theme: "" drops it, \`keep\` keeps what is between two tags, and any other Markdown
# replaces it, such as "[Pen](https://codepen.io/{{0}}/pen/{{id}})". Remove the \`# \` of the lines that you complete.
`

const PUBLISH_BY = `
# Which notes are for readers: those of which the field of this name says yes, or \`all\`.
`

const LINE_BREAKS = `
# A single line end is a line break, as in your app or on your blog.
line_breaks: true
`

const fileFor = (
  source: string,
  { tool, file, title, url, timezone, languages, question, lineBreaks }: ToolSettings,
  as: string | null,
  kinds: ForeignKind[],
  publishBy: string | null,
) => {
  const [primary, ...others] = languages
  const blog = file === null ? "" : ` for ${title ?? "a blog"} (${tool.name}, ${clean(file)})`
  const machine = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const foreign = [...proposals("shortcodes", kinds), ...proposals("variables", kinds)]
  return `# Settings of \`edgepost publish\`${blog}. All are optional.

# The mark of this folder's posts, by which \`--prune\` knows them.
${field("source", source, "")}

# The category of posts that have none, in their front matter or by their folder.
category: Blog

# The time zone of dates without an offset${timezone === null ? ": this machine's, since the blog names none" : ""}.
${field("timezone", timezone ?? machine, "")}

# The old site, whose links become links to the posts.
${field("site_url", url, "https://old.example/")}

# The language of posts that name none, and the languages into which posts are translated; else those of your account.
${field("primary_language", primary, "en")}
# translation_languages: [${others.length > 0 ? others.join(", ") : "fr, es"}]
${(as ?? (publishBy === null && question)) ? `\n# The tool by whose rules the folder is read, if not by those of its configuration.\n${field("as", as, "folder")}\n` : ""}${publishBy === null ? "" : `${PUBLISH_BY}${publishBy}\n`}${lineBreaks === null ? "" : LINE_BREAKS}${foreign.length > 0 ? `${TEMPLATES}${foreign.join("\n")}\n` : ""}`
}

const names = new Intl.ListFormat("en")

/** Says what was found: the blog, its posts, and how much of them only its theme knows. */
const describe = (
  { tool, file, title, url, timezone, languages, question }: ToolSettings,
  posts: LocalPost[],
  kinds: ForeignKind[],
) => {
  const facts = [url, timezone, names.format(languages)].filter((fact) => fact !== null && fact !== "")
  const name = title === null ? "" : ` “${title}”`
  const notes = tool.isOfNotes ? [`Notes of ${tool.name}.`] : []
  const blog = file === null ? notes : [`${[`${tool.name} blog${name}`, ...facts].join(", ")}.`]
  const count = kinds.filter((kind) => kind.field !== null).length
  const unknown = count > 0 ? ` The file lists ${plural(count, "kind")} of syntax that only the theme knows.` : ""
  return [...blog, `${plural(posts.length, "post")}.${unknown}`, ...(question === null ? [] : [question])].map(plain)
}

/** Writes a configuration file with what the folder and the configuration of the blog's tool say, and replaces none. */
export const init: Command = async ({ operands, options: given, cwd, now, terminal, env }) => {
  const { as } = withTool(EMPTY_CONFIG, given.as)
  const path = operands[0] ?? "."
  const root = resolve(cwd, path)
  if (!existsSync(root)) throw new UsageError(`There is no folder ${root}.`, "Make it first.")
  requireFolder(root)
  const [found] = configFilesIn(root)
  if (found !== undefined) throw new UsageError(`${found} is there already.`, "Change it with an editor.")
  terminal.progress("Reading the folder…")
  const folder = await openWorkspace({ ...findWorkspace(root, env), blog: root }, root)
  const settings = await readTool(folder, as)
  const { timezone, languages, contentFolder } = settings
  const theme = { ...EMPTY_CONFIG, settings }
  const options = {
    timezone,
    category: "Blog",
    primaryLanguage: languages[0] ?? null,
    theme,
    settings,
    now,
    paths: [],
    publishBy: null,
    showHidden: false,
  }
  const { posts, publishedBy, question } = await readPosts(folder, options)
  const [byField, ...otherFields] = publishedBy ?? []
  const usual =
    settings.asksAgain || question !== null || byField !== undefined ? field("publish_by", undefined, "all") : null
  const publishBy = byField === undefined || otherFields.length > 0 ? usual : field("publish_by", byField, "")
  const kinds = countForeign(posts, (text) => listForeign(text, theme))
  const file = join(root, "edgepost.config.yaml")
  // Two folders of an account may have the same name.
  const source = `${basename(root).slice(0, 180)}-${randomBytes(4).toString("hex")}`
  await writeFile(file, fileFor(source, settings, as, kinds, publishBy), { flag: "wx" })
  // A repository may have documents beside its blog.
  const isElsewhere = ({ source: text }: LocalPost) => !text.file.startsWith(`${contentFolder}/`)
  const isBeside = folder.blog === "" && contentFolder !== null && posts.some(isElsewhere)
  const target = isBeside ? join(path, contentFolder) : path
  terminal.print(
    [
      ...describe(settings, posts, kinds),
      `Wrote ${plain(file)}. Look at its timezone, category and site_url.`,
      `Next: edgepost plan ${plain(target)}`,
    ].join("\n"),
  )
  return 0
}
