import { describe, expect, it } from "vitest"

import { renderMarkdown } from "../../src/posts/markdown.ts"
import { HOSTILE, prose } from "./families.ts"

const KB = 1024
/** Of the worst family; most take fewer than 8. */
const STEPS_PER_CHAR = 100
/** What refusing may cost, which happens before the parser is asked. */
const STEPS_OF_REFUSAL = 100

/** How often a character is looked at: micromark does so once a step, and to compare markers. */
const countSteps = (work: () => void): number => {
  const { prototype } = String
  const original = Object.getOwnPropertyDescriptor(prototype, "charCodeAt") ?? {}
  let steps = 0
  const charCodeAt = function (this: string, index: number): number {
    steps++
    return Reflect.apply(original.value, this, [index])
  }
  Object.defineProperty(prototype, "charCodeAt", { ...original, value: charCodeAt })
  try {
    work()
  } finally {
    Object.defineProperty(prototype, "charCodeAt", original)
  }
  return steps
}

const measure = (markdown: string) => {
  let isRefused = false
  const steps = countSteps(() => {
    isRefused = "tooComplex" in renderMarkdown(markdown)
  })
  return { length: markdown.length, steps, isRefused }
}

it("ordinary prose takes twice the steps for twice the text", () => {
  const [one, two, four] = [32, 64, 128].map((size) => measure(prose(size * KB)).steps)
  if (!one || !two || !four) throw new Error("No steps were counted.")
  expect(one).toBeGreaterThan(32 * KB)
  expect(one).toBeLessThan(8 * 32 * KB)
  expect(two / one).toBeLessThanOrEqual(2.2)
  expect(four / two).toBeLessThanOrEqual(2.2)
})

/** Refused for nothing, or with steps that grow as the text does. */
const expectLinear = (make: (length: number) => string): void => {
  const measured = [16, 32, 64].map((size) => measure(make(size * KB)))
  for (const [i, { steps, length, isRefused }] of measured.entries()) {
    const before = measured[i - 1]
    expect(steps).toBeLessThanOrEqual(isRefused ? STEPS_OF_REFUSAL : STEPS_PER_CHAR * length)
    if (before && !isRefused) expect(steps).toBeLessThanOrEqual(2.5 * before.steps + STEPS_OF_REFUSAL)
    // What is too much stays too much.
    if (before?.isRefused) expect(isRefused).toBe(true)
  }
}

describe("hostile text is refused, or takes steps in proportion", () => {
  it.each(Object.entries(HOSTILE))("%s", (_, make) => {
    expectLinear(make)
  })
})

describe("so does as much of it in small paragraphs, most of which is no reason to refuse", () => {
  const inParagraphs = (make: (length: number) => string) => (length: number) =>
    `${make(250)}\n\n`.repeat(Math.ceil(length / 252))

  it.each(Object.entries(HOSTILE))("%s", (_, make) => {
    expectLinear(inParagraphs(make))
  })

  it("is allowed", () => {
    const allowed = Object.values(HOSTILE).filter((make) => !measure(inParagraphs(make)(16 * KB)).isRefused)
    expect(allowed.length).toBeGreaterThan(0.7 * Object.keys(HOSTILE).length)
  })
})
