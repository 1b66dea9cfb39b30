import { describe, expect, it } from "vitest"

import { cutBlocks } from "../../src/posts/blocks.ts"
import { compileBlocks, renderMarkdown } from "../../src/posts/markdown.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { readSegments } from "../../src/translations/segments.ts"

const translate = async (markdown: string, to = "fr"): Promise<string> => {
  const { segments, rebuild } = readSegments(markdown)
  return rebuild(await pseudo.translate(segments, "en", to))
}

const links = (markdown: string): string[] => {
  const parts = compileBlocks(cutBlocks(markdown))
  if ("tooComplex" in parts) throw new Error(parts.tooComplex)
  return [...parts.join("").matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = ""]) => url)
}

describe("every word of the text is marked, and nothing else is touched", () => {
  it.each([
    ["paragraphs", "One two.\n\nThree, four!\n", "One·fr two·fr.\n\nThree·fr, four·fr!\n"],
    ["headings", "# One #\n\nTwo\n===\n", "# One·fr #\n\nTwo·fr\n===\n"],
    ["emphasis", "*One* **two** ~~three~~ _four_", "*One·fr* **two·fr** ~~three·fr~~ _four·fr_"],
    ["lists", "- one\n  two\n  1. three", "- one·fr\n  two·fr\n  1. three·fr"],
    ["tasks", "- [x] done\n- [ ] open", "- [x] done·fr\n- [ ] open·fr"],
    ["quotes", "> one\n> two", "> one·fr\n> two·fr"],
    ["tables", "| a | b |\n|:--|--:|\n| c \\| d | *e* |", "| a·fr | b·fr |\n|:--|--:|\n| c·fr \\| d·fr | *e·fr* |"],
    ["hard breaks", "one  \ntwo\\\nthree", "one·fr  \ntwo·fr\\\nthree·fr"],
    ["link texts", '[one *two*](/url "three") four', '[one·fr *two·fr*](/url "three") four·fr'],
    ["footnotes", "one[^n]\n\n[^n]: two `three`", "one·fr[^n]\n\n[^n]: two·fr `three`"],
    ["escapes", "one \\*two\\* \\[three\\]", "one·fr \\*two·fr\\* \\[three·fr\\]"],
    ["character references", "one &amp; &#233; &#xE9; &copy; two", "one·fr &amp; &#233; &#xE9; &copy; two·fr"],
    ["CRLF", "one `a`\r\ntwo\r\n\r\n> three", "one·fr `a`\r\ntwo·fr\r\n\r\n> three·fr"],
    ["tabs", "-\tone\n\n\ttwo `a`", "-\tone·fr\n\n\ttwo·fr `a`"],
    ["emoji", "👩‍👩‍👧 one `a` 😀 two", "👩‍👩‍👧 one·fr `a` 😀 two·fr"],
    ["scripts", "日本語 **слово** שלום naïve", "日本語·fr **слово·fr** שלום·fr naïve·fr"],
    ["a byte order mark", "\uFEFFone `a b` two", "\uFEFFone·fr `a b` two·fr"],
  ])("%s", async (_, markdown, expected) => {
    expect(await translate(markdown)).toBe(expected)
  })

  it.each([
    "`code span`",
    "``a ` b``",
    "```js\nconst word = 1\n```",
    "~~~\ntilde block\n~~~",
    "    indented block",
    "<https://example.com/path>",
    "<me@example.com>",
    "https://example.com/a_b_c?d=e",
    "www.example.com/path",
    "me@example.com",
    '![alt words](/media/ann/blog_img/x.webp "title words")',
    "![alt][ref]\n\n[ref]: /url",
    "![ref]\n\n[ref]: /url",
    "<div class=words>\nraw words\n</div>",
    "<!-- a comment -->",
    "<script>\nlet word\n</script>",
    '[ref]: /url "title words"',
    "***",
    "&nbsp;&hellip;",
    "123 – 456",
    "",
  ])("%j stays byte for byte", async (markdown) => {
    expect(await translate(markdown)).toBe(markdown)
  })

  // GFM links none of these, mdast's own search for addresses finds them all the same.
  it.each([
    "One.\n\nTwo “www.example.com” three `a` four",
    "One “me@example.com” two",
    "One/www.example.com two",
    "First *one*.\n\n- “https://example.com” two\n\nThree",
  ])("words around an address that is no link are marked, once: %j", async (markdown) => {
    const translated = await translate(markdown)
    expect(translated.replaceAll("·fr", "")).toBe(markdown)
    for (const word of markdown.match(/(?:one|two|three|four)/gi) ?? []) expect(translated).toContain(`${word}·fr`)
  })

  it("inline HTML stays, the words in it are translated", async () => {
    expect(await translate("one <b class=x>two</b> <br/> three")).toBe("one·fr <b class=x>two·fr</b> <br/> three·fr")
  })

  it("protected parts stay byte for byte between words", async () => {
    const parts = ["`a b`", "<https://e.x/a>", "![c d](/e)", "<i>", "</i>", "https://e.x/f"]
    const markdown = parts.map((part) => `word ${part}`).join(" ")
    expect(await translate(markdown)).toBe(parts.map((part) => `word·fr ${part}`).join(" "))
  })
})

describe("references still find their definitions", () => {
  it.each([
    ["shortcut", "See [the page].\n\n[the page]: /u"],
    ["collapsed", "See [the page][].\n\n[the page]: /u"],
    ["full", "See [this one][the page].\n\n[the page]: /u"],
    ["another case and spacing", "See [The   PAGE].\n\n[the page]: /u"],
    ["marked up", "See [the *page* `x`].\n\n[the *page* `x`]: /u"],
    ["followed by a parenthesis", "See [the page](not a url).\n\n[the page]: /u"],
    ["side by side", "[one][] [two] [three][one]\n\n[one]: /1\n[two]: /2"],
    ["holding a picture", "[![alt](/p.png) words]\n\n[![alt](/p.png) words]: /u"],
    ["picture", "![the page] ![x][the page] word\n\n[the page]: /p.png"],
    ["footnote", "Word[^the-note] again[^the-note].\n\n[^the-note]: Note."],
    ["with an escaped bracket", "See [a\\]b].\n\n[a\\]b]: /u"],
    ["with an escaped star", "See [a\\*b][].\n\n[a\\*b]: /u"],
    ["with a character reference", "See [a &amp; b].\n\n[a &amp; b]: /u"],
    ["over two lines of a quote", "> See [the\n> page].\n\n[the page]: /u"],
    ["in a table", "| [the page] |\n|---|\n| [the page][] |\n\n[the page]: /u"],
    ["in a heading", "# [the page]\n\n[the page]: /u"],
  ])("%s", async (_, markdown) => {
    const before = links(markdown)
    expect(before).not.toEqual([])
    const translated = await translate(markdown)
    expect(links(translated)).toEqual(before)
    expect(translated).toContain("·fr")
  })
})

describe("rebuilding", () => {
  it.each([
    "One *two* [three](/u) `four`\n\n- [ref]\n- <b>five</b>\n\n[ref]: /r\n",
    "| a | b |\n|---|---|\n| c | d |",
    "No markup at all.",
    "",
  ])("%j with its own segments says the same", (markdown) => {
    const { segments, rebuild } = readSegments(markdown)
    expect(rebuild(segments).replace("[ref][ref]", "[ref]")).toBe(markdown)
  })

  it("hands the engine plain texts only, without blank ones, in order", () => {
    const { segments } = readSegments("# One\n\nTwo **three** `code` [four](/u) ![five](/p)\n\n```\nsix\n```")
    expect(segments).toEqual(["One", "Two ", "three", "four"])
  })
})

it("a body that can be stored can be translated, however deep its quotes", async () => {
  const markdown = `${">".repeat(6000)} one`
  const isRefused = "tooComplex" in renderMarkdown(markdown)
  expect(isRefused || (await translate(markdown)).endsWith("one·fr")).toBe(true)
})

describe("pseudo", () => {
  it.each([
    [["house and home"], "fr", ["house·fr and·fr home·fr"]],
    [["Zürich", "naïve Ångström"], "pt-BR", ["Zürich·pt-BR", "naïve·pt-BR Ångström·pt-BR"]],
    [["42, 3.14 — !"], "fr", ["42, 3.14 — !"]],
    [["&amp; &#65; &#x41; a&b"], "fr", ["&amp; &#65; &#x41; a·fr&b·fr"]],
    [["e\u0301te\u0301"], "fr", ["e\u0301te\u0301·fr"]],
    [[], "fr", []],
    [["", " "], "fr", ["", " "]],
  ])("%j to %s: %j", async (segments, to, expected) => {
    expect(await pseudo.translate(segments, "en", to)).toEqual(expected)
  })
})
