import * as z from "zod"

import { Cursor } from "../http/cursor.ts"
import type { Operation } from "../http/operation.ts"

const PartNumber = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, "Must be the number of a part.")
  .transform(Number)

/** Posts behind `cursor`, up to `until`; `part` is for the name of the file alone. */
export const ExportQuery = z.object({
  cursor: Cursor.optional(),
  until: Cursor.optional(),
  part: PartNumber.optional(),
})

export const getExport = {
  operationId: "getExport",
  method: "GET",
  path: "/settings/export/",
  access: "author",
  tag: null,
  summary: "Posts of the author with their pictures, as a zip",
  query: ExportQuery,
  successes: { 200: { description: "The zip", contentType: "application/zip" } },
  problems: ["validation_error"],
} satisfies Operation
