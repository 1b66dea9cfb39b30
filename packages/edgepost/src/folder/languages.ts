import { posix } from "node:path"

import { withoutExtension } from "../tools/addresses.ts"

// Finds out which files are translations of which.

const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" })
/** Codes that have a name, but that the service takes for no language. */
const NO_LANGUAGES = new Set(["und", "mul", "zxx", "mis"])

/** Returns the canonical code of a language that is known by name; null for other texts. */
export const knownLanguage = (text: string): string | null => {
  // Matches `fr`, `pt-br` and `zh_Hant`. Does not match `posts`.
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(text)) return null
  try {
    const [code = ""] = Intl.getCanonicalLocales(text.replaceAll("_", "-"))
    return NO_LANGUAGES.has(code) || names.of(code) === undefined ? null : code
  } catch {
    return null
  }
}

/** A file as one text of a post. */
export interface Variant {
  file: string
  /** Canonical BCP 47 code of its name or folder; null if neither names a language. */
  lang: string | null
  /** The path without language and extension, where the blog's tool tells it. */
  key?: string
}

/** A way to read a path as a text of a post. */
export interface Reading {
  /** The path without language and extension, which is the same for all texts of a post. */
  key: string
  lang: string | null
}

const keyOf = (file: string): string => withoutExtension(file).normalize("NFC")

/** Returns each way to read a path as a text where no tool tells it. The first has no language. */
const readingsOf = (file: string): Reading[] => {
  const path = keyOf(file)
  const found: Reading[] = [{ key: path, lang: null }]
  // Matches the language of `post.pt-br`. Does not match `post`.
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

/** Matches texts of a page bundle whose name has a language: `a/index.fr.md`. Does not match `fr/index.md`, `a/reindex.fr.md`. */
const INDEX = /(?:^|\/)index\.[^./]+\.[^./]+$/i

/**
 * Groups files that are the same post in several languages. The tool's rule counts, if it has one for a file. Without one `it/a.md`
 * is Italian only if there is `a.md` or `en/a.md` too, if other posts have a text in Italian, or if the blog is: a folder may be called `it` for other reasons.
 * @param known codes of the languages that the blog is known to have
 * @param tellReading the tool's rule, for a path without its extension
 */
export const groupVariants = (
  files: string[],
  known: (string | null)[],
  tellReading: (path: string) => Reading | null,
): Variant[][] => {
  const told = new Map<string, Reading>()
  const readings = new Map<string, Reading[]>()
  for (const file of files) {
    const reading = tellReading(keyOf(file))
    if (reading) told.set(file, reading)
    readings.set(file, reading ? [reading] : readingsOf(file))
  }
  const byKey = new Map<string, Variant[]>()
  for (const [file, found] of readings)
    for (const { key, lang } of found) {
      const variant = { file, lang, ...(told.has(file) && { key }) }
      const variants = byKey.get(key)
      if (variants) variants.push(variant)
      else byKey.set(key, [variant])
    }
  const groups: Variant[][] = []
  const taken = new Set<string>()
  for (const variants of byKey.values()) {
    const free = variants.filter(({ file }) => !taken.has(file))
    const languages = new Set(free.map(({ lang }) => lang))
    if (free.length < 2 || languages.size < free.length) continue
    groups.push(free)
    for (const { file } of free) taken.add(file)
  }
  const used = new Set([...known, ...groups.flat().map(({ lang }) => lang)])
  const langOf = (file: string): string | null =>
    readings.get(file)?.find(({ lang }) => lang !== null && (used.has(lang) || INDEX.test(file)))?.lang ?? null
  const alone = files.filter((file) => !taken.has(file))
  return [...groups, ...alone.map((file) => [{ file, ...(told.get(file) ?? { lang: langOf(file) }) }])]
}
