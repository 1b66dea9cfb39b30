import { posix } from "node:path"

import { asText } from "../folder/values.ts"
import { valueAt } from "./values.ts"

// What rules for addresses of several tools have in common.

const MONTHS = "January February March April May June July August September October November December".split(" ")
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ")
const DAY_MS = 86_400_000

/** Returns the parts of a date in addresses, by the letters that strftime has for them. @param date such as `2024-01-02T03:04:05` */
export const partsOf = (date: string): Record<string, string> => {
  const [Y = "", m = "", d = "", H = "", M = "", S = ""] = date.split(/[-T:]/)
  const time = new Date(`${date}Z`)
  const weekday = time.getUTCDay() || 7
  // The week of ISO 8601 is that of its Thursday.
  const thursday = new Date(time.getTime() + (4 - weekday) * DAY_MS)
  const daysBefore = (day: Date) => Math.floor((day.getTime() - Date.UTC(day.getUTCFullYear(), 0)) / DAY_MS)
  const [B = "", A = ""] = [MONTHS[time.getUTCMonth()], DAYS[weekday % 7]]
  const j = String(daysBefore(time) + 1).padStart(3, "0")
  const V = String(Math.floor(daysBefore(thursday) / 7) + 1).padStart(2, "0")
  const G = String(thursday.getUTCFullYear())
  return {
    Y,
    y: Y.slice(2),
    m,
    d,
    H,
    M,
    S,
    j,
    B,
    b: B.slice(0, 3),
    A,
    a: A.slice(0, 3),
    u: String(weekday),
    w: String(weekday % 7),
    G,
    V,
  }
}

// Matches the zeros of `007`. Does not match that of `10`.
const partOf = (parts: Record<string, string>, letter: string): string | undefined =>
  parts[letter.at(-1) ?? ""]?.replace(letter.length > 1 ? /^0+(?=\d)/ : "", "")

/**
 * Makes a function that returns the values of the parts of a date.
 * @param names the parts with the letters of strftime, `-` before those without zeros: `year=Y i_month=-m`
 */
export const dateParts = (names: string) => {
  const letters = names.split(" ").map((pair) => pair.split("=") as [name: string, letter: string])
  return (date: string | null): Record<string, string | undefined> => {
    const parts = date === null ? {} : partsOf(date)
    return Object.fromEntries(letters.map(([name, letter]) => [name, partOf(parts, letter)]))
  }
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
  const parts = date === null ? {} : partsOf(date)
  // Matches `{slug}` and `{date:%Y}`, and in it `%Y` and `%-d`. Does not match `:slug`.
  return fillPattern(pattern, /\{(\w+)(?::([^}]*))?\}/g, (name, format) => {
    if (format === "") return asText(valueAt(values, name)) ?? undefined
    return date === null ? undefined : format.replaceAll(/%(-?\w)/g, (_, letter: string) => partOf(parts, letter) ?? "")
  })
}

/** Returns a path without its extension. Matches the `.md` of `a/b.md`. Does not match `.b/a`. */
export const withoutExtension = (path: string): string => path.replace(/(?<=[^/])\.[^./]+$/, "")

/** Returns a path from a folder on; null for a path outside of it. @param folder "" or "." for all */
export const below = (folder: string, path: string): string | null => {
  const relative = posix.relative(folder, path)
  return relative.startsWith("../") ? null : relative
}
