import { PROBLEMS, TITLES } from "../http/errors.ts"
import { renderDocs, withCode } from "./layout.tsx"

/** Renders the documentation page of all error codes, to which the `type` of every error answer points. */
export const renderErrors = () =>
  renderDocs({
    title: "Error codes",
    path: "/docs/errors/",
    children: (
      <>
        <h1>Error codes</h1>
        <p>
          Every answer that is not a success is <code>application/problem+json</code> (RFC 9457). Decide by{" "}
          <code>code</code>; show <code>detail</code>; <code>errors</code> names the fields. See the{" "}
          <a href="/docs/">reference</a> for the calls.
        </p>
        {Object.entries(PROBLEMS).map(([code, { status, about }]) => (
          <section id={code}>
            <h2>
              <a href={`#${code}`}>
                <code>{code}</code>
              </a>
            </h2>
            <p class="byline">
              {status} {TITLES[status]}
            </p>
            <p>{withCode(about)}</p>
          </section>
        ))}
      </>
    ),
  })
