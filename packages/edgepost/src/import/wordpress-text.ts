import { escapeHtml } from "../markdown/write.ts"

// Makes HTML of what WordPress keeps in a post: blocks, paragraphs without tags, and shortcodes.

/** A file that was uploaded to WordPress. */
export interface Attachment {
  url: string
  alt: string
  caption: string
}

/** Parts of an export that the text of a post names. */
export interface Parts {
  /** Files by their ids. */
  attachments: Map<string, Attachment>
  /** Files that were uploaded to the post. */
  uploads: Attachment[]
  /** Texts of blocks that several posts share, by their ids. */
  shared: Map<string, string>
  /** HTML of the post's footnotes by their ids, in their order. */
  footnotes: Map<string, string>
}

/** HTML of a post, and what the author should know about it. */
interface Rendered {
  html: string
  warnings: string[]
}

/** Changes a text outside of some elements, in one pass. An element without an end is text. */
const outside = (tags: string, html: string, change: (text: string) => string): string => {
  // Matches `</pre>`. Does not match `</preview>`.
  const ends = [...html.matchAll(new RegExp(`</(${tags})>`, "gi"))].map(({ 0: tag, 1: name = "", index }) => ({
    name: name.toLowerCase(),
    end: index + tag.length,
  }))
  const byName = Map.groupBy(ends, ({ name }) => name)
  const passed = new Map<string, number>()
  const parts: string[] = []
  let at = 0
  // Matches `<pre class="a">`. Does not match `<preview>`.
  for (const { 1: name = "", index } of html.matchAll(new RegExp(`<(${tags})(?=[\\s>])`, "gi"))) {
    if (index < at) continue
    const own = byName.get(name.toLowerCase()) ?? []
    let next = passed.get(name.toLowerCase()) ?? 0
    while ((own[next]?.end ?? Infinity) <= index) next++
    passed.set(name.toLowerCase(), next)
    const end = own[next]?.end
    if (end === undefined) continue
    parts.push(change(html.slice(at, index)), html.slice(index, end))
    at = end
  }
  return [...parts, change(html.slice(at))].join("")
}

/** Matches tags of blocks: `<ul>`, `</table>`. Does not match `<em>`. */
const BLOCK =
  /<\/?(?:address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s/>])[^<>]*>/gi

/** Matches the beginning of a block that holds text without a paragraph: `<li>`. Does not match `<ul>`. */
const HOLDER = /^<(?:address|dd|dt|figcaption|h[1-6]|li|p|summary|td|th)(?=[\s>])/i

/** Makes a paragraph of lines, unless the block around them holds them without. */
const toParagraph = (chunk: string, before = "", after = ""): string => {
  if (chunk.startsWith("<") && chunk.replaceAll(BLOCK, "") === "") return chunk
  // An address alone on a line is an embed. Matches `https://e.x/a`. Does not match `https://e.x/a b`.
  const lines = chunk
    .replaceAll(/^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm, '<a href="$1">$1</a>')
    .replaceAll("\n", "<br>")
  return HOLDER.test(before) && after.startsWith("</") ? lines : `<p>${lines}</p>`
}

/** Makes paragraphs of lines between blank lines, as WordPress does when it shows a post. */
const addParagraphs = (html: string): string =>
  outside("pre|script|style", html.replaceAll(/\r\n?/g, "\n"), (text) =>
    text
      // Matches what divides a post into a beginning and pages.
      .replaceAll(/<!--(?:more|nextpage)-->/g, "\n\n")
      .replaceAll(BLOCK, "\n\n$&\n\n")
      // Matches blank lines.
      .split(/\n[ \t]*\n/)
      .map((chunk) => chunk.trim())
      .filter((chunk) => chunk !== "")
      .map((chunk, i, all) => toParagraph(chunk, all[i - 1], all[i + 1]))
      .join("\n"),
  )

/** Matches the comments of blocks: `<!-- wp:image {"id":1} -->`, `<!-- /wp:image -->`, `<!-- wp:more /-->`. Does not match `<!--more-->`. */
const BLOCK_COMMENT = /<!--\s+(\/?)wp:([a-z][\w/-]*)([^]*?)(\/?)-->/gi

/** Lists the comments of blocks. The last may have no end, and would be looked for from each beginning. */
const blockComments = (html: string) =>
  Array.from(
    html.slice(0, html.lastIndexOf("-->") + 3).matchAll(BLOCK_COMMENT),
    ({ 0: comment, 1: close, 2: name = "", 3: data = "", 4: whole, index }) => ({
      start: index,
      end: index + comment.length,
      isClose: close === "/",
      isWhole: whole === "/",
      name,
      data,
    }),
  )

/** Adds paragraphs where no block is: in the whole text of a classic post. */
const addOutsideBlocks = (html: string): string => {
  const parts: string[] = []
  let [at, depth] = [0, 0]
  const take = (end: number): void => {
    const part = html.slice(at, end)
    parts.push(depth === 0 ? addParagraphs(part) : part)
  }
  for (const { start, end, isClose, isWhole } of blockComments(html)) {
    take(start)
    at = end
    if (!isWhole) depth = Math.max(0, depth + (isClose ? -1 : 1))
  }
  take(html.length)
  return parts.join("\n").replaceAll(
    // Matches the content of an embed block, `wp-block-embed__wrapper">https://e.x/a</div>`. Does not match one with a tag.
    /(wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"]+)\s*(?=<\/div>)/g,
    '$1<p><a href="$2">$2</a></p>',
  )
}

const linkTo = (href: string): string =>
  // Matches `https://e.x/a`. Does not match `a b`.
  /^https?:\/\/\S+$/.test(href) ? `<p><a href="${escapeHtml(href)}">${escapeHtml(href)}</a></p>` : ""

/** Characters of shared blocks that a post may show. */
const MAX_SHARED_CHARS = 2 ** 20

/** Puts text where a block is a comment alone: blocks that posts share, and embeds. WordPress makes the others when it shows a post. */
const fillBlocks = (html: string, shared: Map<string, string>): Rendered => {
  const warnings = new Set<string>()
  const parts: string[] = []
  let [at, taken] = [0, 0]
  for (const { start, end, isWhole, name, data } of blockComments(html)) {
    if (!isWhole) continue
    // Matches `"ref":12` and `"url":"https://e.x/a"`. Does not match `"refs":12`.
    const [, ref = ""] = /"ref":\s*(\d+)/.exec(data) ?? []
    const [, url = ""] = /"url":\s*"([^"\\]+)"/.exec(data) ?? []
    const block = name === "block" ? shared.get(ref) : undefined
    taken += block?.length ?? 0
    parts.push(html.slice(at, start))
    at = end
    if (block !== undefined && taken <= MAX_SHARED_CHARS) {
      const inner = fillBlocks(block, new Map())
      for (const warning of inner.warnings) warnings.add(warning)
      if (data.includes('"content":'))
        warnings.add("It changes texts of a shared block. The block's first texts are used.")
      parts.push(inner.html)
    } else if (linkTo(url) !== "") parts.push(linkTo(url))
    else if (!SILENT.has(name)) warnings.add(`The block ${name} has no text in the export, and is left out.`)
  }
  return { html: [...parts, html.slice(at)].join(""), warnings: [...warnings] }
}

/** Blocks that readers do not see, and the place of footnotes. */
const SILENT = new Set(["more", "nextpage", "footnotes"])

/** Matches a shortcode: `[caption id="a"]`, `[/caption]`, `[gallery ids="1" /]`. Does not match `[a]b]` as one. */
const SHORTCODE = /\[(\/?)([a-z][\w-]*)((?:\s|=)[^[\]]*)?\]/gi
/** Characters of a shortcode's arguments that are read. */
const MAX_CHARS = 2000
/** Shortcodes around code. Some have the name of its language. */
const CODE = new Set("code sourcecode bash cpp csharp css html java javascript js php python ruby sql xml".split(" "))
const PAIRS = new Set("caption embed youtube vimeo audio video".split(" "))
const KNOWN = new Set([...PAIRS, "gallery"])

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

/** Matches `https://e.x/a.jpg`. Does not match `https://e.x/a.pdf`. */
const IMAGE = /\.(?:avif|bmp|gif|hei[cf]|jpe?g|png|svg|tiff?|webp)$/i

/** Writes a shortcode as HTML; null if it makes no sense. */
const writeShortcode = (
  name: string,
  options: Map<string, string>,
  content: string,
  { attachments, uploads }: Parts,
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
        : uploads.filter((one) => IMAGE.test(one.url) && !excluded.has(one))
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
const convertShortcodes = (html: string, names: Set<string>, all: Parts, warn: Warn): string => {
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
      ? writeShortcode(name, argumentsOf(list.slice(0, MAX_CHARS).replace(/\/$/, "")), content, all, warn)
      : null
    // `[sic]` is text of an author; a name with arguments or an end is not.
    if (written === null && (isKnown || isClose || list.includes("="))) warn(`The shortcode [${name}] is kept as text.`)
    if (written === null) continue
    result += `${html.slice(at, start)}\n\n${written}\n\n`
    at = close?.end ?? end
  }
  return result + html.slice(at)
}

/** Makes HTML of a post's text. */
export const renderWordPress = (content: string, all: Parts): Rendered => {
  const filled = fillBlocks(content, all.shared)
  const warnings = new Set(filled.warnings)
  const warn = (message: string) => void warnings.add(message)
  // Code may hold tags and other shortcodes.
  const coded = convertShortcodes(filled.html, CODE, all, () => {})
  const html = outside("pre|code|script|style", coded, (text) => convertShortcodes(text, KNOWN, all, warn))
  // References in the text lead to these ids.
  const notes = [...all.footnotes].map(([id, note]) => `<li id="${escapeHtml(id)}">${note}</li>`).join("")
  if (content.includes("<!-- wp:footnotes") && notes === "") warn("Its footnotes are not in the export.")
  return { html: addOutsideBlocks(html) + (notes && `<ol>${notes}</ol>`), warnings: [...warnings] }
}
