import openapi from "../../public/openapi.json"
import { codePoints } from "../../src/http/fields.ts"
import type { Method } from "../../src/http/operation.ts"

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
}

interface Parameter {
  in: "path" | "query" | "header"
  name: string
  schema: Schema
  required?: boolean
}

interface Described {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  security?: Record<string, string[]>[]
}

/** A place of a request that holds a value: a parameter or a field of its JSON body. */
export interface Place {
  in: Parameter["in"] | "body"
  name: string
  schema: Schema
  isRequired: boolean
}

/** An operation of the OpenAPI document. */
export interface Documented {
  id: string
  method: Method
  /** The path with its parameters in braces. */
  path: string
  credentials: "key" | "operator" | null
  contentType: string | null
  places: Place[]
}

const schemas: Record<string, Schema> = openapi.components.schemas

const resolve = (schema: Schema): Schema => {
  const name = schema.$ref?.split("/").at(-1)
  const found = name === undefined ? schema : schemas[name]
  if (!found) throw new Error(`The document has no ${schema.$ref}.`)
  return found
}

const placesOf = ({ parameters = [], requestBody }: Described): Place[] => {
  const { properties = {}, required = [] } = resolve(requestBody?.content["application/json"]?.schema ?? {})
  return [
    ...parameters.map(({ in: where, name, schema, required: isRequired = false }) => ({
      in: where,
      name,
      schema,
      isRequired,
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      in: "body" as const,
      name,
      schema,
      isRequired: required.includes(name),
    })),
  ]
}

const credentialsOf = ({ security = [] }: Described): Documented["credentials"] => {
  if (security.length === 0) return null
  return security.some((scheme) => "operator" in scheme) ? "operator" : "key"
}

/** Every operation of the document, but for one that answers on a blog's own host alone. */
export const documented: Documented[] = Object.entries(
  openapi.paths as unknown as Record<string, Record<string, Described>>,
)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase() as Method,
      path,
      credentials: credentialsOf(described),
      contentType: Object.keys(described.requestBody?.content ?? {})[0] ?? null,
      places: placesOf(described),
    })),
  )
  .filter(({ id }) => id !== "getOldAddress")

const typeOf = (value: unknown): string => {
  if (value === null) return "null"
  return Array.isArray(value) ? "array" : typeof value
}

const hasType = (value: unknown, type: string): boolean =>
  type === "integer" ? Number.isInteger(value) : typeOf(value) === type

const textConforms = ({ minLength = 0, maxLength = Infinity, pattern }: Schema, text: string): boolean => {
  // Lengths count in the stored form.
  const length = codePoints(text.normalize("NFC"))
  return length >= minLength && length <= maxLength && (!pattern || new RegExp(pattern, "u").test(text))
}

const fieldsConform = ({ properties = {}, required = [] }: Schema, value: object): boolean =>
  required.every((name) => Object.hasOwn(value, name)) &&
  Object.entries(value).every(([name, field]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    return !schema || conforms(schema, field)
  })

/** Returns true if the schema allows the value. */
export const conforms = (written: Schema, value: unknown): boolean => {
  const schema = resolve(written)
  const { type = [], minimum = -Infinity, maximum = Infinity, maxItems = Infinity, items = {} } = schema
  if (schema.anyOf && !schema.anyOf.some((one) => conforms(one, value))) return false
  if (type.length > 0 && ![type].flat().some((name) => hasType(value, name))) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if (typeof value === "string") return textConforms(schema, value)
  if (typeof value === "number") return value >= minimum && value <= maximum
  if (Array.isArray(value)) return value.length <= maxItems && value.every((item) => conforms(items, item))
  return typeof value !== "object" || value === null || fieldsConform(schema, value)
}
