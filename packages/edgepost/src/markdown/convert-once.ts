import type { Finding } from "../finding.ts"
import type { LocalText } from "../folder/post.ts"
import { convert, type Converted } from "./convert.ts"
import type { Document } from "./document.ts"
import type { Theme } from "./theme.ts"

/** Converts a text, or returns what it became before. */
export type ConvertOnce = (text: LocalText) => Converted

/** Gives links and images the paths that the blog's tool means by them. */
const withPaths = (document: Document, { settings }: Theme, page: Record<string, unknown>): Document => {
  const { pathOfLink } = settings.tool
  if (!pathOfLink) return document
  const references = document.references.map((one) => ({ ...one, url: pathOfLink(one.url, settings, page) }))
  return { ...document, references }
}

/**
 * Makes a function that converts texts, each once.
 * @param allowForeign syntax that only its own tool knows is a warning, and stays as it stands
 */
export const converter = (theme: Theme, allowForeign: boolean): ConvertOnce => {
  const converted = new Map<LocalText, Converted>()
  const soften = (finding: Finding): Finding =>
    allowForeign && /^(?:foreign|unsupported)_syntax$/.test(finding.code)
      ? { ...finding, level: "warning", message: finding.message.replace(/ Write it .*$/, "") }
      : finding
  return (text) => {
    let found = converted.get(text)
    if (!found) {
      const { findings, ...others } = convert(text, theme)
      const document = text.isStored ? others.document : withPaths(others.document, theme, text.data)
      found = { ...others, document, findings: findings.map(soften) }
      converted.set(text, found)
    }
    return found
  }
}
