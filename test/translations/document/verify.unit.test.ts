import { describe, expect, it } from "vitest"

import { readDocument } from "../../../src/translations/document/segments.ts"
import { skeletonOf } from "../../../src/translations/document/verify.ts"
import { cpuSecondsOf } from "../../cpu.ts"
import { answered, textsOf, translate } from "../documents.ts"

/** Removes marks of translation, whitespace and quote markers. */
const bare = (text: string): string => text.replaceAll(/·fr|[\s>]/g, "").replaceAll("&amp;", "&")

describe("math", () => {
  it.each([
    "$a$",
    String.raw`$x_{i} \* y_{j} \\ \$ &amp; z$`,
    "$$\n\\sum_{i} x_i \\\\\n\n- \\text{some words}\n$$",
    "$$a *b* `c` [d](/e 'f') <b> ![g](/h) https://i.j $$",
    "```math\na *word*\n```",
    "> $$\n> a_1 \\\\\n> b\n> $$",
    "| $a\\|b$ | $c$ |\n|---|---|\n| *$d$* | [$e$](/f) |",
    "\uFEFF$a$",
  ])("a Markdown document with only math has no segments to translate: %j", async (markdown) => {
    expect(textsOf(markdown)).toEqual([])
    expect(await translate(markdown)).toBe(markdown)
  })

  it.each([
    ["between words", String.raw`one $\pi r_1^2$ two`, String.raw`one·fr $\pi r_1^2$ two·fr`],
    ["beside emphasis", String.raw`one ($a_1$), *two $b\\c$*`, String.raw`one·fr ($a_1$), *two·fr $b\\c$*`],
    ["with an escaped dollar", String.raw`\$ one $a \$ b$`, String.raw`\$ one·fr $a \$ b$`],
    ["in a heading and a cell", "# one $a$\n\n| two $b$ |\n|---|", "# one·fr $a$\n\n| two·fr $b$ |\n|---|"],
    ["with asterisks", "One $x^*$ and $y^*$", "One·fr $x^*$ and·fr $y^*$"],
    ["as a display", "one\n\n$$\na\n$$\n\ntwo", "one·fr\n\n$$\na\n$$\n\ntwo·fr"],
  ])("words in a post are translated around math %s", async (_, markdown, expected) => {
    expect(await translate(markdown)).toBe(expected)
  })

  it.each(["$5 and $10 a day", "one 5$, US $ 6", "$ a$ and $a $", "$a$5", "Set $HOME first"])(
    "dollars that are not math stay unescaped in a translation: %s",
    async (markdown) => {
      expect(textsOf(markdown)).toEqual([markdown])
      expect((await translate(markdown)).replaceAll("·fr", "")).toBe(markdown)
    },
  )

  it.each([
    ["new math", "a", "$b$ $$c$$", String.raw`\$b\$ \$\$c\$\$`],
    ["a dollar on each side of code", "a `b`", 'c $<x id="1"/>$', String.raw`c \$${"`b`"}\$`],
    ["dollars beside math", "a $b$", '$<x id="1"/>$', String.raw`\$$b$ \$`],
    ["a digit after math", "a $b$", '<x id="1"/>5', "$b$ 5"],
    ["math in another order", "a $b$ $$c$$", '<x id="2"/><x id="1"/> d', "$$c$$ $b$ d"],
    ["missing math", "a $b$", "c", "a $b$"],
  ])(
    "an engine's answer with %s adds no math to the translation and removes none",
    async (_, markdown, text, expected) => {
      expect((await answered(markdown, text)).trimEnd()).toBe(expected)
    },
  )

  it("dollars in the alternative text of an image are escaped in a translation", async () => {
    expect(await translate("![$c\nd$](/u)")).toBe(String.raw`![\$c·fr d·fr\$](/u)`)
  })
})

it.each([
  "---\ntitle: Hello world\nslug: my-post\n---\n",
  "---\r\ntitle: Hello world\r\n---\r\n",
  "\uFEFF---\ntitle: Hello\n---\n",
  "---\n# a comment\ntitle: Hello\n\ntags:\n- one *two*\n---\n",
  "+++\ntitle = \"Hello *world*\"\ndraft=false\n[params]\nwords = [\n  'one',\n]\n+++\n",
])("a translation keeps front matter byte for byte, and the text after it is translated: %j", async (front) => {
  expect(await translate(front)).toBe(front)
  expect(await translate(`${front}\n# one\n\n- *two*`)).toBe(`${front}\n# one·fr\n\n- *two·fr*`)
})

it("text between two thematic breaks at the start of a body is translated, not taken for front matter", async () => {
  expect(await translate("---\n\nOne two\n\n---\n")).toBe("---\n\nOne·fr two·fr\n\n---\n")
})

describe("alerts", () => {
  it.each([
    ["> [!WARNING]\n> A text", "> [!WARNING]\n> A·fr text·fr"],
    ["> [!note]\r\n> A *text*\r\n> two", "> [!note]\r\n> A·fr *text·fr* two·fr"],
    [">[!Tip]\nlazy *text*", ">[!Tip]\nlazy·fr *text·fr*"],
    ["> [!IMPORTANT]  \n> A text", "> [!IMPORTANT]  \n> A·fr text·fr"],
    ["> [!CAUTION]\n>\n> A text", "> [!CAUTION]\n>\n> A·fr text·fr"],
    ["> > [!NOTE]\n> > $x$ is\n> > so", "> > [!NOTE]\n> > $x$ is·fr so·fr"],
    ["> [!NOTE]", "> [!NOTE]"],
  ])("a translation keeps the marker line of a Markdown alert: %j", async (markdown, expected) => {
    expect(await translate(markdown)).toBe(expected)
  })

  it.each(["[!NOTE]\na", "> [!NOTE] a", "> [!OTHER]\n> a", "> a\n>\n> [!NOTE]\n> b", "- [!NOTE]\n  a"])(
    "a Markdown alert marker in an invalid place is translated as part of a segment: %j",
    (markdown) => {
      expect(textsOf(markdown).some((text) => /^\[!(?:NOTE|OTHER)\]/.test(text))).toBe(true)
    },
  )

  it.each(["# a", "- a", "===", "---", "|--|", "1. a", "[a]: /b", "```", "> a", "$a$"])(
    "an engine's answer after the marker line of a Markdown alert becomes text: %j",
    async (answer) => {
      const body = await answered("> [!NOTE]\n> a", answer)
      expect(body).toMatch(/^> \[!NOTE\]\n> (?!a$)/)
    },
  )
})

it("an escaped brace in a heading is translated as text, not taken for an id", async () => {
  expect(await translate(String.raw`## The end \{#fin}`)).toBe(String.raw`## The·fr end·fr \{#fin}`)
  expect(skeletonOf(String.raw`# a \{#b}`)).toBe(skeletonOf("# a"))
  expect(skeletonOf("# a {#b}")).not.toBe(skeletonOf("# a"))
})

describe("placeholders", () => {
  it.each<[string, string, string[]]>([
    ["a shortcode with an address inside", 'See {{< figure src="https://a.b/c_d" >}} here', ['See <x id="1"/> here']],
    ["a Liquid tag over two lines", "> One {% include\n>   file_name %} two", ['One <x id="1"/> two']],
    ["positions and percentages", "%1$s has a 50% discount, %(name)s", ['<x id="1"/> has a 50% discount, <x id="2"/>']],
    ["a percent sign after a number or word is text", "It is 50%d and a%s b", ["It is 50%d and a%s b"]],
    ["a colon after a time is text", "At 10:30: it begins", ["At 10:30: it begins"]],
    ["a line that begins like a quote", "a\n    > b {{ c }} d", ['a > b <x id="1"/> d']],
    ["a time and an emoji", "At 10:30:20 :+1::tada:", ['At 10:30:20 <x id="1"/>']],
    ["attributes after a paragraph", "Some words\n{: .wide }", ["Some words"]],
    ["attributes after a heading", "## The end {#fin}", ["The end"]],
    ["attributes after a link", "A [link](/u){:target} here", ['A <g id="1">link</g><x id="2"/> here']],
    ["directives", ":::note Title words\nSome words\n:::", ["Some words"]],
    ["lines of shortcodes", "One\n{{< note >}}\ntwo\n{{< /note >}}", ["One", "two"]],
    ["across emphasis", "One {{ a*b }} two {{ c*d }} three", ['One <x id="1"/> three']],
    ["in emphasis", "*One {{ a }}*", ['<g id="1">One <x id="2"/></g>']],
    ["with escapes before it", String.raw`a\*b &amp; {{ c }} d`, ['a*b &amp; <x id="1"/> d']],
    ["in an attribute", 'A ![one {{ b }}](/u "two") c', ['A <x id="1"/> c']],
    ["alone in a cell", "| {{ a }} | b |\n|---|---|", ["b"]],
    ["components", "One <Tabs>two</Tabs>", ['One <x id="1"/>two<x id="2"/>']],
    ["an ICU plural", "You have {n, plural, =0 {no posts} other {# posts}} here", ['You have <x id="1"/> here']],
    [
      "an ICU select with a plural in it",
      "See {who, select, she {{n, plural, one {her {name}} other {# of hers}}} other {theirs}} now",
      ['See <x id="1"/> now'],
    ],
    [
      "other ICU arguments",
      "On { day, date, short } { name } paid {0,number}",
      ['On <x id="1"/> { name } paid <x id="2"/>'],
    ],
    [
      "an ICU argument over two lines",
      "> A {n, plural,\n>   one {*day*}\n>   other {days}} ago",
      ['A <x id="1"/> ago'],
    ],
    [
      "braces of a sentence",
      "The set {red, green, blue} and {date, or so}",
      ["The set {red, green, blue} and {date, or so}"],
    ],
    [
      "ERB and EJS tags",
      "Hello <%= user.name %>, <%- raw %> or <%# a note %>",
      ['Hello <x id="1"/>, <x id="2"/> or <x id="3"/>'],
    ],
    ["lines of ERB tags", "One\n<% if admin %>\ntwo\n<% end %>", ["One", "two"]],
    ["a less-than sign and a percent sign", "If a <% b", ["If a &lt;% b"]],
    [
      "links of wikis",
      "See [[Page]], [[Page#Part|the part]] and ![[image.png]]",
      ['See <x id="1"/>, <x id="2"/> and <x id="3"/>'],
    ],
    ["a wiki link with markup", "See [[The *page*]] here", ['See <x id="1"/> here']],
    ["interpolations of Ruby and JavaScript", "%{count} of ${x}", ['<x id="1"/> of <x id="2"/>']],
    ["signs before a brace", "100% {sure enough} of it", ["100% {sure enough} of it"]],
  ])("a translation engine gets text without the placeholders of other tools: %s", async (_, markdown, expected) => {
    expect(textsOf(markdown)).toEqual(expected)
    expect(bare(await translate(markdown))).toBe(bare(markdown))
  })

  it.each([
    ["## The end {#fin}\n", "Le fin", "## Le fin {#fin}\n"],
    ["The end {#fin} \n===", "Le fin", "Le fin {#fin} \n==="],
    ["> Words\n> {: .wide }", "# Mots", "> \\# Mots\n> {: .wide }"],
    [":::note\nWords\n:::", ":::", ":::note\n:::\n:::"],
  ])(
    "ids, attributes and directives stay in place in a translation: %j answered with %j",
    async (markdown, text, expected) => {
      expect(await answered(markdown, text)).toBe(expected)
    },
  )

  it.each([
    ["an id", "## The end", "La fin {#evil}"],
    ["an alert", "> One", "[!NOTE]"],
  ])("an engine's answer that would create %s is not used, and the source text stays", async (_, markdown, text) => {
    expect(await answered(markdown, text)).toBe(markdown)
  })

  it("an engine's answer with a missing, repeated or new placeholder is not used; the source text stays", async () => {
    for (const answer of ["b", '<x id="1"/> <x id="1"/>', "b {{ c }}"])
      expect(await answered("a {{ c }}", answer)).toBe("a {{ c }}")
  })
})

describe("HTML", () => {
  it("Markdown between the tags of an HTML details block is translated", async () => {
    const translation = "<details>\n\nSome·fr *words·fr*\n\n</details>"
    expect(await translate("<details>\n\nSome *words*\n\n</details>")).toBe(translation)
  })

  it("an engine's answer that reorders inline HTML tags is not used, and the source text stays", async () => {
    expect(textsOf('A <a id="b">c</a><br>')).toEqual(['A <x id="1"/>c<x id="2"/><x id="3"/>'])
    expect(await answered("A <b>c</b>", 'd <x id="2"/>e<x id="1"/>')).toBe("A <b>c</b>")
  })
})

it.each(
  [
    ["$a$ ", "$5 a ", "\\a ", "{{ a ", "{{ a }} ", "{: .a }", "{.a}\n"],
    [":a:", "%s", ":::\n", "{% ", "<a ", "&amp;{0} "],
    ["<% ", "[[a ", "%{a ", "{a, date,", "{a, date, {}} {", "{a, date, {{{{", "{a, date, x{}x ", "{ ", "{a"],
  ].flat(),
)("64 KB of %j are parsed for translation in less than five seconds of CPU time", async (atom) => {
  expect(await cpuSecondsOf(() => readDocument(atom.repeat(65_536 / atom.length)))).toBeLessThan(5)
})
