import { posix } from "node:path"

import { isCalmPattern } from "../folder/calm.ts"
import { anyRule, filesIn, inLocaleFolder, localesIn, onlyRule, outsideRule, readCode } from "./configuration.ts"
import { zoneOfTimestamp } from "./jekyll.ts"
import { isInLine, markRemover } from "./shown-code.ts"
import type { InclusionSyntax, Tool } from "./tool.ts"
import { literal, literals, OF_MARKDOWN_IT, readFacts, unreadNames } from "./values.ts"

/** Matches a pair of paths: `"posts/:slug.md": "blog/:slug.md"`. Does not match `a: "b"`. */
const PAIR = /(["'`])([^"'`\n]+)\1\s*:\s*(["'`])([^"'`\n]+)\3/g

/** The pattern of a mark of a line of code: `[!code --]`, `[!code focus:2]`, not `[!code word:a]`. */
const MARK = String.raw`\[!code (?:--|\+\+|hl|highlight|focus|error|warning)(?::\d+)?\]`
const withoutMarks = markRemover(MARK)

const MAX_REWRITES = 1000

/** Returns a path as the first of `rewrites` changes it that fits. */
const rewritten = (path: string, rewrites: string): string => {
  for (const [, , from = "", , to = ""] of Array.from(rewrites.matchAll(PAIR)).slice(0, MAX_REWRITES)) {
    const names: string[] = []
    // Matches `:slug`, `:path*`, `:path(.*)` and `(.*)`, which stand for parts, and signs, which stand for themselves.
    const source = from.replaceAll(
      /:(\w+)(\*|\(\.\*\))?|(\(\.\*\))|[^\w/]/g,
      (sign, name?: string, all?: string, rest?: string) => {
        if (name === undefined && rest === undefined) return `\\${sign}`
        names.push(name ?? String(names.length))
        return all === undefined && rest === undefined ? "([^/]+)" : "(.*)"
      },
    )
    const whole = `^${source}$`
    const values = isCalmPattern(whole, path.length) ? new RegExp(whole).exec(path)?.slice(1) : null
    if (values) return to.replaceAll(/:(\w+)\*?/g, (_, name: string) => values[names.indexOf(name)] ?? "")
  }
  return path
}

/** Lists the place of a file that a text names: `@` is the folder of the pages. */
export const placesOf = (target: string, { file, settings }: Parameters<InclusionSyntax["read"]>[1]): string[] => {
  const isOfRoot = target.startsWith("@")
  const folder = isOfRoot ? (settings.contentFolder ?? "") : posix.dirname(file)
  return [posix.join(folder, isOfRoot ? `./${target.slice(1)}` : target)]
}

/** Matches `<!--@include: ./a.md#region{1,9}-->`. Does not match `<!-- include: a -->`. */
const TEXT = /<!--\s*@include:\s*([^\s#{}]+)(?:#([\w-]+))?(?:\{([\d,-]*)\})?\s*-->/g
/** Matches `<<< @/a.js#region{2 js}[Title]`. Does not match `a <<< @/b.js`. */
const CODE =
  /<<<(?<=^[ \t>*+\d.)-]*<<<)[ \t]*([^\s#{[]+)(?:#([\w-]+))?(?:[ \t]?\{([^{}\n]*)\})?(?:[ \t]?\[[^[\]\n]*\])?[ \t]*$/gm

/** Parts that are texts, and those that are code. */
export const inclusions: InclusionSyntax[] = [
  {
    pattern: TEXT,
    read: ([, target = "", region, lines], place) => [{ paths: placesOf(target, place), region, lines }],
  },
  {
    pattern: CODE,
    // Matches a language. Does not match `1,3-4`.
    read: ([, target = "", region, options = ""], place) => [
      { paths: placesOf(target, place), region, code: /(?<=^|\s)[a-z][\w+#-]*/i.exec(options)?.[0] ?? "" },
    ],
  },
]

export const vitepress: Tool = {
  name: "VitePress",
  read: async (site) => {
    const parts = filesIn(site, /^\.vitepress\/config\/[^/]+$/)
    const code = await readCode(site.folder, [...new Set([site.file, ...parts])])
    const locales = localesIn(code, "en-US")
    const [, rewrites] = /\brewrites\s*:\s*\{([^{}]*)\}/.exec(code) ?? []
    const data = { locales, rewrites, srcExclude: literals(code, "srcExclude") }
    const contentFolder = literal(code, "srcDir") ?? ""
    const unread = unreadNames(code, "srcDir", "srcExclude")
    return { ...readFacts(code, OF_MARKDOWN_IT), languages: Object.values(locales), contentFolder, data, unread }
  },
  // A file outside of `srcDir`; `srcExclude`; another ending than `.md`; a template of pages, `[slug].md`.
  skipsFile: (_, settings) => {
    const excluded = (settings.data["srcExclude"] as string[]).map((glob) => `!${glob}`)
    const only = onlyRule(
      "`srcExclude` of the configuration, or not .md",
      ["**/*.md", ...excluded],
      settings.contentFolder,
    )
    return anyRule(outsideRule(settings), only, (file) => (/\[\w+\]/.test(file) ? "template of pages" : null))
  },
  // A timestamp of YAML without an offset is one in UTC.
  zoneOf: zoneOfTimestamp,
  // The languages of `locales`, by their folders.
  translationOf: inLocaleFolder,
  // `<!--@include: ./a.md#region{1,9}-->`, whose lines count from the start of the file (guessed otherwise), and `<<< @/a.js{2}`; not the id of a heading as a region.
  inclusions,
  // The path, as `rewrites` change it.
  addressesOf: ({ file }, { contentFolder, data }) => {
    const path = rewritten(posix.relative(contentFolder ?? "", file), String(data["rewrites"]))
    return [`/${path.replace(/(?<![^/])index\.md$|\.md$/, "")}`]
  },
  // Code without marks of lines, `// [!code --]`.
  shownCode: {
    sign: /\[!code /,
    of: (source) => (isInLine(source) ? source : withoutMarks(source).replaceAll(new RegExp(` ?${MARK}`, "g"), "")),
  },
  // None of them.
  comments: [],
  // Names of emoji.
  markup: () => ({ hasEmoji: true }),
}
