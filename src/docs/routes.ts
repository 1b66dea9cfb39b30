import { route } from "../http/route.ts"
import { renderErrors } from "./errors.tsx"
import { getErrorsPage } from "./schema.ts"

const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const docsRoutes = [
  route(getErrorsPage, (c) =>
    c.html(renderErrors(), 200, { "Content-Security-Policy": POLICY, "Cache-Control": "public, max-age=3600" }),
  ),
]
