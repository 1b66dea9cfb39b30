import { posix } from "node:path"

import { asText } from "../folder/values.ts"
import { valueAt } from "./values.ts"

// Parts of rules for addresses that several tools share.

const DAY_MS = 86_400_000

/** Returns the parts of a date, by the names that patterns of addresses have for them; none without a date. @param date such as `2024-01-02T03:04:05` */
export const datesOf = (date: string | null): Record<string, string> => {
  if (date === null) return {}
  const [year = "", month = "", day = "", hour = "", minute = "", second = ""] = date.split(/[-T:]/)
  const time = new Date(`${date}Z`)
  // The week of ISO 8601 is that of its Thursday.
  const thursday = new Date(time.getTime() + (4 - (time.getUTCDay() || 7)) * DAY_MS)
  const daysBefore = (one: Date) => Math.floor((one.getTime() - Date.UTC(one.getUTCFullYear(), 0)) / DAY_MS)
  const yearday = daysBefore(time) + 1
  const long_month = time.toLocaleString("en", { month: "long", timeZone: "UTC" })
  const ofMonth = { short_month: long_month.slice(0, 3), long_month, monthname: long_month }
  const week = String(Math.floor(daysBefore(thursday) / 7) + 1).padStart(2, "0")
  const ofYear = { short_year: year.slice(2), y_day: String(yearday).padStart(3, "0"), week }
  const short = {
    yearday: String(yearday),
    i_month: String(Number(month)),
    i_day: String(Number(day)),
    short_day: time.toUTCString().slice(0, 3),
  }
  return { year, month, day, hour, minute, second, ...ofYear, ...ofMonth, ...short }
}

/** Letters of strftime, with `-` for those without zeros, and the parts that they stand for. */
const LETTERS = Object.fromEntries(
  "Y=year y=short_year m=month -m=i_month d=day -d=i_day B=long_month b=short_month a=short_day j=y_day V=week H=hour M=minute S=second"
    .split(" ")
    .map((pair) => pair.split("=") as [letter: string, name: string]),
)

/** Writes a date by a pattern such as `%Y/%-d`; null if it has a part that is not known. */
export const formatDate = (date: string | null, format: string): string | null => {
  const parts = datesOf(date)
  return fillPattern(format, /%(-?\w)/g, (letter) => parts[LETTERS[letter] ?? ""])
}

/** Fills a pattern; null if it has a part that is not known. @param part matches a part, with its name */
export const fillPattern = (
  pattern: string,
  part: RegExp,
  valueOf: (name: string, argument: string) => string | undefined,
): string | null => {
  let isKnown = true
  const filled = pattern.replaceAll(part, (_, name: string, argument: unknown) => {
    const value = valueOf(name, typeof argument === "string" ? argument : "")
    isKnown &&= value !== undefined
    return value ?? ""
  })
  return isKnown ? filled : null
}

/** Fills a pattern such as `{date:%Y}/{slug}.html`; null if it has a part that is not known. */
export const fillBraces = (pattern: string, date: string | null, values: Record<string, unknown>): string | null => {
  // Matches `{slug}` and `{date:%Y}`. Does not match `:slug`.
  return fillPattern(
    pattern,
    /\{(\w+)(?::([^}]*))?\}/g,
    (name, format) => (format === "" ? asText(valueAt(values, name)) : formatDate(date, format)) ?? undefined,
  )
}

/** Returns a path without its extension. Matches the `.md` of `a/b.md`. Does not match `.b/a`. */
export const withoutExtension = (path: string): string => path.replace(/(?<=[^/])\.[^./]+$/, "")

/** Returns a path from a folder on; null for a path outside of it. @param folder "" or "." for all */
export const below = (folder: string, path: string): string | null => {
  const relative = posix.relative(folder, path)
  return relative.startsWith("../") ? null : relative
}
