const DAY_MS = 24 * 60 * 60 * 1000

/** So many days of 24 hours before. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** The day in UTC, as RFC 3339 writes it: `2026-01-31`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, "2026-01-31".length)

/** When the next day begins in UTC. */
export const nextDay = (now: Date): Date => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)
