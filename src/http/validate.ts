import * as z from "zod"

import { MAX_UNKNOWN_FIELD_WARNINGS } from "../limits.ts"
import { ApiError, type FieldError, fieldErrors } from "./problem.ts"

export const Warning = z
  .object({ field: z.string(), code: z.string(), message: z.string() })
  .meta({ id: "Warning", description: "Something to look at. The request succeeded all the same." })
export type Warning = z.infer<typeof Warning>

export type Fields = Record<string, unknown>

/** What reading the input came to: thrown or used later, when its turn in the order of checks has come. */
export type Checked<T> = { ok: true; value: T; warnings: Warning[] } | { ok: false; error: ApiError }

/** The value, or its error. */
export const orThrow = <T>(checked: Checked<T>): { value: T; warnings: Warning[] } => {
  if (!checked.ok) throw checked.error
  return checked
}

const isMissing = (input: Fields, [field]: PropertyKey[]) => typeof field === "string" && !Object.hasOwn(input, field)

const fieldErrorOf = (issue: z.core.$ZodIssue, input: Fields): FieldError => {
  const field = issue.path.map(String).join(".")
  if (issue.code !== "custom" && isMissing(input, issue.path))
    return { field, code: "required", message: "This field is required." }
  const code = issue.code === "custom" ? String(issue.params?.code ?? "invalid") : "invalid"
  return { field, code, message: issue.message }
}

const unknownField = (field: string): Warning => ({
  field: field.toWellFormed(),
  code: "unknown_field",
  message: "No such field; it was ignored.",
})

/** A warning for each field that the schema does not know; the last one names all that are too many for one each. */
const unknownFields = (schema: z.ZodObject, input: Fields): Warning[] => {
  const unknown = Object.keys(input).filter((field) => !Object.hasOwn(schema.shape, field))
  const rest = unknown.slice(MAX_UNKNOWN_FIELD_WARNINGS)
  const warnings = unknown.slice(0, MAX_UNKNOWN_FIELD_WARNINGS).map(unknownField)
  return rest.length > 0 ? [...warnings, unknownField(rest.join(", "))] : warnings
}

/** What a schema makes of the fields that were sent. */
export interface Inspected {
  errors: FieldError[]
  /** The output of the schema, where there are no errors. */
  value: unknown
  sent: Fields
  warnings: Warning[]
}

/** Validates fields: all errors at once, and a warning for each field that the schema does not know. @throws ApiError `invalid_json` for anything but an object */
export const inspect = (schema: z.ZodObject, sent: unknown): Inspected => {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent))
    throw new ApiError("invalid_json", "The body is not a JSON object.")
  const fields = sent as Fields
  const { data: value, error } = schema.safeParse(fields)
  const errors = error?.issues.map((issue) => fieldErrorOf(issue, fields)) ?? []
  return { errors, value, sent: fields, warnings: errors.length > 0 ? [] : unknownFields(schema, fields) }
}

/** The value of inspected fields, or all their errors as one. */
export const toChecked = <T>({ errors, value, warnings }: Inspected): Checked<T> =>
  errors.length > 0 ? { ok: false, error: fieldErrors(errors) } : { ok: true, value: value as T, warnings }

/** Validates fields that no route declares, such as those inside of an event. */
export const check = <S extends z.ZodObject>(schema: S, fields: Fields): Checked<z.output<S>> =>
  toChecked(inspect(schema, fields))
