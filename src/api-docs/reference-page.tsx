import { type Call, type OpenApi, callerOf, callsByTag, curlOf, nameOf } from "./document.ts"
import { MethodBadge, Path, renderDocs, withCode } from "./layout.tsx"
import { Body, SchemaField, SchemaFields, Responses } from "./schemas.tsx"

/** Renders the page of the API reference from the OpenAPI document. @param origin of the API, for the examples */
export const renderReference = (document: OpenApi, origin: string) => {
  const tags = callsByTag(document)
  return renderDocs({
    title: "API reference",
    path: "/docs/",
    children: (
      <>
        <Intro about={document.info.description} origin={origin} />
        <Contents tags={tags} schemas={Object.keys(document.components.schemas)} />
        <div>
          {tags.map(({ name, description, calls }) => (
            <section id={`tag-${name}`}>
              <h2>{name}</h2>
              <p>{withCode(description)}</p>
              {calls.map((call) => (
                <Operation document={document} call={call} />
              ))}
            </section>
          ))}
          <Schemas document={document} sent={sentNames(tags)} />
        </div>
      </>
    ),
  })
}

type Tags = ReturnType<typeof callsByTag>

const Contents = ({ tags, schemas }: { tags: Tags; schemas: string[] }) => (
  <nav class="contents" aria-labelledby="contents">
    <h2 id="contents">Contents</h2>
    <ul>
      {tags.map(({ name, calls }) => (
        <li>
          <a href={`#tag-${name}`}>{name}</a>
          <ul>
            {calls.map(({ operationId, method, summary }) => (
              <li>
                <a href={`#${operationId}`}>
                  <MethodBadge method={method} /> {summary}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#schemas">Schemas</a>
        <ul class="names">
          {schemas.map((name) => (
            <li>
              <a href={`#schema-${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </li>
    </ul>
  </nav>
)

/** Returns the names of the schemas of request bodies. */
const sentNames = (tags: Tags): Set<string> => {
  const bodies = tags.flatMap(({ calls }) =>
    calls.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {})),
  )
  return new Set(bodies.map(({ schema }) => nameOf(schema.$ref)))
}

const Schemas = ({ document, sent }: { document: OpenApi; sent: Set<string> }) => (
  <section id="schemas">
    <h2>Schemas</h2>
    <p>The schemas of requests and responses, by the names that generated clients use.</p>
    {Object.entries(document.components.schemas).map(([name, schema]) => (
      <section id={`schema-${name}`}>
        <h3>
          <a href={`#schema-${name}`}>
            <code>{name}</code>
          </a>
        </h3>
        {schema.description && <p>{withCode(schema.description)}</p>}
        <SchemaFields schema={schema} isSent={sent.has(name)} />
      </section>
    ))}
  </section>
)

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

/** Renders one operation. */
const Operation = ({ document, call }: { document: OpenApi; call: Call }) => {
  const { operationId, summary, description, method, path, parameters = [], requestBody, responses } = call
  const example = curlOf(call)
  return (
    <section id={operationId} class="operation">
      <h3>
        <a href={`#${operationId}`}>{summary}</a>
      </h3>
      <p class="call">
        <MethodBadge method={method} /> <Path path={path} />
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
          <dl class="fields">
            {parameters.map(({ in: place, required, ...parameter }) => (
              <SchemaField {...parameter} notes={[place, required ? "required" : "optional"]} isSent />
            ))}
          </dl>
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

/** Renders the introduction: formats, authentication and errors. */
const Intro = ({ about, origin }: { about: string; origin: string }) => (
  <div class="intro">
    <h1>API reference</h1>
    <p>{withCode(about)}</p>
    <p>
      Bodies are JSON in UTF-8, times RFC 3339. The slash at the end of a path is optional. Clients can be generated
      from the <a href="/openapi.json">OpenAPI document</a>.
    </p>
    <h2 id="authentication">Authentication</h2>
    <p>An API key goes into one of two headers:</p>
    <ul class="plain">
      <li>
        <code>{"Authorization: Api-Key <API_KEY>"}</code>
      </li>
      <li>
        <code>{"X-API-KEY: <API_KEY>"}</code>
      </li>
    </ul>
    <p>
      The operator's token goes into <code>Authorization: Bearer OPERATOR_TOKEN</code>.
    </p>
    <p>
      A key belongs to one account. Its author makes it in the <a href="/settings/">settings</a>, where it is shown
      once. The examples want <code>BASE</code> in the shell, and <code>KEY</code> or <code>OPERATOR_TOKEN</code>:
    </p>
    <pre>
      <code>{`export BASE=${origin}\nexport KEY=bpa_…`}</code>
    </pre>
    <h2 id="errors">Errors</h2>
    <p>
      Every answer that is not a success is a <a href="#schema-Problem">Problem</a> (RFC 9457). Decide by its{" "}
      <code>code</code>: <a href="/docs/errors/">error codes</a> says what each one means.
    </p>
  </div>
)
