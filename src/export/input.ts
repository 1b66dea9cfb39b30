import * as z from "zod"

import { Cursor } from "../http/cursor.ts"

/** The number of a part: `12`, not `0`. */
const PartNumber = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, "Must be the number of a part.")
  .transform(Number)

/** The posts after `cursor`, up to and including `until`; `part` is used only in the file name. */
export const ExportQuery = z.object({
  cursor: Cursor.optional(),
  until: Cursor.optional(),
  part: PartNumber.optional(),
})
