import { describe, expect, it } from "vitest"

import {
  MAX_CONTAINERS,
  MAX_DELIMITERS,
  MAX_HTML_BYTES,
  MAX_REFERENCE_CHARS,
  MAX_TABLE_CELLS,
} from "../../src/limits.ts"
import { placePictures, renderMarkdown } from "../../src/posts/markdown.ts"

const html = (markdown: string, prefix = "my-post-"): string => {
  const rendered = renderMarkdown(markdown, prefix)
  if ("tooComplex" in rendered) throw new Error(rendered.tooComplex)
  return rendered.html
}

const isRefused = (markdown: string): boolean => "tooComplex" in renderMarkdown(markdown, "my-post-")

describe("rendering", () => {
  it.each([
    [
      "CommonMark",
      "# One\n\n*two* **three** `four`",
      "<h1>One</h1>\n<p><em>two</em> <strong>three</strong> <code>four</code></p>",
    ],
    ["strikethrough", "~~one~~", "<p><del>one</del></p>"],
    ["raw HTML as text", "<b onclick=x>one</b>", "<p>&lt;b onclick=x&gt;one&lt;/b&gt;</p>"],
    ["a raw block as text", "<script>\nalert(1)\n</script>", "&lt;script&gt;\nalert(1)\n&lt;/script&gt;"],
    ["a comment as text", "<!-- one -->", "&lt;!-- one --&gt;"],
    ["code as it stands", '`<i>"&amp;`', "<p><code>&lt;i&gt;&quot;&amp;amp;</code></p>"],
  ])("%s", (_, markdown, expected) => {
    expect(html(markdown)).toBe(expected)
  })
})

describe("links", () => {
  it.each([
    ["[a](https://e.x)", "https://e.x"],
    ["<https://e.x>", "https://e.x"],
    ["https://e.x", "https://e.x"],
    ["www.e.x", "http://www.e.x"],
    ["[a]\n\n[a]: https://e.x", "https://e.x"],
    ["[a](mailto:me@e.x)", "mailto:me@e.x"],
    ["[a](/relative)", "/relative"],
    ["[a](javascript:alert(1))", ""],
    ["[a](JaVaScRiPt:alert(1))", ""],
    ["[a](java&#x73;cript:alert(1))", ""],
    ["[a](vbscript:x)", ""],
    ["[a](data:text/html,x)", ""],
    ["<javascript:alert(1)>", ""],
    ['[a](https://e.x/"onclick="x)', "https://e.x/%22onclick=%22x"],
  ])('%s has href "%s" and says nofollow ugc noopener', (markdown, href) => {
    expect(html(markdown)).toContain(`<a rel="nofollow ugc noopener" href="${href}"`)
    expect(html(markdown)).not.toMatch(/<a (?!rel="nofollow ugc noopener")/)
  })
})

describe("footnotes", () => {
  const markdown = "One[^1] two[^n].\n\n[^1]: Note.\n[^n]: Other."

  it("have ids of their post alone, and point at each other", () => {
    const [first, second] = [html(markdown, "a-"), html(markdown, "b-")]
    const ids = [...first.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id)
    const targets = [...first.matchAll(/(?:href="#|aria-describedby=")([^"]*)"/g)].map(([, id = ""]) => id)
    expect(ids.length).toBeGreaterThanOrEqual(5)
    expect(ids.filter((id) => !id.startsWith("a-"))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(targets.filter((id) => !ids.includes(id))).toEqual([])
    expect(second.replaceAll('"b-', '"a-').replaceAll('"#b-', '"#a-')).toBe(first)
  })

  it("leave text that looks like one of their ids alone", () => {
    expect(html('` id="footnote-label"`[^1]\n\n[^1]: x')).toContain("<code> id=&quot;footnote-label&quot;</code>")
  })
})

const sourcesOf = (markdown: string) => {
  const rendered = renderMarkdown(markdown, "p-")
  return "pictures" in rendered && rendered.pictures
}

describe("pictures", () => {
  it.each([
    ["![a](/m/1.webp) ![b](/m/2.webp 'title')", ["/m/1.webp", "/m/2.webp"]],
    ["![a]\n\n[a]: /m/1.webp", ["/m/1.webp"]],
    ["[![a](/m/1.webp)](/u)", ["/m/1.webp"]],
    ["| ![a](/m/1.webp) |\n|---|", ["/m/1.webp"]],
    ["![a](</m/1 2.webp>)", ["/m/1%202.webp"]],
    ["`![a](/m/1.webp)` \\![a](/m/1.webp)", []],
    ["```\n![a](/m/1.webp)\n```", []],
    ['<img src="/m/1.webp" alt="a" />', []],
    ["![a](javascript:x)", [""]],
  ])("%j shows %j", (markdown, sources) => {
    expect(sourcesOf(markdown)).toEqual(sources)
  })

  it.each([
    ["![words](/other.webp)", '<p><a rel="nofollow ugc noopener" href="/other.webp">words</a></p>'],
    ["![](/other.webp)", '<p><a rel="nofollow ugc noopener" href="/other.webp">/other.webp</a></p>'],
    ['![a < "b"](/other.webp)', '<p><a rel="nofollow ugc noopener" href="/other.webp">a &lt; &quot;b&quot;</a></p>'],
    ["[![words](/other.webp)](/u)", '<p><a rel="nofollow ugc noopener" href="/u">words</a></p>'],
    ["![words](javascript:x)", "<p>words</p>"],
    ["![kept](/mine.webp)", '<p><img src="/mine.webp" alt="kept" /></p>'],
    [
      "[x](/u) ![words](/other.webp)",
      '<p><a rel="nofollow ugc noopener" href="/u">x</a> <a rel="nofollow ugc noopener" href="/other.webp">words</a></p>',
    ],
  ])("that must not be shown are links: %j", (markdown, expected) => {
    const rendered = { html: html(markdown), pictures: [] }
    expect(placePictures(rendered, (src) => src === "/mine.webp")).toEqual({ html: expected })
  })
})

const row = (columns: number) => `|${"a|".repeat(columns)}`
/** A table of `rows` rows, its head one of them. */
const table = (columns: number, rows: number) =>
  [row(columns), `|${"-|".repeat(columns)}`, ...Array(rows - 1).fill(row(columns))].join("\n")

describe("a body that would cost too much is refused", () => {
  const rows = MAX_TABLE_CELLS / 100
  const side = Math.sqrt(MAX_REFERENCE_CHARS)
  const long = `[long]: ${"d".repeat(side - "[long]: ".length)}`
  const short = "[c]: d"

  it.each([
    ["delimiter runs", "*a ".repeat(MAX_DELIMITERS), "*a ".repeat(MAX_DELIMITERS + 1)],
    ["underscores", "_a ".repeat(MAX_DELIMITERS), "_a ".repeat(MAX_DELIMITERS + 1)],
    ["tildes", "~a ".repeat(MAX_DELIMITERS), "~a ".repeat(MAX_DELIMITERS + 1)],
    ["table cells", table(100, rows), `${table(100, rows)}\n\n${table(1, 1)}`],
    ["brackets", "]".repeat(MAX_DELIMITERS), "]".repeat(MAX_DELIMITERS + 1)],
    ["nested quotes", `${">".repeat(MAX_CONTAINERS)} a`, `${">".repeat(MAX_CONTAINERS + 1)} a`],
    ["nested lists", `${"- ".repeat(MAX_CONTAINERS)}a`, `${"- ".repeat(MAX_CONTAINERS + 1)}a`],
    ["references", `${"[c]\n\n".repeat(side)}${short}\n${long}`, `${"[c]\n\n".repeat(side + 1)}${short}\n${long}`],
    ["bytes of HTML", "&".repeat((MAX_HTML_BYTES - "<p></p>".length) / 5 - 1), "&".repeat(MAX_HTML_BYTES / 5 + 1)],
  ])("%s: allowed up to the limit, refused beyond it", (_, most, tooMuch) => {
    expect([isRefused(most), isRefused(tooMuch)]).toEqual([false, true])
  })

  it.each([
    ["a definition repeated by a thousand references", `${"[long]\n\n".repeat(1000)}${long}`],
    ["rows that fill up wide columns", `${row(2000)}\n|${"-|".repeat(2000)}\n${"|\n".repeat(1000)}`],
    ["delimiters of a whole body", "*a_".repeat(80_000)],
    ["a quarter more cells than a table may have", table(100, Math.ceil(1.25 * rows))],
    ["delimiters behind what looks like a fence inside HTML", `<div>\n\`\`\`\n\n${"*a_".repeat(MAX_DELIMITERS)}`],
    ["delimiters behind a fence that is closed", `\`\`\`\na\n\`\`\`\n${"*a_".repeat(MAX_DELIMITERS)}`],
    ["delimiters in lines that quote on", "> *a_\n".repeat(MAX_DELIMITERS)],
  ])("%s", (_, markdown) => {
    expect(isRefused(markdown)).toBe(true)
  })

  it.each([
    ["many delimiters in many paragraphs", "*a* _b_\n\n".repeat(MAX_DELIMITERS)],
    ["many references of a short definition", `${"[c]\n\n".repeat(10_000)}${short}`],
    ["a code block of many underscores", `\`\`\`\n${"snake_case\n".repeat(MAX_DELIMITERS + 1)}\`\`\``],
    ["a list of many emphasized items", "- *item*\n".repeat(MAX_DELIMITERS)],
  ])("but not %s", (_, markdown) => {
    expect(isRefused(markdown)).toBe(false)
  })
})
