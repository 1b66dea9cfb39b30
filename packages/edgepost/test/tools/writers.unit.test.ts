import { describe, expect, it, test } from "vitest"

import { planPost } from "../../src/plan/entry.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"
import { desiredOf, planOf } from "../markdown/plan.ts"

// Folders of programs for writing, which the author names.

/** Plans a post of a folder. @returns its body, and what is said about it */
const planned = async (as: string | null, body: string, others: Record<string, string> = {}): Promise<string> => {
  const file = "a/p.md"
  const text = `---\ntitle: P\ndate: 2024-05-01\n---\n${body}`
  const plan = await planOf(folderOf({ [file]: text, ...others }), { as }, { paths: [file] })
  const findings = plan.entries.flatMap((entry) => entry.findings).filter(({ code }) => code !== "missing_image")
  return [desiredOf(plan, "p").source.body, ...findings.map(({ level, line, code }) => `! ${line} ${level} ${code}`)]
    .join("\n")
    .trim()
}

const BLOCKED = "! 5 error unsupported_syntax"

describe("pandoc's own Markdown (pandoc 3.10)", () => {
  const SIMPLE = "  Port   High\n  ------ ------\n  Dover  6:10\n"
  const MULTILINE =
    "  -------------\n  Port     High\n  ------ ------\n  Dover    6:10\n\n  Hull     7:25\n  -------------"
  const GRID = "+---+---+\n| a | b |\n+:==+===+\n| c | d |\n+---+---+"

  it.each([
    ["a simple table", SIMPLE, 6],
    ["a multiline table", MULTILINE, 7],
    ["a grid table", GRID, 5],
    ["a subscript", "H~2~O", 5],
    ["a superscript", "x^2^ and $y^2$", 5],
    ["a caption", "| a |\n|---|\n| b |\n\n: A caption", 9],
    ["a line block", "| a\n| b", 5],
    ["an example with a number", "(@a) b", 5],
    ["LaTeX", "a \\emph{b}", 5],
    ["fields in the text", "a\n\n---\nnotes: SECRET\n---", 7],
    ["LaTeX without braces", "\\newpage SECRET", 5],
  ])("%s blocks a new post, and no post of the service", async (_, body, line) => {
    expect(await planned("pandoc", body)).toMatch(new RegExp(`! ${line} error unsupported_syntax$`))
    const plan = await planOf(folderOf({ "p.md": `---\ntitle: P\ndate: 2024-05-01\n---\n${body}` }), { as: "pandoc" })
    const desired = desiredOf(plan, "p")
    const stored = { texts: {}, translations: [], translation_languages: [], image_ids: [], source: null }
    const entry = planPost(desired, { ...stored, slug: "p", categories: [], tags: [] } as never, OPTIONS.now)
    expect([entry.action, entry.findings[0]?.level]).toEqual(["update", "warning"])
  })

  it.each([
    [SIMPLE, SIMPLE.trim(), 6],
    [GRID, GRID, 5],
    ["```{=latex}\na\n```", "```{=latex}\na\n```", 5],
    ["a `b`{=html}", "a `b`{=html}", 5],
    ["## A {-}", "## A {-}", 5],
  ])("without `as`, %j is as it was, with a warning", async (body, expected, line) => {
    expect((await planned(null, body)).replace(/\n+!/, "\n!")).toBe(`${expected}\n! ${line} warning unsupported_syntax`)
  })

  it.each([
    ["a\n\n```{=latex}\n\\newpage SECRET\n```\n\nb", "a\n\n\n\nb"],
    ["```{=html}\n<p>Some <b>raw</b></p>\n```\n\n~~~ {=org}\nSECRET\n~~~", "<p>Some <b>raw</b></p>"],
    ["A `<br>`{=html} b `\\cite{SECRET}`{=latex} `SECRET`{=tex}c `d`{.py}", "A <br> b  c `d`"],
    ["Ebb\n\n: Falls.", "<dl>\n<dt>\n\nEbb\n\n</dt>\n\n<dd>\n\nFalls.\n\n</dd>\n</dl>"],
    ["> ```{=html5}\n> <i>a</i>\n> <b>b</b>\n> ```", "> <i>a</i>\n> <b>b</b>"],
    ["## Costs {-}\n\n## B {.unnumbered}\n\n## C {#c .d}", "## Costs\n\n## B\n\n## C {#c}"],
    ["a\n\n\\newpage\n\n`\\newpage`\n\n    \\newpage", "a\n\n\n\n`\\newpage`\n\n    \\newpage"],
    ["::: {.warning}\nA *b*.\n:::\n\n:::: {#c .d}\ne\n::::", "> [!WARNING]\n> A *b*.\n\n\n\ne"],
    ["$x^2$ and $a~b~c$ `H~2~O` ~~a~~ https://e.x/~a/~b\n\n| a |\n|---|\n| b |", null],
    ["```\n---- ----\n: a\n```\n\n$$\n\\frac{a}{b}\n$$ {{ a }}", null],
  ])("%j is %j", async (body, expected) => expect(await planned("pandoc", body)).toBe(expected ?? body))
})

describe("iA Writer's content blocks (specification 0.4)", () => {
  it.each<[body: string, files: Record<string, string>, expected: string]>([
    [
      "Words.\n\n/part.md\n\nEnd.",
      { "a/part.md": "---\nx: SECRET\n---\n**More**<!-- SECRET -->" },
      "Words.\n\n**More**\n\nEnd.",
    ],
    ["/b/My part.txt 'T'", { "b/My part.txt": "More" }, "More"],
    ["/x.swift (A title)\n/y.js", { "x.swift": "a\n", "a/y.js": "`" }, "```swift\na\n```\n```js\n`\n```"],
    [
      "`/part.md`\n\n    /part.md\n\n```\n/part.md\n```",
      { "a/part.md": "x" },
      "`/part.md`\n\n    /part.md\n\n```\n/part.md\n```",
    ],
    ["a /part.md and /part", { "a/part.md": "x" }, "a /part.md and /part"],
    ["/part.md", { "a/part.md": "---\ndraft: true\n---\nSECRET" }, "/part.md\n! 5 error inclusion"],
    ["/part.md", {}, "/part.md\n! 5 error inclusion"],
    ["/../../part.md", {}, "/../../part.md\n! 5 error inclusion"],
    ['/t.csv "T"', { "a/t.csv": "SECRET" }, `/t.csv "T"\n${BLOCKED}`],
    ["/t.TSV", { "a/t.TSV": "SECRET" }, `/t.TSV\n${BLOCKED}`],
  ])("%j with %j is %j", async (body, files, expected) =>
    expect(await planned("ia-writer", body, files)).toBe(expected),
  )

  it.each([
    [
      '/red.png "A red *boat*"',
      '<figure><img src="" alt="A red *boat*"><figcaption>\n\nA red \\*boat\\*\n\n</figcaption></figure>',
    ],
    ["/a b.jpg\n/c.gif 'D'", '![](<>)\n\n<figure><img src="" alt="D"><figcaption>D</figcaption></figure>'],
    ["https://e.x/a", "https://e.x/a"],
  ])("the image %j is %j", async (body, expected) => expect(await planned("ia-writer", body)).toBe(expected))

  it.each(['/red.png "A"', "/part.md", "a\n\n/t.csv\n\nb"])(
    "without `as`, %j is as it was, with a warning",
    async (body) =>
      expect(await planned(null, body, { "a/part.md": "SECRET", "a/t.csv": "SECRET" })).toMatch(
        new RegExp(`^${body.replaceAll(/[.?]/g, String.raw`\$&`)}\n! \\d warning unsupported_syntax$`),
      ),
  )

  test.each(["/usr/bin/env", "a\n/part.md", "```\n/part.md\n```", "/part.md is a file", "/about"])(
    "without `as`, %j is text",
    async (body) => expect(await planned(null, body)).toBe(body),
  )
})
