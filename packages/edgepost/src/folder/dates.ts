// Dates of front matter and file names, in the forms that generators take.

/** A date that is read: its time in ms since 1970, or why it is none. */
export type ReadDate = { time: number } | { problem: "invalid" | "no timezone" }

/** Matches `2024-01-02`, `2024/1/2 03:04`, `2024-01-02T03:04:05.678+09:00` and `2024-01-02 03:04:05 +0900`. Does not match `Jan 2`. */
const NUMERIC =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|UTC|GMT|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i
/** Matches an English date, `Jul 08 2022`, `8 July 2022` and `Tue Mar 05 2024 18:30:00 GMT+0000`. Does not match `2024`. */
const ENGLISH =
  /^(?:[a-z]{3,9},?\s+)?(?:([a-z]{3,9})\.?\s+(\d{1,2})|(\d{1,2})\s+([a-z]{3,9})\.?),?\s+(\d{4})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(?:(?:GMT|UTC)(?=[+-]))?(Z|GMT|UTC|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?(?:\s\(.*\))?)?$/i

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const DAY_MS = 86_400_000

/** Returns the offset in ms of `+09:00`, `+0900`, `+09` and `Z`. */
const offsetOf = (text: string): number => {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? []
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Formats by time zone: each takes a while to make, and posts have one zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "iso8601",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    })
  formats.set(timeZone, format)
  return format
}

/** Returns the time that clocks in a time zone show at `time`, as if they stood in UTC. */
export const localTime = (time: number, timeZone: string): number => {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Returns when clocks of a time zone show a time: the first time if they show it twice, the time after the gap if never. */
const inZone = (local: number, timeZone: string): number => {
  const candidates = [local - DAY_MS, local + DAY_MS].map((near) => local - (localTime(near, timeZone) - near))
  const shown = candidates.filter((time) => localTime(time, timeZone) === local)
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates)
}

interface Parts {
  year: number
  month: number
  day: number
  /** Hours, minutes and seconds, unless there is only a day. */
  clock: [number, number, number] | null
  milliseconds: number
  offset: string | undefined
}

const partsOf = (text: string): Parts | null => {
  const numeric = NUMERIC.exec(text)
  if (numeric) {
    const [, year, month, day, hours, minutes, seconds, fraction = "", offset] = numeric
    const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"))
    const clock: Parts["clock"] = hours === undefined ? null : [Number(hours), Number(minutes), Number(seconds ?? 0)]
    return { year: Number(year), month: Number(month), day: Number(day), clock, milliseconds, offset }
  }
  const english = ENGLISH.exec(text)
  if (!english) return null
  const [, before, dayAfter, dayBefore, after, year, hours, minutes, seconds, offset] = english
  const month = MONTHS.indexOf((before ?? after ?? "").slice(0, 3).toLowerCase()) + 1
  const clock: Parts["clock"] = hours === undefined ? null : [Number(hours), Number(minutes), Number(seconds ?? 0)]
  return { year: Number(year), month, day: Number(dayAfter ?? dayBefore), clock, milliseconds: 0, offset }
}

const isRight = ({ year, month, day, clock }: Parts): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  const [hours = 0, minutes = 0, seconds = 0] = clock ?? []
  return (
    // Date takes years before 100 for those of the 20th century.
    year >= 100 &&
    // A day that the month does not have is in another month.
    date.getUTCMonth() === month - 1 &&
    hours < 24 &&
    minutes < 60 &&
    seconds < 60
  )
}

/**
 * Reads a date. A day alone begins in UTC, since pages show days in UTC.
 * @param timezone IANA name for dates without an offset; null if there is none
 */
export const readDate = (value: unknown, timezone: string | null): ReadDate => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? { problem: "invalid" } : { time: value.getTime() }
  const parts = typeof value === "string" ? partsOf(value.trim()) : null
  if (!parts || !isRight(parts)) return { problem: "invalid" }
  const { year, month, day, clock, milliseconds, offset } = parts
  const [hours, minutes, seconds] = clock ?? [0, 0, 0]
  const local = Date.UTC(year, month - 1, day, hours, minutes, seconds)
  if (offset !== undefined) return { time: local + milliseconds - offsetOf(offset) }
  if (!clock) return { time: local }
  return timezone === null ? { problem: "no timezone" } : { time: inZone(local, timezone) + milliseconds }
}
