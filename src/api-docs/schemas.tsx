import type { Child } from "hono/jsx"

import { PROBLEMS } from "../http/errors.ts"
import { type Content, type OpenApi, type Response, type Schema, constraintsOf, nameOf, resolve } from "./document.ts"
import { withCode } from "./layout.tsx"

/** A link to a schema that has a name. */
const Named = ({ name }: { name: string }) => (
  <a href={`#schema-${name}`}>
    <code>{name}</code>
  </a>
)

/** Alternatives: `a, b or c`. */
const joinedByOr = (parts: Child[]): Child[] =>
  parts.flatMap((part, i) => (i === 0 ? [part] : [i === parts.length - 1 ? " or " : ", ", part]))

const limitsOf = (schema: Schema): Child[] => constraintsOf(schema).map((limit) => [", ", withCode(limit)])

const FORMATS: Record<string, string> = { "date-time": "RFC 3339 time", binary: "file" }

const plainWords = ({ type = "anything", format }: Schema): string => {
  const words = [type].flat().join(" or ")
  return format ? (FORMATS[format] ?? `${words} (${format})`) : words
}

const wordsOf = (schema: Schema): Child => {
  const { $ref, anyOf, enum: values, items, additionalProperties } = schema
  if ($ref) return <Named name={nameOf($ref)} />
  if (anyOf) return joinedByOr(anyOf.map(typeOf))
  if (schema.const !== undefined) return <code>{String(schema.const)}</code>
  if (values) return joinedByOr(values.map((value) => <code>{String(value)}</code>))
  // The plain types of JSON have their plural by an s.
  if (items) return ["array of ", wordsOf(items), items.type && !items.enum ? "s" : "", ...limitsOf(items)]
  if (additionalProperties && Object.keys(additionalProperties).length > 0)
    return ["object whose values are ", typeOf(additionalProperties)]
  return plainWords(schema)
}

/** A schema's type with its limits and an example, in words. */
const typeOf = (schema: Schema): Child => [
  wordsOf(schema),
  ...limitsOf(schema),
  schema.example !== undefined && [", such as ", <code>{schema.example}</code>],
]

/** Objects inside of a schema whose fields have no page of their own. */
const objectsIn = (schema: Schema): Schema[] =>
  schema.properties ? [schema] : [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].flatMap(objectsIn)

interface FieldProps {
  name: string
  schema: Schema
  description?: string
  /** Such as `required`. */
  notes?: string[]
  isSent: boolean
}

/** A field, parameter or header with all that is known of it. */
export const Field = ({ name, schema, description = schema.description, notes = [], isSent }: FieldProps) => (
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
        <Fields schema={inner} isSent={isSent} />
      </dd>
    ))}
  </div>
)

interface Props {
  schema: Schema
  /** Whether clients send it; they want to know what is required, and of answers what may be missing. */
  isSent: boolean
}

/** The fields of an object. */
export const Fields = ({ schema: { properties = {}, required = [] }, isSent }: Props) => (
  <dl class="fields">
    {Object.entries(properties).map(([name, schema]) => (
      <Field
        name={name}
        schema={schema}
        isSent={isSent}
        notes={required.includes(name) ? (isSent ? ["required"] : []) : ["optional"]}
      />
    ))}
  </dl>
)

interface KindProps {
  /** A media type. */
  type: string
  schema: Schema
  description?: string
}

/** What is sent or answered, without its fields. */
const Kind = ({ type, schema, description = schema.description }: KindProps) => (
  <>
    <p class="kind">
      <code>{type}</code>
      {": "}
      {typeOf(schema)}
    </p>
    {description && <p>{withCode(description)}</p>}
  </>
)

/** What is sent or answered, with its fields. */
export const Body = ({ document, content = {}, isSent }: { document: OpenApi; content?: Content; isSent: boolean }) =>
  Object.entries(content).map(([type, { schema }]) => {
    const shown = resolve(document, schema)
    return (
      <>
        <Kind type={type} schema={schema} description={shown.description} />
        {objectsIn(shown).map((inner) => (
          <Fields schema={inner} isSent={isSent} />
        ))}
      </>
    )
  })

/** The words of an error, its codes as links to what they mean. */
const withCodes = (text: string) =>
  text.split("`").map((part, i) => {
    if (i % 2 === 0) return part
    const code = <code>{part}</code>
    return part in PROBLEMS ? <a href={`/docs/errors/#${part}`}>{code}</a> : code
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

interface ResponsesProps {
  document: OpenApi
  /** By status. */
  responses: [string, Response][]
}

const Successes = ({ document, responses }: ResponsesProps) => (
  <dl class="answers">
    {responses.map(([status, { description, headers, content }]) => (
      <div>
        <dt>
          <strong>{status}</strong> {withCode(description)}
        </dt>
        <dd>
          <Body document={document} content={content} isSent={false} />
          <Headers headers={headers} />
        </dd>
      </div>
    ))}
  </dl>
)

const Errors = ({ responses }: Pick<ResponsesProps, "responses">) => {
  // Each kind once: they come as the same, whatever their status.
  const kinds = new Map(responses.flatMap(([, { content = {} }]) => Object.entries(content)))
  return (
    <>
      {[...kinds].map(([type, { schema }]) => (
        <Kind type={type} schema={schema} />
      ))}
      <dl class="errors">
        {responses.map(([status, { description }]) => (
          <div>
            <dt>{status}</dt>
            <dd>{withCodes(description)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** What an operation answers, when it succeeds and when it does not. */
export const Responses = ({ document, responses }: { document: OpenApi; responses: Record<string, Response> }) => {
  const [errors = [], successes = []] = [true, false].map((wanted) =>
    Object.entries(responses).filter(([status]) => Number(status) >= 400 === wanted),
  )
  return (
    <>
      <h4>Answers</h4>
      <Successes document={document} responses={successes} />
      <h4>Errors</h4>
      <Errors responses={errors} />
    </>
  )
}
