import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { type Operation, shown } from "../http/operation.ts"
import { type Handler, route } from "../http/route.ts"
import type { OpenApi } from "./document.ts"
import { renderErrors } from "./errors-page.tsx"
import { renderMarkdownHelp } from "./markdown-page.tsx"
import { renderReference } from "./reference-page.tsx"

const page = {
  method: "GET",
  access: "public",
  tag: "Pages",
  successes: shown,
  problems: [],
} satisfies Partial<Operation>

const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cache-Control": "public, max-age=3600",
}

/** Reads the OpenAPI document from the static files. @throws ApiError `misconfigured` if it is missing */
const readDocument = async (c: AppContext): Promise<OpenApi> => {
  const file = await c.env.ASSETS.fetch(new URL("/openapi.json", c.req.url))
  if (!file.ok) throw new ApiError("misconfigured", "The static file openapi.json is missing.")
  return file.json()
}

export const docsRoutes = [
  route({ ...page, operationId: "getReference", path: "/docs/", summary: "This reference" }, async (c) =>
    c.html(renderReference(await readDocument(c), c.var.origin), 200, HEADERS),
  ),

  route({ ...page, operationId: "getErrorsPage", path: "/docs/errors/", summary: "The list of error codes" }, (c) =>
    c.html(renderErrors(), 200, HEADERS),
  ),

  route({ ...page, operationId: "getMarkdownPage", path: "/docs/markdown/", summary: "How to write Markdown" }, (c) =>
    c.html(renderMarkdownHelp(), 200, HEADERS),
  ),
]

/** Serves the OpenAPI document. @throws ApiError 404 if it is missing */
export const serveDocument: Handler = async (c) => {
  const file = await c.env.ASSETS.fetch(c.req.raw)
  if (file.status === 404) throw new ApiError("not_found", "There is nothing at this address.")
  return c.newResponse(file.body, file)
}
