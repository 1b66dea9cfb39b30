import { callsByTag, nameOf, type OpenApi } from "./document.ts"
import { Fields } from "./fields.tsx"
import { Intro } from "./intro.tsx"
import { Operation } from "./operation.tsx"
import { renderDocs } from "./page.tsx"
import { Method, withCode } from "./parts.tsx"

const Contents = ({ document }: { document: OpenApi }) => (
  <nav class="contents" aria-labelledby="contents">
    <h2 id="contents">Contents</h2>
    <ul>
      {callsByTag(document).map(({ name, calls }) => (
        <li>
          <a href={`#tag-${name}`}>{name}</a>
          <ul>
            {calls.map(({ operationId, method, summary }) => (
              <li>
                <a href={`#${operationId}`}>
                  <Method method={method} /> {summary}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#schemas">Schemas</a>
        <ul class="names">
          {Object.keys(document.components.schemas).map((name) => (
            <li>
              <a href={`#schema-${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </li>
    </ul>
  </nav>
)

const Operations = ({ document }: { document: OpenApi }) =>
  callsByTag(document).map(({ name, description, calls }) => (
    <section id={`tag-${name}`}>
      <h2>{name}</h2>
      <p>{withCode(description)}</p>
      {calls.map((call) => (
        <Operation document={document} call={call} />
      ))}
    </section>
  ))

/** Names of the schemas that clients send. */
const sentNames = (document: OpenApi): Set<string> => {
  const bodies = callsByTag(document).flatMap(({ calls }) => calls.map(({ requestBody }) => requestBody?.content ?? {}))
  return new Set(bodies.flatMap((content) => Object.values(content).map(({ schema }) => nameOf(schema.$ref ?? ""))))
}

const Schemas = ({ document }: { document: OpenApi }) => {
  const sent = sentNames(document)
  return (
    <section id="schemas">
      <h2>Schemas</h2>
      <p>What stands in bodies and answers, by the names that generated clients give it.</p>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <section id={`schema-${name}`}>
          <h3>
            <a href={`#schema-${name}`}>
              <code>{name}</code>
            </a>
          </h3>
          {schema.description && <p>{withCode(schema.description)}</p>}
          <Fields schema={schema} isSent={sent.has(name)} />
        </section>
      ))}
    </section>
  )
}

/**
 * The reference page.
 * @param origin where calls go
 */
export const renderReference = (document: OpenApi, origin: string) =>
  renderDocs({
    title: "API reference",
    path: "/docs/",
    children: (
      <>
        <Intro document={document} origin={origin} />
        <Contents document={document} />
        <div>
          <Operations document={document} />
          <Schemas document={document} />
        </div>
      </>
    ),
  })
