import { MAX_SCHEDULE_DAYS } from "../limits.ts"
import { readDate } from "./dates.ts"
import { fieldsOf, FORMER_DATES } from "./field-names.ts"
import type { FieldOptions, FieldReader } from "./field-reader.ts"
import type { FrontMatter } from "./front-matter.ts"
import { asText } from "./values.ts"

// Decides from when readers see a post, and when its text has changed.

const DAY_MS = 86_400_000

const toTime = (time: number): string => new Date(time).toISOString()

/** Matches the day in an address: `/2018/04/06/first`. Does not match `/2018/first` and `/12018/04/06`. */
const DAY_IN_ADDRESS = /(?:^|\/)(\d{4})\/(\d{1,2})\/(\d{1,2})(?:\/|$)/

/** Returns the day in the address that a file gives itself, as `2018-04-06`; null without one. */
export const dateOfAddress = (front: FrontMatter): string | null => {
  const dates = fieldsOf(front, ["permalink", "url", "path"]).map(
    ({ value }) =>
      DAY_IN_ADDRESS.exec(asText(value) ?? "")
        ?.slice(1)
        .join("-") ?? "",
  )
  return dates.find((date) => "time" in readDate(date, null)) ?? null
}

/** A date of a file: its time in ms since 1970, and its line. */
interface Found {
  time: number
  line: number
}

/** Returns the date that was taken before 0.4: that of `published` too, for a post without another and if it is ahead. */
const formerOf = (reader: FieldReader, options: FieldOptions): Found | null => {
  const dateOf = (names: string[]): Found | null => {
    const found = reader.findDate(names, { ...options, pathDate: null })
    return found && "time" in found.read ? { time: found.read.time, line: found.line } : null
  }
  const release = dateOf(["published"])
  return release && release.time > options.now.getTime() ? release : dateOf(FORMER_DATES)
}

/** The date of a post. Times are RFC 3339 in UTC, or null without one. */
export interface PostTime {
  published_at: string | null
  former_at: string | null
  isUndated: boolean
}

/** Reads the time from which readers see a post. */
export const readTime = (reader: FieldReader, options: FieldOptions, isDraft: boolean): PostTime => {
  const now = options.now.getTime()
  const before = reader.findings.length
  const chosen = reader.date("date", options)
  // A date that is none is said.
  const isUndated = chosen === null && reader.findings.length === before
  const former = formerOf(reader, options)
  // Tools show one date, and let readers wait for another.
  const isAhead = [chosen, former].some((one) => one !== null && one.time > now)
  const date = chosen && former && isAhead ? former : chosen
  const former_at = former && toTime(former.time)
  if (date === null) return { published_at: null, former_at, isUndated }
  if (date.time >= 0 && date.time <= now + MAX_SCHEDULE_DAYS * DAY_MS)
    return { published_at: toTime(date.time), former_at, isUndated: false }
  const [level, advice] = isDraft
    ? (["warning", "The draft has none until then."] as const)
    : (["error", "Mark the post as a draft, or change it."] as const)
  const message = `The date must be from 1970 to ${MAX_SCHEDULE_DAYS} days ahead. ${advice}`
  reader.say(level, "date_out_of_range", message, date.line)
  return { published_at: null, former_at, isUndated: false }
}

/** Reads the time at which a text has changed. @returns RFC 3339 in UTC; null without one, and for one that is ahead */
export const readChange = (reader: FieldReader, options: FieldOptions): string | null => {
  const date = reader.date("changed", options)
  return date && date.time >= 0 && date.time <= options.now.getTime() ? new Date(date.time).toISOString() : null
}
