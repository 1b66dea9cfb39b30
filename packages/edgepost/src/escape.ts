// Escapes text for Markdown: for the folder's links and images, for importers and for the browser extension.

/** Patterns of characters that are markup to the service, or to tools whose syntax `publish` reads. Each matches one character. */
const UNSAFE = [
  // Matches `*`, `[`, `|` and `{`. Does not match `(`.
  /[\\`*[\]<~$|{]/,
  // Matches `_` in `_a`. Does not match it in `a_b`, which is no emphasis.
  /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
  // Matches `&` in `&amp;` and `&#38;`. Does not match it in `R&D`.
  /&(?=#?\w+;|#?$)/,
  // Matches `!` at the end, before a link. Does not match it in `![a`, whose bracket is escaped.
  /!(?=\[$)/,
  // Matches `:` in `https://a.example`, which would be a link. Does not match it in `https: a`.
  /(?<=https?|ftp):(?=\/\/)/,
  // Matches the first dot of `www.a.example`. Does not match `a.example`.
  /(?<=www)\./,
  // Matches `@` in `ann@a.example`. Does not match it in `@ann`.
  /(?<![\s(])@(?=[\w-])/,
  // Matches the second sign of `%%` and `==`, and `%` before a link. Does not match `50%`.
  /(?<=%)%|%(?=\[)|(?<==)=/,
  // Matches ` ^a1` at the end of a line, which Obsidian hides. Does not match `x^2`.
  /\^(?<=(?:^|\s)\^)(?=[\w-]+\s*$)/,
  // Matches `# ` at the beginning of a line, and ` ##` at the end. Does not match `C#` and `#1`.
  /#(?<=^\s*#)(?=#{0,5}(?:\s|$))|#(?<=(?:^|\s)#)(?=#*\s*$)/,
  // Matches `- `, `+ `, `--`, `=`, `>`, `:-` and `::` at the beginning of a line. Does not match `-1`.
  /[-+](?<=^\s*[-+])(?=\s|-|$)|[=>](?<=^\s*[=>])|:(?<=^\s*:)(?=[-:])/,
  // Matches the dot of `1. May` and the bracket of `1)` at the beginning of a line. Does not match `1.5`.
  /[.)](?<=^\s*\d{1,9}[.)])(?=\s|$)/,
  // Matches `import A from "b"` at the beginning of a line, which is MDX. Does not match `import duties`.
  /i(?<=^\s*i)(?=mport[ \t][^\n]*["'])/,
]
const ANY = new RegExp(UNSAFE.map(({ source }) => source).join("|"), "gimu")

/**
 * Returns Markdown that reads as a text.
 * @param before what stands before the text: a line end at the beginning of a line, "" if it is not known
 * @param after what stands after it, "" if it is not known
 */
export const escapeText = (text: string, before = " ", after = " "): string => {
  // Digits may begin the line. Matches `a*`. Does not match a line end, `1` and "".
  const head = /[^\n\d]$/.test(before) ? `.${before}` : before
  const end = head.length + text.length
  const escape = (sign: string, at: number): string => {
    if (at < head.length || at >= end) return sign
    // A backslash before a letter is text.
    return /[a-z]/i.test(sign) ? `&#${sign.charCodeAt(0)};` : `\\${sign}`
  }
  const escaped = (head + text + after).replaceAll(ANY, escape)
  return escaped.slice(head.length, escaped.length - after.length)
}

/**
 * Matches the blanks and digits before a sign that begins a block: `# a`, `> a`, `1. a`, `***`, "```js" and `[a]: b`.
 * Does not match `*a*` and `1.5`.
 */
const BLOCK_START =
  /^([ \t]*)(\d{0,9})(?:(?<=\d)(?=[.)][\s\]])|(?<!\d)(?=[#>=+-]|\*\s|[*_][*_ \t]*[\]\n]|~~~|`{3}[^`\n]*(?:\n|$)|\[[^[\]\n]*\]:))/

/** Returns an edit that removes a part of a link that becomes text. What follows a bracket begins no block then. */
export const removeMarkup = (markdown: string, { start, end }: { start: number; end: number }) => {
  const found = markdown.slice(start, end) === "[" ? BLOCK_START.exec(markdown.slice(end)) : null
  if (!found) return { start, end, text: "" }
  const [{ length }, blanks, digits = ""] = found
  return { start, end: end + length, text: `${blanks && " "}${digits}\\` }
}
