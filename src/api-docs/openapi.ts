import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from "zod-openapi"

import { PROBLEMS, Problem, TITLES } from "../http/errors.ts"
import { type Access, type Documented, headersOf, problemsOf, type Success } from "../http/operation.ts"
import { isForPrograms, type Route } from "../http/route.ts"

const contentOf = ({ schema, contentType }: Success) => {
  if (schema) return { "application/json": { schema } }
  const format = contentType === "image/webp" ? "binary" : undefined
  const type = contentType?.endsWith("json") ? ("object" as const) : ("string" as const)
  return contentType ? { [contentType]: { schema: { type, format } } } : undefined
}

const REPLAYED = { "Idempotent-Replayed": "`true`: the answer to an earlier request with this Idempotency-Key" }

const success = (answer: Success, acceptsIdempotencyKey = false): ZodOpenApiResponseObject => {
  const headers = {
    "X-Request-Id": "The request's id in the logs",
    ...(acceptsIdempotencyKey && REPLAYED),
    ...answer.headers,
  }
  return {
    description: answer.description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
    ),
    content: contentOf(answer),
  }
}

const PAGE = {
  "text/html": { schema: { type: "string" as const, description: "For clients that accept `text/html`" } },
}

const problemResponses = (operation: Documented): Record<string, ZodOpenApiResponseObject> => {
  const byStatus = Map.groupBy(problemsOf(operation), (code) => PROBLEMS[code].status)
  const entries = [...byStatus].map(([status, codes]): [string, ZodOpenApiResponseObject] => [
    String(status),
    {
      description: `${TITLES[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}`,
      content: { "application/problem+json": { schema: Problem }, ...(!isForPrograms(operation.path) && PAGE) },
    },
  ])
  return Object.fromEntries(entries)
}

const SECURITY: Partial<Record<Access, Record<string, string[]>[]>> = {
  key: [{ authorization: [] }, { xApiKey: [] }],
  operator: [{ operator: [] }],
}

const describe = (operation: Documented): ZodOpenApiOperationObject => {
  const { operationId, tag, summary, description, access, params, query, body, example, successes } = operation
  const header = headersOf(operation)
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: SECURITY[access] ?? [],
    requestParams: { ...(params && { path: params }), ...(query && { query }), ...(header && { header }) },
    requestBody: body && {
      required: !body.safeParse({}).success,
      content: { [operation.contentType ?? "application/json"]: { schema: body, example } },
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(successes).map(([status, answer]) => [status, success(answer, operation.acceptsIdempotencyKey)]),
      ),
      ...problemResponses(operation),
    },
  }
}

/** Converts a path from Hono's syntax to OpenAPI's: `/a/:b{pattern}/` to `/a/{b}/`. Does not match `/a/b/`. */
const openApiPath = (path: string): string => path.replace(/:(\w+)(?:\{[^}]*\})?/g, "{$1}")

const paths = (operations: Documented[]) => {
  const byPath = Map.groupBy(operations, ({ path }) => openApiPath(path))
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(group.map((operation) => [operation.method.toLowerCase(), describe(operation)])),
    ]),
  )
}

const TAGS = [
  { name: "Posts", description: "Create, read, update and delete your posts." },
  { name: "Images", description: "Upload images, then use them in posts." },
  { name: "Translations", description: "Read the status of a post's translations, retry one or remove one." },
  { name: "Account", description: "Read the account of the API key." },
  {
    name: "Webhooks",
    description: "Have addresses of yours told of what happens to posts, if the service has webhooks.",
  },
  { name: "Operator", description: "Manage accounts and keys, as the operator of the service." },
  { name: "Billing", description: "Receive payments from Stripe." },
  { name: "Pages", description: "Pages for readers." },
]

/** Builds the OpenAPI 3.1 document of all tagged routes from the schemas that validate their requests. */
export const buildOpenApi = (routes: Route[]) => {
  const operations = routes.flatMap(({ operation }) => (operation.tag === null ? [] : [operation]))
  const documented = TAGS.flatMap(({ name }) => operations.filter(({ tag }) => tag === name))
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "edgepost",
      version: "1.0.0",
      description: "Blog-post automation: create, update and delete posts, upload images, translate posts.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: TAGS,
    paths: paths(documented),
    components: {
      securitySchemes: {
        authorization: { type: "apiKey", in: "header", name: "Authorization", description: "`Api-Key <API_KEY>`" },
        xApiKey: { type: "apiKey", in: "header", name: "X-API-KEY", description: "`<API_KEY>`" },
        operator: { type: "http", scheme: "bearer", description: "`OPERATOR_TOKEN`" },
      },
    },
  })
}
