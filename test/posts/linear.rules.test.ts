import { parse, preprocess } from "micromark"
import type { Event, Extension } from "micromark-util-types"
import { describe, expect, it } from "vitest"

import { FAMILIES } from "../../bench/markdown/families.ts"
import { extensionFor } from "../../src/posts/dialects.ts"
import { readBlocks, renderMarkdown } from "../../src/posts/markdown.ts"
import { parseMarkdown } from "../../src/posts/mdast.ts"
import { prose } from "./prose.ts"
import { excesses, inParagraphs, KB, measure, WORK } from "./steps.ts"

it.each(Object.entries(WORK))("ordinary prose takes twice the steps for twice the text: %s", (_, work) => {
  const [one, two, four] = [16, 32, 64].map((size) => measure(prose(size * KB), work).steps)
  if (!one || !two || !four) throw new Error("No steps were counted.")
  expect(one).toBeGreaterThan(16 * KB)
  expect(one).toBeLessThan(8 * 16 * KB)
  expect(two / one).toBeLessThanOrEqual(2.2)
  expect(four / two).toBeLessThanOrEqual(2.2)
})

// test:soak has larger ones.
describe("hostile text is refused, or takes steps in proportion", () => {
  it.each(Object.entries(FAMILIES))("%s", (_, make) => {
    expect(excesses(make, [8, 16])).toEqual([])
  })
})

describe("so does as much of it in small paragraphs, most of which is no reason to refuse", () => {
  it.each(Object.entries(FAMILIES).filter((_, i) => i % 4 === 0))("%s", (_, make) => {
    expect(excesses(inParagraphs(make), [4, 8])).toEqual([])
  })

  it("is allowed", () => {
    const allowed = Object.values(FAMILIES).filter((make) => !("tooComplex" in readBlocks(inParagraphs(make)(8 * KB))))
    expect(allowed.length).toBeGreaterThan(0.7 * Object.keys(FAMILIES).length)
  })
})

/** How often micromark-extension-gfm-autolink-literal looks at an event, in search of an open bracket. */
const countLooks = (markdown: string): number => {
  const { prototype } = Object
  const name = "_gfmAutolinkLiteralWalkedInto"
  let looks = 0
  Object.defineProperty(prototype, name, {
    configurable: true,
    get: () => void looks++,
    set(value: boolean) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true })
    },
  })
  try {
    const rendered = renderMarkdown(markdown)
    parseMarkdown(markdown)
    expect("tooComplex" in rendered).toBe(false)
  } finally {
    Reflect.deleteProperty(prototype, name)
  }
  return looks
}

/** Backticks of another length than those before. */
const END = " ``"

describe("an open bracket is looked for in a few events, however many there are", () => {
  it.each([
    ["words", " h"],
    ["commas", "a,"],
    ["an h behind each dot", ".h"],
    ["a w behind each parenthesis", "(w"],
    ["an h behind each digit", "1h"],
    ["an underscore behind each letter that is none of ASCII", "é_"],
    ["lines", "h\n"],
    ["addresses", " a@b"],
  ])("by %s", (_, unit) => {
    const words = unit.repeat(1000)
    expect(countLooks(`@ [${words}`)).toBeLessThan(10)
    for (const start of ["`", "x\n\n[ `", "[ \\] ", "[ `]`", "[ ``]``", "[ <a b=']'>", "[x [a](b]c)", '[x [a](b "]")'])
      expect(countLooks(`@ ${start}${words}${END}`)).toBeLessThan(10_000)
  })
})

it("markers inside a link are compared with what is merged", () => {
  const markdown = `[${"!".repeat(1000)} *a*](b)`
  const sizes: number[] = []
  const note = (events: Event[]) => {
    sizes.push(events.length)
    return events
  }
  const spy: Extension = { insideSpan: { null: [{ resolveAll: note }] } }
  parse({ extensions: [spy, extensionFor(markdown)] })
    .text()
    .write(preprocess()(markdown, undefined, true))
  expect(Math.max(...sizes)).toBeLessThan(20)
})

it("a paragraph may have more nodes than a call has arguments", () => {
  const [paragraph] = parseMarkdown("`a` ".repeat(64 * KB)).children
  expect(paragraph && "children" in paragraph && paragraph.children.length).toBeGreaterThan(2 ** 16)
})
