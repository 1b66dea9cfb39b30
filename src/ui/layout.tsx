import { html } from "hono/html"
import type { Child } from "hono/jsx"

import { ASSETS } from "./assets.ts"

/** Allows the service's pages only its own scripts, styles and images, and forms only to itself. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

export const PAGE_HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "Cache-Control": "no-store",
  // Sign-in links are secret, so other sites get no referrer. Forms of this site need an origin.
  "Referrer-Policy": "same-origin",
}

interface Bar {
  /** The name of the group of pages. */
  label: string
  /** The paths and names of the pages. */
  pages: readonly (readonly [path: string, name: string])[]
  /** The path of the page that is shown. */
  path: string
  /** The name of the signed-in user, and the action of the sign-out form. */
  session?: { who: string; signOut: string }
}

export interface LayoutProps {
  title: string
  /** The navigation bar. */
  bar?: Bar
  /** Additional elements of `<head>`. */
  head?: Child
  /** The classes of `<body>`. */
  kind?: string
  children?: Child
}

const Bar = ({ label, pages, path, session }: Bar) => (
  <header class="bar">
    <nav aria-label={label}>
      <ul>
        {pages.map(([href, name]) => (
          <li>
            <a href={href} aria-current={href === path ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {session && (
      <form method="post" action={session.signOut}>
        <span class="who">{session.who}</span>
        <button>Sign out</button>
      </form>
    )}
  </header>
)

const SCRIPT = <script type="module" src="/assets/settings.js"></script>

const Layout = ({ title, bar, head = SCRIPT, kind = "settings", children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · edgepost</title>
      <link rel="stylesheet" href={ASSETS["site.css"]} />
      <link rel="stylesheet" href={ASSETS["settings.css"]} />
      <link rel="icon" href={ASSETS["icon.svg"]} />
      {head}
    </head>
    <body class={kind}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      {bar && <Bar {...bar} />}
      <main id="content">{children}</main>
    </body>
  </html>
)

/** Renders a whole HTML page of the service, in English: the head, the navigation bar, if any, and the content. */
export const renderLayout = (props: LayoutProps) => html`<!doctype html>${<Layout {...props} />}`
