import { html } from "hono/html"

import type { Home } from "../http/errors.ts"
import { ASSETS } from "./assets.ts"

interface Props {
  title: string
  detail: string
  /** null: no address of this service is known, because it is misconfigured. */
  home: Home | null
}

/** Renders an error of a readers' page in English, without script: its detail, and a link to `home`. */
export const renderReaderProblem = ({ title, detail, home }: Props) =>
  html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${ASSETS["site.css"]}" />
        <link rel="icon" href="${ASSETS["icon.svg"]}" />
      </head>
      <body class="blog">
        ${
          home &&
          html`<header class="site">
            <a href="${home.href}"><bdi>${home.name}</bdi></a>
          </header>`
        }
        <main>
          <h1>${title}</h1>
          <p>${detail}</p>
        </main>
      </body>
    </html>`
