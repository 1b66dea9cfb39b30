import { asList } from "../folder/values.ts"
import type { FormulaSigns, Markup } from "./tool.ts"

// What several tools draw beside Markdown.

/** That of kramdown. */
export const KRAMDOWN: Markup = { markdownInHtml: "marked", isKramdown: true, hasAbbreviations: true }

/** The signs of formulas that scripts know: `\(a\)`, `\[a\]`. */
export const TEX_SIGNS: FormulaSigns[] = [
  { open: String.raw`\(`, close: String.raw`\)`, isBlock: false },
  { open: String.raw`\[`, close: String.raw`\]`, isBlock: true },
]

/** Returns that of Python-Markdown with extensions, which are texts or maps of texts. */
export const markupOfPython = (extensions: unknown): Markup => {
  const names = asList(extensions).flatMap((one) =>
    typeof one === "object" && one !== null ? Object.keys(one) : String(one),
  )
  const has = (...some: string[]): boolean =>
    names.some((name) => some.includes(name.replace(/^(?:markdown\.extensions|pymdownx)\./, "")))
  return {
    ...(has("extra", "md_in_html") && { markdownInHtml: "marked" }),
    ...(has("arithmatex") && { formulas: TEX_SIGNS }),
    hasAbbreviations: has("extra", "abbr"),
    literalBraces: "values",
  }
}
