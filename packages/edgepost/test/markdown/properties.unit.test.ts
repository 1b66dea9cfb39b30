import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

import { searchProperty } from "../../../../test/search.ts"
import { readDocument } from "../../src/markdown/document.ts"
import { listImages } from "../../src/markdown/images.ts"
import { Reader } from "../../src/markdown/reader.ts"
import { scan } from "../../src/markdown/scan.ts"
import { Names, NO_THEME, type Theme } from "../../src/markdown/theme.ts"
import { Budget } from "../../src/parser/budget.ts"
import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { convertText, rewritten } from "./texts.ts"

/** Blocks without foreign syntax, links and images. */
const PLAIN = [
  ["Prose with *emphasis*, **strong**, ~~struck~~ and `code {{< a >}} [[b]]`.", "trailing \t\n\n\n\n"],
  ["  indented \\* escaped \\{{ a }} \\[[b]] &amp; \u00A0 a\\\r\nb  \nc", "## Heading {#id}", "Setext\n---"],
  ["> quote\n> > inner\n\n> [!NOTE]\n> alert", "- [ ] task\n- b\n\n  - c\n1. d"],
  ["| a | b |\n|---|:-:|\n| `c|d` | e |", "```js {1,3}\n{{< x >}} ==a== [b](c) ![d](e)\n```"],
  ["~~~\n:::note\n~~~", "Text\n\n    {% indented %} [[code]]", "Note[^1].\n\n[^1]: Foot.", "* * *\n\n---\n\n***"],
  ["<details><summary>A</summary>\n\n<kbd>K</kbd> <br> <mark>m</mark>\n\n</details>", "a <!-- --> b\n\n<!-- -->"],
  ["$x_{{a}}$ costs $5 and $6\n\n$$\n{{a}}\n$$", "日本語の文。「重点」Ünïcode 🎉 \u200D \uFEFF"],
  ["a == b, c==d && e, {f}, { g }, 50%% :: h:i List<String> 5 < 6 > 4 [x] [!y] !z"],
].flat()

/** Blocks that change. */
const FOREIGN = [
  ["{{< youtube a1 >}}", "{{% note %}}\na\n{{% /note %}}", "{{< tabs >}}", "{{< note >}}"],
  [
    ":::tip[T]\na\n:::",
    ":::",
    "{% highlight js %}\na\n{% endhighlight %}",
    "{% highlight js %}\n```\n{% endhighlight %}",
  ],
  ["[[Note]] ![[a.png]] ==m== %%c%%", "> [!info] T\n> a", "![a](b.png) [c](d.md) <img src=e>"],
  [
    "{: .a}",
    'import A from "b"',
    "<Tabs>",
    "# Title",
    '<div markdown="1">\n*a*\n</div>',
    "| a | b |\n| c |",
    "- a\n^\n- b",
  ],
  [
    "a\n{: .note}",
    "a \\\\( x \\\\) b",
    "\\begin{align}\na\n\\end{align}",
    "![a](b){width=3}",
    "<div>{{< img c >}}</div>",
  ],
].flat()

/** Blocks that change those after them. */
const OPEN = [
  "```",
  "~~~",
  "<!--",
  "-->",
  "<script>",
  "    code",
  "  - nested",
  "\tcode",
  "[r]: u",
  "[r] a <!-- b --> c",
]

const words = (list: string): string[] => list.split(" ")

/** Parts of syntax, from which nonsense is made. */
const PARTS = [
  [..."{}[]()<>%:=!`$*_~\\\"'#|/ \t\n"],
  words(
    "{{< >}} {{% %}} {% %} {{ }} {/* */} ::: :::note [[ ]] ![[ ![ ]( [! %% == $$ <!-- --> ``` <T <pre> </pre> é 中",
  ),
  words("note /note endnote highlight endhighlight details raw endraw toc [a](b) ![a](b) {.a} {:a}"),
  words(
    "import\t export\t > - youtube\ta figure\tsrc=a\tcaption='*b*' <T\ta={b}> <a\thref=b> <img\tsrc=b> <img\tsrc={'b'} <a\thref={b}> style={{a:1}} {...b}",
  ),
  [
    '<div markdown="1">',
    "</div>",
    "\n| a |",
    "\n|-",
    "\n^\n",
    "\\\\(",
    "\\\\)",
    "\\[",
    "\\]",
    "$$x$$",
    "\n\\begin{align}",
  ],
  ["![a|3](b)", "{width=3}", "{: .note}", "<p>", "</p>", "\\end{align}", '<img style="width:1%">'],
  ["    ", "\n\n", "\r\n", "\r", "[a]: b\n", "# Title\n", "## A {#b}", "* TOC\n{:toc}", "\uFEFF", "\u0000", "\uD800"],
].flat()
const soup = fc.array(fc.constantFrom(...PARTS), { maxLength: 60 }).map((parts) => parts.join(""))
/** The theme of a blog whose tool draws more than Markdown, or of no tool. */
const theme = fc.constantFrom(
  NO_THEME,
  ...[
    {
      markup: { goldmark: { extensions: { passthrough: { enable: true, delimiters: { inline: [["\\[", "\\]"]] } } } } },
    },
    {},
    { kramdown: { parse_block_html: true } },
  ].map((data, i): Theme => ({
    ...NO_THEME,
    settings: { ...NO_TOOL, data, tool: i === 0 ? TOOLS.hugo : TOOLS.jekyll },
  })),
)
const context = {
  findPost: () => ({ lost: "missing", oldAddress: null }) as const,
  findImage: (url: string) => (url === "b" ? "/media/b" : "remote"),
}

describe("any text", () => {
  it("without foreign syntax, links and images comes back byte for byte, without findings", async () => {
    const gap = fc.constantFrom("\n\n", "\n\n\n", "\r\n\r\n")
    const blocks = fc.array(fc.tuple(fc.constantFrom(...PLAIN), gap), { maxLength: 12 })
    const property = fc.property(blocks, fc.constantFrom("a.md", "b.markdown"), (parts, file) => {
      const body = parts.flat().join("")
      expect(rewritten(body, context, { file })).toEqual({ body, findings: [] })
      expect(convertText(body, { file }).findings).toEqual([])
    })
    await searchProperty(300, property)
  })

  it("keeps its code blocks and code in lines, whatever stands around them", async () => {
    const inner = fc.array(fc.constantFrom(...PARTS.filter((part) => !/[`\r\n\0\uD800]/.test(part))), { maxLength: 10 })
    const code = inner.map((parts) => `x${parts.join("")}x`)
    const block = fc.oneof(
      fc.constantFrom(...FOREIGN, ...PLAIN.slice(0, 8)).map((text) => ({ text, kept: "" })),
      code.map((text) => ({ text: `\`\`\`js\n${text}\n\`\`\``, kept: `\`\`\`js\n${text}\n\`\`\`` })),
      code.map((text) => ({ text: `a \`${text}\` b`, kept: `\`${text}\`` })),
      code.map((text) => ({ text: `Text\n\n    ${text}`, kept: `    ${text}` })),
    )
    const property = fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
      const { body } = rewritten(blocks.map(({ text }) => text).join("\n\n"), context)
      // An open alert quotes the blocks in it.
      const flat = body.replaceAll(/^(?:> ?)+/gm, "")
      for (const { kept } of blocks) expect(flat).toContain(kept.replaceAll(/^(?:> ?)+/gm, ""))
    })
    await searchProperty(500, property)
  })

  it("never throws, and all its findings and places have lines of the file in order", async () => {
    const property = fc.property(soup, fc.constantFrom("a.md", "a.mdx"), theme, (body, file, of) => {
      const { body: result, findings, lineOf } = convertText(body, { file, bodyLine: 5, theme: of })
      const last = 5 + body.split(/\r\n?|\n/).length - 1
      const places = Array.from(result, (_, i) => lineOf(i))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      const all = [...findings, ...rewritten(body, context, { file, bodyLine: 5, theme: of }).findings]
      for (const line of [...places, ...all.map((finding) => finding.line)]) {
        expect(line).toBeGreaterThanOrEqual(5)
        expect(line).toBeLessThanOrEqual(last)
      }
    })
    await searchProperty(3000, property)
  })

  it("has the parts that it has if it is parsed whole, though only blocks with edits are parsed again", async () => {
    const block = fc.constantFrom(...PLAIN, ...FOREIGN, ...OPEN)
    const part = fc.tuple(block, fc.constantFrom("\n\n", "\n\n", "\r\n\r\n", "\n"))
    const property = fc.property(fc.array(part, { maxLength: 9 }), theme, (parts, of) => {
      const { body, document } = convertText(parts.flat().join(""), { theme: of })
      expect(document).toEqual(readDocument(body))
    })
    await searchProperty(3000, property)
  })

  it.each([
    ["an open fence", "<p hidden>x</p>```\n\n![a](b)"],
    ["indented code", "<!--\n\na <!-- b --> c\n    d\n\n- \n---"],
    ["a label", "[r]\n\na <!-- b --> c\n[r]\n\n[r]: u"],
    ["a blank line of CRLF", "- a\n\n%%hid%%\r\n\r\n\tcode ![a](b)\n"],
    ["a list before code", "  - nested\n\n%%hid%%\n\n\tcode ![a](b)"],
    ["code after it", "- a\n\n{% comment %}x{% endcomment %}\n\n    code ![n](n)"],
    ["no blank line", "> q\n> ![z](w)\n<!--\n\na <!-- b --> c"],
  ])("with %s beside an edit has the parts that it has if it is parsed whole", (_, text) => {
    const { body, document } = convertText(text)
    expect(document).toEqual(readDocument(body))
  })

  it("has only images with new addresses once it is rewritten", async () => {
    const property = fc.property(soup, theme, (body, of) => {
      const result = rewritten(body, { findImage: (url) => `/media/${url.length}` }, { theme: of }).body
      expect(listImages(readDocument(result)).filter((url) => !url.startsWith("/media/"))).toEqual([])
    })
    await searchProperty(500, property)
  })
})

const workOf = (text: string, isMdx: boolean): number => {
  const reader = new Reader(text, new Names(NO_THEME, {}))
  let items = 0
  for (const _ of scan(reader, [], new Set(), isMdx, new Budget())) items++
  return reader.work + items
}

describe("the work of a scan", () => {
  const UNITS = [
    ...words(
      '{{< {{<\ta {{<\ta\t" {{<\ta\t` {{<\tnote\t>}} {{<\t/note\t>}} {{<\thighlight\t>}} {{<\tcode\t>}}a{{<\t/code\t>}}',
    ),
    ...words(
      "{% {%\ta {%\traw\t%} {%\tnote\t%}\n {{ {{\ta {{\ta\t}} ${{ {/* { {.a {:a} #\t{.a}\n {.a}\n *\ttoc\n{:toc}\n",
    ),
    ...words("[[ [[a ![[ ![a| [[a]] == ==a %% %%\n %%\ta [toc]\n >\t[!info]-\n ::: :::note\n :::note\n:::\n"),
    ...words(
      "{#\ta {#a#} {{!-- {::comment} <p\thidden> <p\thidden></p> `%%` %%\ta\n\n <!--a\n\n a<!--b\n\n <code><!-- [//]:\t#\n ::::a\n:::b\n :::a[]{] $ $$ $a $$a\n\n <!-- <T <T\t <T\t{ <T\ta={ <a\tb={ <a\tb={}> <pre> <Aside>\n import\ta\n export\t{\n\n \\{ `",
    ),
  ].map((unit) => unit.replaceAll("\t", " "))
  it.each(UNITS)("grows no faster than a text of many %j", (unit) => {
    for (const isMdx of [false, true]) {
      const [small, large] = [2000, 20_000].map((size) => workOf(unit.repeat(size / unit.length), isMdx))
      expect(large).toBeLessThan(11 * (small ?? 0) + 1000)
      expect(large).toBeLessThan(10 * 20_000)
    }
  })
})
