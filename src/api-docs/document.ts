// The parts of an OpenAPI document that `openapi.ts` writes.

type Scalar = string | number | boolean | null

/** A JSON Schema. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  default?: string | number
  example?: string
  const?: Scalar
  enum?: Scalar[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  pattern?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: false | Schema
  anyOf?: Schema[]
}

interface Parameter {
  in: "path" | "query" | "header"
  name: string
  description?: string
  required?: boolean
  schema: Schema
}

/** A body's schema and example by media type. */
export type MediaTypes = Record<string, { schema: Schema; example?: unknown }>

export interface Response {
  description: string
  headers?: Record<string, { description: string }>
  content?: MediaTypes
}

/** An operation with its method and path. */
export interface Call {
  /** In upper case. */
  method: string
  /** With parameters in braces: `/posts/{slug}/`. */
  path: string
  operationId: string
  tags?: string[]
  summary: string
  description?: string
  /** Names of schemes; any one of them is enough. */
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: MediaTypes }
  responses: Record<string, Response>
}

export interface OpenApi {
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Omit<Call, "method" | "path">>>
  components: { schemas: Record<string, Schema> }
}

/** Groups the operations of an OpenAPI document by their first tag, in the order of its tags. */
export const callsByTag = ({ tags, paths }: OpenApi) => {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]): Call => ({ ...item, method: method.toUpperCase(), path })),
  )
  return tags.map((tag) => ({ ...tag, calls: calls.filter(({ tags: [first] = [] }) => first === tag.name) }))
}

/** Returns the name of the schema that `$ref` points to, its last part; an empty string without one. */
export const nameOf = ($ref = ""): string => $ref.split("/").at(-1) ?? ""

/** Returns the credentials that an operation needs: an API key, the operator's token, or none (`anybody`). */
export const callerOf = ({ security }: Call): "anybody" | "key" | "operator" => {
  if (security.length === 0) return "anybody"
  return security.some((scheme) => "operator" in scheme) ? "operator" : "key"
}

const CREDENTIALS = { key: "X-API-KEY: $KEY", operator: "Authorization: Bearer $OPERATOR_TOKEN" }

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Fills each parameter of the path that has an example, and adds those of the query that have one. */
const addressOf = ({ path, parameters = [] }: Call): string => {
  const examples = new Map(parameters.map(({ name, schema }) => [name, schema.example]))
  // Matches `{slug}`. Does not match `:slug`.
  const filled = path.replaceAll(/\{(\w+)\}/g, (braced, name: string) =>
    encodeURIComponent(examples.get(name) ?? braced),
  )
  const shown = parameters.filter(({ in: place, schema }) => place === "query" && schema.example !== undefined)
  return [filled, ...shown.map(({ name, schema }) => `${name}=${schema.example}`)].join("?")
}

/** Returns curl arguments that send an example of the body. */
const bodyOf = ({ requestBody }: Call): string[] => {
  if (!requestBody) return []
  const { "application/json": json, "multipart/form-data": form } = requestBody.content
  if (form) return (form.schema.required ?? []).map((name) => `-F ${name}=@image.jpg`)
  const example = JSON.stringify(json?.example ?? {}, null, 2).replaceAll("\n", "\n  ")
  return [`-H "Content-Type: application/json"`, `-d ${quoted(example)}`]
}

/** Returns a curl command that uses the shell variables BASE and KEY or OPERATOR_TOKEN; null if the call needs no credentials. */
export const curlOf = (call: Call): string | null => {
  const caller = callerOf(call)
  if (caller === "anybody") return null
  const body = bodyOf(call)
  // curl sends POST by default if there is a body.
  const isDefault = call.method === (body.length > 0 ? "POST" : "GET")
  const first = ["curl -sS", ...(isDefault ? [] : [`-X ${call.method}`]), `"$BASE${addressOf(call)}"`].join(" ")
  return [first, `-H "${CREDENTIALS[caller]}"`, ...body].join(" \\\n  ")
}
