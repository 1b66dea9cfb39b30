import { posix } from "node:path"

import anyAscii from "any-ascii"

import { isCalmPattern } from "../folder/calm.ts"
import { matcherOf } from "../folder/paths.ts"
import { asText } from "../folder/values.ts"
import {
  anyRule,
  byConfiguration,
  filesIn,
  inLocaleFolder,
  localesIn,
  onlyRule,
  outsideRule,
  readCode,
} from "./configuration.ts"
import { mdcBlocks } from "./mdc.ts"
import type { FileRule, Tool, ToolSettings } from "./tool.ts"
import { literal, literals, objectsIn, readFacts, unreadNames } from "./values.ts"

/** A collection of pages. */
interface Source {
  /** The pattern of its files. */
  include: string
  /** Tells whether a path below the content is of it. */
  isOne: (path: string) => boolean
  /** The path of its pages; null for the folder that the pattern names. */
  prefix: string | null
}

const toSource = (include: string, excluded: string[], prefix: string | null): Source => ({
  include,
  isOne: matcherOf([include, ...excluded.map((glob) => `!${glob}`)], { isShown: true }),
  prefix,
})

/** Reads the sources of the collections of pages; all files, if code or another folder decides about one, or if there is none, as in version 2. */
const sourcesIn = (code: string): { sources: Source[]; unread: string[] } => {
  const collections = code.split(/\bdefineCollection\s*\(/).slice(1)
  const pages = collections.filter((one) => literal(one, "type") !== "data")
  // A list of sources has several `include`.
  const parts = pages.flatMap((one) => {
    const [start = "", first = "", ...others] = one.split(/(?=\binclude\s*:)/)
    return [start + first, ...others]
  })
  const sources = parts.flatMap((one) => {
    const include = literal(one, "include", "source")
    const included = include === null ? literals(one, "source") : [include]
    return included.map((glob) => toSource(glob, literals(one, "exclude"), literal(one, "prefix")))
  })
  const isKnown = sources.length >= parts.length && !/\bcwd\s*:/.test(code)
  const all = toSource("**/*.md", collections.length > 0 ? [] : ["**/-*", "**/_*"], null)
  return {
    sources: isKnown && sources.length > 0 ? sources : [all],
    unread: [...(isKnown ? [] : ["source"]), ...unreadNames(pages.join("\n"), "exclude")],
  }
}

/** Longest path for which a pattern is searched for. */
const MAX_PATH = 300

/** Tells whether a text is a regular expression whose search takes little time. */
const isPattern = (text: string): boolean => {
  try {
    return isCalmPattern(text, MAX_PATH) && new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

/** Makes a rule of `ignores`, which are looked for in the whole path. Before 2.7 they had to begin a name, which is less. */
const ignoresRule = ({ contentFolder, data }: ToolSettings): FileRule => {
  const patterns = (data["ignores"] as string[]).map((text) => new RegExp(text))
  return (file) =>
    patterns.some((one) => one.test(`/${posix.relative(contentFolder ?? "", file)}`))
      ? byConfiguration("ignores")
      : null
}

/** Returns a name without the number that orders it, unless it is nothing else. Matches `1.a`. Does not match `1.2`. */
const nameOfPart = (part: string): string =>
  /^\d+(?:\.\d+)*(?:\.x)?$/.test(part) ? part : part.replace(/^\d+\.|\.draft$/g, "")

/** Returns a part of a path as addresses have it. */
const slugOf = (part: string): string => {
  const latin = nameOfPart(part).replaceAll(/[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/gu, anyAscii)
  const plain = latin.replaceAll(/[^\w\s$*+~.()'"!\-:@]/g, "")
  return plain.replaceAll("-", " ").trim().replaceAll(/\s+/g, "-").toLowerCase()
}

// Guessed otherwise before the run: version 3 hides a name that begins with a hyphen, and a date keeps its time (a `z.date()` keeps the day).

export const nuxt: Tool = {
  name: "Nuxt Content",
  read: async (site) => {
    const collections = await readCode(site.folder, filesIn(site, /^content\.config\.[cm]?[jt]s$/))
    const code = await readCode(site.folder, [site.file])
    if (collections === "" && !/@nuxt\/content|docus/.test(code)) return null
    // Matches the settings of the site, which other modules read: `site: { url: "https://e.x", name: "A" }`.
    const [, own = ""] = /\bsite\s*:\s*\{([^{}]*)\}/.exec(code) ?? []
    const facts = readFacts(`${own}\n${code}`)
    const listed = facts.languages.map((one) => [one, one] as const)
    const locales = { "": "", ...Object.fromEntries(listed), ...localesIn(code, "") }
    const { sources, unread } = sourcesIn(collections)
    // Those of version 2.
    const content = objectsIn(code, /(?<![\w.$-])content["']?\s*:\s*/g).join("\n")
    const ignores = literals(content, "ignores").map((text) => text.replaceAll("\\\\", "\\"))
    unread.push(...unreadNames(content, "ignores"), ...(ignores.every(isPattern) ? [] : ["ignores"]))
    const data = { locales, sources, ignores: ignores.filter(isPattern) }
    return {
      ...facts,
      title: literal(own, "name") ?? facts.title,
      languages: Object.values(locales),
      contentFolder: "content",
      data,
      unread,
    }
  },
  // A file outside of `content/` and of the collections of pages; another ending than `.md`; `a.draft.md`; without `content.config.*`, as version 2, a name that begins with a hyphen or an underscore; `ignores`, as far as it is texts.
  skipsFile: (_, settings) => {
    const sources = settings.data["sources"] as Source[]
    const endings = onlyRule("not .md, or .draft.md", ["**/*.md", "!**/*.draft.md"], settings.contentFolder)
    const isOfOne: FileRule = (file) => {
      const path = posix.relative(settings.contentFolder ?? "", file)
      return sources.some(({ isOne }) => isOne(path)) ? null : "in no collection of pages"
    }
    return anyRule(outsideRule(settings), endings, isOfOne, ignoresRule(settings))
  },
  // The languages of `i18n`, by their folders. A number and a dot before a name only order it.
  translationOf: (path, settings) => {
    const { key, lang } = inLocaleFolder(path, settings)
    return { key: key.split("/").map(nameOfPart).join("/"), lang }
  },
  // `path` of the front matter; else the path without numbers, below `prefix` of its collection.
  addressesOf: ({ file, data }, settings) => {
    const path = posix.relative(settings.contentFolder ?? "", file)
    const source = (settings.data["sources"] as Source[]).find(({ isOne }) => isOne(path))
    const [fixed = ""] = source?.include.includes("*") ? source.include.split("*") : []
    const whole = posix.join(source?.prefix ?? fixed, path.slice(fixed.length).replace(/\.md$/, ""))
    return [asText(data["path"]) ?? posix.join("/", ...whole.split("/").map(slugOf)).replace(/\/index$/, "/")]
  },
  // Components of MDC.
  blocks: mdcBlocks,
  // None of them.
  comments: [],
  // Names of emoji.
  markup: () => ({ hasEmoji: true }),
}
