import { PROBLEMS } from "../http/problems.ts"
import type { OpenApi, Response } from "./document.ts"
import { Body, Kind } from "./fields.tsx"
import { withCode } from "./parts.tsx"

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

interface Props {
  document: OpenApi
  /** By status. */
  responses: [string, Response][]
}

const Successes = ({ document, responses }: Props) => (
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

const Errors = ({ responses }: Pick<Props, "responses">) => {
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
