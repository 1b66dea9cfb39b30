import { readDocument } from "../markdown/document.ts"
import { type Edit, matchesIn, replaceMatch } from "../markdown/edits.ts"
import type { Span } from "../markdown/tree.ts"
import { contentOf } from "./shown-code.ts"
import type { Lack, Tool } from "./tool.ts"

// Markdown as pandoc writes it without options. Run: version 3.10, by pandoc-wasm 1.1.0.

/** Matches the rule of a simple or multiline table, and the border of a grid table: `---- ---`, `+---+:==:+`. Does not match `---` and `| - |`. */
const TABLE = String.raw`^[ \t>]*(?:-{2,}(?:[ \t]+-{2,})+|\+(?:[-=:]{2,}\+)+)[ \t]*$`
/** Matches what pages of the web do not show: ` {-}` of `## A {-}`, `\newpage` on its line. Does not match `\newpage a`. */
const REMOVED =
  /(?<=^[ \t>]*#{1,6}[ \t][^\n]{0,500})[ \t]\{-\}[ \t]*$|^\\(?:newpage|pagebreak|clear(?:double)?page|(?:big|med|small)skip|[hv]fill|maketitle|tableofcontents)[ \t]*$/gm
/** Matches what readers would see as text: a table, `~2~` of `H~2~O`, `^2^` of `x^2^`, `: a` below a table, `| a`, `(@a) b`, fields in the text, `\emph`. Does not match `~~a~~`, `| a |` and `\\emph`. */
const LACK = new RegExp(
  String.raw`${TABLE}|(?<=[\w)])(?:~(?!~)[^\s~]{1,40}~(?!~)|\^[^\s^[\]]{1,40}\^)|(?<=\|[ \t]*\n(?:[ \t]*\n)?) {0,3}:[ \t]{1,3}\S` +
    String.raw`|^\|[ \t](?![^\n]*\|)|(?<=\n[ \t]*\n)---[ \t]*\n(?=[\w-]+:)|^\(@[\w-]*\)[ \t]|(?<!\\)\\[a-zA-Z]{2,}`,
  "gm",
)
const ADVICE = "Write the file with `pandoc -t gfm`, which has it as Markdown or HTML"

/** Writes raw blocks of HTML, "```{=html}", and raw code in lines, "`a`{=html}", as HTML, and nothing of other formats, as pandoc does for pages of the web. */
const writeRaw = (body: string, code: Span[]): Edit[] =>
  code.flatMap(({ start, end }) => {
    const source = body.slice(start, end)
    const [, block] = /^(?:`{3,}|~{3,})[ \t]*\{=([\w+-]+)\}/.exec(source) ?? []
    const [behind = "", format = block] = /^\{=([\w+-]+)\}/.exec(body.slice(end, end + 50)) ?? []
    // Matches the backquotes of code in a line. The first line of a block has its quote marks before the fence.
    const content = block === undefined ? source.replaceAll(/^`+|`+$/g, "") : contentOf(source).replace(/^[ \t>]+/, "")
    const text = /^html\d?$/.test(format ?? "") ? content.trim() : ""
    return format === undefined ? [] : [{ start, end: end + behind.length, text }]
  })

const SIGN = new RegExp(String.raw`\{=\w|\{-\}|^\\[a-z]+[ \t]*$|${TABLE}`, "m")

/** Names what looks like pandoc's own Markdown, in a folder of which nothing says that it is. */
export const looksLikePandoc = (body: string): Lack[] => {
  if (!SIGN.test(body)) return []
  const { code } = readDocument(body)
  const [first] = matchesIn({ text: body, code }, new RegExp(`${TABLE}|${REMOVED.source}`, "gm"))
  const at = first?.index ?? writeRaw(body, code)[0]?.start
  const message = `looks like syntax of pandoc, which readers see as it stands. ${ADVICE}, or set \`as: pandoc\` in edgepost.config.yaml.`
  return at === undefined ? [] : [{ at, level: "warning", message }]
}

export const pandoc: Tool = {
  name: "Pandoc",
  // Any file.
  isDatedByCommit: () => true,
  // Raw HTML as HTML; raw code of other formats, `\newpage` and `{-}` are not shown.
  blocks: (body) => {
    // Matches what may be such. Does not match `{a}`.
    const code = /\{[=-]|^\\[a-z]/im.test(body) ? readDocument(body).code : null
    const removed = code ? [...matchesIn({ text: body, code }, REMOVED)] : []
    return [...removed.map((match) => replaceMatch(match, "")), ...(code ? writeRaw(body, code) : [])]
  },
  // Tables without bars, subscripts and superscripts, captions of tables, line blocks, numbered examples, and LaTeX.
  lacks: (body) => {
    // Matches formulas. Blanks in their place keep all places.
    const text = [REMOVED, /\$\$[^$]+\$\$|\$[^$\n]+\$/g].reduce(
      (rest, pattern) => rest.replaceAll(pattern, (found) => " ".repeat(found.length)),
      body,
    )
    const [first] = matchesIn({ text, code: readDocument(body).code }, LACK)
    const message = `is syntax of pandoc, which readers would see as text. ${ADVICE}.`
    return first ? [{ at: first.index, level: "error", message }] : []
  },
  // None of them.
  comments: [],
  // Lists of descriptions, and braces as they stand.
  markup: () => ({ hasDefinitions: true, literalBraces: "all" }),
}
