import * as fc from "fast-check"
import MarkdownIt from "markdown-it"
import { Marked } from "marked"
import { expect, test } from "vitest"

import { lined } from "./lined.ts"
import { htmlOf } from "./service.ts"
import { rewritten } from "./texts.ts"

/** Writes a text whose single line ends are line breaks. */
const broken = (body: string, isStored = false): string =>
  rewritten(body, { isBroken: true }, { isStored, theme: { line_breaks: true } }).body

test.each([
  ["a line", "a\nb", "a\\\nb"],
  ["lines with another line end", "a\r\nb\rc", "a\\\r\nb\\\rc"],
  ["blanks at the end", "a \nb\t\nc", "a\\\nb\\\nc"],
  ["hard breaks", "a  \nb\\\nc", "a  \nb\\\nc"],
  ["a backslash that is one", "a\\\\\nb", "a\\\\ \\\nb"],
  ["items", "- a\n  b\nc\n\n  d\n  e\n- f", "- a\\\n  b\\\nc\n\n  d\\\n  e\n- f"],
  ["tasks", "- [ ]\n  a\n- [x] b\n  c", "- [ ]\n  a\n- [x] b\\\n  c"],
  ["quotes", "> a\n> b\nc\n>> d\n>> e", "> a\\\n> b\\\nc\n>> d\\\n>> e"],
  ["alerts", "> [!NOTE]\n> a\n> b", "> [!NOTE]\n> a\\\n> b"],
  ["notes", "a[^1]\nb\n\n[^1]: c\n    d", "a[^1]\\\nb\n\n[^1]: c\\\n    d"],
  ["headings", "# a\nb\nc\n===\nd", "# a\nb\nc\n===\nd"],
  ["tables", "a\n| b | c |\n|---|---|\n| d | e |\nf", "a\n| b | c |\n|---|---|\n| d | e |\nf"],
  ["code", "a `b\nc` d\ne\n```\nf\ng\n```\n\n    h\n    i", "a `b\nc` d\\\ne\n```\nf\ng\n```\n\n    h\n    i"],
  ["HTML", "<div>\na\nb\n</div>\n\nc <b>d\ne</b>\nf", "<div>\na\nb\n</div>\n\nc <b>d\\\ne</b>\\\nf"],
  ["code in HTML", "a <code>b\nc</code>\nd <!-- e\nf --> g", "a <code>b\nc</code>\\\nd  g"],
  ["definitions", 'a [b]\nc\n\n[b]:\n  https://e.x\n  "d"', 'a [b]\\\nc\n\n[b]:\n  https://e.x\n  "d"'],
  ["addresses", "a [b](\nhttps://e.x\n'c\nd') e\nf", "a [b](\nhttps://e.x\n'c\nd') e\\\nf"],
  [
    "labels",
    "[a\nb] [c\nd][] [e\nf][a b]\n\n[a b]: /g\n[c d]: /h",
    "[a\nb] [c\nd][] [e\\\nf][a b]\n\n[a b]: /g\n[c d]: /h",
  ],
  ["texts of images", "![a\nb]()\nd", "![a\nb]()\\\nd"],
  ["bare addresses", "https://e.x/a\nwww.e.x\na@e.x\nb", "https://e.x/a \\\nwww.e.x \\\na@e.x \\\nb"],
  ["signs of emphasis", "**a**\n~~b~~\na **\nb**", "**a** \\\n~~b~~ \\\na ** \\\nb**"],
  ["formulas", "a\n$$\nb\nc\n$$\nd\ne", "a\n$$\nb\nc\n$$\nd\\\ne"],
  ["formulas with a blank line", "$$\na\n\nb\nc\n$$\n\nd\ne", "$$\na\n\nb\nc\n$$\n\nd\\\ne"],
  ["formulas in a line", "a $$b\nc$$\nd $e$\nf", "a $$b\nc$$\\\nd $e$\\\nf"],
  ["signs that are no formula", "a $$\n\nb\nc \\$$\nd `$$`\ne", "a $$\n\nb\\\nc \\$$\\\nd `$$`\\\ne"],
  ["a text of what tools write", "==a==\n[[b]]\n%%c%% d\ne", "<mark>a</mark>\\\n[b](b)\\\n d\\\ne"],
  ["CJK", "茶。\n**水。**\n火", "茶。\\\n**水。** \\\n火"],
])("single line ends as line breaks: %s", (_, body, expected) => {
  expect(broken(body)).toBe(expected)
  expect(broken(body, true)).toBe(body)
  expect(rewritten(body, { isBroken: true }).body).toBe(rewritten(body).body)
})

test("line ends of a post in HTML are none of Markdown", () => {
  const options = { file: "_posts/2024-01-02-a.html", theme: { line_breaks: true } }
  expect(rewritten("a\nb", { isBroken: true }, options).body).toBe("a\nb")
})

test("many line ends take less than five seconds of CPU time", () => {
  const inputs = [
    "a\n",
    "a $$ \n",
    "> [!\n",
    "$$\n",
    "> $$\na\n",
    `${"a@".repeat(20_000)}\n`,
    "[a\nb]\n",
    `${" ".repeat(5000)}\n a`,
  ]
  for (const part of inputs) {
    const start = process.cpuUsage()
    broken(part.repeat(Math.ceil(200_000 / part.length)))
    expect([part.slice(0, 9), process.cpuUsage(start).user / 1_000_000 < 5]).toEqual([part.slice(0, 9), true])
  }
}, 60_000)

/** Returns the words and the line breaks of HTML: those that end a block count as blanks. */
const shownLines = (html: string): string =>
  html
    // Matches `<br />` with the line end after it.
    .replaceAll(/<br\b[^>]*>\s*/g, "⏎")
    // Matches an image, and other tags.
    .replaceAll(/<img\b[^>]*>/g, "◆")
    .replaceAll(/<sup\b.*?<\/sup>/g, "")
    .replaceAll(/<[^>]*>/g, (tag) => (/^<\/?(?:a|b|code|del|em|strong|mark|s)\b/.test(tag) ? "" : " "))
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?⏎ ?/g, "⏎")
    .trim()

/** The renderers of Hexo and Joplin, which are those of tools that show line breaks. */
const RENDERERS = {
  marked: (text: string, breaks: boolean) => new Marked({ breaks, gfm: true }).parse(text) as string,
  "markdown-it": (text: string, breaks: boolean) => new MarkdownIt({ breaks, html: true, linkify: true }).render(text),
}

test.each([
  ["marked", 720],
  ["markdown-it", 450],
] as const)("generated texts have the line breaks that %s shows, no more and no less", (name, numRuns) => {
  const render = RENDERERS[name]
  let same = 0
  let breaks = 0
  fc.assert(
    fc.property(lined, (markdown) => {
      // Where the two differ without the rule, they differ in more than line ends.
      if (shownLines(render(markdown, false)) !== shownLines(htmlOf(markdown))) return
      const expected = shownLines(render(markdown, true))
      same += 1
      breaks += expected.split("⏎").length - 1
      const written = broken(markdown)
      expect(shownLines(htmlOf(written))).toBe(expected)
      // What is written so has no single line ends any more.
      expect(broken(written)).toBe(written)
      // Nor has what `pull` writes.
      expect(broken(written, true)).toBe(written)
    }),
    { seed: 79, numRuns },
  )
  expect(same).toBeGreaterThan(300)
  expect(breaks).toBeGreaterThan(300)
})
