import { describe, expect, it } from "vitest"

import { convertText, shown } from "./texts.ts"

const findOnly = (url: string): string | null => (url === "e.png" ? "/media/e.webp" : null)

describe("a converted text", () => {
  it.each([
    ["# My *title*\n\nText", "My title", "Text"],
    ["\n# my  Title #\n\n\nText", "My Title", "\nText"],
    ["My title\n===\nText", "My title", "Text"],
    ["# My title {#a}\nText", "My title", "Text"],
    ["# My title {.a}\n{: .b}\n\nText", "My title", "Text"],
    ["# [My title](a)!\n\n    code", "My title", "    code"],
    ["<!-- a -->\n# T\r\n\r\nText", "T", "\nText"],
    ["# T", "T", ""],
    ["# 🎉", "🎉", ""],
  ])("%j without the heading that repeats %j is %j", (body, title, expected) =>
    expect(convertText(body, { title }).body).toBe(expected),
  )

  it.each([
    ["T", ["## T\n\nText", "# Other\n\nText", "# Other\n\n# T", "> # T", "    # T"]],
    ["🎊", ["# 🎉"]],
    ["", ["# T"]],
  ])("with the title %j, headings that do not repeat it stay", (title, bodies) =>
    expect(bodies.map((body) => convertText(body, { title }).body)).toEqual(bodies),
  )

  it("findings and places have the lines of the file, also after conversions", () => {
    const figure = "{{< figure src=a caption='*b*' >}}"
    const text = `# Title\n\n{{% note %}}\na\n{{% /note %}}\n\n${figure}\n\n[end](x)\n{{< tabs >}}\n`
    const { body, lineOf, findings } = convertText(text, { bodyLine: 10 })
    expect(findings).toMatchObject([{ file: "posts/a.md", line: 19, level: "error", code: "foreign_syntax" }])
    const parts = ["[!NOTE]", "> a", "<figure", "</figcaption", "[end]", "{{<"]
    expect(parts.map((part) => lineOf(body.indexOf(part)))).toEqual([12, 13, 16, 16, 18, 19])
  })

  it("a foreign name is reported once, at its first place", () => {
    const { findings } = convertText("{{< note >}}\n\n{{< tabs >}}\n\n{{< note >}}\n{{< tabs >}}")
    const advice =
      "is syntax of another tool, which readers would see as text. Write it as Markdown, give it a template below `shortcodes` or `variables` in edgepost.config.yaml, or allow it with --allow-foreign."
    expect(findings).toMatchObject([
      { line: 1, message: `{{< note >}} ${advice}` },
      { line: 3, message: `{{< tabs >}} ${advice}` },
    ])
  })

  it("{% raw %} in code stays, with one warning", () => {
    const text = "a\n\n```\n{% raw %}{{ a }}{% endraw %}\n```\n\n`{% raw %}`"
    const { body, findings } = convertText(text)
    expect(body).toBe(text)
    const message =
      "{% raw %} is in code, and readers see it as text. Write it before the code, and {% endraw %} after the code."
    expect(findings).toEqual([{ level: "warning", code: "raw_in_code", message, file: "posts/a.md", line: 3 }])
  })

  it.each<[body: string, line: number | null]>([
    ["a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> branch\n", 2],
    ["<<<<<<<\n```\na\n```\n|||||||\n=======\n>>>>>>>", 1],
    ["```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n```", null],
    ["    <<<<<<< HEAD\n    >>>>>>> c", null],
    ["A head\n=======\n\n>>>>>>> seven quotes", null],
    ["<<<<<<< and no end", null],
    ["<<<<<<<< a\n>>>>>>>> b", null],
  ])("marks of a merge in %j are an error at line %j", (body, line) => {
    const found = convertText(body).findings.filter(({ code }) => code === "merge_marks")
    expect(found.map((finding) => [finding.level, finding.line])).toEqual(line === null ? [] : [["error", line]])
  })

  it("of a text as the service stores it only images of the folder change, and none is an error", () => {
    const body = "# Title\n\n{{< note >}}\n\n[a](b.md) [c](#title) ![d](e.png) ![f](g.png) ![h](data:x)"
    expect(shown(body, { findImage: findOnly }, { isStored: true, bodyLine: 3 })).toBe(
      `${body.replace("e.png", "/media/e.webp")}\n! 7 warning missing_image\n! 7 warning data_image`,
    )
  })

  it.each([
    ["of 300,000 characters", "a ".repeat(150_000), 3, /^The text has more than 262144 characters\. Split/],
    ["of 25,000 lines", "a\n\n".repeat(12_500), 3, /^The text has more than 20000 lines\. Split/],
    ["in 101 quotes", `a\n\n${">".repeat(101)} a`, 3, /^The text has more than 100 nested quotes/],
    [
      "with 9000 nested markers",
      `a\n\n${"*a ".repeat(9000)}${"a* ".repeat(9000)}`,
      5,
      /^Too complex near line 5: .* emphasis/,
    ],
  ])("a text %s is an error at its line of the file, and stays", (_, body, line, message) => {
    const error = { level: "error", code: "too_complex", line, message: expect.stringMatching(message) }
    expect(convertText(body, { bodyLine: 3 })).toMatchObject({ body, findings: [error] })
  })
})
