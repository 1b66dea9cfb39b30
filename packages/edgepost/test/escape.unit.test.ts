import * as fc from "fast-check"
import { describe, expect, test } from "vitest"

import { searchProperty } from "../../../test/search.ts"
import { escapeText } from "../src/escape.ts"
import { parseHtml } from "../src/html/parse.ts"
import { attribute, findAll, findTag, lineOf } from "../src/html/tree.ts"
import { htmlOf } from "./markdown/service.ts"
import { rewritten } from "./markdown/texts.ts"

/** Texts that Markdown or a tool whose syntax `publish` reads takes for markup. */
const SIGNS =
  "* ** _ __ ` ``` ~ ~~ ~~~ # ## ####### - + -- --- === > 1. 12) [ ] ( ) ! ![ [a](b) [^1] [x] [!NOTE] < <b> </b> <!-- --> & &amp; &#38; &#x26; & amp; \\ \\* | || :- :-: ::: == %% {{ {%a%} {#a} {.a} $ $a$ $$ : @ a@b.example www.a.example http://a.example FTP://a.example/b_c ^a1 ^[a] import\ta\t'b' 1 7 日本 é '\" . /"
const word = fc.oneof(fc.constantFrom(...SIGNS.split(" ")), fc.string({ unit: "grapheme", maxLength: 4 }))
const text = fc
  .array(word, { minLength: 1, maxLength: 8 })
  .chain((words) => fc.constantFrom(" ", "", "\n").map((gap) => words.join(gap)))
  // Markdown collapses whitespace, and knows no control characters.
  .map((joined) =>
    joined
      .replaceAll(/[^\S\n]+|[^\P{C}\n]+/gu, " ")
      .replaceAll(/ *\n\s*/g, "\n")
      .trim(),
  )
  .filter((joined) => joined !== "")

const line = (joined: string): string => joined.replaceAll("\n", " ")

/** Each place of a text with the Markdown around it. */
const PLACES: [place: string, write: (text: string) => string][] = [
  ["at the beginning of a line", (one) => escapeText(one, "\n", "\n")],
  ["in an unknown place", (one) => escapeText(one, "", "")],
  ["in a list", (one) => `- ${escapeText(line(one), "\n", "\n")}`],
  // The service takes `\[!NOTE]` at the beginning of a quote for an alert, as it does `[!NOTE]`.
  ["in the second line of a quote", (one) => `> a\n> ${escapeText(line(one), "\n", "\n")}`],
  ["in a heading", (one) => `## ${escapeText(line(one), " ", "\n")}`],
  ["between digits", (one) => `17${escapeText(line(one), "7", "7")}7`],
  ["before a link", (one) => `${escapeText(one, "\n", "[")}[a](/b)`],
  ["in a link", (one) => `[${escapeText(line(one))}](/b)`],
  ["in bold text", (one) => `<b>${escapeText(line(one), ">", "<")}</b>`],
  ["in a cell", (one) => `| a | b |\n| - | - |\n| ${escapeText(line(one))} | b |`],
]

/** Returns what readers see: the names of the elements, and the words. */
const seen = (markdown: string) => {
  const tree = parseHtml(htmlOf(markdown))
  return { elements: findAll(tree, () => true).map(({ tagName }) => tagName), words: lineOf(tree) }
}

describe("escaped text", () => {
  test.each(PLACES)("any text %s reads the same, and is no markup", async (_, write) => {
    const plain = seen(write("WORD"))
    const property = fc.property(text, (one) => {
      const words = plain.words.replace("WORD", () => line(one))
      expect(seen(write(one)), write(one)).toEqual({ ...plain, words })
    })
    await searchProperty(300, property)
  })

  test("the alternative text of an image reads the same", async () => {
    const property = fc.property(text.map(line), (one) => {
      const [image] = findTag(parseHtml(htmlOf(`![${escapeText(one)}](/mine/a.png)`)), "img")
      expect(image && attribute(image, "alt")).toBe(one)
    })
    await searchProperty(300, property)
  })

  test("publish finds no syntax of another tool in any text", async () => {
    const context = { findPost: () => null, findImage: (url: string) => url }
    const property = fc.property(text, fc.constantFrom("a.md", "a.mdx"), (one, file) => {
      const body = escapeText(one, "\n", "\n")
      expect(rewritten(body, context, { file })).toEqual({ body, findings: [] })
    })
    await searchProperty(1000, property)
  })

  test.each(["R&D, AT&T 1.5 -1 #1 C# a_b (c) 50% x^2 https: @ann", "a > b, import duties - and 1. May"])(
    "%j has nothing to escape",
    (one) => expect(escapeText(one)).toBe(one),
  )
})
