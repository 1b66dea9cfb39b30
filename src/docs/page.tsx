import { html } from "hono/html"
import type { Child } from "hono/jsx"

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
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · edgepost</title>
      <link rel="stylesheet" href="/assets/site.css" />
      <link rel="stylesheet" href="/assets/settings.css" />
      <link rel="stylesheet" href="/assets/docs.css" />
      <link rel="icon" href="/assets/icon.svg" />
    </head>
    <body class="settings docs">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="bar">
        <nav aria-label="Documentation">
          <ul>
            {PAGES.map(([href, name]) => (
              <li>
                <a href={href} aria-current={href === path ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="content">{children}</main>
    </body>
  </html>
)

/** A page of the documentation, in English and without script. */
export const renderDocs = (props: Props) => html`<!doctype html>${<Page {...props} />}`
