import * as z from "zod"

import { ApiError } from "../http/errors.ts"
import type { Fields } from "../http/validate.ts"

/** Reads the values that a form has shown, as `Seen` renders them. */
export const SeenValues = <S extends z.ZodObject>(values: S) =>
  z
    .string()
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        ctx.addIssue({ code: "custom", message: "Open the page again." })
        return z.NEVER
      }
    })
    .pipe(values)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the fields that differ: their values in `seen` and in `typed`. */
export const changesOf = <T extends object>(seen: T, typed: T): { from: Partial<T>; to: Partial<T> } => {
  const names = (Object.keys(typed) as (keyof T)[]).filter((name) => !isSame(seen[name], typed[name]))
  const pick = (values: T) => Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<T>
  return { from: pick(seen), to: pick(typed) }
}

type Value = string | string[] | Record<string, string> | Date | null

/** Returns a value as the input of a form has it. */
const textOf = (value: Value): string => {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.join(", ")
  if (typeof value !== "object") return value
  return Object.entries(value ?? {})
    .map(([name, text]) => `${name}: ${text}`)
    .join("; ")
}

/** Returns the fields that the author of a form has changed: without `seen`, and without those that are as it has shown them. */
export const typedFields = ({ seen, ...sent }: Fields): Fields => {
  const { success, data } = SeenValues(z.looseObject({})).safeParse(seen)
  const shown = new Map(Object.entries(success ? data : {}).map(([name, value]) => [name, textOf(value as Value)]))
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => shown.get(name) !== value))
}

/**
 * Returns those changes of a form, as `changesOf` returns them, that are not saved yet. It may have been sent twice.
 * @throws ApiError 412 with the saved value of each field that somebody else has changed
 */
export const unsavedOf = <T extends object>({ from, to }: { from: T; to: T }, saved: T): { from: T; to: T } => {
  const unsaved = changesOf(saved, to) as { from: T; to: T }
  const changedByOthers = Object.entries(changesOf(from, unsaved.from).to as Record<string, Value>)
  if (changedByOthers.length === 0) return unsaved
  const errors = changedByOthers.map(([field, value]) => ({
    field,
    code: "version_conflict",
    message: `Saved meanwhile: ${textOf(value) || "nothing"}. To replace it, send the form again.`,
  }))
  throw new ApiError("version_conflict", "Somebody else has saved another value meanwhile.", { errors })
}
