import { posix } from "node:path"

import { stemOf } from "../folder/paths.ts"
import { fillBraces } from "./addresses.ts"
import { anyRule, formRule, outsideRule, readData, readTextFile, underscoreRule } from "./configuration.ts"
import { KRAMDOWN } from "./markup.ts"
import type { Tool } from "./tool.ts"
import { textAt } from "./values.ts"

// By middlemanapp.com/basics: the pages stand after the rules.

/** Returns the text that code of Ruby gives one of the names. Matches `set :source, "src"` and `blog.prefix = "b"`. Does not match comments. */
const setting = (code: string, ...names: string[]): string | null =>
  new RegExp(`^[ \\t]*(?:set :|[\\w.]+\\.)?(?:${names.join("|")})\\s*[=,]\\s*(["'])([^"'#\\n]*)\\1`, "m").exec(
    code,
  )?.[2] ?? null

export const middleman: Tool = {
  name: "Middleman",
  read: async (site) => {
    const code = await readTextFile(site.folder, site.file)
    const source = setting(code, "source") ?? "source"
    // Compass has a `config.rb` as well.
    if (!site.folder.files.some((file) => file.startsWith(`${site.base}${source}/`))) return null
    const data = await readData(site.folder, `${site.base}data/site.yml`)
    const [prefix, permalink] = [setting(code, "prefix"), setting(code, "permalink")]
    return {
      title: setting(code, "site_title", "title") ?? textAt(data, "title", "name"),
      url: setting(code, "site_url", "url_root", "url", "host") ?? textAt(data, "url"),
      timezone: setting(code, "zone") ?? "UTC",
      languages: [],
      contentFolder: source,
      data: {
        prefix,
        permalink,
        sources: setting(code, "sources"),
        isShort: /^\s*activate :directory_indexes/m.test(code),
      },
    }
  },
  // Templates and other formats than Markdown, below the source (templating-language).
  unread: ({ contentFolder }) => formRule(contentFolder, /\.(?:erb|haml|slim|textile|adoc)$/i),
  // A file outside of the source; a name that begins with an underscore (partials).
  skipsFile: (_, settings) => anyRule(outsideRule(settings), underscoreRule(settings.contentFolder ?? "source")),
  // A name without a date, unless `blog.sources` has others (blogging).
  isPageFile: (file, { data }) => data["sources"] === null && !/^\d{4}-\d\d-\d\d-/.test(posix.basename(file)),
  // `blog.permalink` below `blog.prefix`, and without `.html` by `directory_indexes` (blogging, pretty-urls).
  addressesOf: ({ file, slug, date }, { data }) => {
    const [year, month, day] = (date ?? "").split(/\D/)
    const title = slug ?? stemOf({ file, lang: null }).replace(/^\d{4}-\d\d-\d\d-/, "")
    const pattern = `${textAt(data, "prefix") ?? ""}/${textAt(data, "permalink") ?? "{year}/{month}/{day}/{title}.html"}`
    const path = fillBraces(pattern, null, { year, month, day, title, slug: title })
    return path === null ? [] : [data["isShort"] === true ? path.replace(/\.html$/, "/") : path]
  },
  // `published` (blogging).
  hidesBy: ["published"],
  // None of them.
  comments: [],
  // That of kramdown (markdown), and braces as they stand.
  markup: () => ({ ...KRAMDOWN, literalBraces: "values" }),
}
