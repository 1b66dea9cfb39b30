import type { Nodes } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

// Finds the title and the description of a text: its first heading, and its first words.

const MAX_CHARS = 160
/** A description of whole sentences may be as short as this; a shorter one is filled up with words. */
const MIN_CHARS = 120
/** Characters of a body that are looked at. The time to parse them may grow with their square. */
const MAX_LOOKED_AT = 8000
/** Characters that are enough for most texts: parsing is most of the work of reading a folder. */
const LOOKED_AT_FIRST = 500

/** Matches tags of templates: `{{< a >}}`, `{{ a }}` and `{% a %}`. Does not match `{a}`. In a link's address they would end it. */
const TAGS = /\{\{[^}]*\}\}|\{%[^%]*%\}/g
/** Syntax of other tools. Each may match across lines, but for those of a line. */
const FOREIGN = [
  // Matches attribute lists, `{: .lead}`, `{.lead}` and `{ #id }`. Does not match `{a}`.
  /\{[ \t]*[:.#][^}\n]*\}/g,
  // Matches comments of Obsidian, `%%a%%`. Does not match `5%`.
  /%%[^%]*%%/g,
  // Matches what Obsidian embeds, `![[a.png]]`. Does not match `[[a]]`.
  /!\[\[[^\]\n]*\]\]/g,
  // Matches what Hashnode embeds, `%[https://a.example]`, and `[!NOTE]`, `[toc]`. Does not match `[a]`.
  /%\[[^\]\n]*\]|\[![a-z]+\][+-]?|\[\[?toc\]?\]/gi,
  // Matches lines of MDX and of directives: `import A from "a"`, `:::note`. Does not match `imports`.
  /^(?:import|export) .*$|^:::.*$/gm,
]
/** Matches links of Obsidian with the text that they show, and marks: `[[a|b]]`, `==a==`. Does not match `[a]`. */
const SHOWN = /\[\[(?:[^\]|\n]*\|)?([^\]\n]*)\]\]|==([^=\n]+)==/g
/** Matches a bare address: `https://a.example/b`. Does not match `https`. */
const ADDRESS = /https?:\/\/\S+/g
/** Matches a letter or a digit. Does not match `…`. */
const WORD = /[\p{L}\p{N}]/u

const textOf = (node: Nodes): string => {
  if (node.type === "text" || node.type === "inlineCode") return node.value
  if (node.type === "break") return " "
  return "children" in node ? node.children.map(textOf).join("") : ""
}

const plain = (text: string): string =>
  FOREIGN.reduce((rest, pattern) => rest.replaceAll(pattern, " "), text)
    .replaceAll(SHOWN, "$1$2")
    .replaceAll(/\s+/g, " ")
    .trim()

const words = new Intl.Segmenter(undefined, { granularity: "word" })
const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" })

const lengthOf = (text: string): number => [...text].length

/** Returns the segments of a text that fit in `max` characters. */
const fill = (text: string, max: number, segmenter: Intl.Segmenter): string => {
  let filled = ""
  let length = 0
  for (const { segment } of segmenter.segment(text)) {
    length += lengthOf(segment)
    if (length > max) break
    filled += segment
  }
  return filled
}

/** Returns a text of at most `max` characters, cut after a word. */
export const cutAtWord = (text: string, max: number): string => {
  if (lengthOf(text) <= max) return text
  // Matches what no word ends with, `, `. Does not match `a`.
  const cut = fill(text, max - 1, words).replace(/[\s\p{P}]+$/u, "")
  return `${cut === "" ? [...text].slice(0, max - 1).join("") : cut}…`
}

/** Returns the first blocks of a text: at most `max` characters, without a block that is cut. */
const headOf = (body: string, max: number): string => {
  const head = body.slice(0, max)
  // Matches all up to the last blank line. Does not match a text of one block.
  const [whole = head] = body.length > max ? (/^[^]*\n[ \t]*\r?\n/.exec(head) ?? []) : []
  return whole
}

const OPTIONS = {
  extensions: [gfm()],
  // The transforms make links of addresses without markup, which are text here.
  mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
}

const parse = (head: string): Nodes[] => fromMarkdown(head.replaceAll(TAGS, ""), OPTIONS).children

/** Lists the nodes of a type, those outside of lists and quotes first. */
const listNodes = (nodes: Nodes[], type: "paragraph" | "heading"): Nodes[] => {
  const found: Nodes[] = []
  for (let level = nodes; level.length > 0;) {
    found.push(...level.filter((node) => node.type === type))
    const holders = level.filter(({ type: one }) => one === "blockquote" || one === "list" || one === "listItem")
    level = holders.flatMap((node): Nodes[] => ("children" in node ? node.children : []))
  }
  return found
}

/** Returns the words of the first heading of level 1; null if there is none. */
export const firstHeading = (body: string): string | null => {
  const found = parse(headOf(body, MAX_LOOKED_AT)).find((node) => node.type === "heading" && node.depth === 1)
  return (found && plain(textOf(found))) || null
}

const firstWords = (nodes: Nodes[]): string | undefined =>
  nodes.map((node) => plain(textOf(node))).find((text) => WORD.test(text.replaceAll(ADDRESS, "")))

const firstParagraph = (body: string): string | undefined => {
  const find = (max: number) => firstWords(listNodes(parse(headOf(body, max)), "paragraph"))
  return find(LOOKED_AT_FIRST) ?? (body.length > LOOKED_AT_FIRST ? find(MAX_LOOKED_AT) : undefined)
}

/** Returns the first words of a Markdown text, at most 160 characters: whole sentences if they are long enough. Empty if it has none. */
export const describeText = (body: string): string => {
  const first = firstParagraph(body) ?? firstWords(listNodes(parse(headOf(body, MAX_LOOKED_AT)), "heading")) ?? ""
  if (lengthOf(first) <= MAX_CHARS) return first
  const whole = fill(first, MAX_CHARS, sentences).trim()
  return lengthOf(whole) >= MIN_CHARS ? whole : cutAtWord(first, MAX_CHARS)
}
