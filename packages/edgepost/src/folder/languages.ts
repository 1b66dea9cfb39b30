import { posix } from "node:path"

// Which files are translations of which.

const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" })

/** Returns the canonical code of a language that is known by name; null for other texts. */
export const knownLanguage = (text: string): string | null => {
  // Matches `fr`, `pt-br` and `zh_Hant`. Does not match `posts`.
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(text)) return null
  try {
    const [code = ""] = Intl.getCanonicalLocales(text.replaceAll("_", "-"))
    return names.of(code) === undefined ? null : code
  } catch {
    return null
  }
}

/** A file as one text of a post. */
export interface Variant {
  file: string
  /** Canonical BCP 47 code of its name or folder; null if neither names a language. */
  lang: string | null
}

/** Matches the folder of translated posts of Docusaurus: `i18n/fr/docusaurus-plugin-content-blog/`. */
const DOCUSAURUS = /(^|\/)i18n\/([^/]+)\/docusaurus-plugin-content-blog\//

/** Returns each way to read a path as a text: its name without the language, and the language. */
const readings = (file: string): { key: string; lang: string | null }[] => {
  const path = file.replace(/\.[^./]+$/, "").normalize("NFC")
  const found: { key: string; lang: string | null }[] = [{ key: path, lang: null }]
  const [, before = "", code = ""] = DOCUSAURUS.exec(path) ?? []
  if (code !== "") found.push({ key: path.replace(DOCUSAURUS, `${before}blog/`), lang: knownLanguage(code) })
  const [, suffix = ""] = /\.([^./]+)$/.exec(path) ?? []
  const bySuffix = knownLanguage(suffix)
  if (bySuffix !== null) found.push({ key: path.slice(0, -suffix.length - 1), lang: bySuffix })
  const folders = path.split("/")
  for (const [i, folder] of folders.slice(0, -1).entries()) {
    const lang = knownLanguage(folder)
    if (lang !== null) found.push({ key: posix.join(...folders.toSpliced(i, 1)), lang })
  }
  return found
}

/** Groups files that are the same post in several languages. Files without a counterpart are groups of one, without a language. */
export const groupVariants = (files: string[]): Variant[][] => {
  const byKey = new Map<string, Variant[]>()
  for (const file of files)
    for (const { key, lang } of readings(file)) byKey.set(key, [...(byKey.get(key) ?? []), { file, lang }])
  const groups: Variant[][] = []
  const taken = new Set<string>()
  for (const variants of byKey.values()) {
    const free = variants.filter(({ file }) => !taken.has(file))
    const languages = new Set(free.map(({ lang }) => lang))
    if (free.length < 2 || languages.size < free.length) continue
    groups.push(free)
    for (const { file } of free) taken.add(file)
  }
  return [...groups, ...files.filter((file) => !taken.has(file)).map((file) => [{ file, lang: null }])]
}
