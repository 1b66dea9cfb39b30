import { escapeHtml } from "../markdown/write.ts"

// Makes HTML of what WordPress keeps in a post: blocks, paragraphs without tags, and shortcodes.

/** An image of the export. */
export interface Attachment {
  url: string
  alt: string
  caption: string
}

/** Changes a text outside of elements with code, in one pass. An element without an end is text. */
const outsideCode = (html: string, change: (text: string) => string): string => {
  // Matches `</pre>` and `</code>`. Does not match `</preview>`.
  const ends = [...html.matchAll(/<\/(pre|code|script|style)>/gi)].map(({ 0: tag, 1: name = "", index }) => ({
    name: name.toLowerCase(),
    end: index + tag.length,
  }))
  const byName = Map.groupBy(ends, ({ name }) => name)
  const passed = new Map<string, number>()
  const parts: string[] = []
  let at = 0
  // Matches `<pre class="a">` and `<code>`. Does not match `<preview>`.
  for (const { 1: name = "", index } of html.matchAll(/<(pre|code|script|style)(?=[\s>])/gi)) {
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
  // An address on a line of its own is an embed. Matches `https://e.x/a`. Does not match `https://e.x/a b`.
  if (/^https?:\/\/[^\s<>"]+$/.test(chunk)) return `<p><a href="${chunk}">${chunk}</a></p>`
  const lines = chunk.replaceAll("\n", "<br>")
  return HOLDER.test(before) && after.startsWith("</") ? lines : `<p>${lines}</p>`
}

/** Makes paragraphs of lines between blank lines, as WordPress does when it shows a post. */
const addParagraphs = (html: string): string =>
  outsideCode(html.replaceAll(/\r\n?/g, "\n"), (text) =>
    text
      .replaceAll(BLOCK, "\n\n$&\n\n")
      // Matches blank lines.
      .split(/\n[ \t]*\n/)
      .map((chunk) => chunk.trim())
      .filter((chunk) => chunk !== "")
      .map((chunk, i, all) => toParagraph(chunk, all[i - 1], all[i + 1]))
      .join("\n"),
  )

/** Matches the comments of blocks: `<!-- wp:image {"id":1} -->`, `<!-- /wp:image -->`, `<!-- wp:more /-->`. Does not match `<!--more-->`. */
const BLOCK_COMMENT = /<!--\s+(\/?)wp:[a-z][^]*?(\/?)-->/gi

/** Adds paragraphs where no block is: in the whole text of a classic post. */
const addOutsideBlocks = (html: string): string => {
  if (!html.includes("<!-- wp:")) return addParagraphs(html)
  const parts: string[] = []
  let [at, depth] = [0, 0]
  const take = (end: number): void => {
    const part = html.slice(at, end)
    parts.push(depth === 0 ? addParagraphs(part) : part)
  }
  // The last comment may have no end, and would be looked for from each beginning.
  const last = html.lastIndexOf("-->")
  for (const { 0: comment, 1: close, 2: isWhole, index } of html.slice(0, last + 3).matchAll(BLOCK_COMMENT)) {
    take(index)
    at = index + comment.length
    if (isWhole !== "/") depth = Math.max(0, depth + (close === "/" ? -1 : 1))
  }
  take(html.length)
  return parts.join("\n").replaceAll(
    // Matches the content of an embed block, `wp-block-embed__wrapper">https://e.x/a</div>`. Does not match one with a tag.
    /(wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"]+)\s*(?=<\/div>)/g,
    '$1<p><a href="$2">$2</a></p>',
  )
}

/** Matches a shortcode: `[caption id="a"]`, `[/caption]`, `[gallery ids="1" /]`. Does not match `[a]b]` as one. */
const SHORTCODE = /\[(\/?)([a-z][\w-]*)((?:\s|=)[^[\]]*)?\]/gi
/** Characters of a shortcode's arguments that are read. */
const MAX_CHARS = 2000
/** Shortcodes around code. Some have the name of its language. */
const CODE = new Set("code sourcecode bash cpp csharp css html java javascript js php python ruby sql xml".split(" "))
const PAIRS = new Set("caption embed youtube vimeo audio video".split(" "))
const KNOWN = new Set([...PAIRS, "gallery"])

/** Reads `a="b" c='d' e=f g`; what has no name is called "". */
const argumentsOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|([^\s=]+)/g)].map(
      ([, name, one, two, three, alone]) => [name ?? "", (one ?? two ?? three ?? alone ?? "").replace(/^=/, "")],
    ),
  )

const linkTo = (href: string): string =>
  // Matches `https://e.x/a`. Does not match `a b`.
  /^https?:\/\/\S+$/.test(href) ? `<p><a href="${escapeHtml(href)}">${escapeHtml(href)}</a></p>` : ""

const figureOf = (image: string, caption: string): string =>
  `<figure>${image}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`

/** Writes a shortcode as HTML; null if it makes no sense. */
const writeShortcode = (
  name: string,
  options: Map<string, string>,
  content: string,
  attachments: Map<string, Attachment>,
  uploads: Attachment[],
): string | null => {
  const value = (options.get("") ?? content).trim()
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
      const ids = options
        .get("ids")
        ?.split(",")
        .map((id) => id.trim())
      const images = ids ? ids.map((id) => attachments.get(id)).filter((one) => one !== undefined) : uploads
      const figures = images.map(({ url, alt, caption }) =>
        figureOf(`<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`, caption),
      )
      return images.length === (ids?.length ?? 0) || !ids ? figures.join("\n") : null
    }
    // An id may stand instead of the address. Matches `dQw4w9WgXcQ`. Does not match `https://youtu.be/a`.
    case "youtube":
      return linkTo(/^[\w-]+$/.test(value) ? `https://www.youtube.com/watch?v=${value}` : value) || null
    case "vimeo":
      return linkTo(/^\d+$/.test(value) ? `https://vimeo.com/${value}` : value) || null
    default: {
      const sources = ["src", "mp3", "m4a", "ogg", "wav", "mp4", "m4v", "webm", "ogv"].map((key) => options.get(key))
      return linkTo(sources.find(Boolean) ?? value) || null
    }
  }
}

/** Makes HTML of shortcodes with some names. @returns the text, and the names of those that stay */
const convertShortcodes = (
  html: string,
  names: Set<string>,
  attachments: Map<string, Attachment>,
  own: Attachment[],
) => {
  const kept = new Set<string>()
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
      ? writeShortcode(name, argumentsOf(list.slice(0, MAX_CHARS).replace(/\/$/, "")), content, attachments, own)
      : null
    // `[sic]` is text of an author; a name with arguments or an end is not.
    if (written === null && (isKnown || isClose || list.includes("="))) kept.add(name)
    if (written === null) continue
    result += `${html.slice(at, start)}\n\n${written}\n\n`
    at = close?.end ?? end
  }
  return { html: result + html.slice(at), kept: [...kept] }
}

/** Makes HTML of a post's text. @param own the images that were uploaded to the post. @returns it, and the names of shortcodes that stay text */
export const renderWordPress = (
  content: string,
  attachments: Map<string, Attachment>,
  own: Attachment[],
): { html: string; kept: string[] } => {
  const kept = new Set<string>()
  // Code may hold tags and other shortcodes.
  const coded = convertShortcodes(content, CODE, attachments, own).html
  const html = outsideCode(coded, (text) => {
    const converted = convertShortcodes(text, KNOWN, attachments, own)
    for (const name of converted.kept) kept.add(name)
    return converted.html
  })
  return { html: addOutsideBlocks(html), kept: [...kept] }
}
