import { describe, expect, it } from "vitest"

import { TooComplex } from "../../../packages/edgepost/src/parser/budget.ts"
import { finish, render } from "../../../src/markdown/render.ts"
import { readAnswer } from "../../../src/translations/document/answer.ts"
import {
  plainSegment,
  plainText,
  readDocument,
  type Segment,
  segmentsOf,
} from "../../../src/translations/document/segments.ts"
import { textOf } from "../../../src/translations/document/tags.ts"
import { assemble } from "../../../src/translations/document/verify.ts"
import { answered, textsOf, translate } from "../documents.ts"

const links = (markdown: string): string[] => {
  const rendered = render(markdown)
  const html = rendered instanceof TooComplex ? rendered : finish(rendered, { show: () => null, language: "en" })
  if (html instanceof TooComplex) throw html
  return [...html.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = ""]) => url)
}

describe("translated documents", () => {
  it.each([
    ["paragraphs", "One two.\n\nThree, four!\n", "One·fr two·fr.\n\nThree·fr, four·fr!\n"],
    ["headings", "# One #\n\nTwo\n===\n", "# One·fr #\n\nTwo·fr\n===\n"],
    ["emphasis", "*One* **two** ~~three~~", "*One·fr* **two·fr** ~~three·fr~~"],
    ["emphasis with mixed delimiters", "_one_ *two* __three__ **four**", "_one·fr_ *two·fr* __three·fr__ **four·fr**"],
    ["nested emphasis", "*one _two_ three*", "*one·fr _two·fr_ three·fr*"],
    ["emphasis with underscores", "_One_ __two__", "_One·fr_ __two·fr__"],
    ["lists", "- one\n  two\n  1. three", "- one·fr two·fr\n  1. three·fr"],
    ["code in HTML", "a <code>b c</code> <kbd>A</kbd> <code>open", "a·fr <code>b c</code> <kbd>A</kbd> <code>open·fr"],
    ["tasks", "- [x] done\n- [ ] open", "- [x] done·fr\n- [ ] open·fr"],
    ["quotes", "> one\n> two", "> one·fr two·fr"],
    ["tables", "| a | b |\n|:--|--:|\n| c \\| d | *e* |", "| a·fr | b·fr |\n|:--|--:|\n| c·fr \\| d·fr | *e·fr* |"],
    ["hard breaks", "one  \ntwo\\\nthree", "one·fr\\\ntwo·fr\\\nthree·fr"],
    ["hard breaks at the end of links", "[a \\\n](/u)", "[a·fr\\\n](/u)"],
    ["hard breaks at the end of links in quotes", "> [a  \n> ](/u) b", "> [a·fr\\\n> ](/u) b·fr"],
    ["hard breaks at the end of references", "- [a\\\n  ][u]\n\n[u]: /u", "- [a·fr\\\n  ][u]\n\n[u]: /u"],
    ["link texts", '[one *two*](/url "three") four', '[one·fr *two·fr*](/url "three·fr") four·fr'],
    ["footnotes", "one[^n]\n\n[^n]: two `three`", "one·fr[^n]\n\n[^n]: two·fr `three`"],
    ["escapes", "one \\*two\\* \\[three\\]", "one·fr \\*two·fr\\* \\[three·fr]"],
    ["character references", "one &amp; &#233; &#xE9; &copy; two", "one·fr & é·fr é·fr © two·fr"],
    ["CRLF", "one `a`\r\ntwo\r\n\r\n> three", "one·fr `a` two·fr\r\n\r\n> three·fr"],
    ["tabs", "-\tone\n\n\ttwo `a`", "-\tone·fr\n\n\ttwo·fr `a`"],
    ["emoji", "👩‍👩‍👧 one `a` 😀 two", "👩‍👩‍👧 one·fr `a` 😀 two·fr"],
    ["several scripts", "日本語 **слово** שלום naïve", "日本語·fr **слово·fr** שלום·fr naïve·fr"],
    ["a body with a byte order mark", "\uFEFFone `a b` two", "\uFEFFone·fr `a b` two·fr"],
  ])("a translation changes the words and no other byte of Markdown with %s", async (_, markdown, expected) => {
    expect(await translate(markdown)).toBe(expected)
  })

  it.each(
    [
      ["`code span`", "``a ` b``", "```js\nconst word = 1\n```", "~~~\ntilde block\n~~~", "    indented block"],
      ["<https://example.com/path>", "<me@example.com>", "https://example.com/a_b_c?d=e", "www.example.com/path"],
      ["me@example.com", "![123](/media/ann/blog_img/x.webp)", "<div class=words>\nraw words\n</div>"],
      ["<!-- a comment -->", "<script>\nlet word\n</script>", '[ref]: /url "title words"', "***"],
      ["&nbsp;&hellip;", "123 – 456", ""],
    ].flat(),
  )("a translation of a Markdown document without words is the same byte for byte: %j", async (markdown) => {
    expect(await translate(markdown)).toBe(markdown)
  })

  // GFM does not link these, but mdast's own search for addresses finds them.
  it.each([
    "One.\n\nTwo “www.example.com” three `a` four",
    "One “me@example.com” two",
    "One/www.example.com two",
    "First *one*.\n\n- “https://example.com” two\n\nThree",
  ])("words around an address that is not a link are translated exactly once: %j", async (markdown) => {
    const translated = await translate(markdown)
    expect(translated.replaceAll("·fr", "")).toBe(markdown)
    for (const word of markdown.match(/(?:one|two|three|four)/gi) ?? []) expect(translated).toContain(`${word}·fr`)
  })

  it("a translation keeps inline HTML tags, and the words between them are translated", async () => {
    expect(await translate("one <b class=x>two</b> <br/> three")).toBe("one·fr <b class=x>two·fr</b> <br/> three·fr")
  })

  it("code, addresses, images and HTML stay byte for byte between translated words", async () => {
    const parts = ["`a b`", "<https://e.x/a>", "![1 2](/e)", "<i>", "</i>", "https://e.x/f"]
    const markdown = parts.map((part) => `word ${part}`).join(" ")
    expect(await translate(markdown)).toBe(parts.map((part) => `word·fr ${part}`).join(" "))
  })
})

describe("translated references", () => {
  it.each([
    ["shortcut", "See [the page].\n\n[the page]: /u"],
    ["collapsed", "See [the page][].\n\n[the page]: /u"],
    ["full", "See [this one][the page].\n\n[the page]: /u"],
    ["another case and spacing", "See [The   PAGE].\n\n[the page]: /u"],
    ["marked up", "See [the *page* `x`].\n\n[the *page* `x`]: /u"],
    ["followed by a parenthesis", "See [the page](not a url).\n\n[the page]: /u"],
    ["side by side", "[one][] [two] [three][one]\n\n[one]: /1\n[two]: /2"],
    ["with an image", "[![alt](/p.png) words]\n\n[![alt](/p.png) words]: /u"],
    ["to an image", "![the page] ![x][the page] word\n\n[the page]: /p.png"],
    ["footnote", "Word[^the-note] again[^the-note].\n\n[^the-note]: Note."],
    ["with an escaped bracket", "See [a\\]b].\n\n[a\\]b]: /u"],
    ["with an escaped star", "See [a\\*b][].\n\n[a\\*b]: /u"],
    ["with a character reference", "See [a &amp; b].\n\n[a &amp; b]: /u"],
    ["over two lines of a quote", "> See [the\n> page].\n\n[the page]: /u"],
    ["in a table", "| [the page] |\n|---|\n| [the page][] |\n\n[the page]: /u"],
    ["in a heading", "# [the page]\n\n[the page]: /u"],
  ])("a Markdown reference still finds its definition after translation: %s", async (_, markdown) => {
    const before = links(markdown)
    expect(before).not.toEqual([])
    const translated = await translate(markdown)
    expect(links(translated)).toEqual(before)
    expect(translated).toContain("·fr")
  })
})

describe("segments for an engine", () => {
  it.each<[string, string, string[]]>([
    ["plain text", "One two.", ["One two."]],
    ["soft line breaks", "> one\n> two", ["one two"]],
    ["emphasis", "a *b **c*** ~~d~~", ['a <g id="1">b <g id="2">c</g></g> <g id="3">d</g>']],
    ["links", "[a *b*](/u) [c][r] [r]\n\n[r]: /u", ['<g id="1">a <g id="2">b</g></g> <g id="3">c</g> <g id="4">r</g>']],
    [
      "code, addresses, footnotes and breaks",
      "a `b` <c> https://d.e [^f] \\\nb\n\n[^f]: g",
      ['a <x id="1"/> <x id="2"/> <x id="3"/> <x id="4"/> <x id="5"/>b', "g"],
    ],
    ["markup without words", "a **`b`** [![1](/p)](/u)", ['a <x id="1"/> <x id="2"/>']],
    ["alternative texts and titles", 'a ![b](/p "c") [d](/u "e")', ['a <x id="1"/> <g id="2">d</g>', "b", "c", "e"]],
    ["cells", "| a | b |\n|---|---|\n| c | `d` |", ["a", "b", "c"]],
    ["headings", "# a\n\nb\n===", ["a", "b"]],
    ["content without words", "42 – 43\n\n```\nd\n```\n\n<p>e</p>", []],
    ["signs like those of tags", 'a \\<g id="1"> & b < c', ['a &lt;g id="1"> &amp; b &lt; c']],
    ["blanks at the edges", "&#32;a&#32;", ["a"]],
    ["links in brackets", "[[a](/u)] [[b][r]]\n\n[r]: /u", ['[<g id="1">a</g>] [<g id="2">b</g>]']],
  ])("segmentsOf() returns the segments to translate of %s: %j", (_, markdown, expected) => {
    expect(textsOf(markdown)).toEqual(expected)
  })
})

it.each([
  ["Run `npm install` now", 'Run <x id="1"/> now'],
  ["``a ` b`` is no `` c ` d", '<x id="1"/> is no `` c ` d'],
  ["``let a`` and `b`: {{ c }}", '<x id="1"/> and <x id="2"/>: <x id="3"/>'],
  ["A backtick ` alone", "A backtick ` alone"],
  ["`all`", '<x id="1"/>'],
])("code in a title is not sent to an engine: %j becomes %j", (title, text) => {
  const segment = plainSegment(title)
  expect(segment.text).toBe(text)
  const answer = readAnswer(segment, text)
  // An answer without words is refused.
  expect(answer && plainText(answer)).toBe(textOf(segment.inlines) === "" ? null : title)
})

describe("unexpected answers", () => {
  it.each<[string, string, string, string]>([
    ["words in another order", "a **b** `c`", '<x id="2"/> <g id="1">d</g> e', "`c` **d** e"],
    ["markup as text", "a", "*b* [c](d) `e` <b> ![f](g) & # h", "\\*b\\* \\[c]\\(d) \\`e\\` \\<b> !\\[f]\\(g) & # h"],
    ["a list", "a", "- b", "\\- b"],
    ["a numbered list", "a", "1. b", "1\\. b"],
    ["a heading", "a", "# b", "\\# b"],
    ["a quote", "a", "> b", "\\> b"],
    ["a fence", "a", "```b", "\\`\\`\\`b"],
    ["a table", "a\n\n---", "b | c", "b | c\n\n---"],
    ["a pipe in a cell", "| a |\n|---|", "b | c", "| b \\| c |\n|---|"],
    ["a definition", "a", "[b]: /c", "\\[b]\\: /c"],
    ["an address", "a", "https://b.c and d@e.f", "https\\://b.c and d\\@e.f"],
    ["an address without a scheme", "a", "WWW.b.c and d.e.", "WWW\\.b.c and d.e."],
    ["character references", "a", "b &lt;c&gt; &amp;amp; &#233;", "b \\<c> \\&amp; é"],
    [
      "named references",
      "a",
      "&laquo;&nbsp;&Eacute;t&eacute; &ndash; 5&nbsp;&euro;&hellip; &AMP; &nosuch; &raquo;",
      "«\u00A0Été – 5\u00A0€… & \\&nosuch; »",
    ],
    ["references that are escaped twice", "a", "&amp;eacute; &amp;amp; &amp;lt;", "\\&eacute; \\&amp; \\&lt;"],
    ["references of two characters", "a", "&NotEqualTilde; &fjlig;ord", "≂̸ fjord"],
    ["lines", "a", "b\r\n\r\n# c", "b # c"],
    ["blanks inside markup", "a **b**", 'c<g id="1"> d </g>', "c **d** "],
    ["tags in other spelling", "a **b** `c`", "d <G ID='1' >e</G> <x id=2></x>", "d **e** `c`"],
    ["adjacent code", "`a` b `c`", 'd<x id="1"/><x id="2"/>', "d`a` `c`"],
    ["an address that moved into a word", "a https://b.c d", 'e<x id="1"/>f', "e[https://b.c](https://b.c)f"],
  ])(
    "an engine's answer with %s is written as text or valid markup: %j answered with %j",
    async (_, markdown, text, expected) => {
      expect((await answered(markdown, text)).trimEnd()).toBe(expected.trimEnd())
    },
  )

  it.each<[string, string, string | null]>([
    ["no text", "a", null],
    ["an empty text", "a", ""],
    ["blanks", "a", " \n"],
    ["ten times as much", "a ".repeat(100), "b ".repeat(1000)],
    ["a missing tag", "a **b**", "c d"],
    ["a repeated tag", "a `b`", 'c <x id="1"/><x id="1"/>'],
    ["an unknown tag", "a", 'b <x id="1"/>'],
    ["a group as an empty tag", "a **b**", 'c <x id="1"/>'],
    ["crossing groups", "*a* **b**", '<g id="1">c<g id="2">d</g id="1">e</g>'],
    ["a group in the wrong group", "*a* **b**", '<g id="1">c <g id="2">d</g></g>'],
    ["an unclosed group", "*a* b", '<g id="1">c d'],
    ["an empty group", "*a* b", 'c <g id="1"> </g>'],
    ["a broken tag", "a `b`", 'c <x id="1"'],
    ["raw HTML in another order", "<b>a</b> c", 'd <x id="2"/> e <x id="1"/>'],
    ["a hard break at the end", "a\\\nb", 'c d<x id="1"/>'],
  ])(
    "an engine's answer with %s is not used, and the source text stays: %j answered with %j",
    async (_, markdown, text) => {
      expect(await answered(markdown, text)).toBe(markdown)
    },
  )
})

it("a Markdown body with 6,000 nested quotes is either refused or translated", async () => {
  const markdown = `${">".repeat(6000)} one`
  const isRefused = render(markdown) instanceof TooComplex
  expect(isRefused || (await translate(markdown)).endsWith("one·fr")).toBe(true)
})

it("only segments whose translation would change more than words keep their source text", () => {
  const paragraphs = Array.from({ length: 50 }, (_, n) => `Paragraph ${n} has \`code\`.`)
  const document = readDocument(paragraphs.join("\n\n"))
  const segments = segmentsOf(document)
  // These lack their code. readAnswer() would reject such answers.
  const spoilt = new Set([segments[0], segments[17], segments[18], segments[49]])
  const translations = segments.map((segment, n): [Segment, Segment["inlines"]] => [
    segment,
    spoilt.has(segment) ? ["Words."] : [`Absatz ${n}: `, ...segment.inlines.slice(1)],
  ])
  const { body, kept } = assemble(document, new Map(translations))
  expect(new Set(kept)).toEqual(spoilt)
  expect(body.split("\n\n")).toEqual(
    paragraphs.map((text, n) => (spoilt.has(segments[n]) ? text : `Absatz ${n}: \`code\`.`)),
  )
})

it("a translation in which ten of 300 headings would change the markup keeps the source of those, not of all", () => {
  const headings = Array.from({ length: 300 }, (_, n) => `# Heading ${n}`)
  const document = readDocument(headings.join("\n\n"))
  const segments = segmentsOf(document)
  // An id would change the heading.
  const words = segments.map((_, n) => (n % 30 === 15 ? "Titre {#id}" : `Titre ${n}`))
  const { body, kept } = assemble(document, new Map(segments.map((segment, n) => [segment, [words[n] ?? ""]])))
  expect(kept.length).toBeGreaterThanOrEqual(10)
  expect(kept.length).toBeLessThan(150)
  expect(body.match(/^# Titre \d+$/gm)).toHaveLength(300 - kept.length)
})
