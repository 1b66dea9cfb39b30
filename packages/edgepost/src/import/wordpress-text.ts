import { escapeHtml } from "../markdown/write.ts"
import { fieldsIn, type JsonFields, textOfField } from "./data.ts"
import { dataOf, hidingBlock, hidingShortcode } from "./wordpress-hidden.ts"
import { CODE, convertShortcodes, type Files, KNOWN, linkTo } from "./wordpress-shortcodes.ts"

// Makes HTML of what WordPress keeps in a post: blocks, and paragraphs without tags.

/** Parts of an export that the text of a post names. */
export interface Parts extends Files {
  /** Texts of blocks that several posts share, by their ids. */
  shared: Map<string, string>
  /** HTML of the post's footnotes by their ids, in their order. */
  footnotes: Map<string, string>
}

/** HTML of a post, and what the author should know about it. */
interface Rendered {
  html: string
  warnings: string[]
  /** The name of what hides a part of it from some readers. */
  hidden: string | undefined
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

/** Characters of shared blocks that a post may show. */
const MAX_SHARED_CHARS = 2 ** 20
/** Shared blocks within each other. */
const MAX_SHARED_LEVELS = 50

/** Matches the first element with one of some names, and its content. Does not match one without an end. */
const firstOf = (tags: string): RegExp => new RegExp(`(<(?:${tags})(?=[\\s>])[^>]*>)[^]*(</(?:${tags})>)`, "i")

/** The places at which WordPress puts texts of a post into a shared block. */
const OVERRIDES: Record<string, RegExp> = {
  content: firstOf("p|h[1-6]|li|pre|cite|summary"),
  text: firstOf("a|button"),
  caption: firstOf("figcaption"),
}
/** Its attributes, and the elements that have them. */
const ATTRIBUTES: Record<string, string> = { url: "src", alt: "alt", title: "title" }

/** Puts the texts of a post into a part of a shared block that may be changed. @returns null if one has no place */
const override = (html: string, data: JsonFields, texts: JsonFields): string | null => {
  const metadata = fieldsIn(data, "metadata")
  const isOpen = JSON.stringify(metadata["bindings"] ?? "").includes('"core/pattern-overrides"')
  let changed = html
  for (const [name, value] of Object.entries(isOpen ? fieldsIn(texts, textOfField(metadata, "name")) : {})) {
    const pattern = OVERRIDES[name]
    // Matches the tag of an image, else that of a link.
    const [tag = ""] = /<img\s[^>]*>/.exec(changed) ?? /<a(?=[\s>])[^>]*>/.exec(changed) ?? []
    const attribute = tag.startsWith("<a") && name === "url" ? "href" : ATTRIBUTES[name]
    if (pattern?.test(changed)) changed = changed.replace(pattern, (_, start, end) => start + String(value) + end)
    else if (pattern) return null
    else if (attribute && tag !== "") {
      // Matches the attribute with its value. Does not match one whose name ends in the same way.
      const rest = tag.replace(new RegExp(`\\s${attribute}="[^"]*"`), "")
      // Matches the end of the tag.
      const own = rest.replace(/\s*\/?>$/, () => ` ${attribute}="${escapeHtml(String(value))}">`)
      changed = changed.replace(tag, () => own)
    }
  }
  return changed
}

/** Returns what stands before the first block within a block, as readers see it. */
const openBlock = (name: string, data: JsonFields, html: string): string => {
  // Each panel has its title: buttons in a row would be one line.
  if (name === "tab-list") return ""
  const label = textOfField(data, "label")
  if (name === "tab-panel" && label !== "") return `<p><strong>${label}</strong></p>${html}`
  // A label beside the code names its language, unless its author has set another one.
  const hasLabel = name.endsWith("/code-block-pro") && !("headerString" in data || "footerString" in data)
  // Matches code alone.
  const code = (hasLabel ? /<pre[^]*<\/pre>/.exec(html)?.[0] : undefined) ?? html
  const language = textOfField(data, "language")
  // Blocks of code name their language in the comment alone. Matches `c++`. Does not match `a b`.
  return /^[\w+#.-]+$/.test(language) ? code.replace("<pre", `<pre data-lang="${language}"`) : code
}

/** Writes a track of a playlist. */
const trackOf = (data: JsonFields): string => {
  const [src = "", title, artist, length] = ["src", "title", "artist", "length"].map((name) =>
    escapeHtml(textOfField(data, name)),
  )
  const about = [artist, length].filter(Boolean).join(", ")
  return src && `<li><a href="${src}">${title || src}</a>${about && ` (${about})`}</li>`
}

/** Puts text where a block is a comment alone: blocks that posts share, tracks and embeds. WordPress makes the others when it shows a post. */
const fillBlocks = (whole: string, shared: Map<string, string>): Rendered & { hasNotes: boolean } => {
  const warnings = new Set<string>()
  let hasNotes = false
  let [hidden, taken]: [string | undefined, number] = [undefined, 0]
  const fill = (html: string, refs: string[], texts: JsonFields): string => {
    const parts: string[] = []
    let at = 0
    const comments = blockComments(html)
    for (const [i, { start, end, isClose, isWhole, name, data: json }] of comments.entries()) {
      if (isClose) continue
      hasNotes ||= name === "footnotes"
      const data = dataOf(json)
      const { reason, isScreen } = hidingBlock(name, data)
      hidden ??= reason
      if (isScreen) warnings.add("The old site shows parts of it on some screens alone. The text has all of them.")
      if (!isWhole) {
        const next = comments[i + 1]?.start ?? html.length
        const own = override(html.slice(end, next), data, texts)
        if (own === null) warnings.add("It changes texts of a shared block. The block's first texts are used.")
        parts.push(html.slice(at, end), openBlock(name, data, own ?? html.slice(end, next)))
        at = next
        continue
      }
      parts.push(html.slice(at, start))
      at = end
      const ref = textOfField(data, "ref")
      const block = name === "block" ? shared.get(ref) : undefined
      // WordPress shows nothing for a block within itself.
      if (block !== undefined && refs.includes(ref)) continue
      taken += block?.length ?? 0
      const track = name === "playlist-track" ? trackOf(data) : ""
      const link = linkTo(textOfField(data, "url"))
      if (block !== undefined && taken <= MAX_SHARED_CHARS && refs.length < MAX_SHARED_LEVELS)
        parts.push(fill(block, [...refs, ref], "content" in data ? fieldsIn(data, "content") : texts))
      else if (track + link !== "") parts.push(track || link)
      else if (!SILENT.has(name)) warnings.add(`The block ${name} has no text in the export, and is left out.`)
    }
    return [...parts, html.slice(at)].join("")
  }
  const html = fill(whole, [], {})
  return { html, warnings: [...warnings], hidden: hidden ?? hidingShortcode(html), hasNotes }
}

/** Blocks that readers do not see, and the place of footnotes. */
const SILENT = new Set(["more", "nextpage", "footnotes"])

/** Matches a formula of Jetpack, without its options: `$latex x^2&s=2$`. Does not match `$5 and $6`. */
const LATEX =
  /\$latex[\s=]{1,20}(?=[^\s=])([^$<]{1,2000}?)\s{0,20}(?:&(?:amp;|#0?38;)?(?:s|fg|bg)=[\w-]{1,20}){0,3}(?<!\\)\$/g
/** Matches formulas of other plugins: `\(x\)`, `\[x\]`, `$$x$$`. Does not match `(x)` and `$$ or $$$`. */
const FORMULA = /\\\([^<]{1,100}?\\\)|\\\[[^<]{1,100}?\\\]|\$\$[^$<]{1,100}\$\$(?!\$)|\$latex\s/

/** Marks formulas in a text, and warns of those that stay text. */
const markFormulas = (text: string, warn: (message: string) => void): string => {
  const marked = text.replaceAll(LATEX, '<math><annotation encoding="application/x-tex">$1</annotation></math>')
  const [formula] = FORMULA.exec(marked) ?? []
  if (formula !== undefined) warn(`The formula ${formula.slice(0, 40)} is kept as text. Write formulas as $x$.`)
  return marked
}

/** Makes HTML of a post's text. */
export const renderWordPress = (content: string, all: Parts): Rendered => {
  const filled = fillBlocks(content, all.shared)
  const warnings = new Set(filled.warnings)
  const warn = (message: string) => void warnings.add(message)
  // Code may hold tags and other shortcodes.
  const coded = convertShortcodes(filled.html, CODE, all, () => {})
  const html = outside("pre|code|script|style", coded, (text) =>
    markFormulas(convertShortcodes(text, KNOWN, all, warn), warn),
  )
  // References in the text lead to these ids.
  const notes = [...all.footnotes].map(([id, note]) => `<li id="${escapeHtml(id)}">${note}</li>`).join("")
  const { hasNotes } = filled
  if (hasNotes && notes === "") warn("Its footnotes are not in the export.")
  // WordPress shows them in their block.
  if (!hasNotes && notes !== "") warn("Its footnotes are left out: the old site does not show them.")
  const list = hasNotes && notes !== "" ? `<ol>${notes}</ol>` : ""
  return { ...filled, html: addOutsideBlocks(html) + list, warnings: [...warnings] }
}
