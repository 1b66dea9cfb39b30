import type { OpenApi, SecurityScheme } from "./document.ts"
import { withCode } from "./parts.tsx"

/** The header that a scheme wants. */
const headerOf = (scheme: SecurityScheme): string => {
  const value = scheme.description.replaceAll("`", "")
  return scheme.type === "http" ? `Authorization: Bearer ${value}` : `${scheme.name}: ${value}`
}

const Schemes = ({ schemes }: { schemes: SecurityScheme[] }) => (
  <ul class="plain">
    {schemes.map((scheme) => (
      <li>
        <code>{headerOf(scheme)}</code>
      </li>
    ))}
  </ul>
)

interface Props {
  document: OpenApi
  /** Where calls go. */
  origin: string
}

/** What to know before the first call. */
export const Intro = ({ document: { info, components }, origin }: Props) => {
  const schemes = Object.values(components.securitySchemes)
  return (
    <div class="intro">
      <h1>API reference</h1>
      <p>{withCode(info.description)}</p>
      <p>
        Bodies are JSON in UTF-8, times RFC 3339. The slash at the end of a path is optional. All of this is in the{" "}
        <a href="/openapi.json">OpenAPI document</a>, too, from which clients can be generated.
      </p>
      <h2 id="authentication">Authentication</h2>
      <p>An API key goes into one of two headers:</p>
      <Schemes schemes={schemes.filter(({ type }) => type === "apiKey")} />
      <p>The operator's token goes into this one:</p>
      <Schemes schemes={schemes.filter(({ type }) => type === "http")} />
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
}
