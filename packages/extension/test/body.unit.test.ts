import { describe, expect, test } from "vitest"

import { MAX_BODY_BYTES } from "../../../src/limits.ts"
import { cpuSecondsOf } from "../../../test/cpu.ts"
import { find, htmlOf } from "../../../test/markdown/html.ts"
import { cutBody, quoteOf, withImages } from "../src/body.ts"

test("images that are not uploaded become links", () => {
  const [one, other] = ["https://a.example/1.png", "https://a.example/2.png?a=%281%29"] as const
  const body = `![A \\] boat](${one}) ![](${other}) [kept](${one})`
  expect(withImages(body, [one, other], { [one]: "/media/a.webp" })).toBe(
    `![A \\] boat](/media/a.webp) [2.png](${other}) [kept](${one})`,
  )
})

test("an image without a text becomes a link with the escaped name of its file", () => {
  const address = "https://a.example/*a*_[b]_.png"
  expect(withImages(`![](${address})`, [address], {})).toBe(`[\\*a\\*\\_\\[b\\]\\_.png](${address})`)
})

const ADDRESS = "https://a.example/a.png"
const IMAGE = `![A](${ADDRESS})`
const UPLOADED = { [ADDRESS]: "/media/a.webp" }

test.each([
  ["a fence", `\`\`\`md\n${IMAGE}\n\n${IMAGE}\n\`\`\``],
  ["a longer fence that holds a short one", `\`\`\`\`\n\`\`\`\n${IMAGE}\n\`\`\`\n${IMAGE}\n\`\`\`\``],
  ["a fence of tildes", `~~~\n${IMAGE}\n~~~`],
  ["a fence that never ends", `\`\`\`\n${IMAGE}`],
  ["a fence in a list", `1.  \`\`\`\n    ${IMAGE}\n    \`\`\``],
  ["a fence in a quote", `> \`\`\`\n> ${IMAGE}\n> \`\`\``],
  ["code of a line", `\`${IMAGE}\``],
  ["code of a line that holds a backtick", `\`\` \` ${IMAGE} \`\``],
  ["an image after an escaped sign", `\\${IMAGE}`],
])("the address of an image stays as it is in %s", (_, text) => {
  const body = `Before\n\n${text}`
  expect(withImages(body, [ADDRESS], UPLOADED)).toBe(body)
})

test.each([
  ["a fence", "```\n`\n```\n"],
  ["a fence in a quote", "> ```\n> a\n> ```\n\n"],
  ["code of a line", "`a` "],
  ["a backtick alone in an earlier paragraph", "a ` b\n\nc ` "],
  ["an escaped backtick", "\\` "],
  ["a struck line", "~~a~~ "],
])("an image after %s gets the address of its upload", (_, text) => {
  const after = "\n\n`"
  expect(withImages(text + IMAGE + after, [ADDRESS], UPLOADED)).toBe(`${text}![A](/media/a.webp)${after}`)
})

test.each(["![", "![a](", "\\![", "a`b``", "```\n", "~~~\n", "> ", "\n\n", "`\n\n"])(
  "the images of a text that repeats %j are replaced in less than a second of CPU time",
  async (part) => {
    const images = Array.from({ length: 8 }, (_, index) => `${ADDRESS}?${index}`)
    const text = part.repeat(Math.floor(MAX_BODY_BYTES / part.length))
    expect(await cpuSecondsOf(() => withImages(text, images, {}))).toBeLessThan(1)
  },
)

test("the quote of a page escapes its title and its address", () => {
  const quote = quoteOf("[1] *news* <b>", "https://a.example/a_(b)?c=<d>&amp;=1")
  expect(quote).toBe("> Source: [\\[1\\] \\*news\\* \\<b>](https://a.example/a_%28b%29?c=%3Cd%3E&amp;amp;=1)")
  expect(find(htmlOf(quote), "a").map(({ properties }) => properties["href"])).toEqual([
    "https://a.example/a_%28b%29?c=%3Cd%3E&amp;=1",
  ])
})

describe("a text that is longer than a post may be", () => {
  test("ends after the last block that has room", () => {
    const block = "港".repeat(1000)
    const cut = cutBody(Array.from({ length: 100 }, () => block).join("\n\n"))
    expect(cut.split("\n\n")).toEqual(Array.from({ length: 87 }, () => block))
  })

  test("ends after a whole character if it is one block", () => {
    expect(cutBody("港".repeat(MAX_BODY_BYTES))).toBe("港".repeat(Math.floor(MAX_BODY_BYTES / 3)))
  })

  test("stays as it is if it has the longest size", () => {
    const text = "a\n\n".padEnd(MAX_BODY_BYTES, "b")
    expect(cutBody(text)).toBe(text)
  })
})
