import { escapeHtml } from "../markdown/write.ts"
import { isImageFile } from "./images.ts"

// Makes HTML of the shortcodes of WordPress: `[caption]`, `[gallery]`, embeds and code.

/** A file that was uploaded to WordPress. */
export interface Attachment {
  id: string
  url: string
  alt: string
  caption: string
  title: string
  date: string
  /** Its place among the files of its post. */
  order: number
}

/** The files that shortcodes of a post name. */
export interface Files {
  /** Files by their ids. */
  attachments: Map<string, Attachment>
  /** Files by the post that they were uploaded to. */
  uploads: Map<string, Attachment[]>
  /** The id of the post. */
  post: string
}

/** Returns a link as a paragraph; "" for a text that is no address. */
export const linkTo = (href: string): string =>
  // Matches `https://e.x/a`. Does not match `a b`.
  /^https?:\/\/\S+$/.test(href) ? `<p><a href="${escapeHtml(href)}">${escapeHtml(href)}</a></p>` : ""

/** Matches a shortcode: `[caption id="a"]`, `[/caption]`, `[gallery ids="1" /]`. Does not match `[a]b]` as one. */
const SHORTCODE = /\[(\/?)([a-z][\w-]*)((?:\s|=)[^[\]]*)?\]/gi
/** Characters of a shortcode's arguments that are read. */
const MAX_CHARS = 2000
/** Shortcodes around code, which do not name its language. */
const ANY_CODE = "code sourcecode cc cc_block crayon enlighter".split(" ")
/** Shortcodes around code: the others have the name of its language. */
export const CODE = new Set([
  ...ANY_CODE,
  ..."actionscript3 as3 bash c c-sharp clj clojure coldfusion cpp csharp css delphi diff erlang fsharp go groovy haskell html java javafx javascript js jscript json kotlin matlab obj-c objc objective-c pascal patch perl php plain powershell ps py python r rails rb ruby rust scala shell sql swift text typescript vb vbnet xhtml xml xslt yaml yml".split(
    " ",
  ),
])
/** Shortcodes with an address of what they show. */
const EMBEDS =
  "dailymotion embed facebook flickr gist instagram scribd slideshare soundcloud spotify ted tiktok tweet twitter".split(
    " ",
  )
/** The other shortcodes that are converted. */
export const KNOWN = new Set([
  ...EMBEDS,
  ..."caption wp_caption youtube vimeo wpvideo videopress audio video gallery playlist".split(" "),
])

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

/** Names of files of a kind, by their ends. */
const AUDIO = /\.(?:aac|flac|m4[ab]|mp3|og[ag]|opus|wav|wma|weba)$/i
const VIDEO = /\.(?:3gp|avi|m4v|mkv|mov|mp4|ogv|webm|wmv)$/i

/** The order of a list of files. */
const ORDERS: Record<string, (file: Attachment) => number | string> = {
  id: ({ id }) => Number(id),
  menu_order: ({ order }) => order,
  title: ({ title }) => title.toLowerCase(),
  date: ({ date }) => date,
  post_date: ({ date }) => date,
}

/** Returns the files that a gallery or a playlist shows, in the order of WordPress. */
const listed = (
  options: Map<string, string>,
  { attachments, uploads, post }: Files,
  isKind: (url: string) => boolean,
  warn: (missing: string[]) => void,
): Attachment[] => {
  const listOf = (option: string) =>
    options
      .get(option)
      ?.split(",")
      .map((id) => id.trim())
  const ids = listOf("ids") ?? listOf("include")
  const excluded = new Set(listOf("exclude"))
  const all = ids
    ? [...new Set(ids)].flatMap((id) => attachments.get(id) ?? [])
    : (uploads.get(options.get("id") ?? post) ?? []).filter(({ id }) => !excluded.has(id))
  const missing = ids?.filter((id) => !attachments.has(id)) ?? []
  if (missing.length > 0 || all.length === 0) warn(missing)
  const orders = (options.get("orderby") ?? (options.has("ids") ? "" : "menu_order id")).toLowerCase().split(" ")
  const sign = options.get("order")?.toLowerCase() === "desc" ? -1 : 1
  const compare = (one: Attachment, other: Attachment): number => {
    for (const order of orders) {
      const [a, b] = [ORDERS[order]?.(one) ?? 0, ORDERS[order]?.(other) ?? 0]
      if (a !== b) return a < b ? -sign : sign
    }
    return 0
  }
  return all.filter(({ url }) => isKind(url)).toSorted(compare)
}

/** Writes a shortcode as HTML; null if what it names is not there. */
const writeShortcode = (
  name: string,
  options: Map<string, string>,
  content: string,
  files: Files,
  warn: Warn,
): string | null => {
  const value = (options.get("") ?? content).trim().replaceAll("&amp;", "&")
  if (CODE.has(name)) {
    const named = ANY_CODE.includes(name) ? "" : name
    const language = options.get("language") ?? options.get("lang") ?? options.get("") ?? named
    // The editor may have escaped the code already. Matches `a < b`. Does not match `a &lt; b`.
    const code = /[<>]/.test(content) ? escapeHtml(content) : content
    return content.trim() === ""
      ? null
      : `<pre><code class="language-${escapeHtml(language)}">${code.trim()}</code></pre>`
  }
  switch (name) {
    case "wp_caption":
    case "caption": {
      // Matches an image, with a link around it. Does not match text before it.
      const [image = ""] = /^\s*(?:<a [^>]*>\s*)?<img [^>]*>(?:\s*<\/a>)?/i.exec(content) ?? []
      return image === "" ? null : figureOf(image, (options.get("caption") ?? content.slice(image.length)).trim())
    }
    case "gallery":
    case "playlist": {
      const isGallery = name === "gallery"
      const isKind = (url: string) =>
        isGallery ? isImageFile(url) : (options.get("type") === "video" ? VIDEO : AUDIO).test(url)
      const shown = listed(options, files, isKind, (missing) =>
        warn(
          `${isGallery ? "Images" : "Files"} of a ${name} are not in the export${missing.length > 0 ? `: ${missing.join(", ")}` : ""}.`,
        ),
      )
      return shown
        .map(({ url, alt, caption, title }) =>
          isGallery
            ? figureOf(`<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`, caption)
            : `<p><a href="${escapeHtml(url)}">${escapeHtml(title || url)}</a></p>`,
        )
        .join("\n")
    }
    case "wpvideo":
    case "videopress":
      // Matches an id, `OcobLTqC`. Does not match an address.
      return linkTo(/^\w+$/.test(value) ? `https://videopress.com/v/${value}` : value) || null
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

/**
 * Tells whether a name in brackets is a shortcode of a plugin, and no text of an author. Matches `[a b=c]`, `[a "b"]`, `[a https://e.x/]`,
 * `[a /]`, `[a_b]`, `[a-b 5]`, `[a x1y]`. Does not match `[sic]`, `[see below]`, `[page 5]`.
 */
const isPlugin = (name: string, list: string): boolean =>
  /[="]|https?:\/\/|\/$/.test(list) ||
  name.includes("_") ||
  (name.includes("-") && /\d/.test(list)) ||
  /^\s+(?=\w*[a-z])(?=\w*\d)\w+$/i.test(list)

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
    const close =
      isClose || list.endsWith("/") || ["gallery", "playlist"].includes(name) ? undefined : found[nextClose[i] ?? -1]
    const content = html.slice(end, close?.start ?? end)
    const isKnown = !isClose && names.has(name)
    const written = isKnown
      ? writeShortcode(name, argumentsOf(list.slice(0, MAX_CHARS).replace(/\/$/, "")), content, files, warn)
      : null
    if (written === null && (isKnown || isClose || isPlugin(name, list)))
      warn(`The shortcode [${name}] is kept as text.`)
    if (written === null) continue
    result += `${html.slice(at, start)}\n\n${written}\n\n`
    at = close?.end ?? end
  }
  return result + html.slice(at)
}
