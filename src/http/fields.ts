import * as z from "zod"

import { countItems, readLabels } from "../../packages/edgepost/src/labels.ts"
import { MAX_LABELS_SENT } from "../limits.ts"

/** Adds an issue with an error code of this API to a zod check, for the field at `path` below the checked value. Does not throw. */
export const refuse = (ctx: z.RefinementCtx, code: string, message: string, path: PropertyKey[] = []): void => {
  ctx.addIssue({ code: "custom", params: { code }, message, path })
}

/** Counts the Unicode code points of a text. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Returns the first `max` Unicode code points of a text; a shorter text as it is. */
export const cut = (text: string, max: number): string =>
  Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("")

/** A string without NUL characters and lone surrogates. */
export const CleanText = z.string("Must be a string.").superRefine((text, ctx) => {
  if (!text.isWellFormed()) refuse(ctx, "invalid", "Holds a lone surrogate, which is no Unicode text.")
  else if (text.includes("\0")) refuse(ctx, "invalid", "Holds a NUL character.")
})

/** The form of a post's slug. Matches `my-first-post`. Does not match `My--post`. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const INSTANT_MESSAGE = "Must be a time in RFC 3339 with an offset, such as 2026-11-20T00:00:00Z."
const DateTime = z.iso.datetime({ offset: true })

/** A time in RFC 3339, upper or lower case, whose year has four digits in UTC. */
export const Instant = z
  .string(INSTANT_MESSAGE)
  .transform((text, ctx) => {
    const time = new Date(text.toUpperCase())
    if (DateTime.safeParse(text.toUpperCase()).success && time.toISOString().length === 24) return time
    refuse(ctx, "invalid", INSTANT_MESSAGE)
    return z.NEVER
  })
  .meta({ format: "date-time" })

/** A day in UTC, as `<input type="date">` sends it; its value is the end of that day. */
export const Day = z.iso.date("Must be a day such as 2027-12-31.").transform((day) => new Date(`${day}T23:59:59Z`))

/** Returns the zod schema of a text that becomes NFC, is not blank and has 1 to `max` code points. */
export const ShortText = (max: number) =>
  CleanText.transform((text) => text.normalize("NFC"))
    .superRefine((text, ctx) => {
      if (text.trim() === "") refuse(ctx, "blank", "Must not be blank.")
      else if (codePoints(text) > max)
        refuse(ctx, "too_long", `At most ${max} characters; this has ${codePoints(text)}.`)
    })
    .meta({ minLength: 1, maxLength: max })

// Matches a line break, U+2028, U+202E and other characters that hide or turn text. Does not match `é`.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/** Returns the zod schema of a `ShortText` in one line, without control and bidirectional characters. */
export const PlainLine = (max: number) =>
  ShortText(max).refine((text) => !CONTROL.test(text), {
    params: { code: "invalid" },
    error: "Holds a line break or an invisible control character. Remove it.",
  })

const refuseAbove = (max: number, count: number, ctx: z.RefinementCtx): void => {
  if (count > max) refuse(ctx, "too_many", `At most ${max} entries; this has ${count}.`)
}

const requireAtMost = (max: number) => (value: unknown, ctx: z.RefinementCtx) => {
  if (Array.isArray(value)) refuseAbove(max, value.length, ctx)
  return value
}

/**
 * Returns the zod schema of an array of at most `max` items. It checks the length first, because there may be a million.
 * @param message the error for a value that is not an array
 */
export const ListOf = <T extends z.ZodType>(item: T, max: number, message: string) =>
  // An issue ends this pipe. An issue with `abort` would also end the rules between other fields.
  z.preprocess(requireAtMost(max), z.array(item, message)).meta({ maxItems: max })

/** The same for texts in a union, which a `ListOf` would make optional in OpenAPI. */
const Texts = (max: number) =>
  z
    .unknown()
    .superRefine((value, ctx) => void requireAtMost(max)(value, ctx))
    .pipe(z.array(CleanText))
    .meta({ override: { type: "array", items: { type: "string" }, maxItems: max } })

/**
 * Returns the zod schema of labels: a text that commas separate, or an array. Its output is what they mean; `labelErrors` of
 * posts knows their limits, since a post may have some that break them.
 * @param toCase changes the case of each label
 */
export const Labels = (toCase?: (text: string) => string) =>
  z
    .union([CleanText, Texts(MAX_LABELS_SENT)], "Must be a comma-separated string or an array of strings.")
    .superRefine((sent, ctx) => {
      if (typeof sent === "string") refuseAbove(MAX_LABELS_SENT, countItems(sent), ctx)
    })
    .transform((sent) => readLabels(sent, toCase))
