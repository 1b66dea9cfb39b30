import { describe, expect, it } from "vitest"

import { readLines } from "../../src/posts/lines.ts"
import { makeDocument, randomFrom } from "./generate.ts"
import { parsePlain } from "./plain.ts"

/** Numbers of the lines that are no code. */
const numbers = (lines: string[], ending = "\n") =>
  [...readLines(lines.join(ending))].filter(({ isCode }) => !isCode).map(({ number }) => number)

describe("lines that are fenced code are left out, its closing fence counts", () => {
  it.each<[string, string[], number[]]>([
    ["no code", ["a", "", "b"], [1, 2, 3]],
    ["nothing", [""], [1]],
    ["a fence", ["a", "```", "b", "c", "```", "d"], [1, 5, 6]],
    ["with a language", ["```js", "b", "```", "d"], [3, 4]],
    ["tildes", ["~~~", "b", "```", "~~~", "d"], [4, 5]],
    ["tildes with backticks beside them", ["~~~ `a`", "b", "~~~", "d"], [3, 4]],
    ["a fence in a paragraph", ["a", "```", "b", "```"], [1, 4]],
    ["a closing fence that is longer", ["```", "b", "`````", "d"], [3, 4]],
    ["a closing fence that is too short", ["````", "b", "```", "c", "````", "d"], [5, 6]],
    ["a closing fence with blanks behind it", ["```", "b", "```  ", "d"], [3, 4]],
    ["what looks like a closing fence with words", ["```", "b", "``` c", "d", "```", "e"], [5, 6]],
    ["a fence that is never closed", ["a", "```", "b", "", "c"], [1]],
    ["two fences", ["```", "b", "```", "~~~", "c", "~~~", "d"], [3, 6, 7]],
    ["code spans of three backticks", ["```a```", "b"], [1, 2]],
    ["two backticks", ["``", "b", "``"], [1, 2, 3]],
  ])("%s", (_, lines, outside) => {
    expect(numbers(lines)).toEqual(outside)
    expect(numbers(lines, "\r\n")).toEqual(outside)
    expect(numbers(lines, "\r")).toEqual(outside)
  })

  it.each<[string, string[], number[]]>([
    ["in a list", ["- ```", "  b", "  ```", "- c"], [3, 4]],
    ["in a list, ended by the list's end", ["- ```", "  b", "c"], [3]],
    ["in a quote", ["> ```", "> b", "> ```"], [3]],
    ["in a quote, ended by the quote's end", ["> ```", "> b", "", "c"], [3, 4]],
    ["in a footnote", ["[^a]: b", "", "    ```", "    c", "", "    d", "    ```", "e"], [1, 2, 7, 8]],
    ["in a list of a list", ["1. a", "   - b", "", "     ~~~", "     - c", "     ~~~", "   - d"], [1, 2, 3, 6, 7]],
    ["indented", ["  ```", "b", "  ```"], [3]],
    ["indented by a tab in a list", ["-\ta", "", "\t```", "\tb", "\t```"], [1, 2, 5]],
  ])("%s", (_, lines, outside) => {
    expect(numbers(lines)).toEqual(outside)
  })
})

describe("lines that are HTML are left out, too", () => {
  it.each<[string, string[], number[]]>([
    ["a list behind the beginning of HTML", ["<div>", "- ```", "  b", "  ```"], []],
    ["a comment", ["<!--", "```", "a", "```", "-->", "```", "b", "```"], [8]],
    ["a comment over blank lines", ["<!--", "", "```", "-->", "a", "~~~", "b"], [5]],
    ["a comment that is never closed", ["<!--", "```", "a", "```"], []],
    ["a script", ["<script>", "```", "", "a", "</script>", "```", "b"], []],
    ["a style in capitals", ["<STYLE>", "```", "a", "</STYLE>", "```", "b"], []],
    ["an instruction", ["<?php", "```", "a", "?>", "```", "b"], []],
    ["a declaration", ["<!DOCTYPE", "```", "a", ">", "```", "b"], []],
    ["HTML, and a fence behind the blank line that ends it", ["<div>", "```", "", "```", "a", "```"], [3, 6]],
    ["a closing tag of a block", ["</DIV a", "```", "a", "```"], []],
    ["an indented comment below a paragraph", ["a", " <!--", "```", "b", "```"], [1]],
    ["HTML until a blank line", ["<div>", "", "```", "b", "```"], [2, 5]],
    ["HTML in a list, which its end ends", ["- <div>", "  a", "b"], [3]],
    ["a comment in a quote, which its end ends", ["> <!-- a", "> b", "c"], [3]],
    ["a fence below an item, where it is not indented as far", ["10. a", "   ```", "   b", "   ```"], [1, 4]],
    ["a fence below a quote", ["> a", "```", "b", "```"], [1, 4]],
    ["a block below an item", ["- a", "<table>", "b", "", "c"], [1, 4, 5]],
    ["a tag alone", ['<a b="\u2028">  ', "```", "a", "```"], []],
    ["a tag with a tag in quotes", ["<a b='>' c=\"<d>'\"/>", "```", "a", "```"], []],
    ["a tag alone in an item", ["a", "", "- <b>", "  ```", "", "  c"], [1, 2, 5, 6]],
    ["but no HTML of one line", ["<!-- a -->", "b", "<?a?>", "c"], [1, 2, 3, 4]],
  ])("%s", (_, lines, outside) => {
    expect(numbers(lines)).toEqual(outside)
    expect(numbers(lines, "\r\n")).toEqual(outside)
  })
})

describe("where it is not certain that a line is code, it is none", () => {
  it.each<[string, string[], number[]]>([
    ["in what may be no item", ["a", "2. ```", "   b", "   ```"], [1, 2, 3, 4]],
    ["in an item that begins empty", ["-", "  ```", "  b", "  ```"], [1, 2, 3, 4]],
    ["behind a comment of one line", ["<!-- a -->", "```", "b", "```"], [1, 4]],
    ["in CDATA, and nowhere behind it", ["<![CDATA[", "```", "a", "]]>", "```", "b"], [1, 2, 3, 4, 5, 6]],
    ["behind a tag in a paragraph", ["a", "<b>", "```", "c", "```"], [1, 2, 3, 4, 5]],
    ["but behind a tag with text", ["<a b> c", "```", "a", "```"], [1, 4]],
    ["but behind two tags", ["<a></a>", "```", "a", "```"], [1, 4]],
    ["but behind what is no tag yet", ["<a b", "```", "a", "```"], [1, 4]],
    ["but behind a longer name", ["<divs >a", "```", "a", "```"], [1, 4]],
    ["but what looks like HTML inside code is none", ["```", "<!--", "```", "a", "```", "b"], [3, 4]],
  ])("%s", (_, lines, outside) => {
    expect(numbers(lines)).toEqual(outside)
    expect(numbers(lines, "\r\n")).toEqual(outside)
  })
})

/** What a parser makes of the lines of a document: which are code or HTML, and how deep in containers each is. */
const parsed = (markdown: string) => {
  const codes = new Set<number>()
  const depths = new Map<number, number>()
  let depth = 0
  for (const [kind, { type, start, end }] of parsePlain(markdown)) {
    if (CONTAINERS.has(type)) depth += kind === "enter" ? 1 : -1
    if (kind === "exit") continue
    if (CONTAINERS.has(type) || LEAVES.has(type)) depths.set(start.line, Math.max(depths.get(start.line) ?? 0, depth))
    if (type === "codeFenced" || type === "htmlFlow")
      for (let line = start.line; line <= end.line; line++) codes.add(line)
  }
  return { codes, depths }
}
const LEAVES = new Set(["data", "codeFlowValue", "htmlFlowData", "atxHeading", "table", "codeFencedFence", "paragraph"])
const CONTAINERS = new Set(["blockQuote", "listOrdered", "listUnordered", "gfmFootnoteDefinition"])

const ATOMS = [
  [
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2. ",
    "10) ",
    "> ",
    ">",
    "[^a]: ",
    "[^a b]:",
    "[^[a]: ",
    "[^\\]]: ",
    "[^]:",
    "[a]: b",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "  ",
    "    ",
    " ",
  ],
  ["   ", "\t", "a", "b", "```", "~~~", "````", "```js", "<div>", "<!--", "-->", "---", "===", "- - -", "-\n", "|-|"],
  ["  <div>", "<!-- a -->", "<script>", "</script>", "<?", "?>", "<td", "<!a>", "# ", " ```", "<div/>", "</div>"],
  ["<a b", "<a>", "</a>", "<a b='>'>", "<p", "</p ", "<p/>", "<pa", ">", "\u2028"],
  ["<![CDATA[", "<![cdata[", "]]>"],
].flat()
const makeLines = (random: () => number): string =>
  Array.from({ length: 5 + random() * 40 }, () => ATOMS[Math.floor(random() * ATOMS.length)]).join("")

it.each([
  ["a blank", "[^a b]:"],
  ["a bracket", "[^a[b]:"],
  ["nothing", "[^]:"],
  ["an escaped bracket at its end", "[^a\\]:"],
  ["1000 characters", `[^${"a".repeat(1000)}]:`],
])("what looks like a footnote, with %s in its label, leaves quotes open for lazy lines", (_, marker) => {
  expect([...readLines(`> > a\n${marker}\nb`)].map(({ depth }) => depth)).toEqual([2, 2, 2])
})

it("what looks like CDATA, in small letters, leaves them open, too", () => {
  expect([...readLines("> > a\n<![cdata[\nb")].map(({ depth }) => depth)).toEqual([2, 2, 2])
})

it("a footnote ends them", () => {
  for (const marker of ["[^a]:", "[^a\\]]:", "[^\\a\u00a0]:", `[^${"a".repeat(999)}]:`])
    expect([...readLines(`> > a\n${marker} b\nc`)].map(({ depth }) => depth)).toEqual([2, 1, 1])
})

it("no parser finds more containers, nor text where all is code", () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = randomFrom(seed)
    const markdown = seed % 3 ? makeLines(random) : makeDocument(random)
    const { codes, depths } = parsed(markdown)
    const wrong = [...readLines(markdown)].filter(
      ({ text, number, isCode, depth }) =>
        (isCode && text.trim() !== "" && !codes.has(number)) || (depths.get(number) ?? 0) > depth,
    )
    expect({ markdown, wrong }).toEqual({ markdown, wrong: [] })
  }
})
