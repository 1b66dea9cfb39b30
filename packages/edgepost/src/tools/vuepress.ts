import { posix } from "node:path"

import { asText } from "../folder/values.ts"
import { anyRule, inLocaleFolder, localesIn, onlyRule, outsideRule, readCode } from "./configuration.ts"
import { zoneOfTimestamp } from "./jekyll.ts"
import type { Tool } from "./tool.ts"
import { literal, literals, OF_MARKDOWN_IT, readFacts, unreadNames } from "./values.ts"
import { inclusions, placesOf } from "./vitepress.ts"

/** Matches `@[code{3-5} js{2}](./a.js)`. Does not match `@[video](a)`. */
const CODE =
  /@\[code(?<=^[ \t>*+\d.)-]*@\[code)(?:#([\w-]+))?(?:\{([\d,-]*)\})?(?:[ \t]+([\w+#-]*)[^\]\n]*)?\]\(([^()\n]+)\)[ \t]*$/gm

/** Matches a date in a name, `2024-06-15-a.md` and `2024-6-a.md`, else in folders, `2024/06/15/` and `2024/06/`. */
const DATED = [/(?:^|\/)(\d{4})-(\d{1,2})(?:-(\d{1,2}))?-[^/]*$/, /(\d{4})\/(\d{1,2})(?:\/(\d{1,2}))?\//]

/** Returns a part of a path as addresses have it. Matches the signs of `_c++`. Does not match `a-b_c`. */
const toName = (part: string): string => part.replaceAll(/[\p{Cc}"#$%&*+,:;<=>?[\]^`{|}]/gu, "_").replace(/^_+/, "")

// Guessed otherwise before the run: names keep an underscore at their start, and the pattern of addresses stands below `route`.

export const vuepress: Tool = {
  name: "VuePress",
  read: async ({ folder, file }) => {
    const code = await readCode(folder, [file])
    const [locales, given] = [localesIn(code, "en-US"), literals(code, "pagePatterns")]
    const pagePatterns = given.length > 0 ? given : ["**/*.md"]
    const data = { locales, pagePatterns, permalinkPattern: literal(code, "permalinkPattern") }
    const unread = unreadNames(code, "pagePatterns")
    return { ...readFacts(code, OF_MARKDOWN_IT), languages: Object.values(locales), contentFolder: "", data, unread }
  },
  // A file that no pattern of `pagePatterns` means, or one with `!`; without the field, one that is not `.md`.
  skipsFile: (_, settings) =>
    anyRule(
      outsideRule(settings),
      onlyRule("not of `pagePatterns`", settings.data["pagePatterns"] as string[], settings.contentFolder),
    ),
  // `2024-06-a.md` is of the first of June, as is what lies in `2024/06/`.
  dateOfPath: (file) => {
    const [, year, month, day = "01"] = DATED.map((form) => form.exec(file)).find(Boolean) ?? []
    return year === undefined ? null : [year, month?.padStart(2, "0"), day.padStart(2, "0")].join("-")
  },
  // A timestamp of YAML without an offset is one in UTC.
  zoneOf: zoneOfTimestamp,
  // The languages of `locales`, by their folders. A README is the page of its folder.
  translationOf: (path, settings) => {
    const { key, lang } = inLocaleFolder(path, settings)
    return { key: key.replace(/(?<![^/])readme$/i, "index"), lang }
  },
  // `<!-- @include: ./a.md#region{1-9} -->`, `@[code{1-9} js](./a.js)`, and `<<< @/a.js{2}` of the version before.
  inclusions: [
    ...inclusions,
    {
      pattern: CODE,
      read: ([, region, lines, code = "", target = ""], place) => [
        { paths: placesOf(target, place), region, lines, code },
      ],
    },
  ],
  // `permalink`, else `permalinkPattern` of the page or of the configuration, else the path; signs become `_`, but for those that begin a name.
  addressesOf: ({ file, date, data }, settings) => {
    const path = posix.relative(settings.contentFolder ?? "", file)
    const raw = path.replace(/(?<![^/])(?:readme|index)\.md$|\.md$/i, "")
    const [year = "0000", month = "00", day = "00"] = date?.slice(0, 10).split("-") ?? []
    const slug = posix.basename(path, ".md").replace(/^.*?\d{4}-\d{1,2}(?:-\d{1,2})?-/, "")
    const values: Record<string, string> = { year, month, day, slug, raw }
    const pattern =
      data["permalinkPattern"] === undefined ? settings.data["permalinkPattern"] : data["permalinkPattern"]
    const own = asText(pattern)?.replaceAll(/:(\w+)/g, (sign, name: string) => values[name] ?? sign)
    const start = inLocaleFolder(file, settings).lang === null ? "" : (path.split("/")[0] ?? "")
    const whole = asText(data["permalink"]) ?? (own === undefined ? raw : posix.join(start, own))
    return [posix.join("/", ...whole.split("/").map(toName), whole.endsWith("/") || whole === "" ? "/" : "")]
  },
  // None of them.
  comments: [],
  // Names of emoji.
  markup: () => ({ hasEmoji: true }),
}
