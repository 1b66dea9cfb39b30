import { describe, expect, it } from "vitest"

import { cutBlocks } from "../../src/posts/blocks.ts"
import { compileBlocks } from "../../src/posts/markdown.ts"
import { sanitize } from "../../src/posts/net.ts"
import { find, mine, net, none, PREFIX, put, SIZE, textOf, treeOf } from "./html.ts"
import { ELEMENTS } from "./payloads.ts"

describe("ids", () => {
  const names = ["x", "document", "body", "forms", "__proto__", "constructor", "toString", "location", "p-x", "#", ""]
  it.each(names)("%j has the prefix, and so have links to it", (name) => {
    const html = net(`<a id="${name}" name="${name}" href="#${name}x" aria-describedby="${name}y">a</a>`)
    const properties = find(html)[0]?.properties
    expect(properties).toMatchObject({ id: `p-${name}`, href: `#p-${name}x`, ariaDescribedBy: [`p-${name}y`] })
    expect(properties).not.toHaveProperty("name")
  })

  it("only links, items and headings have one", () => {
    const tags = ELEMENTS.filter((tag) =>
      find(net(put(tag, "id=x src=/mine"))).some(({ properties: { id } }) => id === "p-x"),
    )
    expect(tags).toEqual(["a", "h2", "li"])
  })

  it.each([
    ["/@ann/other/#the-end", "/@ann/other/#other-the-end"],
    ["/@ann/other#the-end", "/@ann/other#other-the-end"],
    ["/%40ann/other/#the-end", "/%40ann/other/#other-the-end"],
    ["/@ann/other/fr/#the-end", "/@ann/other/fr/#other-the-end"],
    ["/@ann/other/pt-BR#the-end", "/@ann/other/pt-BR#other-the-end"],
    ["/@ann/other/#other-the-end", "/@ann/other/#other-the-end"],
    ["/@ann/other/#", "/@ann/other/#"],
    ["/@ann/other/", "/@ann/other/"],
    ["/@ann/other/a/b/#x", "/@ann/other/a/b/#x"],
    ["/@ann/#x", "/@ann/#x"],
    ["/other/#x", "/other/#x"],
    ["https://e.x/@ann/other/#x", "https://e.x/@ann/other/#x"],
  ])("a link to a heading of another post leads to its id: %s", (href, expected) => {
    expect(find(net(`<a href="${href}">a</a>`))[0]?.properties["href"]).toBe(expected)
  })

  it("# alone is the top of the page", () => {
    expect(net('<a href="#">a</a>')).toBe('<a href="#">a</a>')
  })
})

const headingIds = (...parts: string[]) =>
  find(net(...parts)).flatMap(({ tagName, properties }) => (/^h[1-6]$/.test(tagName) ? [properties["id"]] : []))

describe("headings", () => {
  it.each([
    ["<h1>One two</h1>", "p-one-two"],
    ["<h3>Ünï 日本 語!</h3>", "p-ünï-日本-語"],
    ["<h4>العربية هنا</h4>", "p-العربية-هنا"],
    ["<h5>a <em>b <code>c()</code></em></h5>", "p-a-b-c"],
    ['<h6>a <img src="/mine" alt="boat"></h6>', "p-a-boat"],
    ['<h6>a <img src="/other" alt="boat"></h6>', "p-a-boat"],
    ["<h1>&lt;b&gt; &amp; c</h1>", "p-b--c"],
    ["<h1>constructor</h1>", "p-constructor"],
    ["<h1>__proto__</h1>", "p-__proto__"],
    ["<h1 id=other>One</h1>", "p-one"],
  ])("%s has the id %s", (html, id) => {
    expect(headingIds(html)).toEqual([id])
  })

  it("of the same words are numbered, in one part and across them", () => {
    expect(headingIds("<h1>a</h1><h2>A</h2>", "<h3>a</h3><h1>a 1</h1>", "<h1>a</h1>")).toEqual(
      ["a", "a-1", "a-2", "a-1-1", "a-3"].map((id) => `p-${id}`),
    )
  })

  it.each(["", "!?", "😀", "<br>", " "])("of no words, as %j, share no id", (words) => {
    const ids = headingIds(`<h1>${words}</h1><h1>${words}</h1>`, `<h1>${words}</h1>`)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => String(id).startsWith(PREFIX))).toBe(true)
  })
})

describe("links", () => {
  it.each(["", "rel=opener", 'rel="me nofollow"', "target=_blank rel=x", "REL=x rel=y"])(
    "with %j say once that they are a stranger's",
    (attributes) => {
      expect(net(`<a ${attributes} href="https://e.x">a</a>`)).toBe(
        '<a rel="nofollow ugc noopener" href="https://e.x">a</a>',
      )
    },
  )

  it.each(['<a href="#x">a</a>', "<a>a</a>"])("%s says nothing", (html) => {
    expect(net(html)).not.toContain("rel=")
  })
})

describe("pictures", () => {
  it.each([
    ['<img src="/mine" alt="a" title="b">', '<img src="/mine" alt="a" title="b" width="3" height="2" loading="lazy">'],
    ['<img src="/mine" width=9 height=9 loading=eager>', '<img src="/mine" width="3" height="2" loading="lazy">'],
    ['<img src="/other" alt="a" title="b">', '<a rel="nofollow ugc noopener" href="/other">a</a>'],
    ['<img src="/other">', '<a rel="nofollow ugc noopener" href="/other">/other</a>'],
    ['<a href="/u"><img src="/other" alt="a"></a>', '<a rel="nofollow ugc noopener" href="/u">a</a>'],
    ['<a href="/u"><em><img src="/other"></em></a>', '<a rel="nofollow ugc noopener" href="/u"><em>/other</em></a>'],
    [
      '<a href="/u"><img src="/mine"></a>',
      '<a rel="nofollow ugc noopener" href="/u"><img src="/mine" width="3" height="2" loading="lazy"></a>',
    ],
    ['<img alt="a">', "a"],
    ["<img>", ""],
    ['<img src="javascript:x" alt="<b>">', "&lt;b>"],
    ['<img src="/1" alt=a><img src="/2" alt=b>c', net('<a href="/1">a</a><a href="/2">b</a>c')],
  ])("%s is %s", (html, expected) => {
    expect(net(html)).toBe(expected)
  })
})

const BODY = `# One *two* \`three\`

Setext
---

Words, **strong** ***both*** ~~gone~~ \`code <b>\` &amp; &copy; \\* <https://e.x?a=1&b=2> www.e.x me@e.x and a  
break[^1], again[^1], another[^long-note].

[inline](/u "a title") [full][ref] [ref] ![mine](/mine.webp "shown") [![mine](/mine/2.webp)](/u)

> quote
> > deeper
> - item

- tight
- [x] done
- [ ] open

3. three

   loose
4. four
   1. five

\`\`\`js title
if (a < b && c > "d") {}
\`\`\`

    indented

| a | b | c | d |
|---|:--|:-:|--:|
| 1 | **2** | [3](/u) | \`4\` |
| 5 |

***

<b onclick=x>raw</b>

<div>
raw
</div>

## Setext

[ref]: https://e.x/ref 'Title'
[^1]: A note with [a link](https://e.x).
[^long-note]: Two

    paragraphs.
`

const compiled = (() => {
  const parts = compileBlocks(cutBlocks(BODY))
  return "tooComplex" in parts ? [] : parts
})()

/** Without what the net adds. */
const bare = (html: string) =>
  find(html).map(({ tagName, properties, children }) => {
    const added = new Set(["rel", "width", "height", "loading", ...(/^h[1-6]$/.test(tagName) ? ["id"] : [])])
    const isAdded = (name: string) => added.has(name) && properties["id"] !== "footnote-label"
    const kept = Object.entries(properties).filter(([name]) => !isAdded(name))
    return [tagName, kept, children.map((child) => (child.type === "text" ? child.value : child.type))]
  })

describe("Markdown", () => {
  it("means after the net what it meant before", () => {
    const html = sanitize(compiled, "", () => SIZE)
    expect(bare(html)).toEqual(bare(compiled.join("")))
    expect(textOf(treeOf(html))).toBe(textOf(treeOf(compiled.join(""))))
  })

  it("has footnotes that lead to each other", () => {
    const elements = find(sanitize(compiled, PREFIX, mine))
    const ids = elements.flatMap(({ properties: { id } }) => (id === undefined ? [] : [id]))
    const targets = elements.flatMap(({ properties: { href, ariaDescribedBy } }) => [
      ...(typeof href === "string" && href.startsWith("#") ? [decodeURIComponent(href.slice(1))] : []),
      ...(Array.isArray(ariaDescribedBy) ? ariaDescribedBy.map(String) : []),
    ])
    expect(targets.length).toBe(9) // 3 references, each described and led back to
    expect(targets.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ...["Footnote label", "fn-1", "fnref-1"].map((heading) => `# ${heading}\n\na[^1]\n\n[^1]: b`),
    "[^a] [^a] [^a-2]\n\n[^a]: called twice\n\n[^a-2]: named like the second call",
  ])("and no id is there twice: %j", (markdown) => {
    const parts = compileBlocks(cutBlocks(markdown))
    const ids = find(sanitize("tooComplex" in parts ? [] : parts, PREFIX, none)).map(({ properties: { id } }) => id)
    expect(new Set(ids.filter(Boolean)).size).toBe(ids.filter(Boolean).length)
  })
})
