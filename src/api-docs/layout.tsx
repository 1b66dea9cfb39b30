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
