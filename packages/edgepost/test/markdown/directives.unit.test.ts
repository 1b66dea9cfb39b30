import { describe, expect, it } from "vitest"

import { htmlOf } from "./service.ts"
import { converted } from "./texts.ts"

describe("directives of Docusaurus and Astro", () => {
  it.each([
    [":::note\na\n:::", "> [!NOTE]\n> a\n"],
    [":::note\n\na\n\n:::\n\nb", "> [!NOTE]\n>\n> a\n>\n\n\nb"],
    ["::: tip\na\n:::\nb", "> [!TIP]\n> a\n\nb"],
    [":::tip[Look *here*]\na\n:::", "> [!TIP]\n> **Look *here***\n>\n> a\n"],
    [":::tip Look here\na\n:::", "> [!TIP]\n> **Look here**\n>\n> a\n"],
    [":::note Note\na\n:::", "> [!NOTE]\n> a\n"],
    [":::info[A]{#b .c}\na\n:::", "> [!NOTE]\n> **A**\n>\n> a\n"],
    [':::info{title="A"}\na\n:::', "> [!NOTE]\n> **A**\n>\n> a\n"],
    ['::: {.callout-warning title="A"}\na\n:::', "> [!WARNING]\n> **A**\n>\n> a\n"],
    [":::important\na\n:::\n:::danger\na\n:::", "> [!IMPORTANT]\n> a\n\n> [!CAUTION]\n> a\n"],
    ["::::note\na\n:::tip\nb\n:::\nc\n::::", "> [!NOTE]\n> a\n> > [!TIP]\n> > b\n> \n> c\n"],
    [":::note\na\n::::tip\nb\n::::\nc\n:::", "> [!NOTE]\n> a\n> > [!TIP]\n> > b\n> \n> c\n"],
    ["- a\n\n  :::note\n  b\n  :::", "- a\n\n  > [!NOTE]\n  > b\n  "],
    [":::note\n```\n:::\n```\n:::", "> [!NOTE]\n> ```\n> :::\n> ```\n"],
    [":::note\na :::", ":::note\na :::\n! 1 :::note"],
    [":::details A\na\n:::", "<details><summary>A</summary>\n\na\n\n</details>"],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["an alert with a title", ":::tip[Look]\n\n**a**\n\n- b\n:::\nafter", "alert-tip"],
    ["an alert after text", "before\n:::note\na\n:::\nafter", "alert-note"],
    ["an alert in an alert", "::::note\na\n\n:::tip\nb\n:::\n\nc\n::::\nafter", "alert-tip"],
    ["an alert in a list", "- a\n\n  :::note\n  b\n  :::\n\nafter", "alert-note"],
    ["an alert with code", ":::note\n```js\na\n```\n:::\nafter", "alert-note"],
  ])("the service shows %s as one, and the text after it outside", (_, text, name) => {
    const html = htmlOf(converted(text))
    expect(html).toContain(`class="alert ${name}"`)
    expect(html).not.toContain("[!")
    expect(html).toMatch(/<\/(?:div|ul)>\s*<p>after<\/p>$/)
  })

  it.each([
    [":::grid\na\n\n- b\n:::", "\na\n\n- b\n"],
    ["::: {.columns}\n:::: column 2\na\n::::\n:::", "\n\na\n\n"],
    [":::::theorem Pythagoras\n::::note\na\n::::\n:::::", "**Pythagoras**\n\n> [!NOTE]\n> a\n\n"],
    ["::::note\n:::tabs[First *tab*]\na\n:::\n::::", "> [!NOTE]\n> **First *tab***\n> \n> a\n> \n"],
  ])("a container that is not known is removed, and its content stays: %j", (text, expected) =>
    expect(converted(text)).toBe(expected),
  )

  it("alerts convert to eight levels, and deeper ones are reported", () => {
    const text = `${":::note\n".repeat(10)}a\n${":::\n".repeat(10)}`
    expect(converted(text)).toContain("> > > > > > > > [!NOTE]\n> > > > > > > > :::note\n")
    expect(converted(text)).toContain("! 9 :::note")
  })

  it.each([":::note\na", "a\n:::"])("%j without a pair is reported and stays", (text) =>
    expect(converted(text)).toMatch(new RegExp(`^${text}\n! \\d :::(?:note)?$`)),
  )

  it.each(["a :::note", "`:::note`", "::note", "::: 5 apples", ":::[a]", "a::b", ":::a:b"])("%j stays", (text) =>
    expect(converted(text)).toBe(text),
  )
})

describe("MDX", () => {
  const mdx = { file: "a.mdx" }

  it.each([
    ['import A from "b"\n\na', "\n\na"],
    ['import A, { B } from "b"\nimport "c"\nexport const d = 1\n\na', "\n\n\n\na"],
    ["export const a = {\n  b: [\n\n  ],\n}\n\nc", "\n\nc"],
    ["export default ({ children }) => (\n  <p>{children}</p>\n)\n\na", "\n\na"],
    ["a {/* b\nc */} d", "a  d"],
    ['a{" "}b', "a b"],
    ['<Image src="./a.png" alt="A" />', "![A](./a.png)"],
    ["<YouTube id={'a1'} />", "<https://www.youtube.com/watch?v=a1>"],
    ['<Aside type="tip" title="B">\na\n</Aside>', "> [!TIP]\n> **B**\n>\n> a\n"],
    ["<Note>\na\n</Note>", "> [!NOTE]\n> a\n"],
    ['{/* a */}\nimport A from "b"\n\nc', "\n\n\nc"],
  ])("%j becomes %j", (text, expected) => expect(converted(text, mdx)).toBe(expected))

  it.each([
    ["<Tab.Set>\n<TabItem value={a}>\na\n</TabItem>\n</Tab.Set>", ["1 <Tab.Set>", "2 <TabItem>"]],
    ["<Image src={a} />", ["1 <Image>"]],
    ['<A.B c={{ d: "e" }} />', ["1 <A.B>"]],
    ["a {b.c} d", ["1 {b.c}"]],
    ["export const a = {\n\nb", ["1 export const a = { b"]],
    ["List<String>", ["1 <String>"]],
  ])("%j is reported and stays", (text, expected) =>
    expect(converted(text, mdx).split("\n! ")).toEqual([text, ...expected]),
  )

  it.each(["a\nimport b\nc", "`<Tabs>`", "```\n<Tabs>\n```", "## A {#b}"])("%j stays", (text) =>
    expect(converted(text, mdx)).toBe(text),
  )

  it("an alert on one line of a .md file converts", () =>
    expect(converted("<Note>a</Note>\n\nb")).toBe("> [!NOTE]\n> a\n\nb"))

  it("a .md file keeps exports, expressions and generics, and loses imports and comments of MDX", () => {
    const text = 'import A from "b"\n\nimport cars into Norway\n\nexport a\n\n{b} List<String> {/* c */}'
    expect(converted(text)).toBe("\n\nimport cars into Norway\n\nexport a\n\n{b} List<String> ")
  })
})
