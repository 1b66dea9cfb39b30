import { zValidator } from "@hono/zod-validator"
import type { ValidationTargets } from "hono"
import * as z from "zod"

import { concatBytes } from "../bytes.ts"
import { MAX_FORM_BYTES, MAX_IDEMPOTENCY_KEY_CHARS, MAX_JSON_BYTES, MAX_UNKNOWN_FIELD_WARNINGS } from "../limits.ts"
import { type AppContext, type AppEnv, noteArrival } from "./context.ts"
import { ApiError, type FieldError, type ProblemCode, fieldErrors } from "./errors.ts"
import { refuse } from "./fields.ts"
import { FORM, type Operation } from "./operation.ts"

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
const inspect = (schema: z.ZodObject, sent: unknown): Inspected => {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent))
    throw new ApiError("invalid_json", "The body is not a JSON object.")
  const fields = sent as Fields
  const { data: value, error } = schema.safeParse(fields)
  const errors = error?.issues.map((issue) => fieldErrorOf(issue, fields)) ?? []
  return { errors, value, sent: fields, warnings: errors.length > 0 ? [] : unknownFields(schema, fields) }
}

/** The value of inspected fields, or all their errors as one. */
const toChecked = <T>({ errors, value, warnings }: Inspected): Checked<T> =>
  errors.length > 0 ? { ok: false, error: fieldErrors(errors) } : { ok: true, value: value as T, warnings }

/** Validates fields that no route declares, such as those inside of an event. */
export const check = <S extends z.ZodObject>(schema: S, fields: Fields): Checked<z.output<S>> =>
  toChecked(inspect(schema, fields))

// Reads and validates what an operation declares: path parameters, query, headers and body.

type Output<S> = S extends z.ZodType ? z.output<S> : unknown

/** What the handler of an operation receives. One that is `authorFirst` gets query and body with their errors. */
export interface Input<O extends Operation> {
  params: Output<O["params"]>
  headers: Output<O["headers"]>
  query: O extends { authorFirst: true } ? Checked<Output<O["query"]>> : Output<O["query"]>
  body: O extends { authorFirst: true } ? Checked<Output<O["body"]>> : Output<O["body"]>
  /** One for each field of the body that the operation does not know. */
  warnings: Warning[]
}

export type Also<O extends Operation> = (params: Output<O["params"]>, sent: Fields) => FieldError[]

/** The chunks of a body. @throws ApiError where its sender breaks it off */
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

/** Puts a body that was read back into the request: Hono's validator reads it there, by its content type alone. */
const putBody = (c: AppContext, body: string, contentType: string): void => {
  const headers = new Headers(c.req.raw.headers)
  headers.set("Content-Type", contentType)
  c.req.raw = new Request(c.req.raw.url, { method: c.req.method, headers, body })
}

const NOT_JSON = "The body is not valid JSON in UTF-8."

/**
 * Reads a JSON body, whatever its content type, and leaves it readable as JSON.
 * @throws ApiError `invalid_json` where it is too long or not UTF-8
 */
export const readJson = async (c: AppContext, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = await readBytes(c.req.raw, limit, "invalid_json")
  noteArrival(c)
  if (!bytes) throw new ApiError("invalid_json", `The body is longer than ${limit} bytes.`, { isTooLong: true })
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)
    putBody(c, text === "" ? "{}" : text, "application/json")
    return bytes
  } catch {
    throw new ApiError("invalid_json", NOT_JSON)
  }
}

const readForm = async (c: AppContext): Promise<void> => {
  const bytes = await readBytes(c.req.raw, MAX_FORM_BYTES, "validation_error")
  if (!bytes) throw new ApiError("validation_error", `The form is longer than ${MAX_FORM_BYTES} bytes.`)
  putBody(c, new TextDecoder().decode(bytes), FORM)
}

const IdempotencyKey = z.object({
  "Idempotency-Key": z
    .string()
    .superRefine((key, ctx) => {
      if (!/^[\x20-\x7e]+$/.test(key) || key.length > MAX_IDEMPOTENCY_KEY_CHARS)
        refuse(ctx, "validation_error", `Send 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters of printable ASCII.`)
    })
    .optional(),
})

const NOTHING: Inspected = { errors: [], value: {}, sent: {}, warnings: [] }

/** Of a query parameter that is sent twice the first counts. */
const firstOfEach = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

const read = async (
  c: AppContext,
  target: keyof ValidationTargets,
  schema: z.ZodObject | undefined,
): Promise<Inspected> => {
  if (!schema) return NOTHING
  let inspected = NOTHING
  const validate = zValidator<z.ZodObject, typeof target, AppEnv, string>(target, schema, undefined, {
    // Errors of all parts are thrown together, or later.
    validationFunction: (_, sent) => {
      inspected = inspect(schema, target === "query" ? firstOfEach(sent) : sent)
      return { success: true, data: inspected.value }
    },
  })
  await validate(c, () => Promise.resolve())
  return inspected
}

const readBody = async (
  c: AppContext,
  { body, contentType, bodyLimit = MAX_JSON_BYTES }: Operation,
): Promise<Inspected> => {
  // An uploaded file is streamed by its handler, after it was counted.
  if (!body || contentType === "multipart/form-data") return NOTHING
  if (contentType === FORM) {
    await readForm(c)
    return read(c, "form", body)
  }
  await readJson(c, bodyLimit)
  try {
    return await read(c, "json", body)
  } catch (error) {
    // Hono's HTTPException.
    if (error instanceof Error && "status" in error && error.status === 400)
      throw new ApiError("invalid_json", NOT_JSON)
    throw error
  }
}

/** Headers report with the body. */
const checkBody = async (c: AppContext, operation: Operation, also: (sent: Fields) => FieldError[], key: Inspected) => {
  try {
    const body = await readBody(c, operation)
    return toChecked<never>({ ...body, errors: [...body.errors, ...also(body.sent), ...key.errors] })
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error } as const
    throw error
  }
}

/**
 * Validates a request against its operation's declaration.
 * @param also what is wrong with the body beside what its schema says
 * @throws ApiError `validation_error`, `invalid_json`; `not_found` for a path that no resource can have
 */
export const readInput = async <O extends Operation>(
  c: AppContext,
  operation: O,
  also: Also<O> = () => [],
): Promise<Input<O>> => {
  const { problems, isOnce, authorFirst } = operation
  const params = await read(c, "param", operation.params)
  if (params.errors.length > 0)
    throw problems.includes("not_found") ? new ApiError("not_found") : fieldErrors(params.errors)
  const query = toChecked<never>(await read(c, "query", operation.query))
  const headers = await read(c, "header", operation.headers)
  const key = await read(c, "header", isOnce ? IdempotencyKey : undefined)
  const body = await checkBody(c, operation, (sent) => also(params.value as Output<O["params"]>, sent), key)
  const parts = authorFirst
    ? { query, body, warnings: [] }
    : { query: orThrow(query).value, body: orThrow(body).value, warnings: orThrow(body).warnings }
  return { params: params.value, headers: headers.value, ...parts } as Input<O>
}
