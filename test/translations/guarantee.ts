import type { Nodes, PhrasingContent } from "mdast"

import { parse, spanOf, withoutMark } from "../../src/markdown/parse.ts"
import { joinCode, PLACEHOLDER } from "../../src/translations/document/placeholders.ts"
import { readDocument, segmentsOf } from "../../src/translations/document/segments.ts"
import { skeletonOf } from "../../src/translations/document/verify.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"
import { EXAMPLES } from "../markdown/commonmark.ts"
import { makeDocument, shuffle } from "../markdown/generate.ts"
import { randomFrom } from "../random.ts"
import { translateWith } from "./documents.ts"
import { spoil } from "./engines-of-chance.ts"

const ADDRESSES = ["", "http://", "mailto:"]
const textIn = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textIn).join("") : ""

type Mark = (text: string) => string

const unmarked: Mark = (text) => text

/** Reads adjacent inline nodes. Does not mark words in a placeholder, or in markup that a placeholder partly covers. */
const readContent = (content: PhrasingContent[], source: string, mark: Mark): string => {
  let line = ""
  const places = joinCode(content, source).map((node) => {
    const start = line.length
    line += node.type === "text" ? node.value : source.slice(spanOf(node).start, spanOf(node).end)
    return { node, start, end: line.length }
  })
  const isHidden = Array.from({ length: line.length }, () => false)
  for (const { 0: text, index } of line.matchAll(PLACEHOLDER))
    for (const { node, start, end } of places) {
      const [from, to] = [Math.max(start, index), Math.min(end, index + text.length)]
      const isInside = node.type !== "text" && to - from === text.length
      if (from < to && !isInside)
        isHidden.fill(true, node.type === "text" ? from : start, node.type === "text" ? to : end)
    }
  return places
    .map(({ node, start, end }) => {
      if (node.type !== "text") return readNode(node, source, isHidden[start] ? unmarked : mark)
      let [read, seen] = ["", ""]
      for (let at = start; at < end; at++)
        if (isHidden[at]) [read, seen] = [read + mark(seen) + line.charAt(at), ""]
        else seen += line.charAt(at)
      return read + mark(seen)
    })
    .join("")
}

/** Reads the visible text in order, with alternative texts and titles, without autolinks. */
const readNode = (node: Nodes, source: string, mark: Mark): string => {
  if (node.type === "text") return mark(node.value)
  if (node.type === "placeholder") return node.value
  const { alt, title }: { alt?: string | null; title?: string | null } = { alt: null, title: null, ...node }
  const attributes = node.type === "definition" ? [] : [alt ?? "", title ?? ""]
  const isWords = attributes.every((text) => text.search(PLACEHOLDER) < 0)
  const own = attributes.map(isWords ? mark : unmarked).join("")
  const isAddress = node.type === "link" && ADDRESSES.some((scheme) => node.url === scheme + textIn(node))
  if (!("children" in node) || isAddress) return own
  const isInline = node.children.some((child) => child.type === "text")
  if (isInline) return own + readContent(node.children as PhrasingContent[], source, mark)
  return own + node.children.map((child) => readNode(child, source, mark)).join("")
}

/** Returns the text of a document without whitespace, with each translatable word marked. */
const wordsIn = (body: string, mark = unmarked): string => {
  const source = withoutMark(body)
  return readNode(parse(source), source, mark).replaceAll(/\s+/g, "")
}

/** Marks every word as the pseudo engine does. */
const marked = (words: string): string => words.replaceAll(/\p{L}[\p{L}\p{M}]*/gu, "$&·fr")

const FORMULAS = [
  ["$a$", "$x_1 \\\\ y_2$", "$\\pi r^2$", "$*b*$", "$c\nd$", "$$e$$", "$$\nf_i \\\\\n*g*\n$$", "$$h \\\ni$$"],
  [
    "$",
    "$",
    "$$",
    "$5",
    "6$",
    " $7",
    "\\$",
    "\\\\$",
    "&#36;",
    "$j $",
    "$ k$",
    "$x^*$",
    "$_z$",
    "$v~$",
    "*$w$",
    "$[u*$",
  ],
  ["5$.", "10$/month", "$HOME first", "Ke$ha", "($), it ($)", "$5 or 10$", "$x_{the end}$", "$$ plain prose $$"],
  ["\n\n$$\na\n\n- b\n\n\\c{some words}\n$$\n\n", "\n$$\n", "\n\n$$\n# h\n$$\n# i\n\n", "\n\n```math\na*b*\n```\n\n"],
].flat()
const HTML = [
  ["<i>", "</i>", "<br>", "<b class=x>bold</b>", "<!-- note -->", "<a href='/u'>here</a>", '<img alt="in it" src=/i>'],
  ["\n\n<div>\nplain words\n</div>\n\n", "\n\n<details>\n\nplain *words*\n\n</details>\n\n", "\n\n<hr>\n\n"],
  ["<Tabs>", "</Tabs>", "\n\n<table><tr><td>cell</td></tr></table>\n\n", "\n\n<!-- a\n\nb -->\n\n"],
].flat()
const FOREIGN = [
  ["{{ user.name }}", "{{ user_name | upper }}", '{{< figure src="https://a.b/c_d" >}}', "{{% note %}}"],
  ["{{{ raw_text }}}", "{% if a_b %}", "{% include\n  file_one %}", "{%- endif -%}", "${count_of}", "${ a.b }"],
  ["{number_0}", "{0}", "%s", "%1$s"],
  [":rocket:", ":heavy_check_mark:", ":+1:", "50% discount", "10:30:20", "{#the-end}", "{: .wide }", "{.note_one}"],
  ["\n{: .wide }\n", "\n:::note Title\n", "\n:::\n", "\n{{< tabs_of >}}\n", "\n\n## The end {#fin_1}\n\n"],
  ["%(name_of)s"],
].flat()
/** The placeholders whose meaning does not depend on their place. `[^1]:rocket:` begins a footnote, `é%s` is text, `|` ends a cell. */
const PLACEHOLDERS = FOREIGN.map((text) => text.trim()).filter(
  (text) => /^(?:[{$].{6}|:::n)/.test(text) && !/[\n|]/.test(text),
)
const FRONT_MATTERS = [
  "---\ntitle: Plain words\nslug: plain-words\n---\n",
  "---\n# A comment\ntags:  \n- one *two*\n  three\n---\n",
  '+++\ntitle = "Plain *words*"\n+++\n',
]

const pick = (items: string[], random: () => number): string => items[Math.floor(random() * items.length)] ?? ""

/** Replaces some words of a document by formulas, HTML and markup of other tools. */
const withOthers = (markdown: string, random: () => number): string =>
  markdown.replaceAll(/\b(?:word|para|a|b|x)\b/gi, (word) =>
    random() < 0.3 ? pick([FORMULAS, HTML, FOREIGN][Math.floor(random() * 3)] ?? [], random) : word,
  )

/** Generates the document of a seed. To save time, nine of ten are cut short by default. Odd seeds have more than GFM. */
export const documentOf = (seed: number, isShort = seed % 20 >= 2): string => {
  const random = randomFrom(seed)
  const made = makeDocument(random).replaceAll("\0", "")
  const hasOthers = seed % 2 === 1
  const markdown = hasOthers ? withOthers(made, random) : made
  const front = hasOthers && random() < 0.2 ? pick(FRONT_MATTERS, random) : ""
  if (!isShort) return front + markdown
  const short = markdown.replaceAll(/(?:Plain words[^.]*\. ){4}/g, "Plain words. ").slice(0, 300)
  // A lone surrogate is not valid text.
  return front + (short.isWellFormed() ? short : short.slice(0, -1))
}

/** Matches `](http://a.b)`; not `](/a)`. */
const ADDRESS = /\]\((?:http|mailto):(?:\\.|[^)\\\s])*\)/g

/** Counts each placeholder in a document. Counts an autolink once, even if it was rewritten as a link. */
const countPlaceholders = (markdown: string): string => {
  const once = markdown.replaceAll(ADDRESS, "")
  return PLACEHOLDERS.map((text) => once.split(text).length - 1).join()
}

const KEPT = "correct: kept"

/** Tells whether the only fault is that a correct translation was not used. */
export const isKept = (faults: string[]): boolean => faults.every((fault) => fault.startsWith(KEPT))

/** Lists the faults in the translations of a document. */
const faultsOf = async (markdown: string, random: () => number): Promise<string[]> => {
  const faults: string[] = []
  const skeleton = skeletonOf(markdown)
  const check = (name: string, isRight: boolean): void => {
    if (!isRight) faults.push(name)
  }
  const document = readDocument(markdown)
  const correct = await translateWith(document, (texts) => pseudo.translate({ segments: texts, from: "en", to: "fr" }))
  check("correct: skeleton", skeletonOf(correct.body) === skeleton)
  const placeholders = countPlaceholders(markdown)
  check("correct: placeholders", countPlaceholders(correct.body) === placeholders)
  if (correct.kept.length > 0) return [...faults, `${KEPT} ${correct.kept.join(" | ")}`]
  check("correct: words", wordsIn(correct.body) === wordsIn(markdown, marked))

  const segments = segmentsOf(document)
  const wrong = Math.floor(random() * segments.length)
  const faulty = await translateWith(document, async (texts) => {
    const answer = await pseudo.translate({ segments: texts, from: "en", to: "fr" })
    return "texts" in answer ? { texts: answer.texts.map((text, i) => (i === wrong ? '<x id="0"/>' : text)) } : answer
  })
  check("faulty: skeleton", skeletonOf(faulty.body) === skeleton)
  check("faulty: placeholders", countPlaceholders(faulty.body) === placeholders)
  check("faulty: kept", faulty.kept.join() === (segments[wrong]?.text ?? ""))

  const hostile = await translateWith(document, spoil(random))
  check("hostile: skeleton", skeletonOf(hostile.body) === skeleton)
  check("hostile: placeholders", countPlaceholders(hostile.body) === placeholders)
  return faults
}

/** Translates the generated document of a seed. @returns the faults */
export const faultsOfSeed = (seed: number): Promise<string[]> =>
  faultsOf(documentOf(seed), randomFrom(seed + 1_000_000))

export const EXAMPLE_COUNT = EXAMPLES.length

const examples = EXAMPLES.map(({ markdown }) => markdown.replaceAll("\0", ""))

/** Translates an example of the specification. @returns the faults */
export const faultsOfExample = (seed: number): Promise<string[]> =>
  faultsOf(examples[seed % EXAMPLE_COUNT] ?? "", randomFrom(seed))

/** Translates all examples of the specification in one document. @returns the faults */
export const faultsOfAll = (): Promise<string[]> => {
  const random = randomFrom(1)
  return faultsOf(shuffle(examples, random).join("\n\n"), random)
}
