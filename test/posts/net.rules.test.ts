import { describe, expect, it } from "vitest"

import { sanitize } from "../../src/posts/net.ts"
import {
  ALLOWED,
  complaintsOn,
  find,
  net,
  none,
  protocolOf,
  PROTOCOLS,
  put,
  SIZE,
  STRIPPED,
  textOf,
  treeOf,
} from "./html.ts"
import { MUTATIONS } from "./mutations.ts"
import { ADDRESS_CARRIERS, ADDRESSES, DISGUISES, ELEMENTS, EVENTS } from "./payloads.ts"

const everyComplaint = (payloads: string[]) =>
  payloads.flatMap((payload) => complaintsOn(net(payload)).map((complaint) => `${complaint} from ${payload}`))

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
    expect(net('<p class="language-x">', '<code class="sr-only">')).toBe('<p></p><code class=""></code>')
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
    expect(find(net("<input type=checkbox checked disabled>"))[0]?.properties).toEqual({
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

  it.each([...PROTOCOLS.map((protocol) => `${protocol}x`), "/u", "u", "?u", "//e.x/u", "", "./a:b", "/a:b"])(
    "%s stays",
    (href) => {
      expect(net(`<a href="${href}">a</a>`)).toBe(`<a rel="nofollow ugc noopener" href="${href}">a</a>`)
    },
  )

  it.each(["HTTPS://E.x/A", "MailTo:A@b", "IRC:x"])("%s stays too: the case of a scheme says nothing", (href) => {
    expect(protocolOf(find(net(`<a href="${href}">a</a>`))[0]?.properties["href"])).toBe(protocolOf(href))
    expect(net(`<a href="${href}">a</a>`).toLowerCase()).toContain(`href="${href.toLowerCase()}"`)
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
      .filter((html) => skeleton(sanitize([html], "", none)).join() !== skeleton(html).join())
    expect(changed).toEqual([])
  })
})
