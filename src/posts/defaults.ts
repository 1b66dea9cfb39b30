import { describeText } from "../../packages/edgepost/src/folder/first-words.ts"
import { slugOf } from "../../packages/edgepost/src/folder/slugify.ts"
import type { Text } from "./text.ts"

// What a post gets whose author has left a field empty, as from the command line.

/** Returns a text with `\n` as its line ends. */
export const withLf = (text: string): string => text.replaceAll(/\r\n?/g, "\n")

/** Characters of a text of which a description is made: the time to parse deep lists grows with the square of their depth. */
const DESCRIBED_CHARS = 1000

/** Returns the description of a text whose author has written none. */
export const madeDescription = (title: string, body: string): string =>
  describeText(withLf(body).slice(0, DESCRIBED_CHARS)) || title

/** Tells whether the description of a text was made of it. Its form has none then, so that it is made of a later text again. */
export const isMade = (text: Text | null): boolean =>
  text?.meta_description != null && text.meta_description === madeDescription(text.title ?? "", text.body ?? "")

/** The slug whose page would be that of a new post: a post with it is only looked at in the settings. */
export const NEW_SLUG = "new"

/** Returns the slug of a title as the command line makes it; of a title without letters, one of the post's id. */
export const slugFor = (title: string, id: string): string => {
  const slug = slugOf(title)
  return slug === NEW_SLUG ? `post-${NEW_SLUG}` : slug || `post-${id.slice(-8).toLowerCase()}`
}
