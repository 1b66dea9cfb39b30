import { MAX_SCHEDULE_DAYS } from "../limits.ts"
import { readDate } from "./dates.ts"
import type { FieldOptions, FieldReader } from "./field-reader.ts"

// Decides from when readers see a post, and when its text has changed.

const DAY_MS = 86_400_000

/** Returns the time of `published` if it is one: the date of a post without another, and the time to wait for if it is ahead. */
const releaseOf = (reader: FieldReader, { timezone, now }: FieldOptions): { time: number; line: number } | null => {
  const field = reader.all("published").find(({ name }) => name === "published")
  const read = field && readDate(field.value, timezone ?? "UTC")
  if (!read || !("time" in read)) return null
  return read.time > now.getTime() || reader.all("date").length === 0 ? { time: read.time, line: field.line } : null
}

/** Reads the time from which readers see a post. @returns RFC 3339 in UTC, or null without one */
export const readTime = (reader: FieldReader, options: FieldOptions, isDraft: boolean): string | null => {
  const date = releaseOf(reader, options) ?? reader.date("date", options)
  if (date === null) return null
  const isRight = date.time >= 0 && date.time <= options.now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS
  if (isRight) return new Date(date.time).toISOString()
  const [level, advice] = isDraft
    ? (["warning", "The draft has none until then."] as const)
    : (["error", "Mark the post as a draft, or change it."] as const)
  const message = `The date must be from 1970 to ${MAX_SCHEDULE_DAYS} days ahead. ${advice}`
  reader.say(level, "date_out_of_range", message, date.line)
  return null
}

/** Reads the time at which a text has changed. @returns RFC 3339 in UTC; null without one, and for one that is ahead */
export const readChange = (reader: FieldReader, options: FieldOptions): string | null => {
  const date = reader.date("changed", options)
  return date && date.time >= 0 && date.time <= options.now.getTime() ? new Date(date.time).toISOString() : null
}
