import { html } from "hono/html"

import { type ProblemCode, PROBLEMS, TITLES } from "../http/problems.ts"

/** Words between backticks as code. */
const withCode = (text: string) => text.split("`").map((part, i) => (i % 2 ? <code>{part}</code> : part))

const Entry = ({ code }: { code: ProblemCode }) => {
  const { status, about } = PROBLEMS[code]
  return (
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
  )
}

const Page = () => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>Error codes · edgepost</title>
      <link rel="stylesheet" href="/assets/site.css" />
      <link rel="icon" href="/assets/icon.svg" />
    </head>
    <body>
      <main>
        <h1>Error codes</h1>
        <p>
          Every answer that is not a success is <code>application/problem+json</code> (RFC 9457). Decide by{" "}
          <code>code</code>; show <code>detail</code>; <code>errors</code> names the fields. See the{" "}
          <a href="/docs/">reference</a> for the calls.
        </p>
        {(Object.keys(PROBLEMS) as ProblemCode[]).map((code) => (
          <Entry code={code} />
        ))}
      </main>
    </body>
  </html>
)

/** The page that `type` of every problem points at. */
export const renderErrors = () => html`<!doctype html>${<Page />}`
