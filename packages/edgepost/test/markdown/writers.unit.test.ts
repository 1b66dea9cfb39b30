import { describe, expect, it } from "vitest"

import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { folderOf, readFront } from "../folder/folder.ts"
import { desiredOf, planOf } from "./plan.ts"
import { htmlOf } from "./service.ts"
import { converted } from "./texts.ts"

// What programs for writing put out: each kind with its siblings.

describe("formulas of forges, in code between dollars", () => {
  it.each([
    ["It is $`x_1`$, so **$`\\frac{1}{2}`$**.", "It is $x_1$, so **$\\frac{1}{2}$**."],
    ["| a |\n|---|\n| $`a \\| b`$ and $`y^2`$ |", "| a |\n|---|\n| $a \\vert  b$ and $y^2$ |"],
    ["> - a $`` E = `a` ``$ $` x\n>   y `$", "> - a $E = `a`$ $x y$"],
    ["## About $`x^2`$ and $$`a`$$", "## About $x^2$ and $$`a`$$"],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    [
      "code, and what is no formula",
      ["`a$`x`$b`", "$ `a` $", "`$a$`", "\\$`a`$", "$`a`$5", "$`a $ b`$", "$`a`", "US$`5`$", "$`a`$b"],
    ],
    ["comments and fences", ["```\n$`a`$\n```", "<pre>$`a`$</pre>", "```math\nx^2\n```"]],
  ])("%s stay", (_, texts) => expect(texts.map((text) => converted(text))).toEqual(texts))

  it("the service shows them without quotation marks", () =>
    expect(htmlOf(converted("**$`y^2`$**"))).toBe(
      "<p><strong><math><msup><mi>y</mi><mn>2</mn></msup></math></strong></p>",
    ))
})

describe("definitions with attributes", () => {
  it.each([
    [
      "![Red boat][r] [p]\n\n[r]: red.png \"Red\" width=60px height=40px\n[p]: https://e.x/ 'Port' class=external\n[q]: b\n\n[q]",
      '<img src="red.png" alt="Red boat" title="Red" width="60" height="40"> [p]\n\n\n[p]: https://e.x/ \'Port\'\n[q]: b\n\n[q]',
    ],
    [
      '![A red\nboat] ![c][] [a]\n\n[A red boat]: media/x.png {width="0.6in"\nheight="0.4in"}\n[c]: <y z.png> {.b width=50%}\n[a]: d.md',
      '![A red\nboat] <img src="y z.png" alt="c" width="50%"> [a]\n\n[A red boat]: media/x.png\n\n[a]: d.md',
    ],
    ['> ![a]\n>\n> [a]: b.png width=9 id="x y"', '> <img src="b.png" alt="a" width="9"><!-- -->\n>\n> '],
    ["[a] [b]\n\n[a]: b.md {#id\n.c}\n[b]: <c d.md> (T) rel=x", "[a] [b]\n\n[a]: b.md\n[b]: <c d.md> (T)"],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["plain definitions", ["[a]\n\n[a]: b.md\nx=5 is text", "[a]\n\n[a]: b.md 'T'", "[a]\n\n[a]: b?c=d"]],
    ["text and code", ["a\n[b]: c d=e", "```\n[b]: c d=e\n```", "[b]: c d=e f", "x[^1]\n\n[^1]: a b=c"]],
    ["a dialogue", ['[Ann]: Hello "you" x=1\n[Bob]: Hi y=2']],
  ])("%s stay", (_, texts) => expect(texts.map((text) => converted(text))).toEqual(texts))
})

describe("attributes over two lines", () => {
  it.each([
    ['![A](b.png){width="9"\nheight="8"} c', '<img src="b.png" alt="A" width="9" height="8"> c'],
    ['a ![A](b.png){width="0.6in"\nheight="0.4in"}', "a ![A](b.png)"],
    ["> - [a](b){.c\n>   d=e} f", "> - [a](b) f"],
    ["An [Small\nCaps]{.smallcaps} and [one]{.a} [^1]\n\n[^1]: n", "An Small\nCaps and one [^1]\n\n[^1]: n"],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it("braces around prose stay", () => {
    for (const text of ["{a\nb}", "{:a\nb c}", "![a](b){a=b\n\nc=d}"]) expect(converted(text)).toBe(text)
  })
})

describe("links between notes", () => {
  it.each([
    ["[[1984]] [[1984|the novel]] [[202403111015]]", "[1984](1984) [the novel](1984) [202403111015](202403111015)"],
    ["[[1984#Part]] [[7|seven]] [[12#a]]", "[1984 > Part](1984#Part) [seven](7) [12 > a](12#a)"],
    ["| a |\n|-|\n| [[1984]] [[2024\\|b]] |", "| a |\n|-|\n| [1984](1984) [b](2024) |"],
    ["[[Salt]][[Tides]][^1]\n\n[^1]: n", "[Salt](Salt)[Tides](Tides)[^1]\n\n[^1]: n"],
    ["[[Salt]][^1] [[a|b]][[c]]![[d.png]]\n\n[^1]: n", "[Salt](Salt)[^1] [b](a)[c](c)![](d.png)\n\n[^1]: n"],
    ["[[Salt|the [old] salt]] [[a|b [c]]] [[a|b ] c]]", "[the \\[old\\] salt](Salt) [b \\[c\\]](a) [b \\] c](a)"],
    ["[[Salt|*the* \\[old\\]]] [[a|[b]]]", "[*the* \\[old\\]](Salt) [\\[b\\]](a)"],
    [
      'See [[salt]] and [[salt|the *salt*]], [[sea]]\n\n[//begin]: # "A"\n[salt]: ../b/salt.md "Salt"\n[salt|the *salt*]: <../b/salt.md> "Salt"\n[sea]: sea.md\n[//end]: # "A"',
      'See [salt][salt] and [the *salt*][salt|the *salt*], [sea][sea]\n\n\n[salt]: ../b/salt.md "Salt"\n[salt|the *salt*]: <../b/salt.md> "Salt"\n[sea]: sea.md\n',
    ],
    [
      '[[a#b]] [[a|c]] ![[a]]\n\n[a|c]: a.md "A"\n[//begin]: # "B"\n[a]: a.md "A"',
      '[a > b](a#b) [c][a|c] [a][a]\n\n[a|c]: a.md "A"\n\n[a]: a.md "A"\n! 1 A note within another one, ![[…]], is a link here: its text is not shown. Write the text here to show it.',
    ],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["numbers in brackets", ["[[1]] and [[12]]", "[[300x200]]", "[[1]](a) [[2024]](b)"]],
    [
      "links of Markdown",
      ["[[a]]\n\n[a]: https://e.x", "[[a][b]] [[c]][d]\n\n[d]: e", "[[a|b] c", "[[1984]][a]\n\n[a]: b"],
    ],
    ["code", ["`[[1984]]` `[[a]][[b]]`", "```\n[[a|b [c]]]\n```"]],
  ])("%s stay", (_, texts) => expect(texts.map((text) => converted(text))).toEqual(texts))

  it("begin with their text where the tool writes them so", () => {
    const tool = { ...TOOLS.folder, markup: () => ({ linksBeginWithText: true }) }
    const text = "[[The salt|blog.2024.salt]] [[a]] [[B c|d#e]]\n\n| a |\n|-|\n| [[x|y.z]] |"
    expect(converted(text, { theme: { settings: { ...NO_TOOL, tool } } })).toBe(
      "[The salt](blog.2024.salt) [a](a) [B c](d#e)\n\n| a |\n|-|\n| [x](y.z) |",
    )
  })

  it("that show a note within another one are links, with one warning", () =>
    expect(converted("![[Salt]]\n\n![[a.png]] ![[b.pdf]] ![[Tides#Ebb]]")).toBe(
      "[Salt](Salt)\n\n![](a.png) [b.pdf](b.pdf) [Tides > Ebb](Tides#Ebb)\n! 1 A note within another one, ![[…]], is a link here: its text is not shown. Write the text here to show it.",
    ))
})

describe("addresses in angle brackets", () => {
  it.each([
    "[n](<My note.md>) ![x](<My Boat.png> 'T')",
    "[n](\n<My note.md>)",
    "[r] [s]\n\n[r]: <Rock & roll.md>\n[s]:\n<My a.md> 'T'",
    "> [r]\n>\n> [r]: <Rock roll.md>",
    "<HTTPS://Example.org/> <Ann.Shore@Example.org> <MAILTO:a@b.c>",
    "[a](<My {{ b }}.md>)",
  ])("%j stays", (text) => expect(converted(text)).toBe(text))

  it.each([
    ["[a](<{{ site.baseurl }}/My b.md>)", "[a](</My b.md>)"],
    ["<URL:https://e.x/a> <url:HTTP://e.x> <URL:a>", "<https://e.x/a> <HTTP://e.x> <URL:a>"],
    ["[a](<!-- SECRET -->b)", "[a](b)"],
    ["[a](<b hidden>SECRET</b>) [a](<b hidden> SECRET</b>)", "[a]() [a]()"],
    ["b](<c hidden> SECRET</c>)", "b]()"],
    ["<div>\n[a](<b hidden>)SECRET</b>\n</div>", "<div>\n[a](\n</div>"],
    ["a: <My b> and [c] <Tabs>", "a: <My b> and [c] <Tabs>\n! 1 <My>\n! 1 <Tabs>"],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))
})

describe("properties that are links between notes", () => {
  it.each([
    ['categories: ["[[Posts]]", "[[Sea life|sea]]"]', { categories: ["Posts", "sea"] }],
    ["categories: [[A|B, C], [D]]", { categories: ["A|B", "C", "D"] }],
    ['category: "[[Topics/Deep sea]]"', { categories: ["Deep sea"] }],
    ["categories:\n  - [[Sea life|sea]]\ntags: [[boats]]", { categories: ["sea"], tags: ["boats"] }],
    ['tags:\n  - "[[boats]]"\n  - sea\n  - "[[1984]]"', { tags: ["boats", "sea", "1984"] }],
    ['tags: "[[boats]], [[Sea/Tides|tides]], a"', { tags: ["boats", "tides", "a"] }],
    [
      'title: "[[Salt]] of [[1984|old]]"\nauthor: ["[[People/Bo Mast|Bo]]"]',
      { title: "Salt of old", author_name: "Bo" },
    ],
    ['cover: "![[b/a.png|300]]"', { cover: "b/a.png" }],
    ["image: [[a b.png|A]]", { cover: "a b.png" }],
    ['cover: ["[[a.png]]"]', { cover: "a.png" }],
    ['date: "[[Daily/2024-03-10|Sunday]]"', { published_at: "2024-03-10T00:00:00.000Z" }],
    ["date: [[2024-03-10]]", { published_at: "2024-03-10T00:00:00.000Z" }],
    ['date: 2024-03-10\nup: "[[Index]]"\naliases: ["[[a/b|c]]"]', { published_at: "2024-03-10T00:00:00.000Z" }],
  ])("%j is %j", async (yaml, expected) => {
    const { source, ...post } = await readFront(`title: A\n${yaml}`.replace(/^title: A\n(?=title)/, ""), {
      timezone: "UTC",
    })
    expect({ ...post, title: source.title }).toMatchObject(expected)
  })
})

it("aliases that are links between notes are no old addresses", async () => {
  const { source } = await readFront('date: 2024-03-10\nup: "[[a/Index]]"\naliases: ["[[a/b|c]]", "[[d/e]]", /f/]')
  expect(source.namedPaths).toEqual(["/f"])
})

const note = (title: string, body: string): string => `---\ntitle: ${title}\ndate: 2024-03-10\n---\n${body}`

it("a note is found by its name of digits, and by the id at the start of its name", async () => {
  const plan = await planOf(
    folderOf({
      "1984.md": note("The novel", "Words."),
      "202403111015 A unique note.md": note("A", "Words."),
      "hub.md": note("Hub", "[[1984]] [[202403111015]] [[1984|it]] [[2001]]"),
    }),
  )
  expect(desiredOf(plan, "hub").source.body).toBe(
    "[1984](/@you/1984/) [202403111015](/@you/202403111015-a-unique-note/) [it](/@you/1984/) 2001",
  )
})

it("definitions that a program writes for links lead to their notes, and one without a note is text", async () => {
  const body =
    'See [[salt]], [[salt|the salt]] and [[missing]].\n\n[//begin]: # "A"\n[salt]: ../b/salt.md "Salt"\n[salt|the salt]: ../b/salt.md "Salt"\n[missing]: missing.md "missing"\n[//end]: # "A"'
  const plan = await planOf(
    folderOf({ "a/tides.md": note("Tides", body), "b/salt.md": note("Salt", "Words."), "c/salt.md": note("B", "C") }),
  )
  const { source, findings } = desiredOf(plan, "tides")
  expect(htmlOf(source.body).replaceAll(/ (?:rel|title)="[^"]*"/g, "")).toBe(
    `<p>See <a href="/@you/${desiredOf(plan, "salt").slug}/">salt</a>, <a href="/@you/salt/">the salt</a> and missing.</p>`,
  )
  expect(findings.map(({ code }) => code)).toEqual(["missing_link"])
})
