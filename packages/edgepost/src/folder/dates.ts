// Dates of front matter and file names, in the forms that tools take.

/** A date that is read: its time in ms since 1970, or why it is none. */
export type ReadDate = { time: number } | { problem: "invalid" | "no timezone" }

// The time and the zone of a date. Matches `9:00`, `03:04:05.678` and `6:30 PM`. Does not match `9`.
const TIME = String.raw`(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:[.,](?<fraction>\d+))?)?(?:\s*(?<half>[ap])m)?`
// Matches `Z`, `CEST`, `+0900`, `-4` as in YAML, `GMT+01:00 (Paris)` and Go's `+0800 CST`. Does not match `Asia/Tokyo`.
const ZONE = String.raw`\s*(?:(?:GMT|UTC)(?=[+-]))?(?<zone>[a-z]{1,4}|[+-](?:(?:[01]\d|2[0-3])(?::?[0-5]\d)?|\d(?::[0-5]\d)?))?(?:\s\(.*\)|\s[a-z]{3,4})?`
/** Matches `2024-01-02`, `2024-01`, `2024/1/2 03:04` and `2024-01-02T03:04:05.678+09:00`. Does not match `Jan 2`. */
const NUMERIC = new RegExp(
  String.raw`^(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2})(?:[T ]+${TIME}${ZONE})?)?$`,
  "i",
)
/** Matches `Jul 08 2022`, `March 5, 2024 6:30 PM` and `Tue Mar 05 2024 18:30:00 GMT+0000`. Does not match `8 July 2022`. */
const AMERICAN = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s+)?(?<name>[a-z]{3,9})\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})(?:\s+${TIME}${ZONE})?$`,
  "i",
)
/** Matches `8 July 2022` and `Tue, 05 Mar 2024 18:30:00 GMT`. Does not match `Jul 08 2022`. */
const BRITISH = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s+)?(?<day>\d{1,2})\s+(?<name>[a-z]{3,9})\.?,?\s+(?<year>\d{4})(?:\s+${TIME}${ZONE})?$`,
  "i",
)
/** Matches what `date` prints: `Fri Sep 3 11:21:31 CEST 2021`. Does not match `Sep 3 2021`. */
const UNIX = new RegExp(
  String.raw`^(?:[a-z]{3}\s+)?(?<name>[a-z]{3})\s+(?<day>\d{1,2})\s+${TIME}(?:\s+(?<zone>[a-z]{1,4}))?\s+(?<year>\d{4})$`,
  "i",
)
/** Matches milliseconds since 1970, from 1979 on: `1710061200000`. Does not match `202403101530`, which is a day with its time. */
const MILLISECONDS = /^(?:1\d{12}|[3-9]\d{11})$/
const FORMS = [NUMERIC, AMERICAN, BRITISH, UNIX]
/** No date is longer. */
const MAX_CHARS = 100

const AMERICAN_ZONES = { pst: -8, pdt: -7, mst: -7, mdt: -6, cst: -6, cdt: -5, est: -5, edt: -4 }
/** Hours of zones by their names. A name with several meanings has that of RFC 5322. */
const ZONES: Record<string, number> = { z: 0, utc: 0, gmt: 0, cet: 1, cest: 2, ...AMERICAN_ZONES }

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const DAY_MS = 86_400_000

/** Returns the offset in ms of `+09:00`, `+0900`, `+09`, `+9`, `CEST` and `Z`; NaN for an unknown zone. */
const offsetOf = (text: string): number => {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{1,2}):?(\d{2})?/.exec(text) ?? []
  if (sign === undefined) return (ZONES[text.toLowerCase()] ?? Number.NaN) * 3_600_000
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Tells whether a time zone has that IANA name. */
export const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }))
  } catch {
    return false
  }
}

/** Formats by time zone: each takes a while to make, and posts have one zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the time that clocks in a time zone show at `time`, as if they stood in UTC. */
export const localTime = (time: number, timeZone: string): number => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  formats.set(timeZone, format)
  // Matches the offset of `1/2/2024, GMT+09:00`. Does not match `1/2/2024, GMT`, which has none.
  const [offset = "Z"] = /[+-][\d:]+$/.exec(format.format(time)) ?? []
  return time + offsetOf(offset)
}

/** Returns when clocks of a time zone show a time: the first time if they show it twice, the time after the gap if never. */
export const inZone = (local: number, timeZone: string): number => {
  const candidates = [local - DAY_MS, local + DAY_MS].map((near) => local - (localTime(near, timeZone) - near))
  const shown = candidates.filter((time) => localTime(time, timeZone) === local)
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates)
}

/** A date as it is written. */
interface Written {
  /** The time that its clock shows, as if it stood in UTC. */
  local: number
  isDay: boolean
  /** Milliseconds; null without one. */
  offset: number | null
}

/** Reads the parts of a date; null for a day or a time that there is not. */
const parse = (text: string): Written | null => {
  const found = text.length > MAX_CHARS ? null : FORMS.map((form) => form.exec(text)?.groups).find(Boolean)
  if (!found) return null
  const { name = "", hours = 0, minutes = 0, seconds = 0, fraction = "", half, zone } = found
  const year = Number(found["year"])
  const month = found["month"] ? Number(found["month"]) - 1 : MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  const day = Date.UTC(year, month, Number(found["day"] ?? 1))
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  // Date takes years before 100 for those of the 20th century, and a day that the month does not have for one of another month.
  if (year < 100 || new Date(day).getUTCMonth() !== month) return null
  const offset = zone === undefined ? null : offsetOf(zone)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || Number.isNaN(offset)) return null
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"))
  const local = day + ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + milliseconds
  return { local, isDay: found["hours"] === undefined, offset }
}

/**
 * Reads a date. A day alone begins in UTC, since pages show days in UTC.
 * @param timezone IANA name for dates without an offset; null if there is none
 */
export const readDate = (value: unknown, timezone: string | null): ReadDate => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? { problem: "invalid" } : { time: value.getTime() }
  const text = typeof value === "number" ? String(value) : value
  if (typeof text === "string" && MILLISECONDS.test(text)) return { time: Number(text) }
  const written = typeof text === "string" ? parse(text.trim()) : null
  if (!written) return { problem: "invalid" }
  const { local, isDay, offset } = written
  if (offset !== null) return { time: local - offset }
  if (isDay) return { time: local }
  return timezone === null ? { problem: "no timezone" } : { time: inZone(local, timezone) }
}
