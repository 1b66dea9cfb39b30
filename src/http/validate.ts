import * as z from "zod"

import { concatBytes } from "../bytes.ts"
import { MAX_FORM_BYTES, MAX_JSON_BYTES, MAX_UNKNOWN_FIELD_WARNINGS } from "../limits.ts"
import { type AppContext, noteArrival } from "./context.ts"
import { ApiError, type FieldError, fieldErrors } from "./problem.ts"
import type { ProblemCode } from "./problems.ts"

export const Warning = z
  .object({ field: z.string(), code: z.string(), message: z.string() })
  .meta({ id: "Warning", description: "Something to look at. The request succeeded all the same." })
export type Warning = z.infer<typeof Warning>

type Fields = Record<string, unknown>

/** What reading the input came to: thrown or used later, when its turn in the order of checks has come. */
export type Checked<T> = { ok: true; value: T; warnings: Warning[] } | { ok: false; error: ApiError }

/** The value, or its error. */
export const orThrow = <T>(checked: Checked<T>): { value: T; warnings: Warning[] } => {
  if (!checked.ok) throw checked.error
  return checked
}

/** A body, chunk by chunk. @throws ApiError where its sender breaks it off, which no store of ours has done */
async function* chunksOf({ body }: Request, code: ProblemCode): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    throw new ApiError(code, "The body broke off before its end.")
  }
}

/**
 * Reads at most `limit` bytes of a body, and not one chunk more.
 * @param code of a body that breaks off
 * @returns null when the body is longer
 * @throws ApiError
 */
export const readBytes = async (
  request: Request,
  limit: number,
  code: ProblemCode,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  if (Number(request.headers.get("Content-Length") ?? 0) > limit) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunksOf(request, code)) {
    length += chunk.byteLength
    if (length > limit) return null
    chunks.push(chunk)
  }
  return concatBytes(chunks)
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON in UTF-8.")
  }
}

/** The fields of a JSON body; none of an empty one. @throws ApiError `invalid_json` */
export const parseFields = (bytes: Uint8Array): Fields => {
  const value = bytes.length > 0 ? parseJson(bytes) : {}
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ApiError("invalid_json", "The body is not a JSON object.")
  return value as Fields
}

const readJson = async (c: AppContext, limit: number): Promise<Fields> => {
  const bytes = await readBytes(c.req.raw, limit, "invalid_json")
  noteArrival(c)
  if (!bytes) throw new ApiError("invalid_json", `The body is longer than ${limit} bytes.`, { isTooLong: true })
  return parseFields(bytes)
}

/** The fields of a form of a page, each once. */
export const readForm = async (request: Request): Promise<Fields> => {
  const bytes = await readBytes(request, MAX_FORM_BYTES, "validation_error")
  if (!bytes) throw new ApiError("validation_error", `The form is longer than ${MAX_FORM_BYTES} bytes.`)
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)))
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

/**
 * Checks fields against a schema: all errors at once, a warning for each field it does not know.
 * @param also what is wrong besides, by what the schema does not know: to build one for each request takes long
 */
export const check = <S extends z.ZodObject>(
  schema: S,
  input: Fields,
  also: FieldError[] = [],
): Checked<z.output<S>> => {
  const result = schema.safeParse(input)
  if (result.success && also.length === 0)
    return { ok: true, value: result.data, warnings: unknownFields(schema, input) }
  const errors = result.error?.issues.map((issue) => fieldErrorOf(issue, input)) ?? []
  return { ok: false, error: fieldErrors([...errors, ...also]) }
}

/** Reads and checks a JSON body, and has the request be of its arrival. Never throws: the error waits for its turn. */
export const checkBody = async <S extends z.ZodObject>(
  c: AppContext,
  schema: S,
  { limit = MAX_JSON_BYTES, also = () => [] }: { limit?: number; also?: (input: Fields) => FieldError[] } = {},
): Promise<Checked<z.output<S>>> => {
  try {
    const input = await readJson(c, limit)
    return check(schema, input, also(input))
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error }
    throw error
  }
}
