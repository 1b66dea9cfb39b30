import { describeText } from "../../packages/edgepost/src/folder/first-words.ts"
import { slugOf } from "../../packages/edgepost/src/folder/slugify.ts"
import type { Warning } from "../http/validate.ts"
import type { Text } from "./text.ts"

// What a post gets whose author has left a field empty, as from the command line.

/** Returns a text with `\n` as its line ends. */
export const withLf = (text: string): string => text.replaceAll(/\r\n?/g, "\n")

/** Characters of a text of which a description is made: the time to parse deep lists grows with the square of their depth. */
const DESCRIBED_CHARS = 1000

const HIDING = "script|style|template|title|textarea|select|iframe|noscript|object"
/** Matches HTML that readers do not see: `<!-- a -->`, `<script>a</script>`. Does not match `<b>a</b>`. */
const HIDDEN = new RegExp(`<!--[^]*?-->|<(${HIDING})\\b[^]*?</\\1\\s*>`, "gi")
/** Matches from where such HTML begins whose end is further on. */
const CUT = new RegExp(`<(?:!--|(?:${HIDING})\\b)[^]*`, "i")

/** Returns the description of a text whose author has written none. */
export const madeDescription = (title: string, body: string): string =>
  describeText(withLf(body).slice(0, DESCRIBED_CHARS).replaceAll(HIDDEN, "").replace(CUT, "")) || title

/** Tells whether the description of a text was made of it. Its form has none then, so that it is made of a later text again. */
export const isMade = (text: Text | null): boolean =>
  text?.meta_description != null && text.meta_description === madeDescription(text.title ?? "", text.body ?? "")

/** Leaves out warnings of the length of a description that was made, and not written. */
export const withoutMade = (warnings: Warning[], text: Text): Warning[] =>
  isMade(text) ? warnings.filter(({ field }) => field !== "meta_description") : warnings

/** The slug whose page would be that of a new post: a post with it is only looked at in the settings. */
export const NEW_SLUG = "new"

/** Returns the slug of a title as the command line makes it; of a title without letters, one of the post's id. */
export const slugFor = (title: string, id: string): string => {
  const slug = slugOf(title)
  return slug === NEW_SLUG ? `post-${NEW_SLUG}` : slug || `post-${id.slice(-8).toLowerCase()}`
}
