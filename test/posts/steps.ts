import { STARS } from "../../bench/markdown/families.ts"
import { MAX_BODY_BYTES } from "../../src/limits.ts"
import { estimate } from "../../src/posts/crowding.ts"
import { placePictures, renderMarkdown } from "../../src/posts/markdown.ts"
import { readDocument } from "../../src/translations/segments.ts"

export const KB = 1024
/** Of the worst family, 250 marks behind an address, read on from each of them; most take fewer than 8. */
const STEPS_PER_CHAR = 130
/** What refusing may cost: the blocks are told at most, nothing inside them is parsed. */
const STEPS_PER_CHAR_OF_REFUSAL = 8
/** Where texts are short, what is not in proportion to them. */
const STEPS_OF_START = 100

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

const isRefusedToRender = (markdown: string): boolean => "tooComplex" in renderMarkdown(markdown)

/** What else is made of a body. @returns whether it is refused */
export const WORK: Record<string, (markdown: string) => boolean> = {
  "to render": isRefusedToRender,
  "to render it, with the net": (markdown) => {
    const rendered = renderMarkdown(markdown)
    return "tooComplex" in rendered || "tooComplex" in placePictures(rendered, "my-post-", () => null)
  },
  "to cut it into segments": (markdown) => {
    readDocument(markdown)
    return false
  },
}

/** What it takes to render, or to do something else with it. */
export const measure = (markdown: string, work = isRefusedToRender) => {
  let isRefused = false
  const steps = countSteps(() => {
    isRefused = work(markdown)
  })
  return { length: markdown.length, steps, isRefused }
}

/** Sizes that take more than they should: more than refusing may cost, or steps that grow faster than the text. */
export const excesses = (make: (length: number) => string, sizes: number[]) => {
  const measured = sizes.map((size) => measure(make(size * KB)))
  return measured.filter(({ steps, length, isRefused }, i) => {
    const before = measured[i - 1]
    if (isRefused) return steps > STEPS_PER_CHAR_OF_REFUSAL * length
    // What is too much stays too much.
    if (before?.isRefused) return true
    return steps > STEPS_PER_CHAR * length || (before && steps > 2.5 * before.steps + STEPS_OF_START)
  })
}

/**
 * What is refused near the length at which a family is too much, with more than refusing may cost: there all of its blocks
 * can be told, and are not.
 */
export const lateRefusals = (make: (length: number) => string) => {
  let [most, least] = [0, MAX_BODY_BYTES]
  while (least - most > Math.max(64, most / 50)) {
    const length = Math.floor((most + least) / 2)
    if ("tooComplex" in estimate(make(length))) least = length
    else most = length
  }
  const near = [0.85, 0.95].map((part) => make(Math.floor(part * most)) + STARS)
  const over = [1, 1.1, 1.3].map((part) => make(Math.min(MAX_BODY_BYTES, Math.floor(part * least))))
  return [...near, ...over]
    .map((markdown) => measure(markdown))
    .filter(({ steps, length, isRefused }) => isRefused && steps > STEPS_PER_CHAR_OF_REFUSAL * length)
}

/** As much of a family, in paragraphs of 250 characters: two by two, because a fence that one opens the next one closes. */
export const inParagraphs = (make: (length: number) => string) => (length: number) =>
  `${make(250)}\n\n`.repeat(2 * Math.ceil(length / 504))
