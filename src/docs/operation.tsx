import { curlOf } from "./curl.ts"
import { type Call, callerOf, type OpenApi, type Parameter } from "./document.ts"
import { Body, Field } from "./fields.tsx"
import { Method, Path, withCode } from "./parts.tsx"
import { Responses } from "./responses.tsx"

const NEEDS = { key: "an API key", operator: "the operator's token" }

const Needs = ({ call }: { call: Call }) => {
  const caller = callerOf(call)
  if (caller === "anybody") return "Needs no credentials"
  return (
    <>
      Needs <a href="#authentication">{NEEDS[caller]}</a>
    </>
  )
}

const Parameters = ({ parameters }: { parameters: Parameter[] }) => (
  <dl class="fields">
    {parameters.map(({ name, in: place, schema, description, required }) => (
      <Field
        name={name}
        schema={schema}
        description={description}
        notes={[place, required ? "required" : "optional"]}
        isSent
      />
    ))}
  </dl>
)

/** All of one operation. */
export const Operation = ({ document, call }: { document: OpenApi; call: Call }) => {
  const { operationId, summary, description, method, path, parameters = [], requestBody, responses } = call
  const example = curlOf(call)
  return (
    <section id={operationId} class="operation">
      <h3>
        <a href={`#${operationId}`}>{summary}</a>
      </h3>
      <p class="call">
        <Method method={method} /> <Path path={path} />
      </p>
      <p class="byline">
        <Needs call={call} />. Operation <code>{operationId}</code>.
      </p>
      {description && <p>{withCode(description)}</p>}
      {example && (
        <pre>
          <code>{example}</code>
        </pre>
      )}
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <Parameters parameters={parameters} />
        </>
      )}
      {requestBody && (
        <>
          <h4>Body{requestBody.required ? "" : " (optional)"}</h4>
          <Body document={document} content={requestBody.content} isSent />
        </>
      )}
      <Responses document={document} responses={responses} />
    </section>
  )
}
