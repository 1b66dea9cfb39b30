import { describe, expect, it } from "vitest"

import {
  MAX_BODY_BYTES,
  MAX_BODY_LINES,
  MAX_CONTAINERS,
  MAX_HTML_BYTES,
  MAX_PARSER_STEPS,
  MAX_TRANSLATED_BODY_BYTES,
} from "../../src/limits.ts"
import { estimate } from "../../src/posts/crowding.ts"
import { placePictures, readBlocks, renderMarkdown } from "../../src/posts/markdown.ts"

/** The sentence that refuses a body, or null. */
const refusal = (markdown: string): string | null => {
  const rendered = renderMarkdown(markdown)
  if ("tooComplex" in rendered) return rendered.tooComplex
  const placed = placePictures(rendered, "my-post-", () => null)
  return "tooComplex" in placed ? placed.tooComplex : null
}

/** The sentence that refuses it before anything inside of its blocks is parsed, or null. */
const earlyRefusal = (markdown: string): string | null => {
  const blocks = readBlocks(markdown)
  return "tooComplex" in blocks ? blocks.tooComplex : null
}

const row = (columns: number) => `|${"a|".repeat(columns)}`
/** A table of `rows` rows, its head one of them. */
const table = (columns: number, rows: number) =>
  [row(columns), `|${"-|".repeat(columns)}`, ...Array<string>(rows - 1).fill(row(columns))].join("\n")
const lines = (line: string, count: number) => Array<string>(count).fill(line).join("\n")

/** Behind it a line may be fenced code or not. */
const LOST = "Text\n<br>\n```\ncode\n```\n\n"
/** Runs of markers in one paragraph: each is compared with each. */
const RUNS = Math.floor(Math.sqrt(MAX_PARSER_STEPS / 2))
/** References repeat what is behind a definition's label as a link, and the definition looks like one. */
const SIDE = Math.sqrt(MAX_HTML_BYTES)
const definition = (destination: string, around: string) =>
  `[long]: ${destination}${"d".repeat(SIDE - ": ".length - destination.length - around.length)}`
const LONG = definition("", '<a rel="nofollow ugc noopener" href=""></a>')
const LONG_PLACE = definition("#", '<a href=""></a>')
/** Half of them in code, where they count and make no HTML. */
const references = (count: number, to: string) =>
  `${"[long] `[long]`\n\n".repeat(SIDE / 2 - 1)}${"[long]\n\n".repeat(count - SIDE + 1)}${to}`
const LONG_REFERENCES = `What its references repeat is longer than the ${MAX_HTML_BYTES} bytes that its HTML may have.`
/** A body's `"` becomes `&quot;`. */
const QUOTES = Math.floor((MAX_HTML_BYTES - "<p></p>".length) / "&quot;".length)
const BEFORE = "Words.\n\nMore words.\n\n"
/** Whether the fence behind such a tag is code depends on whether the tag is in a paragraph. */
const IN_DOUBT = "a\n<b>\n```\na\n```\n\n"
const LONG_HTML = `Its HTML is longer than ${MAX_HTML_BYTES} bytes.`

describe("allowed up to the limit, refused beyond it", () => {
  it.each<[string, (count: number) => string, number, string]>([
    ["lines", (n) => lines("a", n), MAX_BODY_LINES, `It has more than ${MAX_BODY_LINES} lines.`],
    [
      "lines of CRLF",
      (n) => lines("a", n).replaceAll("\n", "\r\n"),
      MAX_BODY_LINES,
      `It has more than ${MAX_BODY_LINES} lines.`,
    ],
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
      "lists nested by their indent",
      (n) => `${BEFORE}- a\n\n  > ${"- ".repeat(n - 52)}a\n  > ${" ".repeat(2 * (n - 52))}${"- ".repeat(50)}b`,
      MAX_CONTAINERS,
      `Line 8 is in more than ${MAX_CONTAINERS} quotes and lists.`,
    ],
    [
      "footnotes right inside of each other",
      (n) => `${BEFORE}${"[^a]: ".repeat(n - 50)}a\n    ${"[^a]: ".repeat(50)}b`,
      MAX_CONTAINERS,
      `Line 6 is in more than ${MAX_CONTAINERS} quotes and lists.`,
    ],
    ["references", (n) => references(n, LONG), SIDE, LONG_REFERENCES],
    ["references to a place of the page", (n) => references(n, LONG_PLACE), SIDE, LONG_REFERENCES],
    ["bytes of HTML", (n) => '"'.repeat(n), QUOTES, LONG_HTML],
    ["bytes of HTML in fewer characters", (n) => "é".repeat(n), Math.floor((MAX_HTML_BYTES - 7) / 2), LONG_HTML],
  ])("%s", (_, make, most, sentence) => {
    expect([refusal(make(most)), refusal(make(most + 1))]).toEqual([null, sentence])
  })
})

const MARKERS = "markers of emphasis and brackets"
const INLINES = "code spans, escapes, references to characters and HTML"

describe("what takes too long is refused with the construct and its line, and not before authors need so much", () => {
  it.each<[string, (count: number) => string, needed: number, cause: string]>([
    ["headings", (n) => `${BEFORE}# a\n${"\n## a\n".repeat(n - 1)}`, 6000, "headings"],
    ["quotes", (n) => BEFORE + "> a\n\n".repeat(n), 1750, "quotes"],
    ["definitions", (n) => BEFORE + "[a]: /b\n".repeat(n), 1600, "definitions"],
    ["footnotes", (n) => BEFORE + "[^a]: b\n\n".repeat(n), 700, "footnotes"],
    ["items of one list", (n) => BEFORE + lines("- a", n), 3300, "list items"],
    ["items of an outline", (n) => BEFORE + "- a\n  - b\n    - c\n".repeat(n / 3), 1800, "list items"],
    ["quoted lines", (n) => BEFORE + lines("> a", n), 10_000, "quotes"],
    ["cells of a table", (n) => BEFORE + table(10, Math.ceil(n / 10)), 3900, "table cells"],
    ["cells of wide rows", (n) => `${BEFORE}${table(Math.ceil(n / 2), 2)}`, 1800, "table cells"],
    ["cells of tables", (n) => BEFORE + `${table(10, 10)}\n\n`.repeat(n / 100), 6200, "table cells"],
    [
      "cells of tables in a list",
      (n) => `${BEFORE}- a\n\n${`  ${table(10, 1).replace("\n", "\n  ")}\n\n`.repeat(n / 20)}`,
      2500,
      "table cells",
    ],
    [
      "cells of tables behind a blank",
      (n) => BEFORE + ` ${table(10, 1).replace("\n", "\n ")}\n\n`.repeat(n / 20),
      2500,
      "table cells",
    ],
    ["stars", (n) => BEFORE + "*a ".repeat(n), 1600, MARKERS],
    ["underscores", (n) => BEFORE + "_a ".repeat(n), 1300, MARKERS],
    ["one run of stars", (n) => `${BEFORE}${"*".repeat(n - 1)}a*`, 1600, MARKERS],
    ["tildes", (n) => BEFORE + "~a ".repeat(n), 1600, MARKERS],
    ["pairs of stars", (n) => BEFORE + "*a* ".repeat(n), 5000, MARKERS],
    ["closing brackets", (n) => BEFORE + "]".repeat(n), 1500, MARKERS],
    ["opening brackets", (n) => BEFORE + "[".repeat(n), 1600, MARKERS],
    [
      "punctuation behind an address",
      (n) => `${BEFORE}www.a.bc/${")".repeat(n)}a`,
      2400,
      "punctuation marks behind an address",
    ],
    [
      "character references behind an address",
      (n) => `${BEFORE}www.a.bc/${"&a;".repeat(n / 3)}a`,
      2400,
      "punctuation marks behind an address",
    ],
    ["code spans", (n) => BEFORE + `${"`a` ".repeat(10)}\n\n`.repeat(n / 10), 11_000, INLINES],
    ["escapes", (n) => BEFORE + `${"\\*".repeat(10)}\n\n`.repeat(n / 10), 16_000, INLINES],
    ["names", (n) => BEFORE + `${"a_a ".repeat(10)}\n\n`.repeat(n / 10), 23_000, INLINES],
    ["links", (n) => BEFORE + `${"[a](b) ".repeat(10)}\n\n`.repeat(n / 10), 6200, "links and pictures"],
    ["addresses", (n) => BEFORE + `${"www.a.bc ".repeat(10)}\n\n`.repeat(n / 10), 8500, "addresses"],
    ["rules", (n) => BEFORE + "- ".repeat(n), 40_000, "rules"],
    ["hashes in a heading", (n) => `${BEFORE}# ${"a # ".repeat(n)}`, 30_000, "headings"],
    ["words of a heading", (n) => `${BEFORE}# ${"a ".repeat(n)}`, 60_000, "headings"],
    ["words of headings", (n) => BEFORE + `# ${"a ".repeat(1000)}\n`.repeat(n / 1000), 55_000, "headings"],
    ["words of rows", (n) => `${BEFORE}|a|\n|-|\n${`${"a ".repeat(1000)}|\n`.repeat(n / 1000)}`, 55_000, "table cells"],
    [
      "words of rows apart in a quote",
      (n) => BEFORE + `> |a|\n> |-|\n> |${"a ".repeat(1000)}|\n>\n`.repeat(n / 1000),
      52_000,
      "table cells",
    ],
    [
      "words of rows apart, behind byte order marks",
      (n) => BEFORE + `\uFEFF\n|a|\n|-|\n|${"a ".repeat(1000)}|\n\n`.repeat(n / 1000),
      54_000,
      "table cells",
    ],
    [
      "words of headings apart, behind byte order marks",
      (n) => BEFORE + `\uFEFF\n# ${"a ".repeat(1000)}\n\n`.repeat(n / 1000),
      54_000,
      "headings",
    ],
    ["escapes behind a fence", (n) => `${BEFORE}~~~${"\\*".repeat(n)}`, 32_000, "fences"],
    ["escapes in a definition", (n) => `${BEFORE}[a]: '${"\\!".repeat(n)}'`, 32_000, "definitions"],
    ["exclamation marks", (n) => BEFORE + "!".repeat(n), 120_000, "exclamation marks"],
    ["words of one line, with a table", (n) => `${BEFORE}${"a ".repeat(n)}\nx-|`, 58_000, "words and pipes of a line"],
    ["pipes of one line", (n) => `${BEFORE}${"|".repeat(n)}\nx-|`, 117_000, "words and pipes of a line"],
    ["blanks in code", (n) => `${BEFORE}\`${"a ".repeat(n)}\``, 60_000, "blanks behind a backtick"],
    ["blanks behind a backtick", (n) => `${BEFORE}\`${"a ".repeat(n)}`, 60_000, "blanks behind a backtick"],
  ])("%s", (_, make, needed, cause) => {
    let [fits, tooMany] = [needed, MAX_BODY_BYTES]
    expect(earlyRefusal(make(fits))).toBeNull()
    while (tooMany - fits > fits / 100) {
      const middle = Math.floor((fits + tooMany) / 2)
      if (earlyRefusal(make(middle))) tooMany = middle
      else fits = middle
    }
    expect(earlyRefusal(make(tooMany))).toMatch(
      new RegExp(
        String.raw`^It takes too long to parse, most of all its ${RegExp.escape(cause)}, the most of them from line \d+ on\.$`,
      ),
    )
  })

  it("all that a body has counts together", () => {
    const half = `${"`a` ".repeat(10)}\n\n`.repeat(1000)
    const other = lines("- a", 3000)
    expect(earlyRefusal(half)).toBeNull()
    expect(earlyRefusal(other)).toBeNull()
    expect(earlyRefusal(`${half}${other}`)).toMatch(/^It takes too long to parse, most of all its /)
  })
})

/** What it is estimated to take, where that is not too much. */
const stepsOf = (markdown: string): number => {
  const estimated = estimate(markdown)
  return "effort" in estimated ? estimated.effort.total() : 0
}

it("what stands behind a fence that an item leaves open counts twice", () => {
  const list = "- a\n".repeat(1000)
  expect(stepsOf(`- \`\`\`\n\nx\n${list}`) / stepsOf(`- b\n\nx\n${list}`)).toBeCloseTo(2, 1)
})

describe("what can be told from the lines is refused before blocks are", () => {
  it.each([
    ["code spans", "`a` "],
    ["links", "[a](b) "],
    ["tags", "<b>a</b> "],
    ["tags that nothing ends", "<a "],
    ["tags that nothing ends, in lines", `${"<a ".repeat(6)}\n`],
    ["names that no block of HTML has", "<ab "],
    ["indented lines of a paragraph", `*a*\n    ${"b ".repeat(12)}\n`],
    ["a paragraph behind a pipe", `|\n${"*a*\n".repeat(19_000)}\n:-\n${" ".repeat(MAX_BODY_BYTES / 2)}`],
  ])("%s", (_, unit) => {
    expect(estimate(unit.repeat(MAX_BODY_BYTES / unit.length))).toEqual({
      tooComplex: expect.stringMatching(/^It takes too long to parse/),
    })
  })
})

it("a translation may be longer than a body, but not of tabs alone", () => {
  expect(estimate("\t".repeat(MAX_BODY_BYTES))).not.toHaveProperty("tooComplex")
  expect(estimate("\t".repeat(MAX_TRANSLATED_BODY_BYTES))).toHaveProperty("tooComplex")
})

describe("a body that would cost too much is refused", () => {
  it.each([
    ["a definition repeated by a thousand references", `${"[long]\n\n".repeat(1000)}${LONG}${"d".repeat(SIDE * 2)}`],
    ["rows that fill up wide columns", `${row(2000)}\n|${"-|".repeat(2000)}\n${"|\n".repeat(1000)}`],
    ["delimiters of a whole body", "*a_".repeat(80_000)],
    ["delimiters behind what looks like a fence inside HTML", `<div>\n\`\`\`\n\n${"*a_".repeat(RUNS)}`],
    ["delimiters behind a fence that is closed", `\`\`\`\na\n\`\`\`\n${"*a_".repeat(RUNS)}`],
    ["definitions with brackets in their labels", '[\\]]: /x "a"\n'.repeat(17_500)],
    ["escapes in a definition above tasks", `[a]: '${"\\!".repeat(116_000)}'\n\n${"1. [ ] *a*\n\n".repeat(1000)}`],
    ["references in a definition above tasks", `[a]: '${"&lt;".repeat(60_000)}'\n\n${"- [ ] a\n".repeat(2000)}`],
    ["definitions that are indented behind another", "[a]: /x\n\t".repeat(19_900)],
    ["definitions with labels of two lines", "[\na]: /x\n\n".repeat(6600)],
    ["blanks behind many list items", `${"- ".repeat(99)}${"\t".repeat(255_000)}a`],
    ["a line of blanks behind one of many list items", `${"- ".repeat(99)}a\n${"\t".repeat(255_000)}`],
    ["tables in an item", `- a\n\n${`  ${table(10, 1).replace("\n", "\n  ")}\n\n`.repeat(280)}`],
    ["tables behind a blank", ` ${table(10, 1).replace("\n", "\n ")}\n\n`.repeat(280)],
    ["tables before fences that items leave open", `${LOST}${`${table(10, 1)}\n\n- \`\`\`\n\n`.repeat(260)}`],
    ["tables before fences", `${LOST}${`${table(10, 1)}\n\`\`\`\n\na\n\n\`\`\`\n`.repeat(280)}`],
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
    ["blanks behind two backticks, between single ones", `\`\`${`${"a ".repeat(100)}\``.repeat(1200)}`],
    ["code behind escaped backticks", `${"\\``".repeat(6600)}${"x".repeat(230_000)}`],
    ["addresses that an underscore ends", `${"www.a_".repeat(6000)}${"a".repeat(220_000)}`],
    ["marks in many lines", "!!!!!!!!!!!!\n".repeat(19_000)],
    ["titles in parentheses", `${"[a](b (".repeat(700)}${"x".repeat(250_000)}`],
    ["brackets of addresses", `${"!".repeat(240_000)}${"www.a.bc/[ ] ".repeat(600)}`],
    ["brackets in destinations", `${"!".repeat(240_000)}${"[a]([) ] ".repeat(370)}`],
    ["a quote with lazy lines", `> a\n${"a\n".repeat(18_000)}`],
    ["quotes that a heading ends", "> a\n# b\n".repeat(5000)],
    ["headings that what looks like an empty item underlines", `[x]: /y\n${"-\n  a\n".repeat(2500)}`],
    ["such headings behind indented code", `    b\n${"-\n    a\n".repeat(2500)}`],
    ["long labels", `${"[".repeat(500)}${"h ".repeat(120_000)}${"]".repeat(500)}`],
    ["brackets that look for a picture's far before", `![^]${"h ".repeat(120_000)}${"]".repeat(1000)}`],
    ["brackets that look for a picture's in another paragraph", `![^\n\n${"!".repeat(200_000)}${"a] ".repeat(265)}`],
    ["brackets that look for a picture's in a heading", `# ![^\n\n${"!".repeat(200_000)}${"a] ".repeat(265)}`],
    ["many lines in code", `\`${"a b c d e f\n".repeat(19_000)}\``],
    ["escapes between many marks", `${"\\!!!".repeat(20_000)}${"!".repeat(180_000)}`],
    ["brackets between many marks", `${"[!!!".repeat(1500)}${"!".repeat(200_000)}`],
    ["emphasis behind many marks in a link", `[${"!".repeat(200_000)}${" a*".repeat(1500)}](b)`],
    ["destinations that go on over links", `[a](${"b".repeat(2750)}`.repeat(95)],
    ["quotes that end behind much HTML", `<!--\n\n${"a\n".repeat(15_000)}\n-->\n${"> a\n# b\n".repeat(500)}`],
    ["quotes that end behind much code", `\`\`\`\n${"a\n".repeat(15_000)}\na\n\`\`\`\n${"> a\n# b\n".repeat(500)}`],
    ["destinations that go on over no-break spaces", `[a](${"b".repeat(2700)}\u00A0`.repeat(95)],
    ["quotes between HTML that their items leave open", `${"+a\n".repeat(25)}> a\n\n- <!--\n\n`.repeat(620)],
    ["quotes between CDATA", `${"+a\n".repeat(25)}> a\n\n<![CDATA[a]]]>\n\n`.repeat(620)],
    [
      "quotes between fences that their items leave open",
      `- \`\`\`\n\n${"a\n".repeat(15_000)}\n${"> a\n\n- ```\n\n".repeat(500)}`,
    ],
    ["pairs of stars before others", "*a* ".repeat(4500) + "a* ".repeat(450)],
    ["pairs of stars between letters", "い*い*い".repeat(900)],
    ["pairs of stars between what two units write", "\u{10100}*い*\u{10100}".repeat(900)],
    ["escaped stars before emphasis", "、\\*い*い".repeat(1800)],
    ["emphasis behind indented code", "*a* *a* *a* *a*\n\n    a\n".repeat(3000)],
    ["emphasis behind comments", "<!-- a -->\n*a* *a*\n".repeat(3000)],
    ["emphasis behind fences over blank lines", "```\n\n```\n*a* *a* *a* *a*\n".repeat(2000)],
    ["such emphasis where a fence may be HTML", `${IN_DOUBT}${"~~~\n\n~~~\n*a* *a* *a* *a*\n".repeat(2000)}`],
    ["emphasis among code", `${"`a` ".repeat(7900)}${"a* ".repeat(RUNS)}`],
    ["words between many brackets", `${"[".repeat(700)}${"aa aa aa\n".repeat(15_000)}${"]".repeat(700)}`],
    ["delimiters in lines that quote on", "> *a_\n".repeat(RUNS)],
    ["delimiters in a comment that a fence does not close", `<!--\n\`\`\`\n-->\n${"*a_".repeat(RUNS)}`],
  ])("%s", (_, markdown) => {
    expect(refusal(markdown)).not.toBeNull()
  })

  it.each([
    ["many delimiters in many paragraphs", "*a* _b_\n\n".repeat(3000)],
    ["a conversation in one paragraph", "**Anna:** Hello there, how are *you*?\n".repeat(1400)],
    ["a conversation without spaces", "「**はい**、そうです」と彼女は答えた。  \n".repeat(1500)],
    ["emphasis behind comments, with blank lines", "<!-- a -->\n*a* *a*\n\n".repeat(6000)],
    ["sections without blank lines in them", "# A\nWords *a*.\n***\nWords `b`.\n\n".repeat(1700)],
    ["many references of a short definition", `${"[c]\n\n".repeat(9000)}[c]: d`],
    [
      "a picture inside its definition",
      `${"![a][b]\n\n[c] [d]\n\n".repeat(30)}[b]: data:image/png;base64,${"A".repeat(30_000)}\n`,
    ],
    ["a code block of many underscores", `\`\`\`\n${"snake_case\n".repeat(3001)}\`\`\``],
    [
      "an indented fence, and one with much of what looks like lists",
      ` \`\`\`\na\n \`\`\`\n\n\`\`\`yaml\n${"- a: *b # |\n".repeat(6000)}\`\`\``,
    ],
    [
      "a table below a heading below many items",
      `${"- An item of a list\n".repeat(600)}## Heading\n|a|b|c|d|e|\n|-|-|-|-|-|\n|1|2|3|4|5|\n`,
    ],
    ...[" <!-- toc -->", "- <pre>x</pre>", "> <!-- x -->", "<![CDATA[x]]>", "<div>\n<!-- x -->\n</div>"].map((html) => [
      `tables and lists behind HTML of one line, ${JSON.stringify(html)}`,
      `${html}\n\n${`### Words\n\n|a|b|c|\n|-|-|-|\n${"|1|2|3|\n".repeat(10)}\n${"- [a](b)\n".repeat(20)}\n`.repeat(50)}`,
    ]),
    ["tables behind what may be an open fence", `${LOST}${`${table(4, 9)}\n\nWords.\n\n`.repeat(70)}`],
    ["a list with empty items", "- a\n-\n".repeat(490)],
    ["many items and a fence over a blank line", `${"- item `a` [b](c)\n".repeat(1000)}\`\`\`\na\n\nb\n\`\`\``],
    ["rows of tables in a code block", `\`\`\`\n|a|b|\n|-|-|\n${"|1|2|\n".repeat(3000)}\`\`\``],
    ["a list with much code in it", `- a\n\n  \`\`\`yaml\n${"  - a: *b # |\n".repeat(6000)}  \`\`\``],
    ["many footnotes in a row", Array.from({ length: 600 }, (_, i) => `[^${i}]: note`).join("\n")],
    ["many definitions in a row", Array.from({ length: 1600 }, (_, i) => `[${i}]: /a`).join("\n")],
    ["a table of many links", `|a|b|\n|-|-|\n${"|[a](b)|*c*|\n".repeat(1000)}`],
    ["an ordered list of many links", `1. [a](b) by *c*, **2020** ([d](e))\n`.repeat(900)],
    ["much indented code", `a\n\n${"    int a[10] = *b * c_d[2];\n".repeat(3000)}`],
    ["paragraphs between blank lines of spaces", "a  \n  \n".repeat(9000)],
    ["headings with spaces behind them", "# a  \n".repeat(5500)],
    ["lines that a tab ends", "abc\t\n".repeat(15_000)],
    ["dashes before many spaces", `- ${" ".repeat(200_000)}a`],
    ["a list of many emphasized items", "- *item*\n".repeat(1000)],
    ["many spaces before a colon", `${" ".repeat(250_000)}:`],
    [
      "words with links, code and addresses",
      "Words [a](https://b.cd/e) and `c[0]` of www.f.gh, [1] \\[2\\] and more.\n\n".repeat(900),
    ],
    ["lines with HTML, links and addresses", "<b>Words</b> [a](https://b.cd/e), [1] and more words.\n\n".repeat(1100)],
    ["brackets behind many words", `${"a ".repeat(110_000)}${"`[` a] ".repeat(190)}`],
    ["words in many lines and an address", `${"a b c d e f\n".repeat(19_000)}@`],
    ["words behind an open bracket that commas part", `@[${"a,".repeat(131_000)}`],
    ["words behind a bracket that one in code does not close", `@ [ \`]\`${" h".repeat(20_000)}`],
    ["words behind a bracket that one in HTML does not close", `@ [ <a b=']'>${" h".repeat(20_000)}`],
    ["words behind a bracket that one in an address does not close", `@ [x [a](b]c)${" h".repeat(20_000)}`],
    ["brackets behind many words and an address", `${"a ".repeat(110_000)}@ ${"a] ".repeat(190)}`],
    ["a transcript of many lines", `${"one two three four five six seven eight nine ten\n".repeat(3500)}a@b.cd`],
    [
      "long paragraphs about generics",
      `In \`Map<K, List<V>>\` see [it](https://a.bc/d). ${"word ".repeat(250)}\n\n`.repeat(190),
    ],
    ["a transcript with code in each line", "one two `three` four five six seven eight\n".repeat(2000)],
    ["a line of many words, with a table", `${"words ".repeat(40_000)}\n\n|a|\n|-|`],
    ["a line of many code spans", "Many words and `code` in between. ".repeat(2500)],
    ["a table of many words", `|a|b|\n|-|-|\n${`|${"words ".repeat(40)}|${"words ".repeat(40)}|\n`.repeat(400)}`],
    ["a line of numbers in indented code, with a table", `|a|\n|-|\n\n    ${"0, ".repeat(80_000)}`],
    ["a line of many words with code", `\`a\` ${"words ".repeat(40_000)}`],
    ["a long line of data, with a table", `[a]: data:image/png;base64,${"A".repeat(240_000)}\n\n|a|\n|-|`],
    ["many comments of HTML", "<!-- a -->\n\n> a\n\n".repeat(1500)],
    ["a script in one line", `<script>${"a[0]=b[1];".repeat(450)}</script>`],
    ["a script that ends with a long line", `<script>\nvar d = [${"[1,2],".repeat(900)}];</script>`],
    ["code behind a heading that ends a list", `- a\n## Next\n\n${"    x[i] = [a[j], b[k]]\n".repeat(250)}`],
    [
      "code behind text that ends a list",
      `- a\n  \`\`\`\n  b\n  \`\`\`\ntext\n\n${"    x[i] = [a[j], b[k]]\n".repeat(250)}`,
    ],
    ["indented HTML", '    <li><a href="https://example.com/">Link</a></li>\n'.repeat(2400)],
    ["indented code in parts", `${"    a_b = [c_d, e_f]\n".repeat(4)}\n`.repeat(1200)],
    [
      "a table in HTML behind a script in HTML",
      `<div>\n<script>\nvar a\n</script>\n</div>\n\n<table>\n${"<tr><td>1</td><td>2</td><td>3</td></tr>\n".repeat(3300)}`,
    ],
    ...[
      "10. a\n   ```sh\n   b\n   ```",
      "1. a\n  ```sh\n  b\n  ```",
      "- a\n ```\nb\n ```",
      "> a\n```\nb\n```",
      "- a\n\n  <!-- b\n\n  c -->",
      " <!-- a\n\n b -->",
      "<details>\n<summary>a</summary>\n```sh\nb\n```\n</details>",
      "<div>\n  <style>\n  a { b: c }\n  </style>\n</div>",
      '<img src="a">\n```sh\nb\n```\n</img>',
      "a\n\n<br />\n~~~\nb\n~~~",
      "- a\n<table>\n<tr>\n```\nb\n```\n</table>",
    ].map((before) => [
      `code with lists in it, behind ${JSON.stringify(before)}`,
      `${before}\n\nThe file:\n\n\`\`\`yaml\n${"- name: a\n  ports:\n  - 80\n  - 443\n".repeat(2500)}\`\`\`\n`,
    ]),
    ...["<script>", "<pre>", "<!--", " <!--", "<?php"].map((html) => [
      `lists and tables in ${html}`,
      `${html}\n${"- name: a\n  ports:\n  - 80\n\n".repeat(2500)}${"|a|b|c|\n|-|-|-|\n|1|2|3|\n".repeat(900)}`,
    ]),
    ["a table in indented code", `Write it so:\n\n    |a|b|c|\n    |-|-|-|\n${"    |1|2|3|\n".repeat(900)}`],
    ["a table of one column without pipes", `Name\n:--:\n${"*Anna*\n".repeat(900)}`],
    ["a table whose rows have no pipes", `|a|\n|-|\n${"*Anna*\n".repeat(2000)}`],
    ["much emphasis in a heading, and below it", `# ${"*b* ".repeat(500)}\n${"*b* ".repeat(500)}`],
    ["much emphasis in an underlined heading, and below it", `${"*b* ".repeat(500)}\n===\n${"*b* ".repeat(500)}`],
    ["indented code behind what may be an item", `a\n2. b\n\n      ${"*b* ".repeat(18_000)}\n`],
    ["code behind a fence that may be HTML", `${IN_DOUBT}${"```js\n***a*** [b](c) `d`\n```\n\n".repeat(2000)}`],
    ["lines of code behind a fence that may be HTML", `${IN_DOUBT}\`\`\`\n${"*a* *b*\n".repeat(10_000)}\`\`\``],
    ["headings and what is below them", "# [a] *b*\n[c] *d*\n".repeat(300)],
    ["lists of many emphasized items", `${"- *item*\n".repeat(100)}\nWords.\n\n`.repeat(30)],
  ])("but not %s", (_, markdown) => {
    expect(refusal(markdown)).toBeNull()
  })
})
