import { MultipartParseError, getMultipartBoundary, parseMultipart } from "@remix-run/multipart-parser"

import { readAll } from "../bytes.ts"
import {
  BODY_SECONDS,
  MAX_FORM_BYTES,
  MAX_FORM_PARTS,
  MAX_JSON_BYTES,
  MAX_POST_FORM_BYTES,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_OVERHEAD_BYTES,
  UPLOAD_BODY_SECONDS,
  UPLOAD_PACE_BYTES,
  UPLOAD_PACE_SECONDS,
} from "../limits.ts"
import { type AppContext, updateRequestTime } from "./context.ts"
import { ApiError, fieldError, type ProblemCode } from "./errors.ts"
import { cut } from "./fields.ts"
import { FORM, MULTIPART } from "./operation.ts"
import { countLargeWrite } from "./rate-limit.ts"

// Reads the bodies of requests within their limits of bytes and time, and gives them to Hono's validator.

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

/** Matches the `Content-Encoding` of a plain body. Some clients name a character set there: `utf-8`. Does not match `gzip`. */
const PLAIN =
  /^(?:|identity|((?:utf|iso-?8859|windows|cp)-?\d[\w-]*|(?:us-)?ascii|latin-?\d|shift[_-]jis|euc-\w+|gb\w+|big5|koi8-\w))$/i

const codingOf = (headers: Headers): string => headers.get("Content-Encoding")?.trim() ?? ""

/** Returns the warning of a body that was read although `Content-Encoding` names a character set. */
export const ignoredEncoding = (c: AppContext): { field: string; code: string; message: string }[] => {
  const message = "A character set belongs in Content-Type; it was ignored."
  const isIgnored = PLAIN.exec(codingOf(c.req.raw.headers))?.[1] !== undefined
  return isIgnored ? [{ field: "Content-Encoding", code: "ignored_encoding", message }] : []
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
  const coding = codingOf(headers)
  if (!PLAIN.test(coding))
    throw new ApiError("unsupported_media_type", `The body is encoded as ${cut(coding, 40)}. Send it as it is.`)
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

/** Returns the content type of a request without its parameters. */
export const contentTypeOf = (c: AppContext): string =>
  (c.req.header("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? ""

/** Returns the fields of a form as a browser has sent them; none for other requests, and for a form that cannot be read. */
export const readSentForm = async (c: AppContext, limit = MAX_POST_FORM_BYTES): Promise<Record<string, string>> =>
  Object.fromEntries(await readSentFields(c, limit))

/** Returns the fields of a form in their order, as `readSentForm`. */
export const readSentFields = async (c: AppContext, limit: number): Promise<URLSearchParams> => {
  if (c.req.method !== "POST" || contentTypeOf(c) !== FORM) return new URLSearchParams()
  try {
    if (Object.keys(c.req.bodyCache).length === 0) await receiveForm(c, limit)
    return new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
  } catch {
    return new URLSearchParams()
  }
}

/** Says how to get an image within the limits. */
export const SCALE_ADVICE =
  "Scale it to 2048 pixels a side: the command line, the extension and, with scripts switched on, the page of a post do that themselves."

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
      `At most ${Math.floor(limit / 2 ** 20)} MB; the whole request is longer than that. ${SCALE_ADVICE}`,
    )
  const form = parseForm(bytes, c.req.header("Content-Type") ?? "")
  handOver(c, MULTIPART, { formData: Promise.resolve(form) })
}

/** For each content type: the reader, its limit in bytes, and the error for a body that cannot be parsed. */
export const BODIES = {
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

/** A body as it was sent: JSON, or the names and values of a form. */
export type SentBody = { json: unknown } | { form: Iterable<[string, string | File]> }

/** Reads the body of a route that takes JSON and forms, by its content type. @throws ApiError 400 */
export const readAnyBody = async (c: AppContext): Promise<SentBody> => {
  const type = contentTypeOf(c)
  const rules = Object.entries(BODIES).find(([name]) => name === type)?.[1]
  if (!rules) throw new ApiError("validation_error", `Send ${Object.keys(BODIES).join(", ")}.`)
  // A form may have been read for its token.
  if (Object.keys(c.req.bodyCache).length === 0) await rules.read(c, type === FORM ? MAX_POST_FORM_BYTES : rules.limit)
  if (rules.target === "form")
    return { form: type === FORM ? new URLSearchParams(await c.req.text()) : await c.req.formData() }
  try {
    return { json: await c.req.json() }
  } catch {
    throw new ApiError(rules.code, rules.message)
  }
}
