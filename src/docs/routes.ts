import { ApiError } from "../http/problem.ts"
import { type Handler, route } from "../http/route.ts"
import { renderErrors } from "./errors.tsx"
import { getErrorsPage } from "./schema.ts"

const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const docsRoutes = [
  route(getErrorsPage, (c) =>
    c.html(renderErrors(), 200, { "Content-Security-Policy": POLICY, "Cache-Control": "public, max-age=3600" }),
  ),
]

/** The reference page and what belongs to it, from the static files. */
export const serveDocs: Handler = async (c) => {
  const file = await c.env.ASSETS.fetch(c.req.raw)
  if (file.status === 404) throw new ApiError("not_found", "There is nothing at this address.")
  return file
}
