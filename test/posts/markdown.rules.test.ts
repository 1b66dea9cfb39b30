import { describe, expect, it } from "vitest"

import { placePictures, renderMarkdown } from "../../src/posts/markdown.ts"
import type { Picture } from "../../src/posts/net.ts"

const place = (markdown: string, prefix: string, show: (src: string) => Picture | null, original?: string) => {
  const rendered = renderMarkdown(markdown)
  return "tooComplex" in rendered ? rendered : placePictures(rendered, prefix, show, original)
}

const html = (markdown: string, prefix = "my-post-", original?: string): string => {
  const placed = place(markdown, prefix, (src) => (src === "/mine.webp" ? { width: 3, height: 2 } : null), original)
  if ("tooComplex" in placed) throw new Error(placed.tooComplex)
  return placed.html
}

describe("rendering", () => {
  it.each([
    [
      "CommonMark",
      "# One\n\n*two* **three** `four`",
      '<h1 id="my-post-one">One</h1>\n<p><em>two</em> <strong>three</strong> <code>four</code></p>',
    ],
    ["hard breaks", "one\\\ntwo", "<p>one<br>\ntwo</p>"],
    ["tasks", "- [x] one", '<ul>\n<li><input type="checkbox" disabled checked> one</li>\n</ul>'],
    ["tables", "| a |\n|:-:|", '<table>\n<thead>\n<tr>\n<th align="center">a</th>\n</tr>\n</thead>\n</table>'],
    ["the language of code", "```js\na\n```", '<pre><code class="language-js">a\n</code></pre>'],
    ["strikethrough", "~~one~~", "<p><del>one</del></p>"],
    ["raw HTML as text", "<b onclick=x>one</b>", "<p>&lt;b onclick=x>one&lt;/b></p>"],
    ["a raw block as text", "<script>\nalert(1)\n</script>", "&lt;script>\nalert(1)\n&lt;/script>"],
    ["a comment as text", "<!-- one -->", "&lt;!-- one -->"],
    ["code as it stands", '`<i>"&amp;`', '<p><code>&lt;i>"&amp;amp;</code></p>'],
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

const idsOf = (text: string) => [...text.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)

describe("headings", () => {
  it.each([
    ["# One Two", ["my-post-one-two"]],
    ["# One\n\n## One\n\nOne\n===", ["my-post-one", "my-post-one-1", "my-post-one-2"]],
    ["# *One* `two` [three](/u) ![four](/f)", ["my-post-one-two-three-four"]],
    ['# <b>one</b> & "two"', ["my-post-boneb--two"]],
    ["> # Quoted\n\n- # Listed", ["my-post-quoted", "my-post-listed"]],
    ["# One[^1] two\n\n[^1]: a", ["my-post-one-two", "my-post-footnote-label"]],
  ])("%j have ids of their words: %j", (markdown, ids) => {
    expect(idsOf(html(markdown))).toEqual(ids)
  })

  it.each([
    ["the same ones", "# One\n\n## Two\n\n## Two", "# Un\n\n## Deux\n\n## Trois", ["one", "two", "two-1"]],
    ["with footnotes", "# One[^1]\n\n[^1]: a", "# Un[^1]\n\n[^1]: b", ["one", "footnote-label"]],
    [
      "in a long body",
      `# One\n\n${"Words.\n\n".repeat(2000)}# Two`,
      `# Un\n\n${"Mots.\n\n".repeat(3000)}# Deux`,
      ["one", "two"],
    ],
    ["of other letters", "# Ünï “ö” <b>", "# Un", ["ünï-ö-b"]],
    ["one more", "# One", "# Un\n\n## Deux", ["un", "deux"]],
    ["of another level", "# One\n\n## Two", "# Un\n\n### Deux", ["un", "deux"]],
    ["in code", "# One\n\n```\n# Two\n```", "# Un\n\n```\n## <h2>\n```", ["one"]],
  ])("of a translation have those of the original where they are the like: %s", (_, original, markdown, ids) => {
    const translated = html(markdown, "my-post-", html(original))
    expect(idsOf(translated)).toEqual(ids.map((id) => `my-post-${id}`))
  })

  it.each([
    ["but the original's", "[a](#the-end) [b](#la-fin)\n\n## La fin", "## The end", ["the-end"]],
    [
      "behind a footnote, but the original's",
      "[a](#one) [b](#un) [c](#la-fin)\n\n# Un[^1]\n\n## La fin\n\n[^1]: d",
      "# One[^1]\n\n## The end\n\n[^1]: d",
      ["one", "la-fin", "footnote-label"],
    ],
    ["all", "[La fin](#la-fin)\n\n## La fin", "[The end](#the-end)\n\n## The end", ["la-fin"]],
    ["one of two", "## Un\n\n## La fin\n\n[b](#la-fin)", "## One\n\n## The end", ["one", "la-fin"]],
    ["of other letters", "[É](#é-日本)\n\n# É 日本", "# E", ["é-日本"]],
    ["by a reference", "[b]\n\n# La fin\n\n[b]: #la-fin", "# The end", ["la-fin"]],
    ["numbered", "[b](#fin-1)\n\n# Fin\n\n# Fin", "# One\n\n# Two", ["one", "fin-1"]],
    ["as another one's of the original", "[b](#two)\n\n# Two\n\n# Deux", "# One\n\n# Two", ["one", "two"]],
    ["in code", '`[b](#la-fin)` ` href="#la-fin"`\n\n# La fin', "# The end", ["the-end"]],
    ["elsewhere", "[b](/c#la-fin)\n\n# La fin", "# The end", ["the-end"]],
    ["a footnote's", "[b](#fn-1)\n\n# Fn 1[^1]\n\n[^1]: c", "# One[^1]\n\n[^1]: c", ["one", "footnote-label"]],
  ])("of a translation keep those of their words that its links name: %s", (_, markdown, original, ids) => {
    expect(idsOf(html(markdown, "my-post-", html(original)))).toEqual(ids.map((id) => `my-post-${id}`))
  })

  it.each([
    ["# Un[^2]\n\n[^2]: a", "# Fn 2[^1]\n\n[^1]: a"],
    ["# Un[^1]\n\n[^1]: a", "# Footnote label\n\n## Two"],
  ])("of a translation leave footnotes theirs: %j", (markdown, original) => {
    const translated = html(markdown, "my-post-", html(original))
    const ids = new Set([...translated.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id))
    const targets = [...translated.matchAll(/(?:href="#|aria-describedby=")([^"]*)"/g)].map(([, id = ""]) => id)
    expect(targets.length).toBeGreaterThan(2)
    expect(targets.filter((id) => !ids.has(id))).toEqual([])
    expect(idsOf(translated)).toEqual(["my-post-un", "my-post-footnote-label"])
  })

  it("have ids of their own in a long body too", () => {
    expect(html(`# One\n\n${"Words.\n\n".repeat(2000)}# One`)).toMatch(
      /^<h1 id="my-post-one">.*<h1 id="my-post-one-1">/s,
    )
  })

  it.each([
    ["[a](#one)", '<a href="#my-post-one">a</a>'],
    ["[a](#)", '<a href="#">a</a>'],
    ["[a](/x#one)", '<a rel="nofollow ugc noopener" href="/x#one">a</a>'],
  ])("%s links to the post's own", (markdown, link) => {
    expect(html(markdown)).toBe(`<p>${link}</p>`)
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
    expect(html('` id="footnote-label"`[^1]\n\n[^1]: x')).toContain('<code> id="footnote-label"</code>')
  })
})

const sourcesOf = (markdown: string) => {
  const rendered = renderMarkdown(markdown)
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
    ["![a](https://e.x/a.png?x=1&y=2)", ["https://e.x/a.png?x=1&y=2"]],
    ["![a](/m/&amp;amp;.webp)", ["/m/&amp;.webp"]],
  ])("%j shows %j", (markdown, sources) => {
    expect(sourcesOf(markdown)).toEqual(sources)
  })

  it.each([
    ["![words](/other.webp)", '<p><a rel="nofollow ugc noopener" href="/other.webp">words</a></p>'],
    ["![](/other.webp)", '<p><a rel="nofollow ugc noopener" href="/other.webp">/other.webp</a></p>'],
    ['![a < "b"](/other.webp)', '<p><a rel="nofollow ugc noopener" href="/other.webp">a &lt; "b"</a></p>'],
    ["[![words](/other.webp)](/u)", '<p><a rel="nofollow ugc noopener" href="/u">words</a></p>'],
    ["![words](javascript:x)", "<p>words</p>"],
    ["![kept](/mine.webp)", '<p><img src="/mine.webp" alt="kept" width="3" height="2" loading="lazy"></p>'],
    [
      "[x](/u) ![words](/other.webp)",
      '<p><a rel="nofollow ugc noopener" href="/u">x</a> <a rel="nofollow ugc noopener" href="/other.webp">words</a></p>',
    ],
  ])("that must not be shown are links: %j", (markdown, expected) => {
    expect(html(markdown)).toBe(expected)
  })
})
