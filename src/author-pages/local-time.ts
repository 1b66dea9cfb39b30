import * as z from "zod"

import { inZone, isTimeZone, localTime } from "../../packages/edgepost/src/folder/dates.ts"
import { fieldError } from "../http/errors.ts"

// Times as inputs of a browser have them: `2026-11-28T09:00`, in the time zone of an account.

/** The IANA name of a time zone: `Europe/Berlin`, `UTC`, not `CEST+1`. */
export const TimeZone = z
  .string()
  .trim()
  .refine(isTimeZone, "Not a time zone such as Europe/Berlin or UTC. Choose one of the list.")

/** Returns a time as an input shows it, to the minute; "" without one. @param timezone IANA name */
export const showLocal = (time: Date | null, timezone: string): string =>
  time ? new Date(localTime(time.getTime(), timezone)).toISOString().slice(0, "2026-11-28T09:00".length) : ""

const Local = z.iso.datetime({ local: true })

/** Reads what an input sends. @param timezone IANA name @throws ApiError 400 */
export const readLocal = (field: string, text: string, timezone: string): Date => {
  if (Local.safeParse(text).success)
    return new Date(text.endsWith("Z") ? text : inZone(Date.parse(`${text}Z`), timezone))
  throw fieldError(field, "validation_error", `Choose a day and a time (${timezone}).`)
}
