import type { DialectText } from "./dialect-text.ts"
import { readWords } from "./document.ts"
import { type Edit, matchesIn, replaceMatch } from "./edits.ts"
import { escapeHtml } from "./write.ts"

// Writes images with a size as HTML, the only form that has one.

/** Matches an image with what may be a size: `![a|300](b)`, `![a](b "t"){: width="9"}`, `![](b =9x9)`. Does not match `![a] (b)`. */
const IMAGE =
  /!\[((?:\\.|[^[\]\\\n]){0,500})\]\((<[^<>\n]{0,500}>|(?:[^(){}<>"\n]|\([^()<>"\n]{0,500}\)|\{[{%][^{}\n]{0,500}\}+){1,500}?)(?:[ \t]+("[^"\n]{0,500}"|'[^'\n]{0,500}'))?(?:[ \t]+=(\d*x\d*))?[ \t]*\)(?:[ \t]?\{:?((?:[^{}\n]|\n(?!\s*\n)){0,500})\})?/g
/** Matches an image of Obsidian, with the words after its name: `![[a.png|b|300]]`. Does not match `![[a.png]]`. */
const EMBED = /!\[\[([^[\]\n|#^]{1,500}\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp))(\\?\|[^[\]\n]{1,500})\]\]/gi
/** Matches a size at the end of words, and these: `a|300`, `|300x200`. Does not match `a|b`. */
const AT_END = /^(?:\\?\|)?(.*?)\\?\|[ \t]*(\d+(?:x\d+)?)[ \t]*$/
/** Matches a size in a list of attributes or a style: `width="50%"`, `height: 20px`, `w=9`. Does not match `max-width: 3px` and `width: 3em`. */
const SIZE = /(?<![\w-])(w|h)(?:idth|eight)?\s*[=:]\s*["']?(\d{1,4}(?:\.\d+)?)(?:(%)|px)?(?![\w.%])/gi
/** Matches the style of an image in HTML: ` style="width: 50%"` of `<img style="width: 50%">`. Does not match that of `<img width="9" style="">`. */
const STYLE = /(?<=<img(?=\s)(?![^<>]*\swidth\s*=)[^<>]{0,2000})\sstyle=(["'])([^"'<>]{0,500})\1/gi

/** Returns the attributes of a size, as HTML has them: of `300x200`, or of a list or a style. */
export const sizeOf = (pair: string, given: string): string => {
  const [width = "", height = ""] = pair.split("x")
  const named = Array.from(given.matchAll(SIZE), ([, sign, value = "", unit = ""]): [string, string] => [
    /w/i.test(sign ?? "") ? "width" : "height",
    value + unit,
  ])
  const both =
    pair === ""
      ? named
      : ([
          ["width", width],
          ["height", height],
        ] as const)
  return both.map(([name, value]) => value && ` ${name}="${value}"`).join("")
}

export const writeSizes = (source: DialectText): Edit[] => {
  const { text, lines } = source
  const edits: Edit[] = []
  const write = (match: RegExpExecArray, src: string, alt: string, title: string, size: string): void => {
    const end = match.index + match[0].length
    // Alone on its line the tag would begin a block of HTML, to which the next line belongs.
    const next = lines.markersBefore(match.index) !== null && lines.isBlankAfter(end) ? lines.next(end) : null
    const sign = next === null || lines.isBlankAfter(next) ? "" : "<!-- -->"
    // Tags of a template have quotes of their own.
    const address = /\{[{%]/.test(src) ? src : escapeHtml(src)
    if (size !== "")
      edits.push(replaceMatch(match, `<img src="${address}" alt="${escapeHtml(alt)}"${title}${size}>${sign}`))
  }
  if (text.includes("!["))
    for (const match of matchesIn(source, IMAGE)) {
      const [, words = "", address = "", title, pair = "", list = ""] = match
      const [, alt = words, own = ""] = AT_END.exec(words) ?? []
      // Matches the signs around `<a b>` and backslashes before others. Does not match `a`.
      const src = address.trim().replaceAll(/^<|>$|\\(?=[!-/:-@[-`{-~])/g, "")
      const named = title === undefined ? "" : ` title="${escapeHtml(title.slice(1, -1))}"`
      // Matches markup, escapes and entities. Does not match `A boat`.
      write(match, src, /[\\*_`&[<~]/.test(alt) ? readWords(alt) : alt, named, sizeOf(own || pair, list))
    }
  for (const match of text.includes("![[") ? matchesIn(source, EMBED) : []) {
    const [, alt = "", pair = ""] = AT_END.exec(match[2] ?? "") ?? []
    // What an address has another meaning for.
    const src = (match[1] ?? "").trim().replaceAll(/[%?:]/g, encodeURIComponent)
    if (pair !== "") write(match, src, alt, "", sizeOf(pair, ""))
  }
  for (const match of text.includes("<img") ? matchesIn(source, STYLE) : []) {
    const [, quote = "", style = ""] = match
    const size = sizeOf("", style)
    // Other declarations stay, so that the service names them.
    const others = style.split(";").filter((one) => !/^\s*(?:$|(?:max-)?(?:width|height)\s*:)/i.test(one))
    const kept = others.length > 0 ? ` style=${quote}${others.join(";")}${quote}` : ""
    if (size !== "") edits.push(replaceMatch(match, size + kept))
  }
  return edits
}
