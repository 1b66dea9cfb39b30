import { expect, test } from "vitest"

import { plainImages } from "../../src/html/images.ts"
import { parseHtml } from "../../src/html/parse.ts"
import { attribute, findTag, textOf } from "../../src/html/tree.ts"

const DOT = "data:image/gif;base64,R0"

test.each<[string, string, string[]]>([
  ["the src", '<img src="a.png">', ["a.png"]],
  ["the largest of srcset up to 2048 px", '<img src="a" srcset="s 400w, m.png 2048w, l 4000w">', ["m.png"]],
  ["the smallest of srcset if all are larger", '<img srcset="l.png 4000w, m.png 3000w">', ["m.png"]],
  ["the densest of srcset", '<img src="a.png" srcset="a.png, b.png 2x">', ["b.png"]],
  ["no more than 2048 px by density", '<img width="1500" srcset="a.png 1x, b.png 2x">', ["a.png"]],
  ["addresses with commas", '<img srcset="w_1,h_2/a.png 800w,w_2,h_4/b.png 1600w">', ["w_2,h_4/b.png"]],
  ["a late image, not its stand-in", `<img src="${DOT}" data-src="a.png">`, ["a.png"]],
  ["a late image of Zhihu", '<img src="data:image/svg+xml;utf8,<svg>" data-actualsrc="a.png">', ["a.png"]],
  ["the best of a late srcset", '<img src="tiny.png" data-srcset="a.png 400w, b.png 800w">', ["b.png"]],
  ["no stand-in of srcset", `<img src="a.png" srcset="${DOT} 1x">`, ["a.png"]],
  ["no stand-in", `<img src="${DOT}">`, []],
  [
    "the first source that applies",
    '<picture><source media="print" srcset="p.png"><source srcset="a.webp 800w, b.webp 1600w"><source srcset="c.png"><img src="d.png"></picture>',
    ["b.webp"],
  ],
  [
    "an image of AMP, not its fallback",
    '<amp-img src="a.png"><noscript><img src="b.png"></noscript></amp-img>',
    ["a.png"],
  ],
  [
    "an image for browsers without scripts",
    '<figure><noscript><img src="a.png"> Please</noscript></figure>',
    ["a.png"],
  ],
  ["a late image once", '<img data-src="a.png"> <noscript><img src="b.png"></noscript>', ["a.png"]],
  ["a background", '<div style="background: url(/a.png)"></div>', ["/a.png"]],
])("an image has %s", (_, html, addresses) => {
  const tree = parseHtml(html)
  plainImages(tree)
  expect(findTag(tree, "img").map((image) => attribute(image, "src"))).toEqual(addresses)
})

test.each([
  ['<p>a <img class="emoji" alt="🌊" src="https://s.w.org/1f30a.png"> b</p>', "a 🌊 b"],
  ['<p><img class="wp-smiley x" alt=":boat:" src="a.png"></p>', ":boat:"],
  ['<p><img class="emoji" alt="A boat" src="a.png"></p>', ""],
])("an image of a character is the character: %s", (html, words) => {
  const tree = parseHtml(html)
  plainImages(tree)
  expect(textOf(tree)).toBe(words)
})
