import type { Child } from "hono/jsx"

import { PROBLEMS } from "../http/errors.ts"
import { ASSETS } from "../ui/assets.ts"
import { renderLayout } from "../ui/layout.tsx"

const PAGES = [
  ["/docs/", "Reference"],
  ["/docs/errors/", "Error codes"],
  ["/docs/markdown/", "Markdown"],
  ["/openapi.json", "OpenAPI"],
] as const

interface Props {
  title: string
  /** The path of the page that is shown. */
  path: (typeof PAGES)[number][0]
  children: Child
}

/** Renders a page of the documentation. It has no scripts. */
export const renderDocs = ({ title, path, children }: Props) => {
  const head = <link rel="stylesheet" href={ASSETS["docs.css"]} />
  const bar = { label: "Documentation", pages: PAGES, path }
  return renderLayout({ title, bar, head, kind: "settings docs", children })
}

/** Renders text in backticks as code, and error codes as links to their description. */
export const withCode = (text: string): Child[] =>
  text.split("`").map((part, i) => {
    if (i % 2 === 0) return part
    const code = <code>{part}</code>
    return Object.hasOwn(PROBLEMS, part) ? <a href={`/docs/errors/#${part}`}>{code}</a> : code
  })

/** Renders a path as code that may break after each slash. */
export const Path = ({ path }: { path: string }) => (
  // Splits `/a/b/` into `/`, `a/`, `b/`.
  <code>{path.split(/(?<=\/)(?=.)/).map((part, i) => (i === 0 ? part : [<wbr />, part]))}</code>
)

/** Renders a method in its color. */
export const MethodBadge = ({ method }: { method: string }) => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
)
