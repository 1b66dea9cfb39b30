import type { Child } from "hono/jsx"

import { type MediaTypes, type OpenApi, type Response, type Schema, nameOf } from "./document.ts"
import { withCode } from "./layout.tsx"

/** Joins alternatives: `a, b or c`. */
const joinedByOr = (parts: Child[]): Child[] =>
  parts.flatMap((part, i) => (i === 0 ? [part] : [i === parts.length - 1 ? " or " : ", ", part]))

const range = (unit: string, least?: number, most?: number): string[] => {
  if (least === undefined && most === undefined) return []
  if (most === undefined) return [`at least ${least}${unit}`]
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`]
}

/** Returns a limit, or undefined if it is only the largest safe integer of JavaScript. */
const limitOf = (limit?: number): number | undefined =>
  Math.abs(limit ?? 0) === Number.MAX_SAFE_INTEGER ? undefined : limit

/** Writes the limits of a value in words: `, 1 to 255 characters`. */
const limitsOf = ({ format, pattern, ...schema }: Schema): Child[] => {
  const limits = [
    ...range(" characters", schema.minLength, schema.maxLength),
    ...range("", limitOf(schema.minimum), limitOf(schema.maximum)),
    ...range(" items", undefined, schema.maxItems),
    // A format is shorter to read than its pattern.
    ...(pattern && !format ? [`matching \`${pattern}\``] : []),
  ]
  return limits.map((limit) => [", ", withCode(limit)])
}

const FORMATS: Record<string, string> = { "date-time": "RFC 3339 time", binary: "file" }

const plainWords = ({ type = "anything", format }: Schema): string => {
  const words = [type].flat().join(" or ")
  return format ? (FORMATS[format] ?? `${words} (${format})`) : words
}

const wordsOf = (schema: Schema): Child => {
  const { $ref, anyOf, enum: values, items, additionalProperties } = schema
  if ($ref)
    return (
      <a href={`#schema-${nameOf($ref)}`}>
        <code>{nameOf($ref)}</code>
      </a>
    )
  if (anyOf) return joinedByOr(anyOf.map(typeOf))
  if (schema.const !== undefined) return <code>{String(schema.const)}</code>
  if (values) return joinedByOr(values.map((value) => <code>{String(value)}</code>))
  // JSON's types form their plural with an s.
  if (items) return ["array of ", wordsOf(items), items.type && !items.enum ? "s" : "", ...limitsOf(items)]
  if (additionalProperties && Object.keys(additionalProperties).length > 0)
    return ["object whose values are ", typeOf(additionalProperties)]
  return plainWords(schema)
}

/** Describes a schema's type, limits and example in words. */
const typeOf = (schema: Schema): Child => [
  wordsOf(schema),
  ...limitsOf(schema),
  schema.default !== undefined && [", by default ", <code>{schema.default}</code>],
  schema.example !== undefined && [", such as ", <code>{schema.example}</code>],
]

/** Finds the objects in a schema that are not named schemas: their fields are shown in place. */
const objectsIn = (schema: Schema): Schema[] =>
  schema.properties ? [schema] : [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].flatMap(objectsIn)

interface FieldProps {
  name: string
  schema: Schema
  description?: string
  /** Such as `required` or `optional`. */
  notes: string[]
  isSent: boolean
}

/** Renders a field or parameter with its type, notes (such as `required`) and description, and the fields inside of it. */
export const SchemaField = ({ name, schema, description = schema.description, notes, isSent }: FieldProps) => (
  <div>
    <dt>
      <code>{name}</code>
      {notes.map((note) => (
        <span class={note}> {note}</span>
      ))}
    </dt>
    <dd class="type">{typeOf(schema)}</dd>
    {description && <dd>{withCode(description)}</dd>}
    {objectsIn(schema).map((inner) => (
      <dd>
        <SchemaFields schema={inner} isSent={isSent} />
      </dd>
    ))}
  </div>
)

interface FieldsProps {
  schema: Schema
  /** True for request bodies, which mark required fields. Responses mark only optional fields. */
  isSent: boolean
}

/** Renders the fields of an object. `isSent`: of a request, which marks required fields; a response marks optional ones. */
export const SchemaFields = ({ schema: { properties = {}, required = [] }, isSent }: FieldsProps) => {
  const notesOf = (name: string) => (required.includes(name) ? (isSent ? ["required"] : []) : ["optional"])
  return (
    <dl class="fields">
      {Object.entries(properties).map(([name, schema]) => (
        <SchemaField name={name} schema={schema} isSent={isSent} notes={notesOf(name)} />
      ))}
    </dl>
  )
}

interface BodyProps {
  document: OpenApi
  content?: MediaTypes
  isSent?: boolean
  hasFields?: boolean
}

/** Renders the body of a request (`isSent`) or response, by media type, with the list of its fields if `hasFields`. */
export const Body = ({ document, content = {}, isSent = false, hasFields = true }: BodyProps) =>
  Object.entries(content).map(([type, { schema }]) => {
    const named = document.components.schemas[nameOf(schema.$ref)] ?? schema
    return (
      <>
        <p class="kind">
          <code>{type}</code>: {typeOf(schema)}
        </p>
        {named.description && <p>{withCode(named.description)}</p>}
        {hasFields && objectsIn(named).map((inner) => <SchemaFields schema={inner} isSent={isSent} />)}
      </>
    )
  })

const Headers = ({ headers = {} }: Pick<Response, "headers">) => (
  <>
    <p class="kind">Headers:</p>
    <dl class="headers">
      {Object.entries(headers).map(([name, { description }]) => (
        <div>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{withCode(description)}</dd>
        </div>
      ))}
    </dl>
  </>
)

const isError = ([status]: [string, Response]): boolean => Number(status) >= 400

/** Renders the responses of an operation by status: successes, then errors. */
export const Responses = ({ document, responses }: { document: OpenApi; responses: Record<string, Response> }) => {
  const successes = Object.entries(responses).filter((response) => !isError(response))
  const errors = Object.entries(responses).filter(isError)
  // All errors have the same media types and schema, so these are shown once.
  const errorContent = Object.assign({}, ...errors.map(([, { content }]) => content)) as MediaTypes
  return (
    <>
      <h4>Answers</h4>
      <dl class="answers">
        {successes.map(([status, { description, headers, content }]) => (
          <div>
            <dt>
              <strong>{status}</strong> {withCode(description)}
            </dt>
            <dd>
              <Body document={document} content={content} />
              <Headers headers={headers} />
            </dd>
          </div>
        ))}
      </dl>
      <h4>Errors</h4>
      <Body document={document} content={errorContent} hasFields={false} />
      <dl class="errors">
        {errors.map(([status, { description }]) => (
          <div>
            <dt>{status}</dt>
            <dd>{withCode(description)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
