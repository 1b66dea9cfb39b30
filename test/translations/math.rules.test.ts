import { describe, expect, it } from "vitest"

import { MAX_MATH } from "../../src/limits.ts"
import { readDocument, segmentsOf } from "../../src/translations/segments.ts"
import { skeletonOf } from "../../src/translations/skeleton.ts"
import { translate, translateWith } from "./documents.ts"

const textsOf = (markdown: string): string[] => segmentsOf(readDocument(markdown)).map(({ text }) => text)

/** What becomes of a document all of whose segments are answered alike. */
const answered = async (markdown: string, text: string): Promise<string> => {
  const { body } = await translateWith(readDocument(markdown), async (texts) => ({ texts: texts.map(() => text) }))
  expect(skeletonOf(body)).toBe(skeletonOf(markdown))
  return body.trimEnd()
}

describe("math stays byte for byte", () => {
  it.each([
    "$a$",
    String.raw`$\pi r^2$`,
    String.raw`$x_{i} \* y_{j} \\ \$ &amp; z$`,
    "$$\n\\sum_{i} x_i \\\\\n\\alpha\n$$",
    "$$\n\\sum_{i} x_i \\\n\\alpha\n$$",
    "$$a *b* `c` [d](/e 'f') <b> ![g](/h) https://i.j $$",
    "> $$\n> a_1 \\\\\n> b\n> $$",
    "- $a\n  b$",
    "# $a_b$ #",
    "| $a\\|b$ | $c$ |\n|---|---|\n| *$d$* | [$e$](/f) |",
    "$$ \\text{if $x$} $$",
    "$a$$b$",
    "$a*b*c$",
    "\uFEFF$a$",
    "$$a$$\r\n\r\n$b\r\nc$",
    "$$\nf(x) = \\alpha\n+ \\text{some error}\n$$",
    "  $$ \r\na\r\n=\r\n# b\r\n> c\r\n  $$ \r\n\r\n$$\n\\text{some `code}\n$$",
    "$$\n# a\n$$\n# $b$\n$$\n- c\n$$",
    "$$\n\\begin{matrix}\n1 & 2 \\\\\n\n3 & 4\n\\end{matrix}\n$$",
    "$$\r\na = b\r\n \t\r\n- c\r\n\r\n> d\r\n\r\n    e\r\n\r\n---\r\n\r\n```\r\nf\r\n```\r\n$$",
    "$$\n\na\n\n$$\n\n$$\n\nb\n\n$$",
    String.raw`$\text{area of \textbf{the big} circle}$`,
    String.raw`$5 \text{ if so }$ $a\mathrm{some words} bc$ $\sqrt{\text{an other}}$ $\mathbb{ℝ}ℝ \in ab : cd$`,
  ])("%j", async (markdown) => {
    expect(segmentsOf(readDocument(markdown))).toEqual([])
    expect(await translate(markdown)).toBe(markdown)
  })

  it.each([
    ["inline", String.raw`one $\pi r_1^2$ two`, String.raw`one·fr $\pi r_1^2$ two·fr`],
    ["between marks", String.raw`one ($a_1$), *two $b\\c$*`, String.raw`one·fr ($a_1$), *two·fr $b\\c$*`],
    ["part of a paragraph", "one\n$$\na_1 \\\\\n*b*\n$$\ntwo", "one·fr $$\na_1 \\\\\n*b*\n$$ two·fr"],
    [
      "with words right behind it, before another one",
      "$$\na = b\n$$\nhence\n\n$$\n\nc\n\n$$",
      "$$\na = b\n$$ hence·fr\n\n$$\n\nc\n\n$$",
    ],
    ["with a hard break", "one $$a \\\nb$$\\\ntwo", "one·fr $$a \\\nb$$\\\ntwo·fr"],
    ["of a quote", "> one $a\n> b$\n> two", "> one·fr $a\n> b$ two·fr"],
    ["with an escaped dollar", String.raw`\$ one $a \$ b$`, String.raw`\$ one·fr $a \$ b$`],
    ["in a heading and a cell", "# one $a$\n\n| two $b$ |\n|---|", "# one·fr $a$\n\n| two·fr $b$ |\n|---|"],
    ["beside a price", "$5 one $a$", "\\$5 one·fr $a$"],
    ["deleted by other marks than it has", "~one $a~~b~~c$ two~", "~one·fr $a~~b~~c$ two·fr~"],
    ["in a link, with brackets", "[one $[0,1)$ $a]$ [two](/u)", "\\[one·fr $[0,1)$ $a]$ [two·fr](/u)"],
    [
      "with asterisks",
      "One $x^*$ is and its dual $y^*$ is not",
      "One·fr $x^*$ is·fr and·fr its·fr dual·fr $y^*$ is·fr not·fr",
    ],
    [
      "with underscores",
      String.raw`Let $\mathbf{x}_{i}$ be. It *is so*. Then $\hat{\theta}_{2}$ is`,
      String.raw`Let·fr $\mathbf{x}_{i}$ be·fr. It·fr *is·fr so·fr*. Then·fr $\hat{\theta}_{2}$ is·fr`,
    ],
    [
      "with marks of more kinds",
      "[a $b**_c$ d $e_f**$ g](/h) $i~$ j $~k$",
      "[a·fr $b**_c$ d·fr $e_f**$ g·fr](/h) $i~$ j·fr $~k$",
    ],
    ["of letters, numbers and words", String.raw`$n$th 2$\pi$ $k$-means`, String.raw`$n$th·fr 2$\pi$ $k$-means·fr`],
    ["in a list", "$a$, $b$ and $c$", "$a$, $b$ and·fr $c$"],
    [
      "behind prices in markup",
      "**Price: $5** *each* ($x^*$) or $y^*$",
      "**Price·fr: \\$5** *each·fr* ($x^*$) or·fr $y^*$",
    ],
    ["behind a unit", "costs 5$. Then the value $x$ is", "costs·fr 5\\$. Then·fr the·fr value·fr $x$ is·fr"],
    ["behind a name", "Set $HOME first, then $x$", "Set·fr \\$HOME·fr first·fr, then·fr $x$"],
    ["before a digit that is a reference", "one $a$&#115;", "one·fr $a$s·fr"],
  ])("and words around it are marked: %s", async (_, markdown, expected) => {
    expect(await translate(markdown)).toBe(expected)
  })

  it("an engine sees a tag", () => {
    expect(textsOf("one $a$ *two $b$*")).toEqual(['one <x id="1"/> <g id="2">two <x id="3"/></g>'])
  })
})

describe("dollars that are none of math", () => {
  it.each([
    ["prices", "$5 and $10", "$5 and·fr $10"],
    [
      "of how dear a place is",
      "Uno ($$) is good, Due ($$) is better",
      "Uno·fr ($$) is·fr good·fr, Due·fr ($$) is·fr better·fr",
    ],
    ["prices side by side", "one 5$/10$5, US $ 6", "one·fr 5$/10$5, US·fr $ 6"],
    ["a blank behind the first", "$ a$", "$ a·fr$"],
    ["a blank before the last", "$a $", "$a·fr $"],
    ["a digit behind the last", "$a$5", "$a·fr$5"],
    ["escaped", String.raw`\$a\$ $b\$`, String.raw`\$a·fr\$ \$b·fr\$`],
    ["a reference", "&#36;a&dollar;", "\\$a·fr\\$"],
    ["only one", "one $$ two", "one·fr $$ two·fr"],
    ["of two blocks", "$a\n\nb$", "$a·fr\n\nb·fr$"],
    ["with a backtick that nothing closes", "$a `b$ ``c", "\\$a·fr \\`b·fr\\$ \\`\\`c·fr"],
    ["of two groups", "$a *b$* c", "\\$a·fr *b·fr\\$* c·fr"],
    ["around an address that is no link in brackets", "[one $a d@e.f$", "\\[one·fr \\$a·fr d·fr\\@e·fr.f·fr\\$"],
    ["of units", "It costs 5$. Then it costs 10$. Done", "It·fr costs·fr 5$. Then·fr it·fr costs·fr 10$. Done·fr"],
    ["before a slash", "Is 10$/month or 100$/year", "Is·fr 10$/month·fr or·fr 100$/year·fr"],
    [
      "of countries",
      "It is $20 in the US, in Canada C$ 25",
      "It·fr is·fr $20 in·fr the·fr US·fr, in·fr Canada·fr C·fr$ 25",
    ],
    ["in quotes", 'The "$" prefix and the "$" one', 'The·fr "$" prefix·fr and·fr the·fr "$" one·fr'],
    ["of variables", "Set $HOME first, then /opt:$PATH", "Set·fr $HOME·fr first·fr, then·fr /opt·fr:$PATH·fr"],
    ["in a name", "I paid $5 to see Ke$ha", "I·fr paid·fr $5 to·fr see·fr Ke·fr$ha·fr"],
    ["around letters of a script without blanks", "$値段$ $a値$", "$値段·fr$ $a値·fr$"],
    ["around words in markup", "$5 for *the* one $", "$5 for·fr *the·fr* one·fr $"],
    ["that cut emphasis", "*b $x^*$ c* d", "*b·fr \\$x·fr^*\\$ c·fr\\* d·fr"],
    ["that would end a link", "[a [b $c] d$ e](/f)", "[a·fr \\[b·fr \\$c·fr\\] d·fr\\$ e·fr](/f)"],
    ["with the first of two brackets in a link", "[$[a$] b](/c)", "[\\$\\[a·fr\\$\\] b·fr](/c)"],
    ["that cut a link", "$a [b$ c](/d) $e", "\\$a·fr [b·fr\\$ c·fr](/d) \\$e·fr"],
    ["of a display that nothing closes", "$$\n\na b\n\n$$\nc\n$$", "$$\n\na·fr b·fr\n\n$$\nc\n$$"],
    ["of a display around prose", "$$\n\na^2\n\nSome words\n\n$$", "$$\n\na·fr^2\n\nSome·fr words·fr\n\n$$"],
    [
      "of a display around a word that is escaped when it is written again",
      "$$\n\nFood [a]\n\n$$",
      "$$\n\nFood·fr \\[a·fr]\n\n$$",
    ],
    ["of a display around a heading", "$$\n\n# Cheap\n\n$$\n\nb", "$$\n\n# Cheap·fr\n\n$$\n\nb·fr"],
    ["of a display around nothing", "$$\n\n$$\n\nb", "$$\n\n$$\n\nb·fr"],
    ["of a display in code", "```\n$$\n```\n\na b\n\n```\n$$\n```", "```\n$$\n```\n\na·fr b·fr\n\n```\n$$\n```"],
    ["in code", "one $a `b$`", "one·fr $a·fr `b$`"],
  ])("%s", async (_, markdown, expected) => {
    expect(await translate(markdown)).toBe(expected)
  })
})

describe("whatever an engine says", () => {
  it.each([
    ["math where there is none", "a", "$b$ $$c$$", String.raw`\$b\$ \$\$c\$\$`],
    ["a price", "a", "5 $ and $6", "5 $ and $6"],
    ["a dollar on each side of markup", "a `b`", 'c $<x id="1"/>$', String.raw`c \$${"`b`"}\$`],
    ["dollars beside math", "a $b$", '$<x id="1"/>$', String.raw`\$$b$\$`],
    [
      "an address with dollars that moved",
      "a https://b.c/$d$",
      'e<x id="1"/>f',
      String.raw`e[https://b.c/\$d\$](https://b.c/$d$)f`,
    ],
    ["an address that begins with a dollar", "a", "www.$b$", String.raw`www\.\$b\$`],
    ["a digit behind math", "a $b$", '<x id="1"/>5', "$b$ 5"],
    ["math in another order", "a $b$ $$c$$", '<x id="2"/><x id="1"/> d', "$$c$$$b$ d"],
    ["a backslash before math", "a $b$", 'c\\<x id="1"/>', String.raw`c\\$b$`],
    ["a word before what could be a unit", "a $.b$", 'c<x id="1"/>', "c $.b$"],
    ["a sentence that was prose", "$abc de$", "$abc$", String.raw`\$abc\$`],
    [
      "formulas in another order",
      "a $b^*$ *c* $d^*$",
      '<x id="3"/> e <g id="2">f</g> <x id="1"/>',
      "$d^*$ e *f* $b^*$",
    ],
    ["a word between formulas left out", "$b^*$ c d $e^*$", 'f <x id="1"/><x id="2"/>', "f $b^*$$e^*$"],
    ["math left out", "a $b$", "c", "a $b$"],
    ["math as it is written", "a $b$", "c $b$", "a $b$"],
    ["math twice", "a $b$", '<x id="1"/> <x id="1"/>', "a $b$"],
  ])("%s: %j", async (_, markdown, text, expected) => {
    expect(await answered(markdown, text)).toBe(expected)
  })
})

describe("the skeleton", () => {
  it.each([
    ["other math", "a $b$", "a $c$"],
    ["no math", "a $b$", String.raw`a \$b\$`],
    ["math of another kind", "a $b$", "a $$b$$"],
    ["math that is new", "a b", "a $b$"],
    ["what a parser finds in math", "[a $$b *c* d$$", "[a $$b \\*c* d$$"],
  ])("tells %s", (_, before, after) => {
    expect(skeletonOf(after)).not.toBe(skeletonOf(before))
  })
})

it("a block of more math than there is memory for is as one, and stays", async () => {
  const block = "$a$ one ".repeat(MAX_MATH + 1)
  expect(textsOf(`${block}two`)).toEqual(['<x id="1"/> one two'])
  expect((await translate(`${block}two\n\nthree $b$`)).endsWith(" one·fr two·fr\n\nthree·fr $b$")).toBe(true)
})

const MIB = 1024 * 1024

// Four times the most that is stored: what is not in proportion would not come to an end here.
it.each(["$", "$a$", "$$", "$a", "$a$ ", "$$$ a ", "$5 a ", "$a ", "$aa , ", "$\\a{", "$$ aa , ", "$(a) "])(
  "much of %j is read",
  (atom) => {
    const { blocks, markdown } = readDocument(atom.repeat(MIB / atom.length))
    expect(blocks.map(({ start, end }) => [start, end])).toEqual([[0, markdown.trimEnd().length]])
  },
)

// Less, for markup takes longer to parse.
it.each(["*$a$* ", "$*a$ b* ", "$*a$ ", "$x^*$ a ", "**$5** *a* ($x$) ", "$a [b$ c](d) "])(
  "much of %j is read",
  (atom) => {
    const { blocks, markdown } = readDocument(atom.repeat(MIB / 16 / atom.length))
    expect(blocks.map(({ start, end }) => [start, end])).toEqual([[0, markdown.trimEnd().length]])
  },
)

// One formula, whatever it is of.
it.each(["ab,,,,,,,,", "ab       ,", "a\u0301", "\\a{", "^{", "\\a [", "{\\rm ", "(", "a) ", "5 or ", "' \"a"])(
  "much of %j between two dollars is read",
  (atom) => {
    const body = `one $5${atom.repeat(MIB / 4 / atom.length)}5$ two`
    expect(readDocument(body).blocks).toHaveLength(1)
  },
)

it.each([
  ["$$\n\n", 1],
  ["$$\na\n\n$$\n\n", 0],
  ["$$\na\n\none two\n\n", 2],
  ["$$\n\n- one two\n\n    $$\n\n", 3],
  ["$$\n- a\n$$\n\n", 0],
])("much of %j is read", (atom, blocksEach) => {
  const times = Math.floor(MIB / 16 / atom.length)
  expect(readDocument(atom.repeat(times)).blocks).toHaveLength(times * blocksEach)
})
