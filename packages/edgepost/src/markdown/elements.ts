import { escapeText } from "../escape.ts"
import { type Arguments, pick } from "./arguments.ts"
import type { Conversion } from "./shortcodes.ts"
import { writeLink } from "./write.ts"

// Components and containers of themes: which of them hold words or images of the author.

/** Matches the names of containers around tabs, and of boxes around a word, without case, `-` and `_`. */
const AROUND = /^(?:tabs|tabset|tablist|codegroup|codetabs|u?badge)$/
/** Matches the names of one of several tabs. */
const TAB = /^(?:tab|tabitem|tabsitem|tabpanel|codegroupitem)$/

/** Returns how a component or a container around content becomes Markdown; undefined for others. @param key its name without case, `-` and `_` */
export const pairOf = (key: string): Conversion | undefined =>
  TAB.test(key) ? { as: "section" } : AROUND.test(key) ? { as: "content" } : undefined

/** Tells whether a container shows the code in it as tabs. */
export const isCodeGroup = (name: string): boolean => /^code-?group$/i.test(name)

/** Returns the title of a tab; "" without one. */
export const titleOfTab = (call: Arguments): string => pick(call, "label", "title", "header", "name", "value") ?? ""

/** Names of attributes whose values readers see. */
const SEEN = /^(?:title|text|label|alt|caption|description|summary|heading|header|content|message|quote|tooltip)$/
/** Matches names of attributes of which a value with blanks is no text. */
const TECHNICAL = /^(?:class|classname|style|sizes?|srcset|allow|rel|d|viewbox|transform|points|client|features?)$/
/** Matches two words with a blank between them, and a text in another script. Does not match `a-b` and `10 20`. */
const WORDS = /\p{L}[\p{L}\p{M}'’,.!?-]* +\p{L}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/u

/** Lists the attributes of an element with words for readers; null if code has words. @param list the attributes as the text has them */
const seenOf = (list: string, { named }: Arguments): string[] | null => {
  // Matches a text in an expression: `={["a"]}`. Does not match `={2}`.
  if (/\{[^{}]*["'`]/.test(list)) return null
  return [...named].flatMap(([name, value]) =>
    value !== "" && (SEEN.test(name) || (!TECHNICAL.test(name) && WORDS.test(value))) ? [name] : [],
  )
}

/** Tells whether an element has words for readers in its attributes. */
export const hasWords = (list: string, call: Arguments): boolean => seenOf(list, call)?.length !== 0

/** Tells whether an element has other words for readers than a title. */
export const hasMoreThanTitle = (list: string, call: Arguments): boolean =>
  (seenOf(list, call) ?? []).some((name) => name !== "title")

/** Returns how an element whose only words are a title becomes Markdown: as a link if it has an address; undefined for others. */
export const titleOf = (list: string, call: Arguments): Conversion | undefined => {
  const [url, title] = [pick(call, "href", "to", "url", "link"), pick(call, "title", "label", "text")]
  if (title === undefined || seenOf(list, call)?.length !== 1) return undefined
  return { as: "text", write: () => (url === undefined ? escapeText(title) : writeLink(url, title)) }
}

/** Matches an image. Does not match `a.mp4`. */
const IMAGE = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i

/** Matches the names of components for images. */
const SHOWS_IMAGE = /image|img|picture|photo/

/** Returns the name of a shortcode that does what a component does: `YouTubeEmbed` is a `youtube`, and `<R2Image src="a.png">` an image. */
export const knownNameOf = (key: string, call: Arguments): string =>
  IMAGE.test(pick(call, "src") ?? "") || (SHOWS_IMAGE.test(key) && call.named.has("src"))
    ? "image"
    : key.replace(/^lite(?=.)|(?<=.)(?:embed|video|player|lite)$/, "")
