import { describe, expect, it } from "vitest"

import {
  ALLOWED,
  complaintsOn,
  find,
  htmlOf,
  linkTo,
  protocolOf,
  PROTOCOLS,
  put,
  refusalOf,
  sanitized,
  showAll,
  showNone,
  STRIPPED,
  textOf,
  treeOf,
  words,
} from "./html.ts"
import { MUTATIONS } from "./mutations.ts"
import { ADDRESS_CARRIERS, ADDRESSES, DISGUISES, ELEMENTS, EVENTS } from "./payloads.ts"

const everyComplaint = (payloads: string[]) =>
  payloads.flatMap((payload) =>
    [sanitized(payload), htmlOf(payload), htmlOf(`a ${payload}`), sanitized(payload, { show: showAll })].flatMap(
      (html) => complaintsOn(html).map((complaint) => `${complaint} from ${payload}`),
    ),
  )

/** Tells whether an author may use an element. MathML and checkboxes are only served if Markdown made them. */
const isForAuthors = (tag: string): boolean =>
  tag in ALLOWED && tag !== "input" && !/^m(?:ath|[inos]|text|frac|row|s|glyph)$/.test(tag)
const FOR_AUTHORS = Object.keys(ALLOWED).filter(
  (tag) => isForAuthors(tag) && !(tag.startsWith("m") && tag !== "mark") && tag !== "none",
)

describe("elements of raw HTML", () => {
  it.each(ELEMENTS.filter((tag) => !FOR_AUTHORS.includes(tag)))(
    "sanitizing removes the raw HTML element <%s>",
    (tag) => {
      const html = sanitized(`<p>one</p><${tag} id=x>two</${tag}><p>three</p>`)
      expect(complaintsOn(html)).toEqual([])
      expect(find(html).map(({ tagName }) => tagName)).not.toContain(tag)
      const rest = tag === "plaintext" ? "" : "three"
      expect(textOf(treeOf(html))).toBe(STRIPPED.includes(tag) || tag === "iframe" ? `one${rest}` : "onetwothree")
    },
  )

  it.each(FOR_AUTHORS)("sanitizing keeps the raw HTML element <%s>", (tag) => {
    expect(find(sanitized(put(tag, 'src="/mine"'))).map(({ tagName }) => tagName)).toContain(tag)
  })

  it("sanitizing removes checkboxes of raw HTML and keeps those of Markdown task lists", () => {
    const html = htmlOf("<ul><li><input type=checkbox disabled> a</ul>\n\n- [ ] b")
    expect(find(html, "input")).toHaveLength(1)
    expect(find(html, "li")[1]?.children[0]).toMatchObject({ tagName: "input" })
  })
})

const ATTRIBUTES = [
  ...EVENTS,
  ...`class style name tabindex accesskey usemap srcset sizes formaction action target rel ping download xmlns
  xlink:href background poster data srcdoc longdesc ismap autofocus contenditable hidden popover popovertarget is slot
  part nonce integrity crossorigin referrerpolicy sandbox allow http-equiv content charset loading for form
  placeholder role aria-hidden aria-owns data-x data-bind itemid draggable face bgcolor type reversed fetchpriority
  attributionsrc elementtiming on onx ONERROR xml:base foo:onload enctype method media accept`.split(/\s+/),
]
/** Attributes that this service adds. */
const ADDED = ["rel", "href", "charSet"]

describe("attributes of raw HTML", () => {
  it.each(FOR_AUTHORS)("sanitizing removes attributes of <%s> that are not on the allow-list", (tag) => {
    const all = ATTRIBUTES.filter((name) => !["class", "src"].includes(name)).map((name) => `${name}="__xss()"`)
    const [element] = find(sanitized(put(tag, `src="/mine" ${all.join(" ")}`)), tag)
    const added = tag === "img" ? [...ADDED, "src", "width", "height", "loading"] : ADDED
    const names = Object.keys(element?.properties ?? { none: true })
    expect(names.filter((name) => !["id", "itemType", ...added].includes(name))).toEqual([])
    expect(sanitized(put(tag, 'src="/mine" class="x y"'))).not.toContain("class")
  })

  it("angle brackets in an attribute of a Markdown image are escaped", () => {
    expect(htmlOf("![<script>](/mine)")).toContain('alt="&lt;script&gt;"')
  })
})

describe("ids in raw HTML", () => {
  it("sanitizing keeps ids of raw HTML on headings and links only", () => {
    const tags = FOR_AUTHORS.filter((tag) =>
      find(sanitized(put(tag, "id=x src=/mine"))).some(({ properties: { id } }) => id === "x"),
    )
    expect(tags.toSorted()).toEqual(["a", "h1", "h2", "h3", "h4", "h5", "h6"])
  })

  it.each(["ep-title", "fn-1", "fnref-1"])(
    "sanitizing adds a number to the reserved id %s on a link or heading",
    (id) => {
      const html = sanitized(`<a id="${id}">a</a><h2 id="${id}">b</h2>`)
      const ids = find(html).flatMap(({ properties }) => (properties["id"] === undefined ? [] : [properties["id"]]))
      expect(ids[0]).toBe(`${id}-1`)
      expect(ids).not.toContain(id)
      expect(new Set(ids).size).toBe(ids.length)
    },
  )

  it.each(["ep-title", "ep-x"])(
    "sanitizing adds a number to the reserved id %s on links that look like footnotes",
    (id) => {
      for (const raw of [`<a id="${id}" data-footnote-ref>a</a>`, `<a id="${id}" data-footnote-backref>a</a>`])
        expect(sanitized(raw)).toContain(` id="${id}-1"`)
      expect(sanitized(`<ul><li id="${id}">a</ul>`)).not.toContain("id=")
    },
  )

  it("sanitizing keeps a heading whose id is a JavaScript property such as __proto__", () => {
    for (const id of ["__proto__", "constructor", "toString"])
      expect(sanitized(`<h2 id="${id}">a</h2>`)).toMatch(/<h2 id="[^"]+">a/)
  })
})

describe("addresses in raw HTML", () => {
  it(`sanitizing removes ${ADDRESSES.length} disguised addresses from ${ADDRESS_CARRIERS.length} kinds of elements`, () => {
    const payloads = ADDRESSES.map((address) => ADDRESS_CARRIERS.map((carry) => carry(address)).join(""))
    const complaints = payloads.flatMap((payload) =>
      complaintsOn(sanitized(payload)).map((complaint) => `${complaint} from ${payload}`),
    )
    expect(complaints).toEqual([])
  })

  const hidden = "plain upper mixed decimal padded hex upperHex noSemicolon namedColon tab tabEntity newline".split(" ")
  it.each(hidden)(
    "sanitizing a link or image whose javascript: address is disguised as %s leaves only text",
    (name) => {
      const address = DISGUISES[name]?.("javascript:") ?? ""
      expect(sanitized(`<a href="${address}x">a</a><img src="${address}x" alt=b>`)).toBe("ab")
    },
  )

  it.each(["HTTPS://E.x/A", "MailTo:A@b", "IRC:x"])(
    "sanitizing keeps a raw HTML link to %s in spite of its upper-case scheme",
    (href) => {
      expect(protocolOf(find(sanitized(`<a href="${href}">a</a>`))[0]?.properties["href"])).toBe(protocolOf(href))
    },
  )

  it.each(["mailto:a@b", "irc:x", "xmpp:x", "data:image/png;base64,AA", "blob:x", "javascript:x"])(
    "sanitizing removes the address %s from an image",
    (src) => {
      expect(find(sanitized(`<img src="${src}" alt="a">`, { show: showAll }))[0]?.properties["src"]).toBeUndefined()
    },
  )
})

const PICTURE = '<picture><source srcset="https://e.test/a"><img src="/mine" srcset="https://e.test/b 2x"></picture>'
const IMAGE = '<img src="/mine" width="3" height="2" loading="lazy">'

type Row = [raw: string, html: string]
const rowsOf = (list: string, rowOf: (item: string) => Row): Row[] => words(list).map((item) => rowOf(item))

it.each<Row>([
  ...rowsOf("thead tbody tr td th tfoot", (tag) => [`<${tag}>one</${tag}>`, "one"]),
  ...rowsOf("mi mtext mrow annotation-xml semantics", (tag) => [`a<math><${tag}>b</${tag}></math>c`, "ac"]),
  ["<!doctype html><!--a-->b<?c?><![CDATA[d]]><!e>f</ g>", "bf"],
  ["<input><input type=text value=a><input type=image src=/mine><input type=checkbox disabled>", ""],
  // Links
  ...PROTOCOLS.map((protocol): Row => [`<a href="${protocol}x">a</a>`, linkTo(`${protocol}x`, "a")]),
  ...rowsOf("/u //e.x/u /a:b", (href) => [`<a href="${href}">a</a>`, linkTo(href, "a")]),
  ...rowsOf("u ?u ./a:b ../u ftp://e.x a:b #", (href) => [`<a href="${href}">a</a>`, "a"]),
  ['<a href="">a</a>', "a"],
  ...rowsOf("rel=opener target=_blank REL=x class=y", (name) => [
    `<a ${name} rel="me b" href="/u">a</a>`,
    linkTo("/u", "a"),
  ]),
  ['<iframe src="https://e.test/x">a</iframe>', linkTo("https://e.test/x")],
  ...rowsOf("http://e.test /x javascript:__xss() data:text/html,x https:", (src) => [
    `a<iframe src="${src}" srcdoc="b"></iframe>c`,
    "ac",
  ]),
  ['a<iframe src=" //e.test" srcdoc="b"></iframe>c', "ac"],
  // Attributes
  ['<code class="a language-x b">c</code>', '<code class="language-x">c</code>'],
  ["<details open>a</details>", "<details open>a</details>"],
  ['<p align="center" dir="rtl" lang="he" title="b">a</p>', '<p align="center" dir="rtl" lang="he" title="b">a</p>'],
  ['<blockquote cite="https://e.test">a</blockquote>', '<blockquote cite="https://e.test">a</blockquote>'],
  ['<blockquote cite="javascript:x">b</blockquote>', "<blockquote>b</blockquote>"],
  ["<table><tr><td colspan=2>a", '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>'],
  // Images
  ['<img src="/mine" alt="a" title="b">', '<img src="/mine" alt="a" title="b" width="3" height="2" loading="lazy">'],
  ['<img src="/mine" width=9 height=9 loading=eager>', IMAGE.replace('"3" height="2"', '"9" height="6"')],
  [PICTURE, IMAGE],
  ['<img src="/other" alt="a" title="b">', linkTo("/other", "a")],
  ['<a href="/u"><img src="/other" alt="a"></a>', linkTo("/u", "a")],
  ['<a href="/u"><img src="/mine"></a>', linkTo("/u", IMAGE)],
  ['<img alt="a">', "a"],
  ["<img>", ""],
  ['<pre><code><img src="//e.x" alt="b"></code></pre>', `<pre><code>${linkTo("//e.x", "b")}</code></pre>`],
  ['<pre><code><a href="/u">a</a></code></pre>', `<pre><code>${linkTo("/u", "a")}</code></pre>`],
  [
    '<pre><code class="language-js"><img src="/other"></code></pre>',
    `<pre><code class="language-js">${linkTo("/other")}</code></pre>`,
  ],
  ['<img src="javascript:x" alt="<b>">', "&lt;b>"],
])("sanitizing the raw HTML %s gives %j", (raw, html) => {
  expect(sanitized(raw)).toBe(html)
})

it("sanitizing a picture whose image may not be shown leaves no address of its sources", () => {
  expect(sanitized(PICTURE, { show: showNone })).not.toMatch(/e\.test|<img/)
})

const skeleton = (html: string) =>
  [
    ...new Set(find(html).map(({ tagName, properties }) => `${tagName} ${Object.keys(properties).toSorted().join()}`)),
  ].toSorted()

describe("mutation payloads", () => {
  it(`sanitizing ${MUTATIONS.length} mutation XSS payloads leaves nothing outside of the allow-list`, () => {
    expect(everyComplaint(MUTATIONS)).toEqual([])
  })

  it("sanitizing every event attribute on every element leaves nothing outside of the allow-list", () => {
    const events = EVENTS.map((event) => `${event}=__xss()`).join(" ")
    const made = ELEMENTS.map((tag) => sanitized(put(tag, events), { show: showAll }))
    expect(made.flatMap(complaintsOn)).toEqual([])
  })

  it("sanitizing HTML payloads a second time does not change their elements", () => {
    const payloads = [
      ...MUTATIONS,
      ...ELEMENTS.map((tag) => `<a href="/u"><${tag}><p><b><a href="/v"><${tag}><h2>x</h2><td><tr><img src=x>`),
    ]
    const changed = payloads
      .map((payload) => sanitized(payload, { show: showNone }))
      .filter((html) => skeleton(sanitized(html, { show: showNone })).join() !== skeleton(html).join())
    expect(changed).toEqual([])
  })

  it("rendering Markdown with four mutation XSS payloads leaves nothing outside of the allow-list", () => {
    const accepted: string[] = []
    for (let at = 0; at < MUTATIONS.length; at += 4) {
      const markdown = MUTATIONS.slice(at, at + 4).join("\n\n")
      if (refusalOf(markdown) === null) accepted.push(htmlOf(markdown))
    }
    expect(accepted.length).toBeGreaterThan(0.9 * (MUTATIONS.length / 4))
    expect(accepted.flatMap(complaintsOn)).toEqual([])
  })
})
