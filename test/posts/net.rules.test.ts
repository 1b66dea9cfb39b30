import type { Element, Nodes } from "hast"
import { fromHtml } from "hast-util-from-html"
import { describe, expect, it } from "vitest"

import { compileMarkdown } from "../../src/posts/markdown.ts"
import { type Picture, sanitize } from "../../src/posts/net.ts"
import { MUTATIONS } from "./mutations.ts"
import { ADDRESS_CARRIERS, ADDRESSES, DISGUISES, ELEMENTS, EVENTS } from "./payloads.ts"

const PREFIX = "p-"
const SIZE = { width: 3, height: 2 }
const none = () => null
const mine = (src: string): Picture | null => (src.startsWith("/mine") ? SIZE : null)

const net = (...parts: string[]): string => sanitize(parts, PREFIX, mine)

const treeOf = (html: string) => fromHtml(html, { fragment: true })

const elementsOf = (node: Nodes): Element[] => [
  ...(node.type === "element" ? [node] : []),
  ...("children" in node ? node.children.flatMap((child) => elementsOf(child)) : []),
]
const find = (html: string, tagName?: string): Element[] =>
  elementsOf(treeOf(html)).filter((element) => !tagName || element.tagName === tagName)

const textOf = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map((child) => textOf(child)).join("") : ""

/** What may be served, written down a second time: elements, and their attributes as hast names them. */
const ALLOWED: Record<string, string[]> = {
  a: "href title id rel ariaDescribedBy ariaLabel dataFootnoteRef dataFootnoteBackref className".split(" "),
  code: ["className"],
  img: "src alt title width height loading".split(" "),
  input: ["type", "disabled", "checked"],
  li: ["id"],
  ol: ["start"],
  section: ["dataFootnotes", "className"],
  td: ["align"],
  th: ["align"],
  h2: ["id", "className"],
  ...Object.fromEntries(["h1", "h3", "h4", "h5", "h6"].map((tag) => [tag, ["id"]])),
  ...Object.fromEntries(
    "blockquote br del em hr p pre strong sup table tbody thead tr ul".split(" ").map((tag) => [tag, []]),
  ),
}
const PROTOCOLS = ["http:", "https:", "irc:", "ircs:", "mailto:", "xmpp:"]
/** They go with what is in them. */
const STRIPPED = "script style template noscript iframe noembed noframes xmp plaintext math svg".split(" ")

const protocolOf = (address: unknown): string => {
  const url = URL.parse(String(address), "https://page.test/a/b")
  // No browser goes to what is no address.
  return url?.protocol ?? "https:"
}

/** What is not as it must be, each told in a line. */
const complaintsOn = (html: string): string[] =>
  find(html).flatMap(({ tagName, properties }) => {
    const { href, src, id, ...others } = properties
    const names = Object.keys(properties).filter((name) => !ALLOWED[tagName]?.includes(name))
    return [
      ...(tagName in ALLOWED ? [] : [`<${tagName}>`]),
      ...names.map((name) => `${name} of <${tagName}>`),
      ...[href, src].filter((url) => url !== undefined && !PROTOCOLS.includes(protocolOf(url))).map(String),
      ...(id === undefined || String(id).startsWith(PREFIX) ? [] : [`#${id}`]),
      ...(tagName === "input" && !(others["disabled"] === true && others["type"] === "checkbox") ? ["live input"] : []),
    ]
  })

const everyComplaint = (payloads: string[]) =>
  payloads.flatMap((payload) => complaintsOn(net(payload)).map((complaint) => `${complaint} from ${payload}`))

/** Where elements of tables may stand. */
const around: Record<string, [before: string, after: string]> = {
  tr: ["<table>", "</table>"],
  td: ["<table><tr>", "</table>"],
  th: ["<table><tr>", "</table>"],
  thead: ["<table>", "</table>"],
  tbody: ["<table>", "</table>"],
}
const put = (tag: string, attributes: string) => {
  const [before, after] = around[tag] ?? ["", ""]
  return `${before}<${tag} ${attributes}>${after}`
}

describe("elements", () => {
  it.each(ELEMENTS.filter((tag) => !(tag in ALLOWED)))("<%s> goes", (tag) => {
    const html = net(`<p>one</p><${tag} id=x>two</${tag}><p>three</p>`)
    expect(complaintsOn(html)).toEqual([])
    const rest = tag === "plaintext" ? "" : "three"
    expect(textOf(treeOf(html))).toBe(STRIPPED.includes(tag) ? `one${rest}` : "onetwothree")
  })

  it.each(Object.keys(ALLOWED))("<%s> stays", (tag) => {
    expect(find(net(put(tag, 'src="/mine"'))).map(({ tagName }) => tagName)).toContain(tag)
  })

  it.each(["thead", "tbody", "tr", "td", "th"])("<%s> outside a table goes", (tag) => {
    expect(net(`<${tag}>one</${tag}>`, `<p><svg><foreignobject></p><${tag}>`)).toMatch(/^one(<p><\/p>)*$/)
  })

  it("comments, instructions and doctypes go", () => {
    expect(net("<!doctype html><!--a-->b<?c?><![CDATA[d]]><!e>f</ g>")).toBe("bf")
  })
})

const ATTRIBUTES = [
  ...EVENTS,
  ...`style srcset sizes formaction action target rel name ping download xmlns xlink:href background poster data srcdoc
  cite longdesc usemap ismap autofocus tabindex contenteditable accesskey hidden popover popovertarget is slot part
  nonce integrity crossorigin referrerpolicy sandbox allow http-equiv content charset width height loading for form
  value placeholder role aria-hidden aria-labelledby aria-owns data-x data-bind itemid itemprop lang dir draggable
  color size face bgcolor border valign colspan rowspan type= reversed fetchpriority attributionsrc elementtiming
  on onx ONERROR xml:base foo:onload`.split(/\s+/),
]

describe("attributes", () => {
  it.each(Object.keys(ALLOWED))("of <%s> that are not in the list go", (tag) => {
    const kept = ATTRIBUTES.filter((name) => {
      const [element] = find(net(put(tag, `${name}="__xss()"`)), tag)
      const allowed = ALLOWED[tag]?.filter((one) => ["rel", "type"].includes(one)) ?? []
      const missing = tag === "img" ? undefined : element === undefined
      return (
        missing || Object.keys(element?.properties ?? {}).some((one) => !["disabled", "id", ...allowed].includes(one))
      )
    })
    expect(kept).toEqual([])
  })

  it("class stays where it says a language or that something is a footnote's", () => {
    expect(net('<code class="a language-x b">')).toBe('<code class="language-x"></code>')
    expect(net('<p class="language-x">', '<code class="sr-only">')).toBe("<p></p><code></code>")
    expect(net('<h2 class="sr-only x">a', '<section class="footnotes x">')).toBe(
      '<h2 class="sr-only" id="p-a">a</h2><section class="footnotes"></section>',
    )
  })

  it("align stays in cells, with a direction", () => {
    const row = ["left", "center", "right", "justify", "x"].map((align) => `<td align=${align}>`).join("")
    expect(find(net(`<table align=left><tr align=left>${row}`)).map(({ properties }) => properties["align"])).toEqual(
      [undefined, undefined, undefined, "left", "center", "right", undefined, undefined], // table, tbody, tr, cells
    )
  })

  it.each(["<input>", "<input type=text value=a>", "<input type=image src=/mine>", "<input type=submit formaction=x>"])(
    "%s is a disabled checkbox",
    (html) => {
      expect(net(html)).toBe('<input type="checkbox" disabled>')
    },
  )

  it("a checked box stays checked", () => {
    expect(find(net("<input type=checkbox checked disabled=false>"))[0]?.properties).toEqual({
      type: "checkbox",
      checked: true,
      disabled: true,
    })
  })
})

describe("addresses", () => {
  it(`${ADDRESSES.length} of schemes in disguise come to nothing, wherever they stand`, () => {
    const payloads = ADDRESSES.flatMap((address) => ADDRESS_CARRIERS.map((carry) => carry(address)))
    expect(everyComplaint(payloads)).toEqual([])
  })

  const hidden = "plain upper mixed decimal padded hex upperHex noSemicolon namedColon tab tabEntity newline".split(" ")
  it.each(hidden)("javascript, %s, is no address at all", (name) => {
    const address = DISGUISES[name]?.("javascript:") ?? ""
    expect(net(`<a href="${address}x">a</a><img src="${address}x" alt=b>`)).toBe("<a>a</a>b")
  })

  it.each([
    ...PROTOCOLS.map((protocol) => `${protocol}x`),
    "/u",
    "u",
    "?u",
    "//e.x/u",
    "",
    "HTTPS://e.x",
    "./a:b",
    "/a:b",
  ])("%s stays", (href) => {
    expect(net(`<a href="${href}">a</a>`)).toBe(`<a rel="nofollow ugc noopener" href="${href}">a</a>`)
  })

  it.each(["mailto:a@b", "irc:x", "xmpp:x", "data:image/png;base64,AA", "blob:x", "javascript:x"])(
    "%s is no picture, even when all may be shown",
    (src) => {
      expect(find(sanitize([`<img src="${src}" alt="a">`], "", () => SIZE))[0]?.properties["src"]).toBeUndefined()
    },
  )
})

const skeleton = (html: string) =>
  [
    ...new Set(find(html).map(({ tagName, properties }) => `${tagName} ${Object.keys(properties).toSorted().join()}`)),
  ].toSorted()

describe("mutations", () => {
  it(`${MUTATIONS.length} leave nothing that is not in the list`, () => {
    expect(everyComplaint(MUTATIONS)).toEqual([])
  })

  it("in parts leave nothing either: what one leaves open does not reach the next", () => {
    expect(complaintsOn(net(...MUTATIONS))).toEqual([])
    expect(net("<table><tr><td><a href='/u'><pre>", "one")).toMatch(/one$/)
  })

  it("read again by the net, what it made is what it was", () => {
    const changed = [
      ...MUTATIONS,
      ...ELEMENTS.map((tag) => `<a><${tag}><p><b><a><${tag}><h2>x</h2><td><tr><img src=x>`),
    ]
      .map((payload) => net(payload))
      .filter((html) => `${skeleton(sanitize([html], "", none))}` !== `${skeleton(html)}`)
    expect(changed).toEqual([])
  })
})

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
    ['<img src="javascript:x" alt="<b>">', "&#x3C;b>"],
    ['<img src="/1" alt=a><img src="/2" alt=b>c', net('<a href="/1">a</a><a href="/2">b</a>c')],
  ])("%s is %s", (html, expected) => {
    expect(net(html)).toBe(expected)
  })
})

const BODY = `# One *two* \`three\`

Setext
---

Words, **strong** ***both*** ~~gone~~ \`code <b>\` &amp; &copy; \\* <https://e.x?a=1&b=2> www.e.x me@e.x and a  
break[^1], again[^1], another[^long note].

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
[^long note]: Two

    paragraphs.
`

const compiled = (() => {
  const parts = compileMarkdown(BODY)
  return "tooComplex" in parts ? [] : parts
})()

/** Without what the net adds. */
const bare = (html: string) =>
  find(html).map(({ tagName, properties, children }) => {
    const { rel: _, width, height, loading, ...kept } = properties
    if (/^h[1-6]$/.test(tagName) && kept["id"] !== "footnote-label") delete kept["id"]
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
    const ids = elements.flatMap(({ properties: { id } }) => (id === undefined ? [] : [String(id)]))
    const targets = elements.flatMap(({ properties: { href, ariaDescribedBy } }) => [
      ...(String(href ?? "").startsWith("#") ? [decodeURIComponent(String(href).slice(1))] : []),
      ...(Array.isArray(ariaDescribedBy) ? ariaDescribedBy.map(String) : []),
    ])
    expect(targets.length).toBe(9) // 3 references, each described and led back to
    expect(targets.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(["Footnote label", "fn-1", "fnref-1"])("and a heading %j leaves them their ids", (heading) => {
    const parts = compileMarkdown(`# ${heading}\n\na[^1]\n\n[^1]: b`)
    const ids = find(sanitize("tooComplex" in parts ? [] : parts, PREFIX, none)).map(({ properties: { id } }) => id)
    expect(new Set(ids.filter(Boolean)).size).toBe(ids.filter(Boolean).length)
  })
})
