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

/** MathML is served where a formula made it, never where an author did. */
const isForAuthors = (tag: string): boolean =>
  tag in ALLOWED && tag !== "input" && !/^m(?:ath|[inos]|text|frac|row|s|glyph)$/.test(tag)
const FOR_AUTHORS = Object.keys(ALLOWED).filter(
  (tag) => isForAuthors(tag) && !(tag.startsWith("m") && tag !== "mark") && tag !== "none",
)

const linkTo = (href: string, text: string) => `<a rel="nofollow ugc noopener" href="${href}">${text}</a>`

describe("elements of an author's HTML", () => {
  it.each(ELEMENTS.filter((tag) => !FOR_AUTHORS.includes(tag)))("<%s> goes", (tag) => {
    const html = sanitized(`<p>one</p><${tag} id=x>two</${tag}><p>three</p>`)
    expect(complaintsOn(html)).toEqual([])
    expect(find(html).map(({ tagName }) => tagName)).not.toContain(tag)
    const rest = tag === "plaintext" ? "" : "three"
    expect(textOf(treeOf(html))).toBe(STRIPPED.includes(tag) || tag === "iframe" ? `one${rest}` : "onetwothree")
  })

  it.each(FOR_AUTHORS)("<%s> stays", (tag) => {
    expect(find(sanitized(put(tag, 'src="/mine"'))).map(({ tagName }) => tagName)).toContain(tag)
  })

  it.each(["thead", "tbody", "tr", "td", "th", "tfoot"])("<%s> outside of a table goes", (tag) => {
    expect(sanitized(`<${tag}>one</${tag}>`)).toBe("one")
  })

  it.each(["mi", "mtext", "mrow", "annotation-xml", "semantics"])("<math><%s> goes with what is in it", (tag) => {
    expect(sanitized(`a<math><${tag}>b</${tag}></math>c`)).toBe("ac")
  })

  it("comments, instructions and doctypes go", () => {
    expect(sanitized("<!doctype html><!--a-->b<?c?><![CDATA[d]]><!e>f</ g>")).toBe("bf")
  })

  it("<picture> keeps its <img> alone, and loads nothing else", () => {
    const raw =
      '<picture><source srcset="https://e.test/a.webp"><img src="/mine" srcset="https://e.test/b.webp 2x"></picture>'
    expect(sanitized(raw)).toBe('<img src="/mine" width="3" height="2" loading="lazy">')
    expect(sanitized(raw, { show: showNone })).not.toMatch(/e\.test|<img/)
  })

  it("boxes of an author's lists go, those of Markdown's stay", () => {
    const html = htmlOf("<ul><li><input type=checkbox disabled> a</ul>\n\n- [ ] b")
    expect(find(html, "input")).toHaveLength(1)
    expect(find(html, "li")[1]?.children[0]).toMatchObject({ tagName: "input" })
  })

  it.each(["<input>", "<input type=text value=a>", "<input type=image src=/mine>", "<input type=checkbox disabled>"])(
    "%s goes",
    (html) => {
      expect(sanitized(html)).toBe("")
    },
  )

  it("an iframe with https is a link to what it would load; any other one goes", () => {
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
/** What this service writes there itself. */
const OWN = ["rel", "href", "charSet"]

describe("attributes of an author's HTML", () => {
  it.each(FOR_AUTHORS)("of <%s> that are not in the list go", (tag) => {
    const kept = ATTRIBUTES.filter((name) => {
      const html = sanitized(put(tag, `${name}="__xss()"`))
      const [element] = find(html, tag)
      const names = Object.keys(element?.properties ?? {})
      return (tag !== "img" && element === undefined) || names.some((one) => !["id", "itemType", ...OWN].includes(one))
    })
    expect(kept.filter((name) => name !== "class")).toEqual([])
    expect(sanitized(put(tag, 'class="x y"'))).not.toMatch(/class="[^"]/)
  })

  it.each(["class", "style", "name", "tabindex", "accesskey", "usemap", "srcset"])("%s stays on no element", (name) => {
    const html = FOR_AUTHORS.map((tag) => sanitized(put(tag, `${name}="x"`), { show: showAll })).join("")
    expect(find(html).filter(({ properties }) => String(properties[name] ?? "") !== "")).toEqual([])
    expect(html).not.toMatch(new RegExp(`${name}="x`))
  })

  it("class stays where it says the language of code", () => {
    expect(sanitized('<code class="a language-x b">c</code>')).toBe('<code class="language-x">c</code>')
  })

  it("open, align, start, dir, lang, title, datetime, colspan and cite stay", () => {
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

describe("ids of an author's HTML", () => {
  it("stay on headings and links alone", () => {
    const tags = FOR_AUTHORS.filter((tag) =>
      find(sanitized(put(tag, "id=x src=/mine"))).some(({ properties: { id } }) => id === "x"),
    )
    expect(tags.toSorted()).toEqual(["a", "h1", "h2", "h3", "h4", "h5", "h6"])
  })

  it.each(["ep-title", "fn-1", "fnref-1"])("%s on a link or a heading gets a number", (id) => {
    const html = sanitized(`<a id="${id}">a</a><h2 id="${id}">b</h2>`)
    const ids = find(html).flatMap(({ properties }) => (properties["id"] === undefined ? [] : [properties["id"]]))
    expect(ids[0]).toBe(`${id}-1`)
    expect(ids).not.toContain(id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(["ep-title", "ep-x"])("%s gets a number, whatever footnote's attribute stands beside it", (id) => {
    for (const raw of [`<a id="${id}" data-footnote-ref>a</a>`, `<a id="${id}" data-footnote-backref>a</a>`])
      expect(sanitized(raw)).toContain(` id="${id}-1"`)
    expect(sanitized(`<ul><li id="${id}">a</ul>`)).not.toContain("id=")
  })

  it("leave out no heading when it is named like a property of objects", () => {
    for (const id of ["__proto__", "constructor", "toString"])
      expect(sanitized(`<h2 id="${id}">a</h2>`)).toMatch(/<h2 id="[^"]+">a/)
  })
})

describe("addresses of an author's HTML", () => {
  it(`${ADDRESSES.length} of schemes in disguise come to nothing in ${ADDRESS_CARRIERS.length} places`, () => {
    const payloads = ADDRESSES.flatMap((address) => ADDRESS_CARRIERS.map((carry) => carry(address)))
    const complaints = payloads.flatMap((payload) =>
      complaintsOn(sanitized(payload)).map((complaint) => `${complaint} from ${payload}`),
    )
    expect(complaints).toEqual([])
  })

  const hidden = "plain upper mixed decimal padded hex upperHex noSemicolon namedColon tab tabEntity newline".split(" ")
  it.each(hidden)("javascript, %s, leaves text alone", (name) => {
    const address = DISGUISES[name]?.("javascript:") ?? ""
    expect(sanitized(`<a href="${address}x">a</a><img src="${address}x" alt=b>`)).toBe("ab")
  })

  it.each([...PROTOCOLS.map((protocol) => `${protocol}x`), "/u", "//e.x/u", "/a:b"])("%s stays", (href) => {
    expect(sanitized(`<a href="${href}">a</a>`)).toBe(`<a rel="nofollow ugc noopener" href="${href}">a</a>`)
  })

  it.each(["u", "?u", "", "./a:b", "../u", "ftp://e.x", "a:b", "#"])("%j leaves text alone", (href) => {
    expect(sanitized(`<a href="${href}">a</a>`)).toBe("a")
  })

  it.each(["HTTPS://E.x/A", "MailTo:A@b", "IRC:x"])("%s stays, as the case of a scheme says nothing", (href) => {
    expect(protocolOf(find(sanitized(`<a href="${href}">a</a>`))[0]?.properties["href"])).toBe(protocolOf(href))
  })

  it.each(["mailto:a@b", "irc:x", "xmpp:x", "data:image/png;base64,AA", "blob:x", "javascript:x"])(
    "%s is no image, even when all may be shown",
    (src) => {
      expect(find(sanitized(`<img src="${src}" alt="a">`, { show: showAll }))[0]?.properties["src"]).toBeUndefined()
    },
  )

  it.each(["", "rel=opener", 'rel="me nofollow"', "target=_blank rel=x", "REL=x rel=y"])(
    "a link with %j says once that it is a stranger's",
    (attributes) => {
      expect(sanitized(`<a ${attributes} href="https://e.x">a</a>`)).toBe(
        '<a rel="nofollow ugc noopener" href="https://e.x">a</a>',
      )
    },
  )
})

describe("images of an author's HTML", () => {
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
  ])("%s is %s", (html, expected) => {
    expect(sanitized(html)).toBe(expected)
  })
})

const skeleton = (html: string) =>
  [
    ...new Set(find(html).map(({ tagName, properties }) => `${tagName} ${Object.keys(properties).toSorted().join()}`)),
  ].toSorted()

describe("mutations", () => {
  it(`${MUTATIONS.length} leave nothing that is not in the list`, () => {
    expect(everyComplaint(MUTATIONS)).toEqual([])
  })

  it("every event on every element leaves nothing that is not in the list", () => {
    const events = EVENTS.map((event) => `${event}=__xss()`).join(" ")
    const made = ELEMENTS.map((tag) => sanitized(put(tag, events), { show: showAll }))
    expect(made.flatMap(complaintsOn)).toEqual([])
  })

  it("what came of them comes to the same when a browser reads it again", () => {
    const payloads = [
      ...MUTATIONS,
      ...ELEMENTS.map((tag) => `<a href="/u"><${tag}><p><b><a href="/v"><${tag}><h2>x</h2><td><tr><img src=x>`),
    ]
    const changed = payloads
      .map((payload) => sanitized(payload, { show: showNone }))
      .filter((html) => skeleton(sanitized(html, { show: showNone })).join() !== skeleton(html).join())
    expect(changed).toEqual([])
  })

  it("in one document leave nothing either", () => {
    const accepted: string[] = []
    for (let at = 0; at < MUTATIONS.length; at += 4) {
      const markdown = MUTATIONS.slice(at, at + 4).join("\n\n")
      if (refusalOf(markdown) === null) accepted.push(htmlOf(markdown))
    }
    expect(accepted.length).toBeGreaterThan(0.9 * (MUTATIONS.length / 4))
    expect(accepted.flatMap(complaintsOn)).toEqual([])
  })
})
