import { escapeText } from "../escape.ts"
import { withoutComments } from "./hidden.ts"
import { foreign, type Reader, replace, type Step } from "./reader.ts"
import { alertKind } from "./shortcodes.ts"
import { IN_ADDRESS, writeDestination } from "./write.ts"

// Obsidian's syntax: `[[Note]]`, `![[a.png]]`, callouts, `%% comments %%`, `==marks==`; and `[toc]`. Hashnode's embeds.

/** Matches `[[Note]]`, `![[a.png|300]]`, `[[Note#Head|a [text]]]` and the first of `[[a]][[b]]`. Does not match `[[1]](a)`, `[[1]][a]` and `[[^1]]`. */
const WIKI =
  /^(!?)\[\[(?![ \t^])([^[\]\n|#^]*)(#[^[\]\n|]*)?(?:\|((?:\\.|[^[\]\\\n]|\[[^[\]\n]*\]|\](?!\]))*))?\]\](?!\(|\[(?![[^]))/
/** Matches a link whose text stands before its note, `[[text|note`, with both parts. */
const TEXT_FIRST = /^(!?\[\[)([^[\]|\n]+)\|([^[\]|\n]+)(?=\]\])/
/** Matches names of images. Does not match `a.pdf`. */
const IMAGE = /\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)$/i
/** Matches numbers in brackets that name no note, and sizes: `12` and `300x200`. Does not match `1984`. */
const NUMBER = /^(?:\d{1,3}|\d+x\d+)$/
/** Matches the start of definitions that a program writes for `[[a]]`. */
const OF_LINKS = "[//begin]: #"
/** Matches Hashnode's `![a](b align="left"`, with both parts. Does not match `![a](b "c"`. */
const IMAGE_ALIGN = /^(!\[[^[\]\n]*\]\([^\s()]+)(\s+align="[^"\n]*")(?=\))/
/** Matches `[!info]- Title`, `[!NOTE]` and `[!my type|wide]`. Does not match `[!a](b)`. */
const CALLOUT = /^\[!([^\]|]+)(?:\|[^\]]*)?\][+-]?(?:[ \t]+(.*))?$/
/** Matches inline notes, also with links: `^[a [b](c) [[d]]]`. Does not match `^[a [b]`. */
const NOTE = /^\^\[(?:\\.|[^[\]\\]|\[(?:[^[\]]|\[[^[\]]*\])*\])+\]/
/** Matches what a block ends before: a blank line, an item, a heading. Does not match `a`. */
const BLOCK = /^[ \t>]*(?:$|[*+-][ \t]|\d+[.)][ \t]|#)/
/** Matches an address with its end: `](my photo.png)`, `](b/My (1).md#c "T")`. Does not match `](<a b.png>)` and `]({{ a }}/b.png)`. */
const ADDRESS =
  /^\]\(((?:[^(){}<>"\n]|\([^(){}<>"\n]*\))*?\.[a-z]\w{0,4}(?:\?[^\s(){}<>"#]*)?(?:#[^(){}<>"\n]*)?)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)/i
/** Matches table of contents markers. Does not match `[[tocsin]]`. */
const TOC = /^\[\[_?toc_?\]\]|^\[toc\]/i

/** Letters and digits of the Latin alphabet, between which `==` compares. Matches `a`. Does not match `重`. */
const WORD = /\w/

export class Obsidian {
  readonly #reader: Reader
  readonly #labels: Set<string>
  readonly #definesLinks: boolean
  /** Positions of an open `==` and of the end of its line. */
  #mark: { start: number; lineEnd: number } | null = null

  /** @param labels of link definitions: `[[a]]` with one is a link */
  constructor(reader: Reader, labels: Set<string>) {
    this.#reader = reader
    this.#labels = labels
    this.#definesLinks = reader.text.includes(OF_LINKS)
  }

  scan(sign: string, at: number): Step | null {
    if (sign === "[!") return this.#callout(at)
    if (sign === "%%") return this.#comment(at)
    if (sign === "](") return this.#destination(at)
    if (sign === "^[") return this.#note(at)
    if (sign.startsWith("^")) return this.#blockId(at)
    if (sign === "%[") return this.#embed(at)
    if (sign === "==") return this.#highlight(at)
    return this.#toc(at) ?? this.#wikiLink(at) ?? (sign === "![" ? this.#imageOption(at) : null)
  }

  #toc(at: number): Step | null {
    const { text, lines } = this.#reader
    const [marker] = TOC.exec(text.slice(at, at + 12)) ?? []
    if (marker === undefined || this.#labels.has("toc") || lines.markersBefore(at) === null) return null
    return lines.isBlankAfter(at + marker.length) ? replace(at, at + marker.length, "") : null
  }

  #wikiLink(at: number): Step | null {
    const { text, lines, names } = this.#reader
    const source = text.slice(at, Math.min(lines.end(at), at + 1000))
    const match = WIKI.exec(names.markup.linksBeginWithText ? source.replace(TEXT_FIRST, "$1$3|$2") : source)
    if (!match || text[at - 1] === "[") return null
    const [whole, embed, target = "", heading = "", given] = match
    // Matches brackets, which could make a link in the link.
    const alias = given && withoutComments(given)?.replaceAll(/(?<!\\)[[\]]/g, String.raw`\$&`)
    // Tables need a backslash before the bar. Matches `\` at the end.
    const name = target.replace(/\\$/, "").trim()
    // Code in prose has numbers in brackets after a name: `x[[1984]]`.
    const isNumber = NUMBER.test(name) || (/^\d+$/.test(name) && /\w/.test(text[at - 1] ?? ""))
    if (name + heading === "" || alias === null || (isNumber && heading === "" && given === undefined)) return null
    const end = at + whole.length
    const label = [whole.slice(2 + (embed ?? "").length, -2), heading === "" ? name : ""].find((one) =>
      this.#labels.has(one.toLowerCase()),
    )
    if (label !== undefined && (this.#definesLinks || label !== name))
      return replace(at, end, `[${alias ?? escapeText(name)}][${label}]`)
    if (this.#labels.has(name.toLowerCase()) && !this.#definesLinks) return null
    // Matches what an address has another meaning for: `?`, `:`. Does not match `#`.
    const path = name.replaceAll(/[%?:]/g, (sign) => encodeURIComponent(sign))
    if (embed && IMAGE.test(name)) return replace(at, end, `![${escapeText(alias ?? "")}](${writeDestination(path)})`)
    // Of `#A#B`, B is meant; `#^a` is a block, which has no id here.
    const anchor = heading.startsWith("#^") ? "" : (heading.replace(/\\$/, "").split("#").at(-1) ?? "").trim()
    const shown = alias ?? escapeText([name, anchor].filter((part) => part !== "").join(" > "))
    return replace(at, end, `[${shown}](${writeDestination(anchor === "" ? path : `${path}#${anchor}`)})`)
  }

  /** Removes of an image what Markdown does not know. */
  #imageOption(at: number): Step | null {
    const head = this.#reader.text.slice(at, at + 1000)
    const [, before = "", option] = IMAGE_ALIGN.exec(head) ?? []
    const start = at + before.length
    return option === undefined ? null : replace(start, start + option.length, "")
  }

  /** Hashnode's `%[https://a.example]`, which shows the page within the post. */
  #embed(at: number): Step | null {
    const { text } = this.#reader
    // Matches `%[https://a.example]`. Does not match `%[a]`.
    const [whole, url = ""] = /^%\[(https?:\/\/[^\s<>[\]]+)\]/i.exec(text.slice(at, at + 2100)) ?? []
    return whole === undefined ? null : replace(at, at + whole.length, `<${url}>`)
  }

  /** Writes an address with blanks, `](my photo.png)`, as Markdown. */
  #destination(at: number): Step | null {
    const [, address = ""] = ADDRESS.exec(this.#reader.text.slice(at, at + 1000)) ?? []
    // Matches a blank within. Does not match ` a`.
    return /\S[ \t]+\S/.test(address)
      ? replace(at + 2, at + 2 + address.length, writeDestination(address.trim()))
      : null
  }

  #note(at: number): Step | null {
    const [note = ""] = NOTE.exec(this.#reader.text.slice(at, at + 2000)) ?? []
    // Matches a blank line, which ends a paragraph. Does not match `\na`.
    const isNote = note !== "" && !/\n[ \t>]*\r?\n/.test(note) && this.#reader.text[at - 1] !== "["
    return isNote ? { item: { note: { start: at, end: at + note.length } }, end: at + 2 } : null
  }

  /** Removes the id of a block, `^a1b2c3`, at the end of a paragraph or an item. */
  #blockId(at: number): Step | null {
    const { text, lines } = this.#reader
    const next = lines.next(at)
    const isEnd = next === null || BLOCK.test(text.slice(next, lines.end(next)))
    return isEnd ? replace(at, lines.end(at), "") : null
  }

  #callout(at: number): Step | null {
    const { text, lines } = this.#reader
    const before = lines.markersBefore(at)
    const [whole, type = "", title = ""] = CALLOUT.exec(text.slice(at, lines.end(at)).trimEnd()) ?? []
    // Matches `> `. Does not match `>  - `.
    if (whole === undefined || !before || !/>[ \t]*$/.test(before)) return null
    const kind = alertKind(type)
    const own = withoutComments(title)
    if (own === null) return null
    if (whole === `[!${type}]` && type.toUpperCase() === kind) return { item: null, end: at + whole.length }
    // Obsidian shows the name of a type that it does not know.
    const shown = kind ? own : own || type.slice(0, 1).toUpperCase() + type.slice(1)
    const prefix = lines.continuation(at)
    const heading = shown === "" ? "" : `\n${prefix}**${shown}**\n${prefix.trimEnd()}`
    return replace(at, at + whole.length, `[!${kind ?? "NOTE"}]${heading}`)
  }

  /** A comment ends at the next `%%`, on any line. */
  #comment(at: number): Step | null {
    const reader = this.#reader
    const { text, lines } = reader
    const isShown = !reader.names.tool.comments.includes("%%")
    // Matches the rest of an address: `b)` of `https://e.x/a%%b)`. Does not match `b%%`.
    const isAddress = IN_ADDRESS.test(reader.before(at).slice(-99)) && /^\w(?!\S*%)/.test(text.slice(at + 2, at + 999))
    if (text[at + 2] === "%" || (isShown && isAddress)) return null
    const isInLine = lines.markersBefore(at) === null
    const first = reader.find(/%%/g, at + 2)
    // A backquote of a comment in a line only seems to start code.
    const end = reader.findText(/%%/g, at + 2) ?? (first && first.end <= lines.end(at) ? first : null)
    if (first && end) {
      // It is open which of these is the end.
      if (text.slice(first.end, end.start).includes("%%")) return foreign(text, at, end.end)
      // Matches percentages: `0%% ` of `50%% and 60%%`. Does not match `0%%a`.
      const isNumber = /^\d%%\s/.test(text.slice(at - 1, at + 3)) && /\d/.test(text[end.start - 1] ?? "")
      if (isNumber) return { item: null, end: end.end }
      // Only Obsidian hides code after a paragraph. Matches a fence. Does not match an inline code.
      const isText = isInLine && isShown && reader.find(/\n[ \t>]*(?:```|~~~)/g, at)
      return isText && isText.start < end.start ? null : replace(at, end.end, "")
    }
    if (isInLine) return null
    if (lines.isBlankAfter(at + 2)) return replace(at, text.length, "")
    return /\s/.test(text[at + 2] ?? "") ? foreign(text, at, lines.end(at)) : null
  }

  #highlight(at: number): Step | null {
    const { text, lines } = this.#reader
    const before = text[at - 1] ?? " "
    const after = text[at + 2] ?? " "
    const mark = this.#mark
    if (mark && at < mark.lineEnd && before.trim() !== "" && !WORD.test(after)) {
      this.#mark = null
      const edits = [
        { start: mark.start, end: mark.start + 2, text: "<mark>" },
        { start: at, end: at + 2, text: "</mark>" },
      ]
      return { item: { edits }, end: at + 2 }
    }
    if (after.trim() !== "" && !WORD.test(before)) this.#mark = { start: at, lineEnd: lines.end(at) }
    return { item: null, end: at + 2 }
  }
}
