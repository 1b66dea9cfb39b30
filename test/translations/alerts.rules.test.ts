import { expect, it } from "vitest"

import { readDocument, segmentsOf } from "../../src/translations/segments.ts"
import { skeletonOf } from "../../src/translations/skeleton.ts"
import { translate, translateWith } from "./documents.ts"

it.each([
  ["> [!WARNING]\n> A text", "> [!WARNING]\n> A·fr text·fr"],
  ["> [!note]\r\n> A *text*\r\n> two", "> [!note]\r\n> A·fr *text·fr* two·fr"],
  [">[!Tip]\nlazy *text*", ">[!Tip]\nlazy·fr *text·fr*"],
  ["> [!IMPORTANT]  \n> A text", "> [!IMPORTANT]  \n> A·fr text·fr"],
  ["> [!CAUTION]\n>\n> A text", "> [!CAUTION]\n>\n> A·fr text·fr"],
  ["> [!CAUTION]\n> - a", "> [!CAUTION]\n> - a·fr"],
  ["> > [!NOTE]\n> > $x$ is\n> > so", "> > [!NOTE]\n> > $x$ is·fr so·fr"],
  ["- > [!NOTE]\n  > *a*\n  > b", "- > [!NOTE]\n  > *a·fr* b·fr"],
  ["> [!NOTE]\n> a\n\n[!note]: /u", "> [!NOTE]\n> a·fr\n\n[!note]: /u"],
  ["> [!NOTE]", "> [!NOTE]"],
])("the line that makes an alert of a quote stays: %j", async (markdown, expected) => {
  expect(await translate(markdown)).toBe(expected)
})

it.each([
  "[!NOTE]\na",
  "> [!NOTE] a",
  "> [!OTHER]\n> a",
  "> a\n>\n> [!NOTE]\n> b",
  "> # [!NOTE]\n> a",
  "- [!NOTE]\n  a",
])("what is no alert is translated: %j", (markdown) => {
  const texts = segmentsOf(readDocument(markdown)).map(({ text }) => text)
  expect(texts.some((text) => /^\[!(?:NOTE|OTHER)\]/.test(text))).toBe(true)
})

it.each(["# a", "- a", "===", "---", ": a", "|--|", "1. a", "[a]: /b", "```", "> a", "    a", "$a$"])(
  "no answer behind it becomes markup: %j",
  async (answer) => {
    const document = readDocument("> [!NOTE]\n> a")
    const { body, kept } = await translateWith(document, async (texts) => ({ texts: texts.map(() => answer) }))
    expect(kept).toEqual([])
    expect(body.startsWith("> [!NOTE]\n> ")).toBe(true)
    expect(skeletonOf(body)).toBe(skeletonOf(document.body))
  },
)
