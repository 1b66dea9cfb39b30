import { asList } from "../folder/values.ts"
import type { FormulaSigns, Markup } from "./tool.ts"

// What several tools draw beside Markdown.

/** That of kramdown. */
export const KRAMDOWN: Markup = {
  markdownInHtml: "marked",
  isKramdown: true,
  hasAbbreviations: true,
  hasDefinitions: true,
}

/** The signs of formulas that scripts know: `\(a\)`, `\[a\]`. */
export const TEX_SIGNS: FormulaSigns[] = [
  { open: String.raw`\(`, close: String.raw`\)`, isBlock: false },
  { open: String.raw`\[`, close: String.raw`\]`, isBlock: true },
]

/** Returns the names of extensions of Python-Markdown, which are texts or maps of texts, without those of their packages. */
export const namesOfExtensions = (extensions: unknown): string[] =>
  asList(extensions)
    .flatMap((one) => (typeof one === "object" && one !== null ? Object.keys(one) : String(one)))
    .map((name) => name.replace(/^(?:markdown\.extensions|pymdownx)\./, ""))

/** Returns that of Python-Markdown with extensions. */
export const markupOfPython = (extensions: unknown): Markup => {
  const names = namesOfExtensions(extensions)
  const has = (...some: string[]): boolean => names.some((name) => some.includes(name))
  return {
    ...(has("extra", "md_in_html") && { markdownInHtml: "marked" }),
    ...(has("arithmatex") && { formulas: TEX_SIGNS }),
    hasAbbreviations: has("extra", "abbr"),
    hasDefinitions: has("extra", "def_list"),
    hasEmoji: has("emoji"),
    literalBraces: "values",
  }
}
