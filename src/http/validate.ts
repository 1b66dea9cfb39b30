import { zValidator } from "@hono/zod-validator"
import { getMultipartBoundary, MultipartParseError, parseMultipart } from "@remix-run/multipart-parser"
import type { ValidationTargets } from "hono"
import * as z from "zod"

import { readAll } from "../bytes.ts"
import {
  BODY_SECONDS,
  MAX_FORM_BYTES,
  MAX_FORM_PARTS,
  MAX_JSON_BYTES,
  MAX_POST_FORM_BYTES,
  MAX_UNKNOWN_FIELD_WARNINGS,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_OVERHEAD_BYTES,
  MAX_WARNING_FIELD_CHARS,
  UPLOAD_BODY_SECONDS,
  UPLOAD_PACE_BYTES,
  UPLOAD_PACE_SECONDS,
} from "../limits.ts"
import { type AppContext, type AppEnv, updateRequestTime } from "./context.ts"
import { ApiError, type FieldError, fieldError, fieldErrors, type ProblemCode } from "./errors.ts"
import { cut } from "./fields.ts"
import { FORM, headersOf, MULTIPART, type Operation } from "./operation.ts"
import { countLargeWrite } from "./rate-limit.ts"

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

/** Returns a warning for each unknown field. The last one names all fields above the limit. */
const unknownFields = (schema: z.ZodObject, input: Fields): Warning[] => {
  const unknown = Object.keys(input)
    .filter((field) => !Object.hasOwn(schema.shape, field))
    .map((field) => cut(field.toWellFormed(), MAX_WARNING_FIELD_CHARS))
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

/** Returns further field errors of a body as it was sent at `now`. */
export type Also<O extends Operation> = (params: Output<O["params"]>, sent: Fields, now: Date) => FieldError[]

interface BodyRules {
  /** The most bytes. */
  limit: number
  /** The seconds within which it must arrive. */
  seconds: number
  /** The error code of a body that breaks off. */
  code: ProblemCode
  /** The bytes that it must bring in each so many seconds, until its end. */
  pace?: { bytes: number; seconds: number }
}

/** Milliseconds in which a slow body may still be read. */
const PACE_GRACE_MS = 250

/**
 * Reads a body.
 * @returns null if it is longer than the limit
 * @throws ApiError if it breaks off, does not arrive in time, or is slower than its pace
 */
const readBytes = async (
  { headers, body }: Request,
  { limit, seconds, code, pace }: BodyRules,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  if (Number(headers.get("Content-Length") ?? 0) > limit) return null
  const reader = body?.getReader()
  let isLate = false
  const stop = () => {
    isLate = true
    // Ends the pending read.
    void reader?.cancel()
  }
  let received = 0
  let before = 0
  const timer = setTimeout(stop, seconds * 1000)
  const pacer =
    pace &&
    setInterval(() => {
      const from = before
      before = received
      // While a conversion blocks this thread, nothing of what arrives is read.
      setTimeout(() => {
        if (received - from < pace.bytes) stop()
      }, PACE_GRACE_MS)
    }, pace.seconds * 1000)
  try {
    const bytes = reader ? await readAll(reader, limit, (length) => (received = length)) : new Uint8Array()
    if (!isLate) return bytes
  } catch {
    throw new ApiError(code, "The body broke off before its end.")
  } finally {
    clearTimeout(timer)
    clearInterval(pacer)
  }
  const slow = pace ? `, or brought less than ${pace.bytes} bytes in ${pace.seconds} seconds` : ""
  throw new ApiError("body_timeout", `The body did not arrive within ${seconds} seconds${slow}. Send it again.`)
}

/** Gives a body that was read to Hono's validator, which parses it by its content type. */
const handOver = (
  c: AppContext,
  contentType: string,
  body: { text: Promise<string> } | { arrayBuffer: Promise<ArrayBuffer> } | { formData: Promise<FormData> },
): void => {
  const headers = new Headers(c.req.raw.headers)
  headers.set("Content-Type", contentType)
  c.req.raw = new Request(c.req.raw.url, { method: c.req.method, headers })
  Object.assign(c.req.bodyCache, body)
}

const NOT_JSON = "The body is not valid JSON in UTF-8."

/**
 * Reads a JSON body of at most `limit` bytes, whatever its content type, for the validator to parse. Updates `c.var.now`.
 * @returns the bytes, for a signature
 * @throws ApiError 400 `invalid_json` if it is longer, breaks off or is not UTF-8
 */
export const readJson = async (c: AppContext, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = await readBytes(c.req.raw, { limit, seconds: BODY_SECONDS, code: "invalid_json" })
  updateRequestTime(c)
  if (!bytes) throw new ApiError("invalid_json", `The body is longer than ${limit} bytes.`, { isTooLong: true })
  await countLargeWrite(c, bytes.length)
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)
    handOver(c, "application/json", { text: Promise.resolve(text === "" ? "{}" : text) })
    return bytes
  } catch {
    throw new ApiError("invalid_json", NOT_JSON)
  }
}

/** Reads a form of at most `limit` bytes for the validator to parse. Updates `c.var.now`. @returns its length @throws ApiError 400 */
const receiveForm = async (c: AppContext, limit: number): Promise<number> => {
  const bytes = await readBytes(c.req.raw, { limit, seconds: BODY_SECONDS, code: "validation_error" })
  updateRequestTime(c)
  if (!bytes) throw new ApiError("validation_error", `The form is longer than ${limit} bytes.`)
  handOver(c, FORM, { arrayBuffer: Promise.resolve(bytes.buffer) })
  return bytes.length
}

const readForm = async (c: AppContext, limit: number): Promise<void> => {
  // Counted after it is handed over, so that the page of a 429 can show its text again.
  await countLargeWrite(c, await receiveForm(c, limit))
}

/** Returns the fields of a form as a browser has sent them; none for other requests, and for a form that cannot be read. */
export const readSentForm = async (c: AppContext): Promise<Record<string, string>> => {
  if (c.req.method !== "POST" || !c.req.header("Content-Type")?.startsWith(FORM)) return {}
  try {
    if (Object.keys(c.req.bodyCache).length === 0) await receiveForm(c, MAX_POST_FORM_BYTES)
    return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer())))
  } catch {
    return {}
  }
}

const NOT_MULTIPART = "The body is not complete multipart/form-data with headers in UTF-8."

// Matches `Multipart/Form-Data; boundary=x`. Does not match `multipart/mixed; boundary=x`.
const IS_FORM = /^multipart\/form-data\b/i

/** Parses a multipart form as clients write it: with unquoted names, or with `filename*` alone (RFC 7578). @throws ApiError */
const parseForm = (bytes: Uint8Array, contentType: string): FormData => {
  const boundary = IS_FORM.test(contentType) ? getMultipartBoundary(contentType) : null
  if (!boundary) throw new ApiError("invalid_multipart", "The Content-Type is not multipart/form-data with a boundary.")
  const form = new FormData()
  try {
    for (const part of parseMultipart(bytes, { boundary, maxFileSize: bytes.length, maxParts: MAX_FORM_PARTS })) {
      const { name, filename } = part
      if (name === undefined) continue
      if (filename === undefined) form.append(name, new TextDecoder().decode(part.bytes))
      else form.append(name, new File([part.arrayBuffer], filename))
    }
  } catch (error) {
    // A TypeError: the headers of a part are not UTF-8.
    if (!(error instanceof MultipartParseError || error instanceof TypeError)) throw error
    throw new ApiError("invalid_multipart", NOT_MULTIPART)
  }
  return form
}

const readMultipart = async (c: AppContext, limit: number): Promise<void> => {
  const bytes = await readBytes(c.req.raw, {
    limit,
    seconds: UPLOAD_BODY_SECONDS,
    code: "invalid_multipart",
    // An upload holds a place of the isolate.
    pace: { bytes: UPLOAD_PACE_BYTES, seconds: UPLOAD_PACE_SECONDS },
  })
  updateRequestTime(c)
  if (!bytes)
    throw fieldError(
      "file",
      "file_too_large",
      `At most ${MAX_UPLOAD_BYTES} bytes; the whole request is longer than that.`,
    )
  const form = parseForm(bytes, c.req.header("Content-Type") ?? "")
  handOver(c, MULTIPART, { formData: Promise.resolve(form) })
}

/** For each content type: the reader, its limit in bytes, and the error for a body that cannot be parsed. */
const BODIES = {
  "application/json": {
    read: readJson,
    limit: MAX_JSON_BYTES,
    target: "json",
    code: "invalid_json",
    message: NOT_JSON,
  },
  [FORM]: {
    read: readForm,
    limit: MAX_FORM_BYTES,
    target: "form",
    code: "validation_error",
    message: "The form is not valid.",
  },
  [MULTIPART]: {
    read: readMultipart,
    limit: MAX_UPLOAD_BYTES + MAX_UPLOAD_OVERHEAD_BYTES,
    target: "form",
    code: "invalid_multipart",
    message: NOT_MULTIPART,
  },
} as const

const NOTHING: Inspected = { errors: [], value: {}, sent: {} }

/** Takes the first value of a query parameter that is sent twice. */
const firstOfEach = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

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

/**
 * Returns a function that reads and validates a request as its operation declares. It throws ApiError 400, or 404 for a
 * path that no resource can have. With `checksAuthorFirst`, it returns the errors of query and body instead.
 * @param also returns further field errors of the body
 */
export const inputReader = <O extends Operation>(
  operation: O,
  also: Also<O> = () => [],
): ((c: AppContext) => Promise<Input<O>>) => {
  const { problems = [], checksAuthorFirst, body: bodySchema } = operation
  const readParams = readerOf("param", operation.params)
  const readQuery = readerOf("query", operation.query)
  const readHeaders = readerOf("header", headersOf(operation))
  const readBody = bodyReaderOf(operation)
  return async (c) => {
    const params = await readParams(c)
    if (params.errors.length > 0)
      throw problems.includes("not_found") ? new ApiError("not_found") : fieldErrors(params.errors)
    const query = toChecked<never>(await readQuery(c))
    const { value: headers = {}, errors: headerErrors } = await readHeaders(c)
    const sent = await settle(readBody(c))
    // Errors of headers are reported together with those of the body.
    const body: Checked<never> =
      sent instanceof ApiError
        ? { ok: false, error: sent }
        : toChecked(
            {
              ...sent,
              errors: [
                ...sent.errors,
                ...also(params.value as Output<O["params"]>, sent.sent, c.var.now),
                ...headerErrors,
              ],
            },
            bodySchema && unknownFields(bodySchema, sent.sent),
          )
    const parts = checksAuthorFirst
      ? { query, body, warnings: [] }
      : { query: orThrow(query).value, body: orThrow(body).value, warnings: orThrow(body).warnings }
    return { params: params.value, headers, ...parts, sent: sent instanceof ApiError ? {} : sent.sent } as Input<O>
  }
}
