import { cut } from "../http/fields.ts"
import { readBytes } from "../http/input.ts"
import { ApiError, fieldError } from "../http/problem.ts"
import type { Warning } from "../http/validate.ts"
import { MAX_UNKNOWN_FIELD_WARNINGS, MAX_UPLOAD_BYTES, MAX_UPLOAD_OVERHEAD_BYTES } from "../limits.ts"

const parse = async (request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormData> => {
  const contentType = request.headers.get("Content-Type") ?? ""
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw new ApiError("invalid_multipart", "Send multipart/form-data with a boundary and one part named `file`.")
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData()
  } catch {
    throw new ApiError("invalid_multipart", "The body is not complete multipart/form-data.")
  }
}

/** The bytes of the one part named `file` (RFC 7578), and a warning for each part beside it. */
export const readFilePart = async (
  request: Request,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; warnings: Warning[] }> => {
  const body = await readBytes(request, MAX_UPLOAD_BYTES + MAX_UPLOAD_OVERHEAD_BYTES, "invalid_multipart")
  if (!body)
    throw fieldError(
      "file",
      "file_too_large",
      `At most ${MAX_UPLOAD_BYTES} bytes; the whole request is longer than that.`,
    )
  const form = await parse(request, body)
  const [file, ...more] = form.getAll("file")
  if (file === undefined) throw fieldError("file", "invalid_multipart", "There is no part named `file`.")
  if (more.length > 0)
    throw fieldError("file", "invalid_multipart", `Send one part named \`file\`, not ${more.length + 1}.`)
  if (typeof file === "string") throw fieldError("file", "invalid_multipart", "The part named `file` has no filename.")
  const extra = [...new Set(form.keys())].filter((name) => name !== "file")
  return {
    bytes: new Uint8Array(await file.arrayBuffer()),
    warnings: extra.slice(0, MAX_UNKNOWN_FIELD_WARNINGS).map((name) => ({
      field: cut(name, 64),
      code: "unknown_field",
      message: "No such part; it was ignored.",
    })),
  }
}
