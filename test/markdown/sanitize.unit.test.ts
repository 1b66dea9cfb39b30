import { describe, expect, it } from "vitest"

import {
  ALLOWED,
  complaintsOn,
  find,
  htmlOf,
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

const linkTo = (href: string, text: string) => `<a rel="nofollow ugc noopener" href="${href}">${text}</a>`

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

  it.each(["thead", "tbody", "tr", "td", "th", "tfoot"])(
    "sanitizing removes the table element <%s> outside of a table",
    (tag) => {
      expect(sanitized(`<${tag}>one</${tag}>`)).toBe("one")
    },
  )

  it.each(["mi", "mtext", "mrow", "annotation-xml", "semantics"])(
    "sanitizing removes <math><%s> with its content",
    (tag) => {
      expect(sanitized(`a<math><${tag}>b</${tag}></math>c`)).toBe("ac")
    },
  )

  it("sanitizing removes comments, processing instructions and doctypes from raw HTML", () => {
    expect(sanitized("<!doctype html><!--a-->b<?c?><![CDATA[d]]><!e>f</ g>")).toBe("bf")
  })

  it("sanitizing reduces <picture> to its <img>, without srcset", () => {
    const raw =
      '<picture><source srcset="https://e.test/a.webp"><img src="/mine" srcset="https://e.test/b.webp 2x"></picture>'
    expect(sanitized(raw)).toBe('<img src="/mine" width="3" height="2" loading="lazy">')
    expect(sanitized(raw, { show: showNone })).not.toMatch(/e\.test|<img/)
  })

  it("sanitizing removes checkboxes of raw HTML and keeps those of Markdown task lists", () => {
    const html = htmlOf("<ul><li><input type=checkbox disabled> a</ul>\n\n- [ ] b")
    expect(find(html, "input")).toHaveLength(1)
    expect(find(html, "li")[1]?.children[0]).toMatchObject({ tagName: "input" })
  })

  it.each(["<input>", "<input type=text value=a>", "<input type=image src=/mine>", "<input type=checkbox disabled>"])(
    "sanitizing removes the form field %s",
    (html) => {
      expect(sanitized(html)).toBe("")
    },
  )

  it("sanitizing makes an iframe with an https address a link and removes any other iframe", () => {
    expect(sanitized('<iframe src="https://e.test/x">a</iframe>')).toBe(
      '<a rel="nofollow ugc noopener" href="https://e.test/x">https://e.test/x</a>',
    )
    for (const src of ["http://e.test", "/x", "javascript:__xss()", "data:text/html,x", "https:", " //e.test"])
      expect(sanitized(`a<iframe src="${src}" srcdoc="b"></iframe>c`)).toMatch(/^a(?:<a [^>]*>https:<\/a>)?c$/)
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
    const all = ATTRIBUTES.filter((name) => name !== "class").map((name) => `${name}="__xss()"`)
    const [element] = find(sanitized(put(tag, all.join(" "))), tag)
    expect(element !== undefined || tag === "img").toBe(true)
    const names = Object.keys(element?.properties ?? {})
    expect(names.filter((name) => !["id", "itemType", ...ADDED].includes(name))).toEqual([])
    expect(sanitized(put(tag, 'class="x y"'))).not.toMatch(/class="[^"]/)
  })

  it.each(["class", "style", "name", "tabindex", "accesskey", "usemap", "srcset"])(
    "sanitizing removes the attribute %s from every element",
    (name) => {
      const html = FOR_AUTHORS.map((tag) => sanitized(put(tag, `${name}="x"`), { show: showAll })).join("")
      expect(find(html).filter(({ properties }) => String(properties[name] ?? "") !== "")).toEqual([])
      expect(html).not.toMatch(new RegExp(`${name}="x`))
    },
  )

  it("angle brackets in an attribute of a Markdown image are escaped", () => {
    expect(htmlOf("![<script>](/mine)")).toContain('alt="&lt;script&gt;"')
  })

  it.each(["a", "h2", "li", "code", "section", "div"])("sanitizing leaves no empty class on <%s>", (tag) => {
    expect(sanitized(put(tag, 'class="btn"'))).not.toContain("class")
  })

  it("sanitizing keeps a class that names the language of code", () => {
    expect(sanitized('<code class="a language-x b">c</code>')).toBe('<code class="language-x">c</code>')
  })

  it("sanitizing keeps the attributes open, align, dir, lang, title, cite and colspan", () => {
    expect(sanitized("<details open>a</details>")).toBe("<details open>a</details>")
    expect(sanitized('<p align="center" dir="rtl" lang="he" title="b">a</p>')).toBe(
      '<p align="center" dir="rtl" lang="he" title="b">a</p>',
    )
    expect(
      sanitized('<blockquote cite="https://e.test">a</blockquote><blockquote cite="javascript:x">b</blockquote>'),
    ).toBe('<blockquote cite="https://e.test">a</blockquote><blockquote>b</blockquote>')
    expect(find(sanitized("<table><tr><td colspan=2>a"), "td")[0]?.properties).toEqual({ colSpan: 2 })
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
    const payloads = ADDRESSES.flatMap((address) => ADDRESS_CARRIERS.map((carry) => carry(address)))
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

  it.each([...PROTOCOLS.map((protocol) => `${protocol}x`), "/u", "//e.x/u", "/a:b"])(
    "sanitizing keeps a raw HTML link to %s",
    (href) => {
      expect(sanitized(`<a href="${href}">a</a>`)).toBe(`<a rel="nofollow ugc noopener" href="${href}">a</a>`)
    },
  )

  it.each(["u", "?u", "", "./a:b", "../u", "ftp://e.x", "a:b", "#"])(
    "sanitizing makes a raw HTML link to %j plain text",
    (href) => {
      expect(sanitized(`<a href="${href}">a</a>`)).toBe("a")
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

  it.each(["", "rel=opener", 'rel="me nofollow"', "target=_blank rel=x", "REL=x rel=y"])(
    "sanitizing gives a link with the attributes %j rel=nofollow ugc noopener exactly once",
    (attributes) => {
      expect(sanitized(`<a ${attributes} href="https://e.x">a</a>`)).toBe(
        '<a rel="nofollow ugc noopener" href="https://e.x">a</a>',
      )
    },
  )
})

describe("images in raw HTML", () => {
  it.each([
    ['<img src="/mine" alt="a" title="b">', '<img src="/mine" alt="a" title="b" width="3" height="2" loading="lazy">'],
    ['<img src="/mine" width=9 height=9 loading=eager>', '<img src="/mine" width="3" height="2" loading="lazy">'],
    ['<img src="/other" alt="a" title="b">', '<a rel="nofollow ugc noopener" href="/other">a</a>'],
    ['<a href="/u"><img src="/other" alt="a"></a>', '<a rel="nofollow ugc noopener" href="/u">a</a>'],
    [
      '<a href="/u"><img src="/mine"></a>',
      '<a rel="nofollow ugc noopener" href="/u"><img src="/mine" width="3" height="2" loading="lazy"></a>',
    ],
    ['<img alt="a">', "a"],
    ["<img>", ""],
    [
      '<pre><code><img src="https://e.test/a" alt="b"></code></pre>',
      `<pre><code>${linkTo("https://e.test/a", "b")}</code></pre>`,
    ],
    ['<pre><code><a href="/u">a</a></code></pre>', `<pre><code>${linkTo("/u", "a")}</code></pre>`],
    [
      '<pre><code class="language-js"><img src="/other"></code></pre>',
      `<pre><code class="language-js">${linkTo("/other", "/other")}</code></pre>`,
    ],
    ['<img src="javascript:x" alt="<b>">', "&lt;b>"],
  ])("sanitizing the raw HTML %s gives %s", (html, expected) => {
    expect(sanitized(html)).toBe(expected)
  })
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
