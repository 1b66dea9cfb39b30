import { expect, it } from "vitest"

import openapi from "../../public/openapi.json"
import { app } from "../../src/app.ts"
import { PROBLEMS } from "../../src/http/errors.ts"
import { routes } from "../../src/routes.ts"
import { call } from "../support.ts"

const nameOf = (method: string, path: string): string => `${method.toUpperCase()} ${path.replace(/\/$/, "")}`

const inDocument = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => nameOf(method, path)),
)

const operations = routes.flatMap(({ operation }) => (operation.tag === null ? [] : [operation]))

const asDocumented = (path: string): string => path.replace(/:(\w+)(?:\{[^}]*\})?/g, "{$1}")

it("the OpenAPI document and the router of the Worker have the same routes", () => {
  const pages = routes
    .filter(({ operation }) => operation.tag === null)
    .map(({ operation: { method, path } }) => nameOf(method, asDocumented(path)))
  const inRouter = app.routes
    .filter(({ method, path }) => method !== "ALL" && !path.endsWith("*"))
    .map(({ method, path }) => nameOf(method, asDocumented(path)))
  expect(new Set(inRouter)).toEqual(new Set([...inDocument, ...pages]))
})

it("every operation of the OpenAPI document has a unique operationId", () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
})

it.each(operations.flatMap(({ operationId, body, example }) => (example ? [{ operationId, body, example }] : [])))(
  "the request schema of the operation $operationId accepts its documented example",
  ({ body, example }) => {
    expect(body?.safeParse(example).error).toBeUndefined()
  },
)

it.each([
  ["/{author}/{slug}/", "/@nobody/nothing/", ["application/problem+json", "text/html"]],
  ["/api/blogcontroller/posts/", "/api/blogcontroller/posts/", ["application/problem+json"]],
] as const)("404 errors of GET %s have exactly the documented content types", async (path, address, types) => {
  expect(Object.keys(openapi.paths[path].get.responses[404].content)).toEqual(types)
  const accepts = ["application/json", "text/html"]
  const answers = await Promise.all(accepts.map((Accept) => call("GET", address, { headers: { Accept } })))
  const sent = answers.map(({ headers }) => headers.get("Content-Type")?.replace(/;.*/, ""))
  expect([...new Set(sent)]).toEqual(types)
})

it("the page /docs/errors/ explains every error code at its own anchor", async () => {
  const { text } = await call("GET", "/docs/errors/")
  for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`id="${code}"`)
})
