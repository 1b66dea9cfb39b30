import { posix } from "node:path"

import type { Generator } from "../generator/generator.ts"
import { valueAt } from "../generator/values.ts"
import { findFields } from "./field-names.ts"
import type { Folder } from "./files.ts"
import type { FrontMatter } from "./front-matter.ts"
import { isAboutRepository, matchesPattern, mayBePost, nameOf } from "./paths.ts"
import type { LeftOut } from "./post.ts"
import { asList, asText } from "./values.ts"

// Tells which files the blog's own tool renders no page of: by their fields, and by their paths.

/** Values that mean no, as YAML, JSON and TOML have them. */
const OFF = new Set([false, 0, "false", "no", "off", "0"])
/** Matches words for what readers see. Does not match `private` and `unlisted`. */
const PUBLIC = /^(?:public|publish(?:ed)?|visible|listed|everyone|all)$/i
/** Matches comments of HTML, and a page that only leads to another one: `<meta http-equiv="refresh" …>`. Does not match `<p>`. */
const COMMENT = /<!--[^]*?-->/g
const REFRESH = /^<meta[^>]+http-equiv=["']?refresh["']?[^>]+url=([^"'>\s]+)[^>]*>$/i

/** Returns the address to which a page only redirects; null for other pages. `redirect` beside a text says nothing. */
export const redirectOf = ({ data, body }: FrontMatter): string | null => {
  const text = body.replaceAll(COMMENT, "").trim()
  const values = [data["redirect_to"], text === "" ? data["redirect"] : null].flatMap(asList)
  const given = values.find((value) => typeof value === "string")
  const [, refresh] = REFRESH.exec(text) ?? []
  // A word such as `redirect: permanent` is no address.
  const found = [given, refresh].find((value) => value?.includes("/"))
  return found ?? (data["type"] === "redirect" ? (asText(data["target"] ?? data["url"]) ?? "") : null)
}

/** Tells why the blog's tool renders no page of a file; null if it renders one. A password is never named. */
export const whyNotRendered = (front: FrontMatter, tool: Generator["tool"]): Omit<LeftOut, "file"> | null => {
  if (tool === "jekyll" && front.bodyLine === 1) return { reason: "no front matter", line: 1 }
  for (const { name, value, line } of findFields(front, "secret"))
    if (!OFF.has(value as string)) return { reason: value === true ? `${name}: true` : name, line }
  for (const { name, value, line } of findFields(front, "visibility"))
    if (!PUBLIC.test(asText(value) ?? "")) return { reason: `${name}: ${asText(value) ?? "not public"}`, line }
  for (const { name, value, line } of findFields(front, "build")) {
    const render = String(valueAt(value, "render"))
    if (/^(?:false|never|link)$/.test(render)) return { reason: `${name}: render: ${render}`, line }
  }
  for (const { name, value, line } of findFields(front, "permalink"))
    if (value === false || valueAt(value, "build") === false) return { reason: `${name}: false`, line }
  if (redirectOf(front) !== null) return { reason: "only a redirect", line: 1 }
  return front.body.replaceAll(COMMENT, "").trim() === "" ? { reason: "no text", line: front.bodyLine } : null
}

/** Matches names that Hexo and Astro leave out: `source/_posts/_a.md`. Does not match `source/_posts/a_b.md`. */
const UNDERSCORED = /(?:^|\/)(?:source\/_posts|src\/content)\/(?:.*\/)?_/
/** Matches posts in other formats than Markdown: `_posts/a.textile`. Does not match `docs/a.rst`. */
const OTHER =
  /(?:^|\/)(?:_posts|_drafts|content|posts|blog)\/(?:.*\/)?[^/]+(\.(?:textile|org|adoc|asciidoc|rst|ipynb))$/i
/** Matches pages that stand for their folder: `a/index.md`, `index.fr.md`. Does not match `_index.md`. */
const INDEX = /(?:^|\/)index(?:\.[\w-]+)?\.\w+$/i

/** Makes a function that tells why Jekyll does not read a file below its folder. */
const makeJekyllRule = ({ collections }: Generator["data"]) => {
  const named = Array.isArray(collections) ? collections : Object.keys(collections ?? {})
  const read = new Set(["_posts", "_drafts", ...named.map((name) => `_${name}`)])
  return (file: string): string | null => {
    const folders = posix.dirname(file).split("/")
    if (folders.some((name) => name.startsWith("_") && !read.has(name))) return "folder with _"
    if (!folders.some((name) => read.has(name))) return "outside of _posts"
    return folders.includes("_posts") && nameOf({ file, lang: null }).date === null ? "no date in its name" : null
  }
}

/** Lists the patterns of files that the tool's configuration leaves out, from the folder's root. */
const patternsOf = ({ tool, file, contentFolder, data }: Generator): string[] => {
  const listOf = (name: string) => asList(data[name] ?? []).map(String)
  if (tool === "hexo") return listOf("skip_render").map((one) => posix.join(contentFolder ?? "", one))
  // A `*` of Jekyll goes on over folders.
  const excluded = tool === "jekyll" ? listOf("exclude").map((one) => one.replaceAll(/\*+/g, "**")) : []
  return excluded.map((one) => posix.join(posix.dirname(file ?? ""), one))
}

/** Lists the folders in which Hugo, Zola and Hexo look for pages; null if that is not known. */
const rootsOf = ({ tool, file, contentFolder, data }: Generator): string[] | null => {
  if (contentFolder === null || !["hugo", "zola", "hexo"].includes(tool ?? "") || valueAt(data, "module.mounts"))
    return null
  const ofLanguages = Object.values(data["languages"] ?? {}).map((one) => asText(valueAt(one, "contentDir")))
  const others = ofLanguages.filter((one) => one !== null).map((one) => posix.join(posix.dirname(file ?? ""), one))
  return [contentFolder, ...others]
}

/** Makes a function that tells by its path why the blog's tool renders no page of a file; null if it may render one. */
export const makePathRule = ({ files }: Folder, generator: Generator) => {
  const { tool, file: config, contentFolder, data } = generator
  const patterns = patternsOf(generator)
  const roots = rootsOf(generator)
  const ofJekyll = tool === "jekyll" ? makeJekyllRule(data) : () => null
  const pages = tool === "hugo" ? files.filter((file) => INDEX.test(file)) : []
  const bundles = new Set(pages.map((file) => posix.dirname(file)))
  /** Tells whether a file lies in a leaf bundle of Hugo, beside its page or deeper. */
  const isResource = (file: string): boolean => {
    const folders = (INDEX.test(file) ? posix.dirname(file) : file).split("/").slice(0, -1)
    return folders.some((_, i) => {
      const above = folders.slice(0, i + 1).join("/")
      return above !== contentFolder && bundles.has(above)
    })
  }
  return (file: string): string | null => {
    // Matches `posts/posts.11tydata.js`, which may keep posts off the old site. Does not match `posts/posts.json`.
    if (/\.11tydata\.[cm]?js$/.test(file)) return "code is not run"
    const isHtml = tool === "hugo" && file.startsWith(`${contentFolder}/`) && /\.html?$/i.test(file)
    const [, format = isHtml ? ".html" : null] = OTHER.exec(file) ?? []
    if (format !== null) return `${format.toLowerCase()} is not read`
    if (!mayBePost(file) || isAboutRepository(file)) return null
    if (roots?.every((root) => !file.startsWith(`${root}/`))) return `outside of ${contentFolder}`
    if (UNDERSCORED.test(file) || (tool === "docusaurus" && /(?:^|\/)blog\/(?:.*\/)?_/.test(file))) return "name with _"
    if (patterns.some((pattern) => matchesPattern(file, pattern)))
      return `\`${tool === "hexo" ? "skip_render" : "exclude"}\` of the configuration`
    if (isResource(file)) return "file of a bundle"
    return ofJekyll(posix.relative(posix.dirname(config ?? ""), file))
  }
}
