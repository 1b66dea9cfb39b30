import { escapeHtml } from "../markdown/write.ts"
import { isImageFile } from "./images.ts"

// Makes HTML of the shortcodes of WordPress: `[caption]`, `[gallery]`, embeds and code.

/** A file that was uploaded to WordPress. */
export interface Attachment {
  url: string
  alt: string
  caption: string
}

/** The files that shortcodes of a post name. */
export interface Files {
  /** Files by their ids. */
  attachments: Map<string, Attachment>
  /** Files that were uploaded to the post. */
  uploads: Attachment[]
}

/** Returns a link as a paragraph; "" for a text that is no address. */
export const linkTo = (href: string): string =>
  // Matches `https://e.x/a`. Does not match `a b`.
  /^https?:\/\/\S+$/.test(href) ? `<p><a href="${escapeHtml(href)}">${escapeHtml(href)}</a></p>` : ""

/** Matches a shortcode: `[caption id="a"]`, `[/caption]`, `[gallery ids="1" /]`. Does not match `[a]b]` as one. */
const SHORTCODE = /\[(\/?)([a-z][\w-]*)((?:\s|=)[^[\]]*)?\]/gi
/** Characters of a shortcode's arguments that are read. */
const MAX_CHARS = 2000
/** Shortcodes around code. Some have the name of its language. */
export const CODE = new Set(
  "code sourcecode bash cpp csharp css html java javascript js php python ruby sql xml".split(" "),
)
/** The other shortcodes that are converted. */
export const KNOWN = new Set("caption embed youtube vimeo audio video gallery".split(" "))

/** Matches an address without a name at the beginning: `https://e.x/?a=b`, `=https://e.x/`. Does not match `src="https://e.x/"`. */
const ADDRESS = /^[\s=]*["']?(https?:\/\/[^\s"']+)/

/** Reads `a="b" c='d' e=f g`; what has no name is called "". */
const argumentsOf = (text: string): Map<string, string> => {
  const [, address] = ADDRESS.exec(text) ?? []
  if (address !== undefined) return new Map([["", address]])
  return new Map(
    [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|([^\s=]+)/g)].map(
      ([, name, one, two, three, alone]) => [name ?? "", (one ?? two ?? three ?? alone ?? "").replace(/^=/, "")],
    ),
  )
}

const figureOf = (image: string, caption: string): string =>
  `<figure>${image}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`

/** Writes a shortcode as HTML; null if what it names is not there. */
const writeShortcode = (
  name: string,
  options: Map<string, string>,
  content: string,
  { attachments, uploads }: Files,
  warn: Warn,
): string | null => {
  const value = (options.get("") ?? content).trim().replaceAll("&amp;", "&")
  if (CODE.has(name)) {
    const named = name === "code" || name === "sourcecode" ? "" : name
    const language = options.get("language") ?? options.get("lang") ?? options.get("") ?? named
    // The editor may have escaped the code already. Matches `a < b`. Does not match `a &lt; b`.
    const code = /[<>]/.test(content) ? escapeHtml(content) : content
    return content.trim() === ""
      ? null
      : `<pre><code class="language-${escapeHtml(language)}">${code.trim()}</code></pre>`
  }
  switch (name) {
    case "caption": {
      // Matches an image, with a link around it. Does not match text before it.
      const [image = ""] = /^\s*(?:<a [^>]*>\s*)?<img [^>]*>(?:\s*<\/a>)?/i.exec(content) ?? []
      return image === "" ? null : figureOf(image, (options.get("caption") ?? content.slice(image.length)).trim())
    }
    case "gallery": {
      const listOf = (option: string) =>
        options
          .get(option)
          ?.split(",")
          .map((id) => id.trim())
      const ids = listOf("ids") ?? listOf("include")
      const excluded = new Set(listOf("exclude")?.map((id) => attachments.get(id)))
      const missing = ids?.filter((id) => !attachments.has(id)) ?? []
      const images = ids
        ? ids.map((id) => attachments.get(id)).filter((one) => one !== undefined)
        : uploads.filter((one) => isImageFile(one.url) && !excluded.has(one))
      const figures = images.map(({ url, alt, caption }) =>
        figureOf(`<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`, caption),
      )
      if (missing.length > 0) warn(`Images of a gallery are not in the export: ${missing.join(", ")}.`)
      // With an id alone it shows the images of another post.
      return images.length === 0 || (!ids && options.has("id")) ? null : figures.join("\n")
    }
    // An id may stand instead of the address. Matches `dQw4w9WgXcQ`, and `v=a` in `watch?v=a&w=640`. Does not match `https://youtu.be/a`.
    case "youtube": {
      const [, id] = /^([\w-]+)$/.exec(value) ?? /[?&]v=([\w-]+)/.exec(value) ?? []
      return linkTo(id === undefined ? value : `https://www.youtube.com/watch?v=${id}`) || null
    }
    case "vimeo":
      return linkTo(/^\d+$/.test(value) ? `https://vimeo.com/${value}` : value) || null
    default: {
      const sources = ["src", "mp3", "m4a", "ogg", "wav", "mp4", "m4v", "webm", "ogv"].map((key) => options.get(key))
      return linkTo(sources.find(Boolean) ?? value) || null
    }
  }
}

type Warn = (message: string) => void

/** Makes HTML of the shortcodes with some names. */
export const convertShortcodes = (html: string, names: Set<string>, files: Files, warn: Warn): string => {
  const found = [...html.matchAll(SHORTCODE)].map(({ 0: text, 1: slash, 2: name = "", 3: list = "", index }) => ({
    start: index,
    end: index + text.length,
    isClose: slash === "/",
    name: name.toLowerCase(),
    list,
    isLiteral: html[index - 1] === "[" && html[index + text.length] === "]",
  }))
  const nextClose = found.map(() => -1)
  const last = new Map<string, number>()
  for (let i = found.length - 1; i >= 0; i--) {
    const one = found[i]
    if (!one) continue
    nextClose[i] = last.get(one.name) ?? -1
    if (one.isClose) last.set(one.name, i)
  }
  let [result, at] = ["", 0]
  for (const [i, { start, end, isClose, isLiteral, name, list }] of found.entries()) {
    if (start < at || (isLiteral && !names.has(name))) continue
    if (isLiteral) {
      // WordPress shows `[[caption]]` as `[caption]`.
      result += html.slice(at, start - 1) + html.slice(start, end)
      at = end + 1
      continue
    }
    const close = isClose || list.endsWith("/") || name === "gallery" ? undefined : found[nextClose[i] ?? -1]
    const content = html.slice(end, close?.start ?? end)
    const isKnown = !isClose && names.has(name)
    const written = isKnown
      ? writeShortcode(name, argumentsOf(list.slice(0, MAX_CHARS).replace(/\/$/, "")), content, files, warn)
      : null
    // `[sic]` is text of an author; a name with arguments or an end is not.
    if (written === null && (isKnown || isClose || list.includes("="))) warn(`The shortcode [${name}] is kept as text.`)
    if (written === null) continue
    result += `${html.slice(at, start)}\n\n${written}\n\n`
    at = close?.end ?? end
  }
  return result + html.slice(at)
}
