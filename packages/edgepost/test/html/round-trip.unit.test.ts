import * as fc from "fast-check"
import GithubSlugger from "github-slugger"
import { expect, it } from "vitest"

import { searchProperty } from "../../../../test/search.ts"
import { parseHtml } from "../../src/html/parse.ts"
import { simplifyHtml } from "../../src/html/simplify.ts"
import { writeMarkdown } from "../../src/html/to-markdown.ts"
import { textOf } from "../../src/html/tree.ts"
import { htmlOf } from "../markdown/service.ts"

const text = fc
  .array(
    fc.constantFrom(..."sea tide a 日本語 Ünïcode word_word 5 \\* [x] \\_a\\_ a&b &lt; 🎉 R&D (b) e.g.".split(" ")),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((words) => words.join(" "))
const address = fc.constantFrom(
  "https://e.example/a_b",
  "https://e.example/a?b=c&d=e#f",
  "/about/",
  "<https://e.example/a b>",
)

/** Parts of a line, with a blank between them. No formulas: those that the service renders have no TeX. */
const inline = fc
  .array(
    fc.oneof(
      text,
      text.map((inner) => `**${inner}**`),
      text.map((inner) => `*${inner}*`),
      text.map((inner) => `~~${inner}~~`),
      text.map((inner) => `***${inner}***`),
      fc.constantFrom(
        "`a_b`",
        "`` a`b ``",
        "`<b> & |`",
        "<kbd>K</kbd>",
        "H<sub>2</sub>O",
        "<mark>m</mark>",
        "a\\\nb",
        "[^1]",
      ),
      fc.tuple(text, address).map(([inner, url]) => `[${inner}](${url})`),
      fc.tuple(text, address).map(([inner, url]) => `[**${inner}**](${url})`),
      text.map((alt) => `![${alt}](/mine/a.png)`),
      fc.constant("<https://e.example/auto>"),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(" "))
const line = inline.map((parts) => parts.replaceAll("\\\n", " "))
const cell = line.map((parts) => parts.replaceAll("|", "\\|"))

const indent = (block: string, by: string): string => block.replaceAll(/\n(?=.)/g, `\n${by}`)

const { blocks } = fc.letrec<{ blocks: string; block: string }>((tie) => ({
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 4 }).map((all) => all.join("\n\n<!-- -->\n\n")),
  block: fc.oneof(
    { maxDepth: 3 },
    inline,
    fc.tuple(fc.integer({ min: 2, max: 6 }), line).map(([level, inner]) => `${"#".repeat(level)} ${inner}`),
    line.map((inner) => `## ${inner} {#own-id}`),
    fc.constantFrom("```js\nlet a = `b`\n\n  c\n```", "~~~~\n```\n~~~~", "***"),
    fc
      .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 3 })
      .map((rows) =>
        [rows[0], ["-:", ":-:"], ...rows.slice(1)].map((cells) => `| ${(cells ?? []).join(" | ")} |`).join("\n"),
      ),
    tie("blocks").map((inner) => `> ${inner.replaceAll("\n", "\n> ")}`),
    // A tight list of lines, or a loose one of paragraphs and other blocks.
    fc
      .tuple(
        fc.constantFrom("- ", "1. ", "7. ", "- [x] "),
        fc.array(fc.tuple(line, fc.option(tie("blocks"))), { minLength: 1 }),
      )
      .map(([mark, items]) => {
        const isTight = items.every(([, inner]) => inner === null)
        const by = " ".repeat(mark.startsWith("-") ? 2 : 3)
        return items
          .map(([first, inner]) => indent(`${mark}${first}${inner === null ? "" : `\n\n${inner}`}`, by))
          .join(isTight ? "\n" : "\n\n")
      }),
    fc
      .tuple(text, tie("blocks"))
      .map(([summary, inner]) => `<details><summary>${summary}</summary>\n\n${inner}\n\n</details>`),
    inline.map(
      (caption) => `<figure><img src="/mine/a.png" alt="b"><figcaption>\n\n**a** ${caption}\n\n</figcaption></figure>`,
    ),
  ),
}))

/** Parses HTML. How many line ends stand between blocks says nothing. */
const treeOf = (html: string) => parseHtml(html.replaceAll(/\n+/g, "\n"))

it("generated Markdown, rendered by the service and read back, is rendered to the same tree", async () => {
  const property = fc.property(blocks, (markdown) => {
    const html = htmlOf(`${markdown}\n\n[^1]: A *note*.\n`)
    const back = writeMarkdown(simplifyHtml(parseHtml(html)).tree, new GithubSlugger())
    expect(treeOf(htmlOf(back)), back).toEqual(treeOf(html))
  })
  await searchProperty(500, property)
})

const HIDDEN = [
  "<p hidden>H</p>",
  '<span style="display:none">H</span>',
  '<i aria-hidden="true">H</i>',
  "<script>H</script>",
  "<pre hidden>H</pre>",
  "<table hidden><tr><td>H</table>",
  '<div style="visibility:hidden;background:url(/a.png)">H</div>',
  "<math hidden><mi>H</mi></math>",
]
const STYLES = ["", ' style="font-weight:normal"', ' style="font-weight:700; font-style: italic"', ' class="x"']
const TAGS =
  "b i em strong s u span a code mark small font div p section blockquote center h2 h5 details figure li dd".split(" ")

/** HTML of any nesting, as pages have it: blocks in lines, tables and lists in each other. Each `W` becomes a word. */
const { odd } = fc.letrec<{ odd: string; node: string }>((tie) => ({
  odd: fc
    .array(tie("node"), { minLength: 1, maxLength: 5 })
    .chain((nodes) => fc.constantFrom("", " ", "\n", "&nbsp;", "<br>", "\t \n").map((gap) => nodes.join(gap))),
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(" W ", "W", "W ", " W", ...HIDDEN),
    fc
      .tuple(fc.constantFrom(...TAGS), fc.constantFrom(...STYLES), tie("odd"))
      .map(([tag, style, inner]) => `<${tag}${style}${tag === "a" ? ' href="/a"' : ""}>${inner}</${tag}>`),
    fc
      .tuple(fc.constantFrom("ul", "ol", "dl"), fc.array(tie("odd"), { maxLength: 3 }))
      .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}`).join("")}</${tag}>`),
    fc
      .tuple(
        fc.constantFrom("", "<caption>W</caption>", '<thead><tr><th colspan="2">W</thead>'),
        fc.array(fc.array(tie("odd"), { maxLength: 3 }), { maxLength: 3 }),
      )
      .map(
        ([head, rows]) =>
          `<table>${head}${rows.map((cells) => `<tr>${cells.map((inner) => `<td>${inner}`).join("")}`).join("")}</table>`,
      ),
  ),
}))

it("generated HTML of any nesting keeps the words that a browser shows, in their order, each once", async () => {
  const property = fc.property(odd, (pattern) => {
    let count = 0
    const tree = parseHtml(pattern.replaceAll(/[WH]/g, (kind) => `${kind}${(count += 1)}${kind}`))
    const shown = textOf(tree).match(/W\d+W/g) ?? []
    const markdown = writeMarkdown(simplifyHtml(tree).tree, new GithubSlugger())
    const words = textOf(parseHtml(htmlOf(markdown))).match(/[WH]\d+[WH]/g) ?? []
    expect(words, markdown).toEqual(shown)
  })
  await searchProperty(300, property)
})
