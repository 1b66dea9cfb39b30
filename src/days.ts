const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the time `days` times 24 hours before `now`. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** Returns the time `days` times 24 hours after `now`. */
export const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS)

/** Formats the UTC day of a time as in RFC 3339, `2026-01-31`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, "2026-01-31".length)

/** Returns midnight UTC at the end of the day of `now`. At midnight it is the next one. */
export const nextDay = (now: Date): Date => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)

/** Returns the whole seconds from `now` to a time, rounded up; 0 if it is past. */
export const secondsUntil = (time: Date, now: Date): number =>
  Math.max(0, Math.ceil((time.getTime() - now.getTime()) / 1000))
