import { escapeText } from "../escape.ts"

// Writes links and images as Markdown or HTML.

/** Writes a Markdown destination. Matches blanks, parentheses and what `<…>` needs: ` `, `(`, `<`. Does not match `/a-b`. */
export const writeDestination = (url: string): string =>
  url === "" || /[\s()<>\\]/.test(url)
    ? `<${url.replaceAll(/[<>\\]/g, (sign) => `\\${sign}`).replaceAll(/[\r\n]/g, " ")}>`
    : url

/** Percent-encodes what would end a destination or an attribute: a blank, `(`, `"`. Leaves `é` and `%20`. */
export const encodePath = (path: string): string =>
  path.replaceAll(
    /[\s()<>"'\\]/g,
    (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, "0")}`,
  )

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Escapes text for HTML and its attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** Matches text in whose address the next character stands: `[a](b`, `<a href="b`, `https://e.x/`. Does not match `[a](b) `. */
export const IN_ADDRESS = /(?:\]\(<?|\]:[ \t]*<?|\b(?:src|href)[ \t]*=[ \t]*["']?|:\/\/)[^\s<>"'()]*$/i
/** Matches text in whose HTML the next character stands: `<div>a`, `a <b title="`. Does not match `a <b>c`. */
const IN_HTML = /(?:^|\n)[ \t]*<[a-z][^\n]*$|<[a-z][^<>]*$/i

/** Writes a value of a theme in one line, so that it is plain text or a part of an address. @param before the text before it */
export const writeValue = (value: string, before: string): string => {
  const line = value.replaceAll(/\s+/g, " ").trim()
  // The end is enough: addresses and tags are short, and texts are long.
  const end = before.slice(-500)
  // Matches `https://e.x/a`. Does not match `a`.
  if (IN_ADDRESS.test(end) || /^https?:\/\/\S+$/i.test(line)) return encodePath(line)
  return IN_HTML.test(end) ? escapeHtml(line) : escapeText(line, end.slice(-1) || "\n").replaceAll('"', "&quot;")
}

/** Writes a link; an autolink if the text is the address. */
export const writeLink = (url: string, text: string | undefined): string => {
  // Matches `https://e.x/a`. Does not match `https://e.x/a b`.
  if (text === undefined && /^https?:\/\/[^\s<>]+$/.test(url)) return `<${url}>`
  return `[${escapeText(text ?? url)}](${writeDestination(url)})`
}

interface Figure {
  src: string
  alt: string
  title?: string | undefined
  /** Markdown. */
  caption?: string | undefined
  link?: string | undefined
}

/** Matches text without markup and entities: `A boat, at sea.`. Does not match `*a*` or `a & b`. */
const PLAIN = /^[^`*_[\]<>&\\~$]*$/

/** Writes Markdown within an element of HTML. */
export const writeInHtml = (markdown: string): string =>
  PLAIN.test(markdown) ? markdown : `\n\n${markdown.trim()}\n\n`

/** Writes an image: as Markdown, or with a caption as an HTML figure, whose caption stays Markdown. */
export const writeImage = ({ src, alt, title, caption, link }: Figure): string => {
  if (!caption) {
    const quoted = title ? ` "${title.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"` : ""
    const image = `![${escapeText(alt)}](${writeDestination(src)}${quoted})`
    return link ? `[${image}](${writeDestination(link)})` : image
  }
  const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}">`
  const linked = link ? `<a href="${escapeHtml(link)}">${image}</a>` : image
  return `<figure>${linked}<figcaption>${writeInHtml(caption)}</figcaption></figure>`
}
