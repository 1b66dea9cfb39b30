import { MAX_SCHEDULE_DAYS } from "../limits.ts"
import { pathOnSite } from "../site.ts"
import type { ToolSettings } from "../tools/tool.ts"
import { readDate } from "./dates.ts"
import { fieldsOf, FORMER_DATES, PATH_DATE } from "./field-names.ts"
import type { FieldOptions, FieldReader } from "./field-reader.ts"
import type { FrontMatter } from "./front-matter.ts"
import { asText } from "./values.ts"

// Decides from when readers see a post, and when its text has changed.

const DAY_MS = 86_400_000

const toTime = (time: number): string => new Date(time).toISOString()

/** Matches the day in an address: `/2018/04/06/first`. Does not match `/2018/first` and `/12018/04/06`. */
const DAY_IN_ADDRESS = /(?:^|\/)(\d{4})\/(\d{1,2})\/(\d{1,2})(?:\/|$)/

/** Returns the day in the address that a file gives itself, as `2018-04-06`; null without one. One of another site says nothing; where the site is not known, in the blog of a tool each counts. */
export const dateOfAddress = (front: FrontMatter, { url, file }: ToolSettings): string | null => {
  const given = fieldsOf(front, ["permalink", "url", "path"]).map(({ value }) => asText(value) ?? "")
  const addresses = given.map((address) => (url === null && file !== null ? address : (pathOnSite(address, url) ?? "")))
  const dates = addresses.map((address) => (DAY_IN_ADDRESS.exec(address) ?? []).slice(1).join("-"))
  return dates.find((date) => "time" in readDate(date, null)) ?? null
}

/** Returns the time that was taken before 0.4, in ms since 1970: that of `published` too, if it is ahead, and for a post without another. */
const formerOf = (reader: FieldReader, options: FieldOptions): number | null => {
  const [release, date] = (options.isNewForm ? [[], [PATH_DATE]] : [["published"], FORMER_DATES]).map((names) => {
    const found = reader.findDate(names, { ...options, pathDate: null })
    return found && "time" in found.read ? found.read.time : null
  })
  return (release && release > options.now.getTime() ? release : date) ?? null
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
  const former_at = former === null ? null : toTime(former)
  if (chosen === null) return { published_at: null, former_at, isUndated }
  // Tools show one date, and let readers wait for another.
  const time = former !== null && Math.max(chosen.time, former) > now ? former : chosen.time
  if (time >= 0 && time <= now + MAX_SCHEDULE_DAYS * DAY_MS)
    return { published_at: toTime(time), former_at, isUndated: false }
  const [level, advice] = isDraft
    ? (["warning", "The draft has none until then."] as const)
    : (["error", "Mark the post as a draft, or change it."] as const)
  const message = `The date must be from 1970 to ${MAX_SCHEDULE_DAYS} days ahead. ${advice}`
  reader.say(level, "date_out_of_range", message, chosen.line)
  return { published_at: null, former_at, isUndated: false }
}

/** Reads the time at which a text has changed. @returns RFC 3339 in UTC; null without one, and for one that is ahead */
export const readChange = (reader: FieldReader, options: FieldOptions): string | null => {
  const date = reader.date("changed", options)
  return date && date.time >= 0 && date.time <= options.now.getTime() ? toTime(date.time) : null
}
