import openapi from "../../public/openapi.json"

// The content that the reference page must show, read without the code that makes the page.

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  pattern?: string
  default?: string
  example?: string
  enum?: string[]
  const?: boolean
  additionalProperties?: false | Schema
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}
interface Parameter {
  in: string
  name: string
  description?: string
  required?: boolean
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
export interface Operation {
  operationId: string
  summary: string
  description?: string
  security: object[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<
    string,
    { description: string; headers?: Record<string, { description: string }>; content?: Content }
  >
}

export const schemas = openapi.components.schemas as Record<string, Schema>
export const operations = Object.entries(openapi.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
)

export const plain = (text = ""): string => text.replaceAll("`", "").replaceAll(/\s+/g, " ")
export const refName = (schema: Schema): string => schema.$ref?.split("/").at(-1) ?? ""
/** Returns the page's sentence about the credentials of an operation. */
export const needOf = ({ security: [scheme] }: Operation): string => {
  if (!scheme) return "Needs no credentials"
  return "operator" in scheme ? "Needs the operator's token" : "Needs an API key"
}

const FORMATS: Record<string, string> = { "date-time": "RFC 3339 time", binary: "file" }
const LIMITS = ["minLength", "maxLength", "minimum", "maximum", "maxItems"]

/** Returns the facts of a schema, except those of its objects' fields. */
const factsOf = (schema: Schema): string[] => [
  refName(schema),
  plain(schema.description),
  ...LIMITS.map((name) => (schema as Record<string, unknown>)[name])
    .filter((limit) => limit !== undefined && Math.abs(Number(limit)) !== Number.MAX_SAFE_INTEGER)
    .map(String),
  ...(schema.format ? [FORMATS[schema.format] ?? schema.format] : []),
  ...(schema.pattern && !schema.format ? [schema.pattern] : []),
  ...(schema.enum ?? []),
  schema.default ?? "",
  schema.example ?? "",
  ...(schema.const === undefined ? [] : [String(schema.const)]),
  ...("enum" in schema || "const" in schema || "format" in schema ? [] : [schema.type ?? []].flat()),
  ...[schema.items ?? [], schema.anyOf ?? [], schema.additionalProperties || []].flat().flatMap(factsOf),
]

/** A field, parameter, header or answer: its term and the facts about it. */
export interface Term {
  name: string
  facts: string[]
}

/** Returns every field of a schema and of the unnamed objects inside it. */
export const fieldsOf = (schema: Schema, isSent: boolean): Term[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name)
    const mark = isRequired ? (isSent ? "required" : "") : "optional"
    return [{ name: `${name} ${mark}`.trim(), facts: factsOf(field) }, ...fieldsOf(field, isSent)]
  }),
  ...[schema.items ?? [], schema.anyOf ?? []].flat().flatMap((inner) => fieldsOf(inner, isSent)),
]

const contentTerms = (content: Content = {}, isSent = false): Term[] =>
  Object.values(content).flatMap(({ schema }) => fieldsOf(schemas[refName(schema)] ?? schema, isSent))

export const termsOf = ({ parameters = [], requestBody, responses }: Operation): Term[] => [
  ...parameters.map(({ in: place, name, description, required, schema }) => ({
    name: `${name} ${place} ${required ? "required" : "optional"}`,
    facts: [plain(description), ...factsOf(schema)],
  })),
  ...contentTerms(requestBody?.content, true),
  ...Object.entries(responses).flatMap(([status, { description, headers = {}, content }]) =>
    Number(status) >= 400
      ? [{ name: status, facts: [plain(description)] }]
      : [
          { name: `${status} ${plain(description)}`, facts: Object.keys(content ?? {}) },
          ...Object.entries(headers).map(([name, header]) => ({ name, facts: [plain(header.description)] })),
          ...contentTerms(content),
        ],
  ),
]

/** Returns every keyword of a schema and of the schemas inside it. */
const keywordsIn = (schema: Schema): string[] => [
  ...Object.keys(schema),
  ...[Object.values(schema.properties ?? {}), schema.items ?? [], schema.anyOf ?? []].flat().flatMap(keywordsIn),
  ...(schema.additionalProperties ? keywordsIn(schema.additionalProperties) : []),
]

/** Returns keywords of the document that this code does not know and cannot check. */
export const unknownKeywords = (): string[] => {
  const found = Object.values(schemas).flatMap(keywordsIn)
  JSON.stringify(openapi, (key, value) => {
    if (key === "schema") found.push(...keywordsIn(value))
    return value
  })
  const objects = ["$ref", "type", "properties", "required", "items", "anyOf", "additionalProperties", "propertyNames"]
  const facts = ["enum", "const", "format", "pattern", "description", "default", "example"]
  const known = new Set([...objects, ...LIMITS, ...facts])
  return found.filter((keyword) => !known.has(keyword))
}
