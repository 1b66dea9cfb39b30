import { posix } from "node:path"

import { parse } from "yaml"

import { codesIn, filesIn, formRule, outsideRule, readBeside, readConfiguration } from "./configuration.ts"
import { zoneOfTimestamp } from "./jekyll.ts"
import { KRAMDOWN } from "./markup.ts"
import type { Tool } from "./tool.ts"
import { textAt, valueAt } from "./values.ts"

export const nanoc: Tool = {
  name: "Nanoc",
  read: async (site) => {
    // Other tools have a `config.yaml` as well.
    if (!site.file.endsWith("nanoc.yaml") && filesIn(site, /^(?:Rules|rules\.rb)$/).length === 0) return null
    const data = await readConfiguration(site.folder, site.file)
    return {
      title: textAt(data, "title", "site_title", "site_name", "site.title"),
      url: textAt(data, "base_url"),
      timezone: null,
      languages: codesIn(data["language"] ?? data["lang"] ?? data["locale"]),
      contentFolder: textAt(valueAt(data, "data_sources.0"), "content_dir") ?? "content",
      data,
    }
  },
  // Pages in HTML and templates, below the content.
  unread: ({ contentFolder }) => formRule(contentFolder, /\.(?:html?|erb|haml|slim|adoc|rst|textile)$/i),
  // A file outside of the content, and the home page, `index.md`.
  skipsFile: (_, settings) => (file) =>
    posix.dirname(file) === settings.contentFolder && posix.parse(file).name === "index"
      ? "home page"
      : outsideRule(settings)(file),
  // `is_hidden`, unless it says no.
  skipsPost: ({ data, lines }) => {
    const { is_hidden: value } = data
    const hidden = typeof value === "string" ? value : JSON.stringify(value ?? false)
    const isShown = /^(?:false|no|off|)$/i.test(hidden)
    return isShown ? null : { reason: `is_hidden: ${hidden}`, line: lines["is_hidden"] ?? 1 }
  },
  // `a.yaml` beside `a.md`.
  givenFields: (folder) => readBeside(folder, ".yaml", parse),
  // `created_at`, then `date`.
  dateFields: () => ["created_at", "date"],
  // A timestamp of YAML without an offset is one in UTC.
  zoneOf: zoneOfTimestamp,
  // The path below the content.
  addressesOf: ({ file }, { contentFolder }) => {
    const { dir, name } = posix.parse(posix.relative(contentFolder ?? "", file))
    return [`${posix.join("/", dir, name === "index" ? "" : name)}/`]
  },
  // None of them.
  comments: [],
  // That of kramdown, since `Rules` are not read, and braces as they stand.
  markup: () => ({ ...KRAMDOWN, literalBraces: "values" }),
  // None: a text has no templates.
  scope: () => ({}),
}
