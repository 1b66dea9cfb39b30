import { describe, expect, it } from "vitest"

import { translate } from "./documents.ts"

describe("front matter stays byte for byte, what follows is translated", () => {
  it.each([
    "---\ntitle: Hello world\nslug: my-post\n---\n",
    "---\r\ntitle: Hello world\r\n---\r\n",
    "---\rtitle: Hello world\r---\r",
    "\uFEFF---\ntitle: Hello\n---\n",
    "---\n# a comment\ntitle: Hello\n\ntags:\n- one *two*\n  - three\n'a key': b\ndate.x: >\n  Some words\n  ***\n---\n",
    "---\ntitle: '[a](/b \"c\")'\n---\n",
    "+++\ntitle = \"Hello *world*\"\ndraft=false\n[params]\nwords = [\n  'one',\n]\n+++\n",
    "---\ntítulo: Hello\n---\n",
  ])("%j", async (front) => {
    expect(await translate(front)).toBe(front)
    expect(await translate(`${front}one *two*`)).toBe(`${front}one·fr *two·fr*`)
    expect(await translate(`${front}\n# one\n\n- two`)).toBe(`${front}\n# one·fr\n\n- two·fr`)
  })
})

describe("what only looks like it is translated", () => {
  it.each([
    ["prose between rules", "---\nOne two\n\nKey: three\n\n---\n\nfour"],
    ["a heading between rules", "---\n\n# One\n\n---\n\ntwo"],
    ["a list between rules", "---\n- one\n- two\n\n---\n"],
    ["an address between rules", "---\nhttps://a.b\nKey: one\n\n---\n"],
    ["not at the beginning", "one\n\n---\nkey: two\n---\n"],
    ["behind a blank line", "\n---\nkey: two\n---\n"],
    ["not closed", "---\nkey: one\n\ntwo"],
    ["closed by another mark", "---\nkey: one\n+++\n"],
    ["a longer rule", "----\nkey: one\n----\n"],
    ["a blank behind the mark", "--- \nkey: one\n---\n"],
    ["nothing between", "---\n---\none"],
  ])("%s", async (_, markdown) => {
    const translated = await translate(markdown)
    for (const word of markdown.match(/(?<!\/)\b(?:one|two|three|four|key)\b/gi) ?? [])
      expect(translated).toContain(`${word}·fr`)
  })
})
