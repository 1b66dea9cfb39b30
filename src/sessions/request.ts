import type * as z from "zod"

import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/problem.ts"
import { checkBody, orThrow } from "../http/validate.ts"
import { MAX_FORM_BYTES } from "../limits.ts"

/**
 * The JSON of a script of an own page. The guard of forms lets JSON through, so every such call is read here.
 * @throws ApiError 403 when another site's script, or no browser, has sent it
 */
export const readOwnJson = async <S extends z.ZodObject>(c: AppContext, schema: S): Promise<z.output<S>> => {
  if (c.req.header("Origin") !== c.var.origin) throw new ApiError("cross_site")
  return orThrow(await checkBody(c, schema, { limit: MAX_FORM_BYTES })).value
}
