import { posix } from "node:path"

import { asText } from "../folder/values.ts"
import { anyRule, filesIn, onlyRule, readCode } from "./configuration.ts"
import { zoneOfTimestamp } from "./jekyll.ts"
import { markRemover } from "./shown-code.ts"
import type { Tool, ToolSettings } from "./tool.ts"
import { literals, readFacts, unreadNames } from "./values.ts"

/** Matches comments that hide lines, with the last of their lines: `hide-next-line`, `hide-range{1-2}`. Does not match `hide-me`. */
const HIDE = /(?:\/\/|\/\*|#|<!--|--|;|%)[ \t]*hide-(start|end|next-line|line|range)\b(?:\{[^{}]*?(\d+)\})?/

/** Removes the lines that comments hide from code with its signs. */
const withoutHidden = (source: string): string => {
  let hidden = 0
  const lines = source.split("\n")
  const shown = lines.filter((line, i) => {
    const [, place, count = "0"] = HIDE.exec(line) ?? []
    const isShown = hidden <= 0 && place !== "line"
    hidden = { start: Infinity, end: 0, "next-line": 1, range: Number(count) }[place ?? ""] ?? hidden - 1
    return isShown || i === lines.length - 1
  })
  return shown.join("\n")
}
const withoutMarks = markRemover(String.raw`(?:highlight|hide)-(?:next-line|line|start|end|range)(?:\{[\d,\s-]+\})?`)

/** Matches the folder of a source: `path: "./posts"`, `` path: `${__dirname}/posts` ``, `path.join(__dirname, "a", "b")`. Does not match `path: FOLDER`. */
const PATH = /\bpath\s*:\s*(?:path\.\w+\(\s*__dirname\s*,([^()$]*)\)|(["'`])(?:\$\{__dirname\})?([^"'`$\n]*)\2)/

/** Reads the folders of sources, from that of the configuration; null if code decides about one. */
const sourcesIn = (code: string): string[] | null => {
  const plugins = code.split(/["'`]gatsby-source-filesystem["'`]/).slice(1)
  const found = plugins.flatMap((options) => {
    const [, parts, , text = parts?.replaceAll(/["'`\s]/g, "").replaceAll(",", "/")] = PATH.exec(options) ?? []
    return text === undefined ? [] : [posix.join(".", text).replaceAll(/^\/|\/$/g, "")]
  })
  return found.length === plugins.length ? found : null
}

const sourcesOf = ({ base, data }: ToolSettings): string[] =>
  (data["sources"] as string[] | null)?.map((one) => posix.join(base, one, "/")) ?? []

export const gatsby: Tool = {
  name: "Gatsby",
  read: async (site) => {
    const code = await readCode(site.folder, [site.file])
    const sources = sourcesIn(code)
    const texts = filesIn(site, /\.mdx?$/).map((file) => file.slice(site.base.length))
    const posts = sources?.find((one) => texts.some((file) => file.startsWith(`${one}/`)))
    const data = { sources, ignore: literals(code, "ignore") }
    const unread = [...(sources === null ? ["path"] : []), ...unreadNames(code, "ignore")]
    return { ...readFacts(code), contentFolder: posts ?? "", data, unread }
  },
  // A file outside of the folders of `gatsby-source-filesystem`, if all are texts, and of `src/pages`; what `ignore` names in any folder.
  skipsFile: (_, settings) => {
    const folders = sourcesOf(settings)
    const isOutside = (file: string) =>
      folders.length > 0 &&
      ![...folders, `${settings.base}src/pages/`].some((one) => one === "./" || file.startsWith(one))
    // Its globs are compared with whole paths.
    const globs = (settings.data["ignore"] as string[])
      .filter((glob) => glob.startsWith("**/"))
      .map((glob) => `!${glob}`)
    const ignored = onlyRule("`ignore` of the configuration", ["**", ...globs], null)
    return anyRule((file) => (isOutside(file) ? "in no source of files" : null), ignored)
  },
  // A timestamp of YAML without an offset is one in UTC.
  zoneOf: zoneOfTimestamp,
  // MDX below `src/pages`.
  isPageFile: (file, { base }) => file.startsWith(`${base}src/pages/`) && file.endsWith(".mdx"),
  // `path` or `slug` of the front matter; else the path from the folder of the source.
  addressesOf: ({ file, slug, data }, settings) => {
    const source = sourcesOf(settings).find((one) => file.startsWith(one)) ?? settings.base
    const path = posix.join("/", posix.relative(source, file)).replace(/\/index\.\w+$|\.\w+$/, "")
    return [...[asText(data["path"]), slug].filter((one) => one !== null).map((one) => posix.join("/", one)), path]
  },
  // Code without the comments of gatsby-remark-prismjs, and without the lines that they hide, also where braces after the language name lines.
  shownCode: {
    sign: /\b(?:highlight|hide)-(?:next-line|line|start|end|range)\b/,
    of: (source) => withoutMarks(withoutHidden(source)),
  },
  // None of them.
  comments: [],
  // Of braces those of values stay: it evaluates none.
  markup: () => ({ literalBraces: "values" }),
}
