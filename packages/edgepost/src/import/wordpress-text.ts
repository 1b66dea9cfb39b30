import { escapeHtml } from "../markdown/write.ts"
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

/** Puts text where a block is a comment alone: blocks that posts share, and embeds. WordPress makes the others when it shows a post. */
const fillBlocks = (html: string, shared: Map<string, string>): Rendered => {
  const warnings = new Set<string>()
  const parts: string[] = []
  let [at, taken] = [0, 0]
  const comments = blockComments(html)
  for (const [i, { start, end, isClose, isWhole, name, data }] of comments.entries()) {
    // Matches `"language":"bash"`. Does not match `"language":""`.
    const [, language] = /"language":\s*"([\w+#.-]+)"/.exec(data) ?? []
    if (!isWhole && !isClose && language !== undefined) {
      // Blocks of code name their language in the comment alone.
      const next = comments[i + 1]?.start ?? html.length
      parts.push(html.slice(at, end), html.slice(end, next).replace("<pre", `<pre data-lang="${language}"`))
      at = next
    }
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
  if (content.includes("<!-- wp:footnotes") && notes === "") warn("Its footnotes are not in the export.")
  return { html: addOutsideBlocks(html) + (notes && `<ol>${notes}</ol>`), warnings: [...warnings] }
}
