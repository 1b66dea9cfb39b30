import type { Nodes } from "mdast"

import { withoutMark } from "../../src/posts/characters.ts"
import { parseMarkdown, spanOf } from "../../src/posts/mdast.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { readDocument, segmentsOf } from "../../src/translations/segments.ts"
import { skeletonOf } from "../../src/translations/skeleton.ts"
import { EXAMPLES } from "../posts/commonmark.ts"
import { makeDocument, randomFrom, shuffle } from "../posts/generate.ts"
import { translateWith } from "./documents.ts"
import { spoil } from "./engines-of-chance.ts"
import { type IsMath, mathIn } from "./math-of-source.ts"

const ADDRESSES = ["", "http://", "mailto:"]
const textIn = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textIn).join("") : ""

/** Instead of a dollar that is escaped: as much of a sign to a parser, and no math. */
const ESCAPED = "¤"
const withoutEscapes = (markdown: string): string =>
  markdown
    .replaceAll(/\\[!-/:-@[-`{-~]/g, (escape) => (escape === "\\$" ? ESCAPED : escape))
    .replaceAll("&#36;", "&#164;")

const asDollars = (text: string): string => text.replaceAll(ESCAPED, "$")

const FRONT_MATTER = /^(---|\+\+\+)\n(?:(?:\w+(?::| =) |#|- | ).*\n)+\1\n/

type Mark = (text: string) => string

/** A text, marked but for math in it. */
const readText = (text: string, start: number, end: number, source: string, isMath: IsMath, mark: Mark): string => {
  const dollars = [...source.slice(start, end).matchAll(/\$/g)].map(({ index }) => start + index + 1)
  return text
    .split("$")
    .map((part, i) => (isMath([start, ...dollars][i] ?? end) ? part : mark(part)))
    .join("$")
}

/** All that readers read, in order: text, alternative texts and titles, without addresses that stand for themselves. What is math is not marked. */
const readNode = (node: Nodes, source: string, isInMath: IsMath, mark: Mark): string => {
  const { start, end } = spanOf(node)
  const isOwn = mathIn(node, source)
  const isMath: IsMath = (at) => isInMath(at) || isOwn(at)
  if (node.type === "text") return readText(node.value, start, end, source, isMath, mark)
  const { alt, title }: { alt?: string | null; title?: string | null } = { alt: null, title: null, ...node }
  const markHere: Mark = isMath(start) ? (text) => text : mark
  const own = markHere(alt ?? "") + (node.type === "definition" ? "" : markHere(title ?? ""))
  const isAddress =
    node.type === "link" && ADDRESSES.some((scheme) => asDollars(node.url) === asDollars(scheme + textIn(node)))
  if (!("children" in node) || isAddress) return own
  return own + node.children.map((child) => readNode(child, source, isMath, mark)).join("")
}

/** The words of a document, each marked that is to be translated. */
const wordsIn = (markdown: string, mark = (text: string) => text): string => {
  const [front = "", fence] = FRONT_MATTER.exec(markdown) ?? []
  // TOML is the beginning of a paragraph, and behind YAML a byte order mark is none.
  const before = front && (fence === "+++" ? "0\n" : "\n")
  const rest = before + withoutEscapes(markdown.slice(front.length))
  const read = readNode(parseMarkdown(rest), withoutMark(rest), () => false, mark)
  return asDollars(front + read).replaceAll(/\s+/g, "")
}

/** Every word of a text with the language that it would be in. */
const marked = (words: string): string => words.replaceAll(/\p{L}[\p{L}\p{M}]*/gu, "$&·fr")

const DOLLARS = [
  ["$a$", "$x_1 \\\\ y_2$", "$\\pi r^2$", "$*b*$", "$c\nd$", "$$e$$", "$$\nf_i \\\\\n*g*\n$$", "$$h \\\ni$$"],
  ["$", "$", "$$", "$5", "6$", " $7", "\\$", "\\\\$", "&#36;", "$j $", "$ k$"],
  ["$x^*$", "$x^*$", "$y_{1}$", "$\\hat{\\theta}_{2}$", "$_z$", "$v~$", "*$w$", "$[u*$", "$\\text{as so}_t$", "$.s$"],
  ["5$.", "10$/month", "C$ 25", '"$"', "$HOME first", "Ke$ha", "$20 in all", "$ab (cd$", "$дa$", "plain prose here"],
  [
    "$ab, cd$",
    "$AB = CD, EF$",
    "$\\iint f dx dy$",
    "$x_{the end}$",
    "($), it ($)",
    "5$! ",
    "$5 or 10$",
    '"$a" or "$b"',
  ],
  ["$$ plain prose $$", "$$ i j $$", "$f, some$", "$5 (a ", "$one [two", "\n\n$$\na\n\n- b\n\n\\c{some words}\n$$\n\n"],
  ["\n\n$$\na = b\n$$\nwith \n\n$$\n\nc\n\n$$\n\n", "$S = {red, green}$", "$$ ab = the cd $$", "$[a, b) \\cup (c, d]$"],
  ["\n\n$$\nf(x)\n+ \\text{error}\n$$\n\n", "\n$$\n", "\n\n$$\n# h\n$$\n# i\n\n"],
].flat()
const FRONT_MATTERS = [
  "---\ntitle: Plain words\nslug: plain-words\n---\n",
  "---\n# A comment\ntags:  \n- one *two*\n  three\n---\n",
  '+++\ntitle = "Plain *words*"\n+++\n',
]

const pick = (items: string[], random: () => number): string => items[Math.floor(random() * items.length)] ?? ""

/** A document in which dollars stand for some words. */
const withDollars = (markdown: string, random: () => number): string =>
  markdown.replaceAll(/\b(?:word|para|a|b|x)\b/gi, (word) => (random() < 0.3 ? pick(DOLLARS, random) : word))

/** One of ten whole, of the others the beginning: less takes less. Every other one has math, and some front matter. */
const documentOf = (seed: number): string => {
  const random = randomFrom(seed)
  const made = makeDocument(random).replaceAll("\0", "")
  const hasMath = seed % 2 === 1
  const markdown = hasMath ? withDollars(made, random) : made
  const front = hasMath && random() < 0.2 ? pick(FRONT_MATTERS, random) : ""
  if (seed % 20 < 2) return front + markdown
  const short = markdown.replaceAll(/(?:Plain words[^.]*\. ){4}/g, "Plain words. ").slice(0, 300)
  // Half an emoji is no text.
  return front + (short.isWellFormed() ? short : short.slice(0, -1))
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
