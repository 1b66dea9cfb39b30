import * as z from "zod"

import { Cursor } from "../http/cursor.ts"
import type { Operation } from "../http/route.ts"

export const ExportQuery = z.object({ cursor: Cursor.optional() })

export const getExport: Operation = {
  operationId: "getExport",
  method: "GET",
  path: "/settings/export/",
  access: "author",
  tag: null,
  summary: "Posts of the author with their pictures, as a zip",
  query: ExportQuery,
  successes: { 200: { description: "The zip", contentType: "application/zip" } },
  problems: ["validation_error"],
}
