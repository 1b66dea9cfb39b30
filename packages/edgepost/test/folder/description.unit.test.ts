import { describe, expect, test } from "vitest"

import { cpuSecondsOf } from "../../../../test/cpu.ts"
import { plainText } from "../../src/folder/description.ts"
import { cutAtWord, describeText } from "../../src/folder/first-words.ts"
import { convertText } from "../markdown/texts.ts"

/** Describes a text as a plan does: after its conversion. */
const describeFile = (body: string): string => describeText(convertText(body).body)

describe("the description is the first words of the text, without markup", () => {
  test.each<[what: string, body: string, description: string]>([
    ["a paragraph", "The boat leaves at six.\n\nMore.", "The boat leaves at six."],
    ["emphasis, code and links", "A **bold** `code` and [a *link*](x.md).", "A bold code and a link."],
    ["a heading and an image before it", "# Title\n\n![alt](a.png)\n\nThe text.", "The text."],
    ["an image within it", "See ![the boat](a.png) here.", "See here."],
    ["HTML", "<div>\nno\n</div>\n\nThe <b>text</b>.", "The text."],
    ["a comment", "<!-- note -->\n\nThe text.", "The text."],
    ["code", "```js\nconst a = 1\n```\n\n    indented\n\nThe text.", "The text."],
    ["lines", "One\ntwo\\\nthree.", "One two three."],
    ["a shortcode of Hugo", '{{< youtube "x" >}}\n\nThe text.', "The text."],
    ["a figure with a caption in Markdown", "{{< figure src=a.png caption='A *b*' >}}\n\nThe text.", "The text."],
    ["a tag that only its tool knows", "{% gallery 'a' %} {{< b >}}\n\nThe text.", "The text."],
    ["code of Liquid", "{% highlight js %}\nno\n{% endhighlight %}\n\nThe text.", "The text."],
    ["a formula and an emoji code", "Let $x_1 = \\alpha$ be H~2~O :smile:", "Let $x_1 = \\alpha$ be H~2~O :smile:"],
    ["generics and a line break of HTML", "A `List`, a Map<K> and<br>more.", "A List, a Map<K> and more."],
    ["a shortcode as the address of a link", 'See [the ship]({{< ref "b.md" >}}) and go.', "See the ship and go."],
    ["Liquid as the address of an image", "Walk. ![boat]({{ site.baseurl }}/a.jpg) [b]({% link b.md %})", "Walk. b"],
    ["a block of Liquid", "{% youtube x %}\n\nThe text.", "The text."],
    ["imports of MDX", 'import A from "./a"\n\nThe text.', "The text."],
    ["a directive", ":::note\n\nThe text.\n\n:::", "The text."],
    ["an attribute list", "The text.\n{: .lead}", "The text."],
    ["links of Obsidian", "See [[A note|the note]] and [[B]]. ![[a.png]]", "See the note and B."],
    ["a footnote", "The text[^1].\n\n[^1]: no", "The text."],
    ["a quote alone", "> A quote.", "A quote."],
    ["a list alone", "- One\n- Two", "One"],
    ["entities and escapes", "A &amp; B \\* C", "A & B * C"],
    ["a rule and a table", "---\n\n| a |\n| - |\n| b |\n\nThe text.", "The text."],
    ["a list and then a paragraph", "- TOC\n{:toc}\n\nThe text.", "The text."],
    ["an alert alone", "> [!NOTE]\n> The text.", "The text."],
    ["a heading alone", "## The end", "The end"],
    ["an address before it", "https://a.example/b\n\n%[https://a.example]\n\nThe text.", "The text."],
    ["an attribute list in a line", "The text. {.lead}", "The text."],
    ["a table of contents before it", "[[toc]]\n\nThe text.", "The text."],
    ["nothing", "", ""],
    ["an image alone", "![alt](a.png)", ""],
  ])("%s", (_, body, description) => {
    expect(describeFile(body)).toBe(description)
  })
})

const images = (count: number) => "![alt](a.png)\n\n".repeat(count)

test("words that come late, after much without words, are found", () => {
  expect(describeText(`${images(100)}The text.\n\n${images(100)}`)).toBe("The text.")
  expect(describeText(`${images(2000)}The text.`)).toBe("The text.")
  expect(describeText(`# A heading\n\n${images(100)}The text.\n\n${images(100)}`)).toBe("The text.")
})

test("a long text ends after a whole sentence or a word, with at most 160 characters", () => {
  const description = describeText("word ".repeat(100))
  expect(description).toMatch(/word…$/)
  expect([...description].length).toBeLessThanOrEqual(160)
  expect([...description].length).toBeGreaterThan(150)
})

test("whole sentences are taken if they make 120 to 160 characters, else words", () => {
  const [long, short] = [`${"a".repeat(129)}.`, `${"a".repeat(99)}.`]
  expect(describeText(`${long} And more of the text that does not fit.`)).toBe(long)
  expect(describeText(`${short} And more of the text, so that it has over 160 characters in all together.`)).toBe(
    `${short} And more of the text, so that it has over 160 characters…`,
  )
})

test("a text without spaces is cut between words", () => {
  const description = describeText("水溫九十五度，第一泡三十秒。香氣會慢慢展開，像山上的霧。".repeat(20))
  expect([...description].length).toBeLessThanOrEqual(160)
  expect([...description].length).toBeGreaterThan(100)
})

describe("a given title or description is plain text", () => {
  test.each([
    ["Using <b>bold</b> &amp; *x*", "Using bold & x"],
    ["<p>An <em>excerpt</em> &copy; more</p>", "An excerpt © more"],
    ["A **bold** [link](b.md), ~~old~~ `code`<br>and ![no](a.png)", "A bold link, old code and"],
    ["See [[Note|the note]] and ==that==", "See the note and that"],
    ["Seen <!-- SECRET -->, %%SECRET%%{/* SECRET */}{% comment %}SECRET{% endcomment %} here", "Seen , here"],
  ])("%j becomes %j", (text, plain) => expect(plainText(text)).toBe(plain))

  test.each([
    "a < b and C* > D*",
    "snake_case and __init__ in _posts",
    "2 * 3 * 4 = 24, 50%",
    "The <T> of Map<K, V> and Array<string>",
    "The <details> element & the <Button> component",
    "1. Start: # of + [WIP] $5",
    'import a from "b"',
    "- [x] `",
  ])("%j stays", (text) => expect(plainText(text)).toBe(text))
})

test.each([
  ["a short text", 20, "a short text"],
  ["a somewhat longer text", 12, "a somewhat…"],
  ["abcdefghijklmnop", 8, "abcdefg…"],
  ["👨‍👩‍👧‍👦 family of four people", 12, expect.stringMatching(/…$/) as string],
])("%s is cut to %i characters", (text, max, cut) => {
  expect(cutAtWord(text, max)).toEqual(cut)
  expect([...cutAtWord(text, max)].length).toBeLessThanOrEqual(max)
})

test("a text of many signs takes less than three seconds of CPU time", async () => {
  for (const body of [
    "[".repeat(100_000),
    "*a ".repeat(50_000),
    "{".repeat(100_000),
    "{% ".repeat(50_000),
    "> ".repeat(50_000),
    "- ".repeat(50_000),
  ]) {
    expect(await cpuSecondsOf(() => describeText(body))).toBeLessThan(3)
  }
})
