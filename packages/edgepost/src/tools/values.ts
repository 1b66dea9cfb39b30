import { asText } from "../folder/values.ts"

// Reads values of a configuration: of data by their path, of code by a pattern, since code is never run.

/** Returns the value at a path such as `params.author.name`, in capitals or not; undefined without one. */
export const valueAt = (data: unknown, path: string): unknown => {
  let value = data
  for (const name of path.toLowerCase().split(".")) {
    if (typeof value !== "object" || value === null) return undefined
    value = Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1]
  }
  return value
}

/** Returns the first text or number at one of the paths, in one line; null without one. */
export const textAt = (data: unknown, ...paths: string[]): string | null =>
  paths.map((path) => asText(valueAt(data, path))).find(Boolean) ?? null

/** Returns the text that code gives one of the names. Matches `site: "https://e.x"` and `TITLE = 'A'`. Does not match `site: env.SITE`. */
export const literal = (code: string, ...names: string[]): string | null =>
  names
    .map((name) =>
      new RegExp(`(?<![\\w.$-])["']?${name}["']?\\s*[:=]\\s*(["'\`])((?:(?!\\1)[^\\\\\\n$])*)\\1`).exec(code),
    )
    .find((match) => match !== null)?.[2] ?? null

/** Objects after a text, of which each may go on to the end. */
const MAX_OBJECTS = 100

/** Returns the objects in code that come after a text, as they are written. @param before matches what ends right before the brace */
export const objectsIn = (code: string, before: RegExp): string[] =>
  Array.from(code.matchAll(before))
    .slice(0, MAX_OBJECTS)
    .flatMap(({ index, 0: { length } }) => {
      const start = index + length
      if (code[start] !== "{") return []
      let depth = 0
      for (let end = start; end < code.length; end++) {
        if (code[end] === "{") depth += 1
        if (code[end] === "}" && (depth -= 1) === 0) return [code.slice(start, end + 1)]
      }
      return []
    })

/** Matches a text in code: `"a"`. Does not match a template with `${`. */
const TEXT = /"[^"\n]*"|'[^'\n]*'|`(?:[^`\n$]|\$(?!\{))*`/g
/** Matches a list of texts: `["en", "fr"]`. Does not match `[...all, "fr"]`. */
const LIST = String.raw`\[(?:[\s,]|${TEXT.source}){0,2000}\]`

/** Returns the texts of each list in code that has a name. Matches `locales: ["en", "fr"]`. Does not match `locales: all`. */
export const literals = (code: string, name: string): string[] => {
  const lists = code.matchAll(new RegExp(String.raw`(?<![\w.$-])["']?${name}["']?\s*[:=]\s*(${LIST})`, "g"))
  return Array.from(lists, ([, list = ""]) => Array.from(list.matchAll(TEXT), ([text]) => text.slice(1, -1))).flat()
}

/** Returns those of the names whose values in code are more than a text or a list of texts, as that of `exclude: [...all, "a"]`. */
export const unreadNames = (code: string, ...names: string[]): string[] =>
  names.filter((name) => {
    const value = String.raw`(?:${TEXT.source}|${LIST})(?!\s*[.+?|&(])`
    // Matches `exclude: a`, `"exclude": a`, `{ exclude }`, `c.exclude = a` and `exclude.push(a)`. Does not match `exclude == a` and `"exclude"`.
    const named = String.raw`(?<![\w$-])(?:(?<!\.)(["']?)${name}\1\s*[:=](?![=>])\s*(${value})?|(?<!["'])${name}\s*(?:[,}]|=(?![=>])|\.\w+\())`
    return Array.from(code.matchAll(new RegExp(named, "g"))).some(([, , whole]) => whole === undefined)
  })

/** Matches the plugin of remark that makes line breaks of line ends, `"remark-breaks"`. Does not match `breaks: true`, which may be of any plugin. */
const OF_REMARK = /["'`]remark-breaks["'`]/
/** Matches the setting of markdown-it that does so: `breaks: true`. Does not match `breaks: false`. */
export const OF_MARKDOWN_IT = /\bbreaks["']?\s*[:=]\s*true\b/

/**
 * Returns the facts that code gives by the names that blogs have for them. The folder of the posts is null if it has none.
 * @param breaks matches what makes line breaks of line ends
 */
export const readFacts = (code: string, breaks = OF_REMARK) => ({
  title: literal(code, "title", "SITE_TITLE"),
  url: literal(code, "hostname", "siteUrl", "site", "url", "website", "SITE_URL"),
  path: literal(code, "base", "baseUrl", "baseURL", "pathPrefix"),
  timezone: literal(code, "timezone", "timeZone") ?? "UTC",
  languages: [literal(code, "defaultLocale", "language", "lang", "locale") ?? "", ...literals(code, "locales")],
  contentFolder: literal(code, "input"),
  breaksLines: breaks.test(code),
})
