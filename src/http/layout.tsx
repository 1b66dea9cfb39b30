import { html } from "hono/html"
import type { Child } from "hono/jsx"

/** Of the service's own pages: scripts and styles of its own alone, forms to itself alone. */
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
  // The address of a sign-in link is a secret; without any referrer a form would not say where it comes from.
  "Referrer-Policy": "same-origin",
}

export interface LayoutProps {
  title: string
  /** What stands above every page of its kind. */
  nav?: Child
  children?: Child
}

const Layout = ({ title, nav, children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · edgepost</title>
      <link rel="stylesheet" href="/assets/site.css" />
      <link rel="stylesheet" href="/assets/settings.css" />
      <link rel="icon" href="/assets/icon.svg" />
      <script type="module" src="/assets/settings.js"></script>
    </head>
    <body class="settings">
      <a class="skip" href="#content">
        Skip to content
      </a>
      {nav}
      <main id="content">{children}</main>
    </body>
  </html>
)

/** A page of the service itself, in English. */
export const renderLayout = (props: LayoutProps) => html`<!doctype html>${<Layout {...props} />}`
