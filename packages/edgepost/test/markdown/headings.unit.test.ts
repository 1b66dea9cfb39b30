import { describe, expect, it } from "vitest"

import { readDocument } from "../../src/markdown/document.ts"
import { anchorsOf, findAnchor, headingIds } from "../../src/markdown/headings.ts"
import { headingIdsIn, htmlOf } from "./service.ts"

describe("ids of headings", () => {
  it.each([
    ["# One\n\n## One\n\n### Two words, and `code`!"],
    ["# Over the *top* **of** ~~it~~ [link](a) ![alt](b) &amp; \\* <kbd>K</kbd>"],
    ["One\nline\n===\n\nTwo\n---"],
    ["## A {#b}\n\n## B\n\n## C { #b }\n\n## D {#b}"],
    ["## A\\{#b}\n\n## C {d}"],
    ["## A\n\n<a id='a'></a>\n\n## B"],
    ["## ![](/mine) b\n\n<h2 id=''>c</h2>\n\n<script>\"<h2>x</h2>\"</script>\n\n## d"],
    ["## Fn 1\n\n## fn-1\n\n## EP-a {#ep-a}\n\n## !!!\n\n## ???"],
    ["## 标题\n\n## Überschrift — zwei\n\n## Заголовок"],
    ["> ## Quoted\n\n- ## Listed\n\n## A-1\n\n## A\n\n## A"],
    ["<h2 id='x'>Raw</h2>\n\n<h3>Raw <b>bold</b></h3>\n\n## Raw"],
    ["## List<String> and <Tabs>\n\n## <br>a"],
    ["## A[^1]\n\n[^1]: b\n\n## B"],
    ["```\n# a\n```\n\n    # b\n\n## constructor\n\n## __proto__"],
    ["## [a]\n\n## [b][c]\n\n[c]: d"],
    ["## 1. Intro\n\n## a_b\n\n## 「x」**「y」**z"],
    ["## A www.e.x b\n\n## :smile: a"],
  ])("%j has the ids that the service gives", (body) =>
    expect(headingIds(readDocument(body).targets)).toEqual(headingIdsIn(htmlOf(body))),
  )

  it("headings without letters have ids of their own", () => {
    const body = "## !!!\n\n## ???\n\n## 🎉"
    for (const ids of [headingIds(readDocument(body).targets), headingIdsIn(htmlOf(body))])
      expect(ids).toEqual(["section-1", "section-1-1", "section-1-2"])
  })

  it.each([
    ["## A\n\n## B {#c}\n\n## D", ["x", "y", "z"], ["x", "c", "z"]],
    ["## A\n\n## B", ["b"], ["a", "b"]],
    ["## A\n\n## B {#x}", ["x", "y"], ["a", "x"]],
  ])("a translation %j takes the ids %j of its source as the service does", (body, headingIdsOfSource, expected) => {
    expect(headingIds(readDocument(body).targets, headingIdsOfSource)).toEqual(expected)
    expect(headingIdsIn(htmlOf(body, { headingIds: headingIdsOfSource }))).toEqual(expected)
  })

  it.each([
    ["two-words", ["two-words", "Two words", "Two_Words", "TwoWords"]],
    ["1-intro", ["intro"]],
    ["übersicht", ["ubersicht"]],
    ["fin", ["fin", "The end"]],
    ["mark", ["mark"]],
    [null, ["section-2", "-"]],
  ])("the id %j is that of the fragments %j", (id, fragments) => {
    const body = "## Two words\n\n## 1. Intro\n\n## Übersicht\n\n## The end {#fin}\n\n<a id='mark'></a>"
    const anchors = anchorsOf(readDocument(body).targets)
    expect(fragments.map((fragment) => findAnchor(anchors, fragment))).toEqual(fragments.map(() => id))
  })
})
