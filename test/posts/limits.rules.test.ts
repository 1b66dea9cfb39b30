import { describe, expect, it } from "vitest"

import {
  MAX_BODY_LINES,
  MAX_CONTAINERS,
  MAX_HTML_BYTES,
  MAX_INLINES,
  MAX_PARSER_WORK,
  MAX_STRUCTURES,
  MAX_TABLE_CELLS,
} from "../../src/limits.ts"
import { placePictures, renderMarkdown } from "../../src/posts/markdown.ts"

/** The sentence that refuses a body, or null. */
const refusal = (markdown: string): string | null => {
  const rendered = renderMarkdown(markdown)
  if ("tooComplex" in rendered) return rendered.tooComplex
  const placed = placePictures(rendered, "my-post-", () => null)
  return "tooComplex" in placed ? placed.tooComplex : null
}

const row = (columns: number) => `|${"a|".repeat(columns)}`
/** A table of `rows` rows, its head one of them. */
const table = (columns: number, rows: number) =>
  [row(columns), `|${"-|".repeat(columns)}`, ...Array<string>(rows - 1).fill(row(columns))].join("\n")
const lines = (line: string, count: number) => Array<string>(count).fill(line).join("\n")

/** Runs of markers in one paragraph: each is compared with each. */
const RUNS = Math.floor(Math.sqrt(MAX_PARSER_WORK / 2))
/** Each is compared with all inlines, too, and is one. */
const UNDERSCORES = Math.floor(Math.sqrt(MAX_PARSER_WORK / 3))
/** At each of them all before it is read back, a tenth of a step a character. */
const CLOSING = Math.floor(Math.sqrt(MAX_PARSER_WORK / 2.05))
/** A list counts 3 times more than one of its items. */
const ITEMS = Math.floor((Math.sqrt(MAX_PARSER_WORK) - 3) / 2)
const QUOTED_LINES = Math.floor((Math.sqrt(MAX_PARSER_WORK) - 3) / 3)
/** Both are read to their end from each of their characters. */
const TRAIL = Math.floor(Math.sqrt(MAX_PARSER_WORK))
/** References repeat what is behind a definition's label as a link, and the definition looks like one. */
const SIDE = Math.sqrt(MAX_HTML_BYTES)
const LONG = `[long]: ${"d".repeat(SIDE - ": ".length - '<a href=""></a>'.length)}`
const LONG_REFERENCES = `What its references repeat is longer than the ${MAX_HTML_BYTES} bytes that its HTML may have.`
/** A body's `"` becomes `&quot;`. */
const QUOTES = Math.floor((MAX_HTML_BYTES - "<p></p>".length) / "&quot;".length)
/** All cells that are allowed but 10; one table of as many is too much to parse. */
const TABLES = `${`${table(10, 10)}\n\n`.repeat(MAX_TABLE_CELLS / 100 - 1)}${table(10, 9)}\n\n`

const TOO_MANY = "with what begins here there are too many list items, quotes, headings, definitions or table cells."
const tooDense = (cause: string) => `Line 5: the text that begins here has too many ${cause}.`
const TOO_DENSE = tooDense("*, _, ~ or brackets")
const TOO_MANY_INLINES = `up to here there are more than ${MAX_INLINES} of \`, \\, &, <, @, _ and links.`
/** More lines and fewer characters a line than a paragraph of one line has. */
const inLines = (text: string, count: number) =>
  `${BEFORE}${`${text.repeat(10)}\n\n`.repeat(count / 10)}${text.repeat(count % 10)}`
const BEFORE = "Words.\n\nMore words.\n\n"
const LONG_HTML = `Its HTML is longer than ${MAX_HTML_BYTES} bytes.`

describe("allowed up to the limit, refused beyond it with the construct and its line", () => {
  it.each<[string, (count: number) => string, number, string]>([
    ["lines", (n) => lines("a", n), MAX_BODY_LINES, `It has more than ${MAX_BODY_LINES} lines.`],
    [
      "lines of CRLF",
      (n) => lines("a", n).replaceAll("\n", "\r\n"),
      MAX_BODY_LINES,
      `It has more than ${MAX_BODY_LINES} lines.`,
    ],
    ["headings", (n) => "# a\n\n".repeat(n), MAX_STRUCTURES, `Line ${2 * MAX_STRUCTURES + 1}: ${TOO_MANY}`],
    ["quotes", (n) => "> a\n\n".repeat(n), MAX_STRUCTURES / 5, `Line ${(2 * MAX_STRUCTURES) / 5 + 1}: ${TOO_MANY}`],
    ["definitions", (n) => "[a]: /b\n\n".repeat(n), MAX_STRUCTURES / 4, `Line ${MAX_STRUCTURES / 2 + 1}: ${TOO_MANY}`],
    [
      "footnotes",
      (n) => "[^a]: b\n\n".repeat(n),
      Math.floor(MAX_STRUCTURES / 14),
      `Line ${2 * Math.floor(MAX_STRUCTURES / 14) + 1}: ${TOO_MANY}`,
    ],
    ["items of one list", (n) => BEFORE + lines("- a", n), ITEMS, `Line 5: ${TOO_MANY}`],
    ["quoted lines", (n) => BEFORE + lines("> a", n), QUOTED_LINES, `Line 5: ${TOO_MANY}`],
    ["stars", (n) => BEFORE + "*a ".repeat(n), RUNS, TOO_DENSE],
    ["underscores", (n) => BEFORE + "_a ".repeat(n), UNDERSCORES, TOO_DENSE],
    ["one run of stars", (n) => `${BEFORE}${"*".repeat(n - 1)}a*`, RUNS, TOO_DENSE],
    ["tildes", (n) => BEFORE + "~a ".repeat(n), RUNS, TOO_DENSE],
    ["closing brackets", (n) => BEFORE + "]".repeat(n), CLOSING, TOO_DENSE],
    ["opening brackets", (n) => BEFORE + "[".repeat(n), RUNS, TOO_DENSE],
    [
      "punctuation behind an address",
      (n) => `${BEFORE}www.a.bc/${")".repeat(n)}a`,
      TRAIL,
      tooDense("punctuation marks behind an address"),
    ],
    [
      "character references behind an address",
      (n) => `${BEFORE}www.a.bc/${"&a;".repeat(n / 3)}${".".repeat(n % 3)}a`,
      TRAIL,
      tooDense("punctuation marks behind an address"),
    ],
    ["code spans", (n) => inLines("`a ", n), MAX_INLINES, `Line ${5 + MAX_INLINES / 5}: ${TOO_MANY_INLINES}`],
    ["escapes", (n) => inLines("\\", n), MAX_INLINES, `Line ${5 + MAX_INLINES / 5}: ${TOO_MANY_INLINES}`],
    ["names", (n) => inLines("a_", n), MAX_INLINES, `Line ${5 + MAX_INLINES / 5}: ${TOO_MANY_INLINES}`],
    [
      "nested quotes",
      (n) => `${BEFORE}${">".repeat(n)} a`,
      MAX_CONTAINERS,
      `Line 5 is in more than ${MAX_CONTAINERS} quotes and lists.`,
    ],
    [
      "nested lists",
      (n) => `${BEFORE}${"- ".repeat(n)}a`,
      MAX_CONTAINERS,
      `Line 5 is in more than ${MAX_CONTAINERS} quotes and lists.`,
    ],
    [
      "table cells",
      (n) => `${TABLES}${table(1, 10 + n - MAX_TABLE_CELLS)}`,
      MAX_TABLE_CELLS,
      `Line ${Math.ceil((MAX_TABLE_CELLS / 100) * 12)}: with the table that begins here there are more than ${MAX_TABLE_CELLS} cells.`,
    ],
    [
      "references",
      // Half of them in code, where they count and make no HTML.
      (n) => `${"[long] `[long]`\n\n".repeat(SIDE / 2 - 1)}${"[long]\n\n".repeat(n - SIDE + 1)}${LONG}`,
      SIDE,
      LONG_REFERENCES,
    ],
    ["bytes of HTML", (n) => '"'.repeat(n), QUOTES, LONG_HTML],
    ["bytes of HTML in fewer characters", (n) => "é".repeat(n), Math.floor((MAX_HTML_BYTES - 7) / 2), LONG_HTML],
  ])("%s", (_, make, most, sentence) => {
    expect([refusal(make(most)), refusal(make(most + 1))]).toEqual([null, sentence])
  })
})

describe("a body that would cost too much is refused", () => {
  it.each([
    ["a definition repeated by a thousand references", `${"[long]\n\n".repeat(1000)}${LONG}${"d".repeat(SIDE * 2)}`],
    ["rows that fill up wide columns", `${row(2000)}\n|${"-|".repeat(2000)}\n${"|\n".repeat(1000)}`],
    ["delimiters of a whole body", "*a_".repeat(80_000)],
    ["a quarter more cells than a table may have", table(100, Math.ceil((1.25 * MAX_TABLE_CELLS) / 100))],
    ["delimiters behind what looks like a fence inside HTML", `<div>\n\`\`\`\n\n${"*a_".repeat(RUNS)}`],
    ["delimiters behind a fence that is closed", `\`\`\`\na\n\`\`\`\n${"*a_".repeat(RUNS)}`],
    ["delimiters in a table that a heading ends", `|a|\n|-|\n# |\n${"*a|\n".repeat(RUNS + 1)}`],
    ["delimiters below what is no table", `a|b\n\\||-|\n${"*a|\n".repeat(RUNS + 1)}`],
    ["delimiters behind a fence that an indented one closes", `\`\`\`\na\n \`\`\`\n\n${"*a_".repeat(RUNS)}`],
    ["delimiters behind an indented fence", ` \`\`\`\n\`\`\`\n\n${"*a_".repeat(RUNS)}`],
    ["delimiters behind a byte order mark and a fence", `\uFEFF\`\`\`\na\n\`\`\`\n\n${"*a_".repeat(RUNS)}`],
    ["delimiters behind a fence with a no-break space", `\`\`\`\n\`\`\`\u00A0\n\`\`\`\n\n${"*a_".repeat(RUNS)}`],
    ["delimiters in lines that only look blank", "*a_ *b_\n\f\n".repeat(RUNS)],
    ["delimiters between bullets without text", "*a_ *b_\n+ \n".repeat(RUNS)],
    ["delimiters behind many lines", `${"a\n".repeat(19_000)}${"a* ".repeat(1500)}`],
    ["closing brackets behind many lines", `${"a\n".repeat(18_000)}${"a] ".repeat(700)}`],
    ["lines that go on with many lists in a quote", `> ${"- ".repeat(98)}a\n${`>${" ".repeat(197)}b\n`.repeat(640)}`],
    ["words behind an open bracket and an address", `@[${" a".repeat(3000)}`],
    ["emphasis among code", `${"`a` ".repeat(7900)}${"a* ".repeat(RUNS)}`],
    ["words between many brackets", `${"[".repeat(700)}${"aa aa aa\n".repeat(15_000)}${"]".repeat(700)}`],
    ["delimiters in lines that quote on", "> *a_\n".repeat(RUNS)],
    ["delimiters in a comment that a fence does not close", `<!--\n\`\`\`\n-->\n${"*a_".repeat(RUNS)}`],
  ])("%s", (_, markdown) => {
    expect(refusal(markdown)).not.toBeNull()
  })

  it.each([
    ["many delimiters in many paragraphs", "*a* _b_\n\n".repeat(3000)],
    ["many references of a short definition", `${"[c]\n\n".repeat(9000)}[c]: d`],
    [
      "a picture inside its definition",
      `${"![a][b]\n\n[c] [d]\n\n".repeat(30)}[b]: data:image/png;base64,${"A".repeat(30_000)}\n`,
    ],
    ["a code block of many underscores", `\`\`\`\n${"snake_case\n".repeat(3001)}\`\`\``],
    ["a table of many links", `|a|b|\n|-|-|\n${"|[a](b)|*c*|\n".repeat(1000)}`],
    ["an ordered list of many links", `1. [a](b) by *c*, **2020** ([d](e))\n`.repeat(900)],
    ["much indented code", `a\n\n${"    int a[10] = *b * c_d[2];\n".repeat(3000)}`],
    ["dashes before many spaces", `- ${" ".repeat(200_000)}a`],
    ["a list of many emphasized items", "- *item*\n".repeat(1000)],
    ["lists of many emphasized items", `${"- *item*\n".repeat(100)}\nWords.\n\n`.repeat(30)],
  ])("but not %s", (_, markdown) => {
    expect(refusal(markdown)).toBeNull()
  })
})
