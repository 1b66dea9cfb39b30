import { describe, expect, it } from "vitest"

import { htmlOf } from "./service.ts"
import { converted } from "./texts.ts"

describe("Obsidian", () => {
  it.each([
    ["[[Note]] [[My Note]] [[Note|text]]", "[Note](Note) [My Note](<My Note>) [text](Note)"],
    ["[[Note#A Head]] [[Note#A#B|text]] [[#Head]]", "[Note > A Head](<Note#A Head>) [text](Note#B) [Head](#Head)"],
    ["[[Note#^a1b2]] [[a/b_c]]", "[Note](Note) [a/b_c](a/b_c)"],
    ["| [[Note\\|text]] |\n|-|", "| [text](Note) |\n|-|"],
    ["[[Why? 100%: a]]", "[Why? 100%: a](<Why%3F 100%25%3A a>)"],
    ["![[a.png]] ![[a b.PNG|b]]", "![](a.png) ![b](<a b.PNG>)"],
    ["![[a b.pdf]] ![[a.mp3|b]]", "[a b.pdf](<a b.pdf>) [b](a.mp3)"],
    ["a ==b *c*== d ==a `b==` c==", "a <mark>b *c*</mark> d <mark>a `b==` c</mark>"],
    ["这是==重点==内容", "这是<mark>重点</mark>内容"],
    ["a\n\n%%\nb\n\n[[c]]\n%%\n\nd", "a\n\n\n\nd"],
    ["A ^a1b2c3\n\n- b ^id-1\n- c ^id\n\n^quote-id\n\n> d ^20240310", "A \n\n- b \n- c \n\n\n\n> d "],
    ["A^[b *c* [d](e) ==f== %%SECRET%%] g", "A[^note-1] g\n\n[^note-1]: b *c* [d](e) <mark>f</mark>"],
    [
      "> a^[b\n> [[c]]]\n\nd[^note-1]^[e]\n\n[^note-1]: f\n",
      "> a[^note-x-1]\n\nd[^note-1][^note-x-2]\n\n[^note-1]: f\n\n[^note-x-1]: b [c](c)\n[^note-x-2]: e",
    ],
    [":::note\nA^[b\nc]\n:::", "> [!NOTE]\n> A[^note-1]\n\n\n[^note-1]: b c"],
    ["![x](my photo.png) [a](b/My (1).md#c d)", "![x](<my photo.png>) [a](<b/My (1).md#c d>)"],
    ["![x](my photo.png 'T') [a](b c.md?x=1#d)", "![x](<my photo.png> 'T') [a](<b c.md?x=1#d>)"],
    ["![x]({{ site.baseurl }}/a.png) [a]({{ site.baseurl }}/b.html)", "![x](/a.png) [a](/b.html)"],
    ['![x](my photo.png "T") [[[a](b c.md)', '![x](<my photo.png> "T") [[[a](<b c.md>)'],
    ["[[toc]]\n\n[TOC]\n\n[[_TOC_]]", "\n\n\n\n"],
    ["> [!info]\n> a", "> [!NOTE]\n> a"],
    ["> [!tip]- Look\n> a", "> [!TIP]\n> **Look**\n>\n> a"],
    ["> [!NOTE] Look\n> a", "> [!NOTE]\n> **Look**\n>\n> a"],
    ["> [!custom] Own *type*\n> a", "> [!NOTE]\n> **Own *type***\n>\n> a"],
    ["> a\n> > [!my-type|wide]-\n> > b", "> a\n> > [!NOTE]\n> > **My-type**\n> >\n> > b"],
    ["> > [!bug]+\n> > a", "> > [!CAUTION]\n> > a"],
    ["- > [!faq] A\n  > b", "- > [!NOTE]\n  > **A**\n  >\n  > b"],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["brackets of Markdown", ["[[1]](https://e.x)", "[[a][b]]", "[[a]]\n\n[a]: https://e.x", "\\[[a]]"]],
    ["brackets that name no note", ["[[1]]", "[[^1]]", "[[ -f a ]]", "[[|a]]"]],
    ["links in code", ["`[[a]]`", "```\n[[a]]\n```"]],
    ["pairs of =", ["a==b && c==d", "a == b and c == d", "A\n==\nb\n==", "==a\nb=="]],
    ["percentages", ["50%% and 60%%", "a %%b"]],
    ["alerts, and what is no callout", ["> [!NOTE]\n> a", "> [!note]\n> a", "> [!foo](a)", "[!info] a"]],
    ["words after ^", ["x^2 and y ^2", "A ^id of a block", "A ^ab\nb", "`a ^[b]` and $x^[1]$ and \\^[c]"]],
    ["open footnotes", ["[^[a] ^[b\n\nc]"]],
    ["destinations with blanks", ["[a](https://e.x/b/), [c](d e/) and [f](g.pdf)"]],
    ["titles", ["[a](b c) [a](b.md 'c d.md') [a](b.md (c d.md)) [a](<b c.md>) `[a](b c.md)`"]],
    ["a mark within text, and an image with another number", ["a [toc] b", "![a|b](c)"]],
  ])("%s stay", (_, texts) => expect(texts.map((text) => converted(text))).toEqual(texts))

  it("the service shows a callout as an alert with its title, and its text after that", () => {
    const html = htmlOf(converted("> [!info]- Look\n> a")).replaceAll("\n", "")
    expect(html).toBe(
      '<div class="alert alert-note" role="note"><p class="alert-title">Note</p><p><strong>Look</strong></p><p>a</p></div>',
    )
  })
})
