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
