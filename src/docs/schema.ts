import type { Operation } from "../http/route.ts"

export const getErrorsPage: Operation = {
  operationId: "getErrorsPage",
  method: "GET",
  path: "/docs/errors/",
  access: "public",
  tag: "Pages",
  summary: "What every error code means",
  successes: { 200: { description: "The page", contentType: "text/html" } },
  problems: [],
}
