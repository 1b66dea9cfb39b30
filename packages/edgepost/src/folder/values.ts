// Values of front matter, which may be of any type, as texts that the service takes.

/** The category of posts that have none, here and in the service's own pages. */
export const DEFAULT_CATEGORY = "Blog"

/** Matches control characters. Does not match `é`. */
const CONTROL = /\p{Cc}+/gu
/** Matches what the service takes in no name: U+2028, U+202E and other characters that turn text. Does not match `é`. */
export const TURNING = /[\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Returns a text in one line and in NFC, without control characters and halves of characters. */
export const clean = (text: string): string =>
  text.toWellFormed().normalize("NFC").replaceAll(CONTROL, " ").replaceAll(/\s+/g, " ").trim()

/** Returns a text or a number as a text in one line; null for other values. */
export const asText = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? clean(String(value)) : null

/** Returns a list as it is, and another value as a list of one. */
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Returns the first text among fields of an object; null for other values. */
export const textIn = (value: unknown, names: string[]): string | null => {
  if (typeof value !== "object" || value === null) return null
  const fields = value as Record<string, unknown>
  return names.map((name) => asText(Object.hasOwn(fields, name) ? fields[name] : null)).find(Boolean) ?? null
}

/** Returns what a link between notes leads to, as properties have it: `a` of `[[a|b]]` and of `[[a]]` without quotes, which are lists in YAML. Another value as it is. */
export const targetOf = (value: unknown): unknown => {
  const inner = Array.isArray(value) && value.length === 1 && Array.isArray(value[0]) ? (value[0][0] as unknown) : null
  if (inner !== null) return typeof inner === "string" ? inner.split("|")[0] : inner
  // Matches `![[a.png|300]]`, with the file. Does not match `[[a]] b`.
  return typeof value === "string" ? value.trim().replace(/^!?\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]$/, "$1") : value
}
