import { zValidator } from "@hono/zod-validator"
import type { ValidationTargets } from "hono"
import * as z from "zod"

import { nearest } from "../../packages/edgepost/src/nearest.ts"
import { MAX_UNKNOWN_FIELD_WARNINGS, MAX_WARNING_FIELD_CHARS } from "../limits.ts"
import type { AppContext, AppEnv } from "./context.ts"
import { ApiError, fieldErrors, type FieldError, type ProblemCode } from "./errors.ts"
import { cut } from "./fields.ts"
import { headersOf, knowsItsQuery, type Operation } from "./operation.ts"
import { BODIES, ignoredEncoding } from "./read-body.ts"

export const Warning = z
  .object({ field: z.string(), code: z.string(), message: z.string() })
  .meta({ id: "Warning", description: "Something to look at. The request succeeded all the same." })
export type Warning = z.infer<typeof Warning>

export type Fields = Record<string, unknown>

/** A validated value or its error, which is thrown later, in the contract's order of checks. */
export type Checked<T> = { ok: true; value: T; warnings: Warning[] } | { ok: false; error: ApiError }

/** Returns the value and warnings of a successful check. @throws the ApiError of a failed one, such as 400 */
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
  field,
  code: "unknown_field",
  message: "No such field; it was ignored.",
})

const shownName = (name: string): string => cut(name.toWellFormed(), MAX_WARNING_FIELD_CHARS)

/** Returns a warning for each unknown field. The last one names all fields above the limit. */
export const unknownFields = (schema: z.ZodObject, input: Fields): Warning[] => {
  const unknown = Object.keys(input)
    .filter((field) => !Object.hasOwn(schema.shape, field))
    .map(shownName)
  const rest = unknown.slice(MAX_UNKNOWN_FIELD_WARNINGS)
  const warnings = unknown.slice(0, MAX_UNKNOWN_FIELD_WARNINGS).map(unknownField)
  return rest.length > 0 ? [...warnings, unknownField(rest.join(", "))] : warnings
}

/** The result of validating the fields of a request. */
interface Inspected {
  errors: FieldError[]
  /** The output of the schema if there are no errors. */
  value: unknown
  sent: Fields
}

/**
 * Validates fields by a schema, and finds all errors.
 * @throws ApiError `invalid_json` for a value that is not an object
 */
const inspect = (schema: z.ZodObject, sent: unknown): Inspected => {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent))
    throw new ApiError("invalid_json", "The body is not a JSON object.")
  const fields = sent as Fields
  const { data: value, error } = schema.safeParse(fields)
  const errors = error?.issues.map((issue) => fieldErrorOf(issue, fields)) ?? []
  return { errors, value, sent: fields }
}

/** Combines the field errors into one error. */
const toChecked = <T>({ errors, value }: Inspected, warnings: Warning[] = []): Checked<T> =>
  errors.length > 0 ? { ok: false, error: fieldErrors(errors) } : { ok: true, value: value as T, warnings }

/**
 * Validates fields that no route declares, such as those inside a webhook event. Returns the error instead of throwing it.
 * @param more errors that the schema cannot find
 */
export const check = <S extends z.ZodObject>(
  schema: S,
  fields: Fields,
  more: FieldError[] = [],
): Checked<z.output<S>> => {
  const { errors, ...inspected } = inspect(schema, fields)
  return toChecked({ ...inspected, errors: [...errors, ...more] })
}

// Reads and validates the path parameters, query, headers and body that an operation declares.

type Output<S> = S extends z.ZodType ? z.output<S> : unknown

/** The input of a handler. With `checksAuthorFirst`, query and body may be errors that the handler throws. */
export interface Input<O extends Operation> {
  params: Output<O["params"]>
  headers: Output<O["headers"]>
  query: O extends { checksAuthorFirst: true } ? Checked<Output<O["query"]>> : Output<O["query"]>
  body: O extends { checksAuthorFirst: true } ? Checked<Output<O["body"]>> : Output<O["body"]>
  /** Warnings of unknown fields in the body. */
  warnings: Warning[]
  /** The fields of the body as they were sent; empty if it cannot be parsed. */
  sent: Fields
}

/** Returns further field errors of a body as it was sent. */
export type Also<O extends Operation> = (params: Output<O["params"]>, sent: Fields, c: AppContext) => FieldError[]

const NOTHING: Inspected = { errors: [], value: {}, sent: {} }

/** Returns a parameter of the path or the query as it was sent, for what is read before the input is validated; "" without one. */
export const sentText = (c: AppContext, target: "param" | "query", name: string): string =>
  (target === "param" ? c.req.param(name) : c.req.query(name)) ?? ""

/** Takes the first value of a query parameter that is sent twice. */
const firstOfEach = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

/** Returns an error for each name in the query of a URL that is not known, or is there twice. */
const parameterErrors = (known: string[], url: string): FieldError[] => {
  if (!url.includes("?")) return []
  const sent = Map.groupBy(new URL(url).searchParams.keys(), (name) => name)
  const knows = known.length > 0 ? `This call knows ${known.join(", ")}.` : "This call knows none."
  const wrong = [...sent].filter(([name, times]) => !known.includes(name) || times.length > 1)
  return wrong.slice(0, MAX_UNKNOWN_FIELD_WARNINGS).map(([name, times]) => {
    const near = nearest(shownName(name), known)
    const unknown = near === undefined ? `No such parameter. ${knows}` : `No such parameter: did you mean ${near}?`
    const message = known.includes(name) ? `Sent ${times.length} times. Send it once.` : unknown
    return { field: shownName(name), code: "unknown_parameter", message }
  })
}

type Reader = (c: AppContext) => Promise<Inspected>

/** Returns a reader that validates one part of a request by its schema. */
const readerOf = (target: keyof ValidationTargets, schema: z.ZodObject | undefined): Reader => {
  if (!schema) return () => Promise.resolve(NOTHING)
  const validate = zValidator<z.ZodObject, typeof target, AppEnv, string>(target, schema, undefined, {
    // Errors are part of the value: those of several parts are thrown together.
    validationFunction: (_, sent) => ({
      success: true,
      data: inspect(schema, target === "query" ? firstOfEach(sent) : sent),
    }),
  })
  return async (c) => {
    await validate(c, () => Promise.resolve())
    return c.req.valid(target as never)
  }
}

const bodyReaderOf = ({ body, contentType, bodyLimit }: Operation): Reader => {
  if (!body) return readerOf("json", body)
  const { read, limit, target, code, message } = BODIES[contentType ?? "application/json"]
  const readBody = readerOf(target, body)
  return async (c) => {
    // A route that verifies a signature has read the body already.
    if (Object.keys(c.req.bodyCache).length === 0) await read(c, bodyLimit ?? limit)
    try {
      return await readBody(c)
    } catch (error) {
      // Hono's HTTPException.
      if (error instanceof Error && "status" in error && error.status === 400) throw new ApiError(code, message)
      throw error
    }
  }
}

/** Errors of a body that are thrown at once, also where the handler checks the author first. */
const AT_ONCE = new Set<ProblemCode>(["rate_limited", "body_timeout"])

/** Returns the value of a promise, or the ApiError that it rejects with. */
const settle = async <T>(promise: Promise<T>): Promise<T | ApiError> => {
  try {
    return await promise
  } catch (error) {
    if (error instanceof ApiError && !AT_ONCE.has(error.code)) return error
    throw error
  }
}

/** Requires what the path of a request names. @throws ApiError 404, 403 */
export type RequireTarget<O extends Operation> = (c: AppContext, params: Output<O["params"]>) => unknown

/**
 * Returns a function that reads and validates a request as its operation declares. It throws ApiError 400, or 404 for a
 * path that no resource can have. With `checksAuthorFirst`, it returns the errors of query and body instead.
 * @param also returns further field errors of the body
 * @param requireTarget runs before errors of query and body are thrown: 404 and 403 come before 400
 */
export const inputReader = <O extends Operation>(
  operation: O,
  also: Also<O> = () => [],
  requireTarget: RequireTarget<O> = () => {},
): ((c: AppContext) => Promise<Input<O>>) => {
  const { problems = [], checksAuthorFirst, body: bodySchema } = operation
  const readParams = readerOf("param", operation.params)
  const readQuery = readerOf("query", operation.query)
  const known = knowsItsQuery(operation) ? Object.keys(operation.query?.shape ?? {}) : null
  const readHeaders = readerOf("header", headersOf(operation))
  const readBody = bodyReaderOf(operation)
  return async (c) => {
    const params = await readParams(c)
    if (params.errors.length > 0)
      throw problems.includes("not_found") ? new ApiError("not_found") : fieldErrors(params.errors)
    // The schema is asked once all names are right.
    const errors = known ? parameterErrors(known, c.req.url) : []
    const query = toChecked<never>(errors.length > 0 ? { ...NOTHING, errors } : await readQuery(c))
    const { value: headers = {}, errors: headerErrors } = await readHeaders(c)
    const sent = await settle(readBody(c))
    // Errors of headers are reported together with those of the body.
    const body: Checked<never> =
      sent instanceof ApiError
        ? { ok: false, error: sent }
        : toChecked(
            {
              ...sent,
              errors: [...sent.errors, ...also(params.value as Output<O["params"]>, sent.sent, c), ...headerErrors],
            },
            bodySchema && [...unknownFields(bodySchema, sent.sent), ...ignoredEncoding(c)],
          )
    if (!checksAuthorFirst && !(query.ok && body.ok)) await requireTarget(c, params.value as Output<O["params"]>)
    const parts = checksAuthorFirst
      ? { query, body, warnings: [] }
      : { query: orThrow(query).value, body: orThrow(body).value, warnings: orThrow(body).warnings }
    return { params: params.value, headers, ...parts, sent: sent instanceof ApiError ? {} : sent.sent } as Input<O>
  }
}
