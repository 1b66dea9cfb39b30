import type { Nodes } from "mdast"

import { parseMarkdown } from "../../src/posts/mdast.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { readDocument, segmentsOf } from "../../src/translations/segments.ts"
import { skeletonOf } from "../../src/translations/skeleton.ts"
import { EXAMPLES } from "../posts/commonmark.ts"
import { makeDocument, randomFrom, shuffle } from "../posts/generate.ts"
import { translateWith } from "./documents.ts"
import { spoil } from "./engines-of-chance.ts"

const ADDRESSES = ["", "http://", "mailto:"]
const textIn = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textIn).join("") : ""

/** All that readers read, in order: text, alternative texts and titles, without addresses that stand for themselves. */
const wordsIn = (markdown: string, mark = (text: string) => text): string => {
  const texts: string[] = []
  const walk = (node: Nodes): void => {
    if (node.type === "text") texts.push(node.value)
    if ("alt" in node) texts.push(node.alt ?? "")
    if ("title" in node && node.type !== "definition") texts.push(node.title ?? "")
    const isAddress = node.type === "link" && ADDRESSES.some((scheme) => node.url === `${scheme}${textIn(node)}`)
    if ("children" in node && !isAddress) for (const child of node.children) walk(child)
  }
  walk(parseMarkdown(markdown))
  return texts.map(mark).join("").replaceAll(/\s+/g, "")
}

/** Every word of a text with the language that it would be in. */
const marked = (words: string): string => words.replaceAll(/\p{L}[\p{L}\p{M}]*/gu, "$&·fr")

/** One of twenty whole, of the others the beginning: less takes less. */
const documentOf = (seed: number): string => {
  const markdown = makeDocument(randomFrom(seed)).replaceAll("\0", "")
  if (seed % 20 === 0) return markdown
  const short = markdown.replaceAll(/(?:Plain words[^.]*\. ){4}/g, "Plain words. ").slice(0, 300)
  // Half an emoji is no text.
  return short.isWellFormed() ? short : short.slice(0, -1)
}

/** What is wrong with the translations of a document, if anything is. */
const faultsOf = async (markdown: string, random: () => number): Promise<string[]> => {
  const faults: string[] = []
  const skeleton = skeletonOf(markdown)
  const check = (name: string, isRight: boolean): void => {
    if (!isRight) faults.push(name)
  }
  const document = readDocument(markdown)
  const honest = await translateWith(document, (texts) => pseudo.translate(texts, "en", "fr"))
  check("honest: skeleton", skeletonOf(honest.body) === skeleton)
  check(`honest: kept ${honest.kept.join(" | ")}`, honest.kept.length === 0)
  check("honest: words", wordsIn(honest.body) === wordsIn(markdown, marked))

  const segments = segmentsOf(document)
  const wrong = Math.floor(random() * segments.length)
  const faulty = await translateWith(document, async (texts) => {
    const answer = await pseudo.translate(texts, "en", "fr")
    return "texts" in answer ? { texts: answer.texts.map((text, i) => (i === wrong ? '<x id="0"/>' : text)) } : answer
  })
  check("faulty: skeleton", skeletonOf(faulty.body) === skeleton)
  check(
    "faulty: kept",
    faulty.kept.join() ===
      segments
        .slice(wrong, wrong + 1)
        .map(({ text }) => text)
        .join(),
  )

  const hostile = await translateWith(document, spoil(random))
  check("hostile: skeleton", skeletonOf(hostile.body) === skeleton)
  return faults
}

/** Documents, by their seeds, whose translations break a promise. */
export const brokenDocuments = async (first: number, count: number): Promise<{ seed: number; faults: string[] }[]> => {
  const broken: { seed: number; faults: string[] }[] = []
  for (let seed = first; seed < first + count; seed++) {
    const faults = await faultsOf(documentOf(seed), randomFrom(seed + 1_000_000))
    if (faults.length > 0) broken.push({ seed, faults })
  }
  return broken
}

/** Examples of the specification, by their numbers, whose translations break a promise; and all of them together. */
export const brokenExamples = async (): Promise<{ examples: string; faults: string[] }[]> => {
  const random = randomFrom(1)
  const examples = EXAMPLES.map(({ number, markdown }) => ({ name: String(number), markdown }))
  const whole = {
    name: "all",
    markdown: shuffle(examples, random)
      .map(({ markdown }) => markdown)
      .join("\n\n"),
  }
  const broken: { examples: string; faults: string[] }[] = []
  for (const { name, markdown } of [...examples, whole]) {
    const faults = await faultsOf(markdown.replaceAll("\0", ""), random)
    if (faults.length > 0) broken.push({ examples: name, faults })
  }
  return broken
}
