import { describe, expect, it } from "vitest"

import { linesOutsideCode } from "../../src/posts/lines.ts"

/** Numbers of the lines that are no code. */
const numbers = (lines: string[], ending = "\n") => linesOutsideCode(lines.join(ending)).map(({ number }) => number)

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

  it("with their text as it stands, without its ending", () => {
    expect(linesOutsideCode("a  \r\n```\r\nb\r\n```\r\n\td\r\n")).toEqual([
      { text: "a  ", number: 1 },
      { text: "```", number: 4 },
      { text: "\td", number: 5 },
      { text: "", number: 6 },
    ])
  })
})

describe("where it is not certain that a line is code, it is none", () => {
  it.each<[string, string[], number[]]>([
    ["in a list", ["- ```", "  b", "  ```"], [1, 2, 3]],
    ["in a quote", ["> ```", "> b", "> ```"], [1, 2, 3]],
    ["indented", ["  ```", "b", "  ```"], [1, 2, 3]],
    ["in a comment", ["<!--", "```", "a", "```", "-->", "```", "b", "```"], [1, 2, 3, 4, 5, 8]],
    ["behind a comment of one line", ["<!-- a -->", "```", "b", "```"], [1, 4]],
    ["in a comment over blank lines", ["<!--", "", "```", "-->", "a", "~~~", "b"], [1, 2, 3, 4, 5]],
    ["in a comment that is never closed", ["<!--", "```", "a", "```"], [1, 2, 3, 4]],
    ["in a script", ["<script>", "```", "", "a", "</script>", "```", "b"], [1, 2, 3, 4, 5]],
    ["in a style in capitals", ["<STYLE>", "```", "a", "</STYLE>", "```", "b"], [1, 2, 3, 4]],
    ["in an instruction", ["<?php", "```", "a", "?>", "```", "b"], [1, 2, 3, 4]],
    ["in CDATA, and nowhere behind it", ["<![CDATA[", "```", "a", "]]>", "```", "b"], [1, 2, 3, 4, 5, 6]],
    ["in a declaration", ["<!DOCTYPE", "```", "a", ">", "```", "b"], [1, 2, 3, 4]],
    ["in HTML, and nowhere behind it", ["<div>", "```", "", "```", "a", "```"], [1, 2, 3, 4, 5, 6]],
    ["behind an indented comment", ["a", " <!--", "```", "b", "```"], [1, 2, 3, 4, 5]],
    ["but after HTML and a blank line", ["<div>", "", "```", "b", "```"], [1, 2, 5]],
    ["but what looks like HTML inside code is none", ["```", "<!--", "```", "a", "```", "b"], [3, 4]],
  ])("%s", (_, lines, outside) => {
    expect(numbers(lines)).toEqual(outside)
    expect(numbers(lines, "\r\n")).toEqual(outside)
  })
})
