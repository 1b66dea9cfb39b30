// The OpenAPI document as it is read: as much of it as `openapi.ts` writes.

type Scalar = string | number | boolean | null

/** A JSON Schema. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
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

export interface Parameter {
  in: "path" | "query" | "header"
  name: string
  description?: string
  required?: boolean
  schema: Schema
}

/** By media type. */
export type Content = Record<string, { schema: Schema; example?: unknown }>

export interface Response {
  description: string
  headers?: Record<string, { description: string }>
  content?: Content
}

interface PathItem {
  operationId: string
  tags?: string[]
  summary: string
  description?: string
  /** Names of schemes; any one of them is enough. */
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response>
}

/** An operation with its address. */
export interface Call extends PathItem {
  /** In capitals. */
  method: string
  /** With its parameters in braces. */
  path: string
}

interface Tag {
  name: string
  description: string
}

export type SecurityScheme = { description: string } & (
  | { type: "apiKey"; name: string }
  | { type: "http"; scheme: "bearer" }
)

export interface OpenApi {
  info: { title: string; description: string }
  tags: Tag[]
  paths: Record<string, Record<string, PathItem>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, SecurityScheme> }
}

/** Every operation under its tag, in the order of the document. */
export const callsByTag = ({ tags, paths }: OpenApi): (Tag & { calls: Call[] })[] => {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]): Call => ({ ...item, method: method.toUpperCase(), path })),
  )
  return tags.map((tag) => ({ ...tag, calls: calls.filter(({ tags: [first] = [] }) => first === tag.name) }))
}

/** The name of the schema that a reference leads to. */
export const nameOf = ($ref: string): string => $ref.split("/").at(-1) ?? ""

/** A schema itself, where another stands for it by name. */
export const resolve = ({ components }: OpenApi, schema: Schema): Schema =>
  (schema.$ref && components.schemas[nameOf(schema.$ref)]) || schema

/** Whose an operation is: anybody's, a key holder's or the operator's. */
export const callerOf = ({ security }: Call): "anybody" | "key" | "operator" => {
  if (security.length === 0) return "anybody"
  return security.some((scheme) => "operator" in scheme) ? "operator" : "key"
}

const between = (unit: string, least?: number, most?: number): string[] => {
  if (least === undefined && most === undefined) return []
  if (most === undefined) return [`at least ${least}${unit}`]
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`]
}

/** What every integer of JSON that JavaScript reads is within says nothing. */
const told = (limit?: number): number | undefined =>
  limit !== undefined && Number.isSafeInteger(limit) && Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit

/** What a value must keep to beside its type, in words: `1 to 255 characters`. Code stands between backticks. */
export const constraintsOf = ({ format, pattern, ...schema }: Schema): string[] => [
  ...between(" characters", schema.minLength, schema.maxLength),
  ...between("", told(schema.minimum), told(schema.maximum)),
  ...between(" items", undefined, schema.maxItems),
  // A format says it more briefly.
  ...(pattern && !format ? [`matching \`${pattern}\``] : []),
]

const CREDENTIALS = { key: "X-API-KEY: $KEY", operator: "Authorization: Bearer $OPERATOR_TOKEN" }

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The path with an example of each parameter; null when one has none. */
const addressOf = ({ path, parameters = [] }: Call): string | null => {
  const examples = new Map(parameters.map(({ name, schema }) => [name, schema.example]))
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  if (names.some((name) => examples.get(name) === undefined)) return null
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(examples.get(name))))
}

/** Arguments that send a body; null when there is no example of it. */
const bodyOf = ({ requestBody }: Call): string[] | null => {
  if (!requestBody) return []
  const json = requestBody.content["application/json"]
  if (json)
    return json.example === undefined
      ? null
      : [
          `-H "Content-Type: application/json"`,
          `-d ${quoted(JSON.stringify(json.example, null, 2).replaceAll("\n", "\n  "))}`,
        ]
  const { properties = {} } = requestBody.content["multipart/form-data"]?.schema ?? {}
  return Object.keys(properties).map((name) => `-F ${name}=@picture.jpg`)
}

/**
 * Lines to paste into a shell that has BASE and KEY or OPERATOR_TOKEN. Null for what needs no credentials, which a
 * browser opens, and where the document has no example of what must be sent.
 */
export const curlOf = (call: Call): string | null => {
  const caller = callerOf(call)
  const address = addressOf(call)
  const body = bodyOf(call)
  if (caller === "anybody" || address === null || body === null) return null
  // With a body curl sends POST by itself.
  const isDefault = call.method === (body.length > 0 ? "POST" : "GET")
  const first = ["curl -sS", ...(isDefault ? [] : [`-X ${call.method}`]), `"$BASE${address}"`].join(" ")
  return [first, `-H "${CREDENTIALS[caller]}"`, ...body].join(" \\\n  ")
}
