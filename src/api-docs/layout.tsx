import { html } from "hono/html"
import type { Child } from "hono/jsx"

import { Head, Pages, Skip } from "../ui/layout.tsx"

const PAGES = [
  ["/docs/", "Reference"],
  ["/docs/errors/", "Error codes"],
  ["/openapi.json", "OpenAPI"],
] as const

interface Props {
  title: string
  /** Of the page that is shown. */
  path: (typeof PAGES)[number][0]
  children?: Child
}

const Page = ({ title, path, children }: Props) => (
  <html lang="en">
    <Head title={title}>
      <link rel="stylesheet" href="/assets/docs.css" />
    </Head>
    <body class="settings docs">
      <Skip />
      <header class="bar">
        <Pages label="Documentation" pages={PAGES} path={path} />
      </header>
      <main id="content">{children}</main>
    </body>
  </html>
)

/** A page of the documentation, in English and without script. */
export const renderDocs = (props: Props) => html`<!doctype html>${<Page {...props} />}`

/** Words between backticks as code. */
export const withCode = (text: string) => text.split("`").map((part, i) => (i % 2 ? <code>{part}</code> : part))

/** A path as code that may break after each slash. */
export const Path = ({ path }: { path: string }) => (
  <code>{path.split(/(?<=\/)(?=.)/).map((part, i) => (i === 0 ? part : [<wbr />, part]))}</code>
)

/** A method, by its word and its colour. */
export const Method = ({ method }: { method: string }) => <span class={`method ${method.toLowerCase()}`}>{method}</span>
