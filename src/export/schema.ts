import * as z from "zod"

import { Cursor } from "../http/cursor.ts"

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
