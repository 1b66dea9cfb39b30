import type { Budget } from "../parser/budget.ts"
import { readArguments } from "./arguments.ts"
import { scanAttributes } from "./attributes.ts"
import { scanDirective, scanElement } from "./components.ts"
import { readDocument } from "./document.ts"
import { scanBraceComment, scanHiddenHtml } from "./hidden.ts"
import { scanHtmlElement } from "./jsx-attributes.ts"
import { scanModule } from "./mdx-modules.ts"
import { Obsidian } from "./obsidian.ts"
import { escapeName, foreign, type Item, MAX_TAG_CHARS, type Reader, replace, type Step, type Tag } from "./reader.ts"
import type { Span } from "./tree.ts"

// Finds what only other tools know: shortcodes, tags of Liquid, directives, JSX, Obsidian's links, comments. One pass from left to
// right. START finds the next sign; a scanner reads what begins there, and returns an item (a tag, or a replacement) and where
// the pass goes on; null: it was plain text.
//
//   See {{< youtube a1 >}} and `{{ b }}`.
//       ^ scanBraces: tag "youtube", go on after >}}
//                              ^ code as the service reads it: skipped
//
// A tag may have a backquote, which then starts no code. So after a step that ends within "code", the rest is parsed again.

/** Matches the beginning of what may be foreign: `{`, `:::`, `[[`, `](`, `![`, `[!`, `[toc]`, `^[`, ` ^id`, `%%`, `==`, `$`, `<!--`, `<T`, `import`; and `\{`, to skip it. */
const START =
  /\\[^\w\s]|\{|:{3,}|!?\[\[|\]\(|!\[|\[!|\[toc\]|\^\[|(?<=^|\s)\^(?!\d{1,3}\b)[\w-]{2,}[ \t]*$|%%|%\[|==+|\$\$?|<!--|<\/?[a-z]|^(?:import|export)(?![\w-])/gim

/** The ends of tags by their starts, and what cannot stand between: matches `>}}` of `{{< a >}}`, not `> }}`. */
const DELIMITERS = [
  { open: "{{<", close: />\}\}/g, nested: /\{\{</g, syntax: "shortcode" },
  { open: "{{%", close: /%\}\}/g, nested: /\{\{%/g, syntax: "shortcode" },
  { open: "{%", close: /%\}/g, nested: /\{%/g, syntax: "liquid" },
  { open: "{{", close: /\}\}/g, nested: /\{\{/g, syntax: "value" },
] as const

/** Matches ` name a ` and ` /name ` of a shortcode, `- name a -` of Liquid. Does not match ` "name" `. */
const CALL = /^-?\s*(\/?)\s*([a-z_][\w.-]*(?:\/[\w.-]+)*)(?![^\s"'`,(:=/-])([^]*?)\/?-?$/i
/** Matches ` youtube.html id="x"` and ` embed/youtube.html`. Does not match ` {{ x }}`. */
const INCLUDE = /^\s*["']?(?:[\w-]+\/)*([\w-]+)(?:\.\w+)?["']?(?=\s|$)([^]*)$/

/** Matches the end of a call of a tool whose calls have parentheses: `{% end %}`. Does not match `{% endnote %}`. */
const CALL_END = /\{%-?\s*end\s*-?%\}/g
/** Matches ` name(a="b") ` of such a tool, with both parts. Does not match ` name `. */
const WITH_PARENTHESES = /^-?\s*([a-z_]\w*)\s*\(([^]*)\)\s*-?$/i

const CLOSING = {
  shortcode: (name: string) => new RegExp(String.raw`\{\{[<%]\s*\/\s*${escapeName(name)}\s*[>%]\}\}`, "g"),
  liquid: (name: string) => new RegExp(String.raw`\{%-?\s*end${escapeName(name)}\s*-?%\}`, "g"),
}

/** Reads a shortcode or a tag of Liquid, with its content if that is not to be scanned. Returns null if the tag has no name. @param end matches its end, if not one with its name; null if it has none */
const readCall = (
  reader: Reader,
  syntax: "shortcode" | "liquid",
  inner: string,
  span: Span,
  end?: RegExp | null,
): Tag | null => {
  const [, slash = "", word = "", rest = ""] = CALL.exec(inner) ?? []
  if (word === "") return null
  const include = syntax === "liquid" && word.startsWith("include") ? INCLUDE.exec(rest) : null
  const isEnd = syntax === "liquid" && word.length > 3 && word.startsWith("end")
  const name = include?.[1] ?? (isEnd ? word.slice(3) : word)
  const conversion = reader.names.conversionOf(name)
  const isClose = slash !== "" || isEnd
  const isRaw = conversion?.as === "code" || conversion?.as === "raw" || conversion?.as === "comment"
  const isSearched = !isClose && (isRaw || conversion?.as === "template")
  const close = isSearched && end !== null ? reader.find(end ?? CLOSING[syntax](name), span.end) : null
  const sign = reader.text[span.start + 2] === "<" ? ["<", ">"] : ["%", "%"]
  return {
    ...span,
    syntax,
    name,
    shown:
      end === null
        ? `{{ ${name}() }}`
        : syntax === "shortcode"
          ? `{{${sign[0]} ${name} ${sign[1]}}}`
          : `{% ${include ? "include " : ""}${name} %}`,
    isClose,
    arguments: readArguments(include?.[2] ?? rest),
    conversion,
    // Matches the end of `{{< a />}}`. Does not match the one of `{{< a https://e.x/ >}}`.
    hasEnd: close !== null && !/[\s"'`]\/$/.test(inner),
    content: isRaw && close ? { start: span.end, end: close.start, closeEnd: close.end } : null,
  }
}

/** Matches `site.baseurl`. Does not match `site.title`. */
const ROOT = /^site\.(?:baseurl|url|github\.url)$/i
/** Matches a text with filters that keep it or make an address of it: `"a b" | escape`, `'x' | prepend: site.baseurl | url`. Does not match `"a" | upcase`. */
const TEXT =
  /^(["'])((?:(?!\1)[^\\\n])*)\1((?:\s*\|\s*(?:prepend:\s*site\.[\w.]+|relative_url|absolute_url|url|escape|safe))*)$/
/** Matches filters that make an address of a path: `| relative_url`, `| prepend: site.url`. Does not match `| url_encode`. */
const IS_PATH = /\| *(?:relative_url|absolute_url|url|prepend:[^|]*)(?:\s|$)/

/** Returns what `{{ text }}` stands for; null if only its tool knows. @param next the character after it */
const valueOf = (text: string, next: string): string | null => {
  if (text.toLowerCase() === "toc") return ""
  // The address of the site: nothing before a path, and the home page if a destination ends here. Matches `)` and `"`.
  if (ROOT.test(text)) return "/{".includes(next) ? "" : /[)"'>#?]/.test(next) ? "/" : null
  const [, , value, filters = ""] = TEXT.exec(text) ?? []
  return value === undefined ? null : IS_PATH.test(filters) ? value.replace(/^\/?/, "/") : value
}

/** Reads a call of a tool whose calls have parentheses. One in `{% %}` has a text up to `{% end %}`. Returns null for other braces. */
const scanCall = (reader: Reader, inner: string, isPair: boolean, span: Span): Step | null => {
  // Matches ` end ` and `- end -`. Does not match ` endnote `.
  const opened = isPair && /^-?\s*end\s*-?$/.test(inner) ? reader.calls.pop() : undefined
  const [, name, list = ""] = WITH_PARENTHESES.exec(inner) ?? []
  const call = opened === undefined ? name && `${name} ${list}` : `end${opened}`
  const tag = call === undefined ? null : readCall(reader, "liquid", call, span, isPair ? CALL_END : null)
  if (!tag) return null
  if (isPair && !tag.isClose && !tag.content) reader.calls.push(tag.name)
  return { item: { tag }, end: tag.content?.closeEnd ?? tag.end }
}

const scanBraces = (reader: Reader, at: number): Step | null => {
  const { text } = reader
  const delimiters = DELIMITERS.find(({ open }) => text.startsWith(open, at))
  // GitHub's `${{ a }}` is text to all tools but those with Liquid.
  if (!delimiters || (delimiters.syntax === "value" && text[at - 1] === "$")) return null
  const { open, close, nested, syntax } = delimiters
  const from = at + open.length
  // A comment is no text for readers all the same. Matches `{% comment %}`. Does not match `{% if %}`.
  const isText = reader.names.markup.literalBraces === "all" || at < reader.literalUntil
  if (isText && !/^\{%-?\s*(?:end)?comment\b/.test(text.slice(at, at + 99))) return { item: null, end: from }
  const end = reader.find(close, from)
  const next = reader.find(nested, from)
  if (!end || end.end - at > MAX_TAG_CHARS || (next && next.start < end.start)) return null
  const inner = text.slice(from, end.start)
  // Matches literal shortcodes: `/* x */`. Does not match `/x`.
  const [, literal] = syntax === "shortcode" ? (/^\s*\/\*([^]*)\*\/\s*$/.exec(inner) ?? []) : []
  if (literal !== undefined) return replace(at, end.end, open + literal + text.slice(end.start, end.end))
  const call =
    reader.names.tool.hasCalls && syntax !== "shortcode"
      ? scanCall(reader, inner, syntax === "liquid", { start: at, end: end.end })
      : null
  if (call) return call
  if (syntax === "value") {
    // Matches the `-` that trims blanks: `- a -`. Does not match `a-b`.
    const expression = inner.replaceAll(/^-|-$/g, "").trim()
    const isLiteral = reader.names.markup.literalBraces !== undefined
    const known = reader.names.valueOf(expression, reader.before(at), isLiteral)
    const value = known ?? valueOf(expression, text[end.end] ?? " ")
    if (value !== null) return replace(at, end.end, value)
    return isLiteral ? { item: null, end: from } : foreign(text, at, end.end)
  }
  const tag = readCall(reader, syntax, inner, { start: at, end: end.end })
  return tag ? { item: { tag }, end: tag.content?.closeEnd ?? tag.end } : foreign(text, at, end.end)
}

/** Matches elements whose content is code or not shown: `<pre>`. Does not match `<preview>`. */
const CODE_TAG = /^<(pre|code|script|style|textarea|kbd|samp)(?=[\s>])/i
/** Matches elements whose braces are text: `<span v-pre>`. Does not match `<span>`. */
const LITERAL_TAG = /^<(\w+)\s(?:[^<>]{0,200}\s)?v-pre(?=[\s>])/i

/** Steps over HTML that contains code. Returns null for other tags. */
const skipHtml = (reader: Reader, at: number): Step | null => {
  const tag = reader.text.slice(at, at + 300)
  const [, code] = CODE_TAG.exec(tag) ?? []
  const [, name = code] = LITERAL_TAG.exec(tag) ?? []
  const found = name === undefined ? null : reader.find(new RegExp(`</${name.toLowerCase()}\\s*>`, "gi"), at)
  // Comments and hidden elements in it are such all the same.
  if (found && code === undefined) reader.literalUntil = Math.max(reader.literalUntil, found.end)
  if (code === undefined) return null
  return found && { item: null, end: found.end }
}

/** Steps over the sign before an address in angle brackets, `](<My b.md>)`, and removes that of `<URL:https://a.b>`. Returns null for other tags. */
const skipAddress = ({ text, destinations }: Reader, at: number): Step | null => {
  if (destinations.has(at)) return { item: null, end: at + 1 }
  // Matches an address as old standards have it, `<URL:https://a.b>`. Does not match `<URL>`.
  return /^<URL:(?=https?:\/\/[^\s<>]+>)/i.test(text.slice(at, at + 1000)) ? replace(at + 1, at + 5, "") : null
}

/** Returns the end of a formula that begins at `$`, as the service reads it; null if it is no formula. */
const skipMath = (reader: Reader, at: number): number | null => {
  const { text, lines } = reader
  const line = text.slice(at, lines.end(at))
  if (text.startsWith("$$", at)) {
    const end = reader.find(/\$\$/g, at + 2)
    if (!end) return null
    // A formula within a paragraph has no blank lines. Matches `a\n\nb`. Does not match `a\nb`.
    return lines.isBlankAfter(at + 2) || !/\n[ \t\r]*\n/.test(text.slice(at, end.start)) ? end.end : null
  }
  // Matches `$a$`. Does not match `$ a$`, `$a $` and `$1 and $2`.
  const [formula] = /^\$(?![\s$])(?:\\.|[^$\\])*(?<!\s)\$(?![\d$])/.exec(line) ?? []
  return formula === undefined ? null : at + formula.length
}

/** Reads `{expression}` of MDX. Only strings are known. */
const scanExpression = (reader: Reader, at: number): Step | null => {
  const end = reader.find(/\}/g, at)
  if (!end) return null
  // Matches `{" "}` and `{'a'}`. Does not match `{a}`.
  const string = /^\{\s*(["'])([^"'\\\n]*)\1\s*\}$/.exec(reader.text.slice(at, Math.min(end.end, at + MAX_TAG_CHARS)))
  const inner = reader.text.slice(at + 1, Math.min(end.start, at + MAX_TAG_CHARS)).trim()
  const value = string?.[2] ?? reader.names.valueOf(inner, reader.before(at))
  return value === null ? foreign(reader.text, at, end.end) : replace(at, end.end, value)
}

/** The limit of how often the rest of a text is parsed again. Then it has no code any more, and its post is blocked. */
const MAX_READS = 20

/** Finds all foreign syntax of a text. @param skipped what is not scanned, in order, none within another: code @param budget for parsing the rest again */
export function* scan(
  reader: Reader,
  skipped: Span[],
  labels: Set<string>,
  isMdx: boolean,
  budget: Budget,
): Generator<Item> {
  const { text } = reader
  const obsidian = new Obsidian(reader, labels)
  const scanSign = (sign: string, at: number, from: number): Step | null => {
    if (sign.startsWith("{")) {
      const known = scanBraceComment(reader, at) ?? scanBraces(reader, at) ?? scanAttributes(reader, at, from)
      return known ?? (isMdx ? scanExpression(reader, at) : null)
    }
    if (sign.startsWith(":")) return scanDirective(reader, at)
    if (sign.startsWith("<"))
      return (
        skipAddress(reader, at) ??
        scanHiddenHtml(reader, at) ??
        skipHtml(reader, at) ??
        scanElement(reader, at, isMdx) ??
        scanHtmlElement(reader, at)
      )
    if (sign.startsWith("$")) return { item: null, end: skipMath(reader, at) ?? at + sign.length }
    // Matches `import` and `export`.
    if (/^[ie]/i.test(sign)) return scanModule(reader, at, from, isMdx)
    return obsidian.scan(sign, at)
  }
  reader.setCode(skipped)
  let reads = 0
  let at = 0
  for (let found = reader.find(START, at); found; found = reader.find(START, at)) {
    const { start, end } = found
    const code = reader.codeAt(start)
    const step = code ? null : scanSign(text.slice(start, end), start, at)
    if (step?.item) yield step.item
    at = code?.end ?? Math.max(step?.end ?? end, start + 1)
    // A backquote of a tag or its content only seemed to start code.
    if (!step || (reader.codeAt(at)?.start ?? at) >= at) continue
    const isRead = reads < MAX_READS
    const { code: rest, problem } = readDocument(isRead ? text.slice(at) : "", budget)
    reads = problem ? MAX_READS : reads + 1
    if (isRead && reads === MAX_READS) yield foreign(text, start, at).item
    const shift = at
    reader.setCode(rest.map((span) => ({ start: span.start + shift, end: span.end + shift })))
  }
}
