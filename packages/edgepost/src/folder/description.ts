import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

const MAX_CHARS = 160
/** Characters of a body that are looked at: a description is at its start. */
const LOOKED_AT = 20_000

type Node = ReturnType<typeof fromMarkdown>["children"][number]

/** Matches shortcodes, Liquid, attribute lists, Obsidian's comments and import lines. Does not match `{a}`. */
const FOREIGN = /\{\{[^}]*\}\}|\{%[^%]*%\}|^\{:?[^}]*\}$|%%[^%]*%%|^(?:import|export) .*$|^:::.*$/gm

const textOf = (node: Node): string => {
  if (node.type === "text" || node.type === "inlineCode") return node.value
  if (node.type === "break") return " "
  if ("children" in node && node.type !== "footnoteDefinition") return node.children.map(textOf).join("")
  return ""
}

const plain = (text: string): string =>
  text
    .replaceAll(FOREIGN, " ")
    // Obsidian's links and marks.
    .replaceAll(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|==([^=]+)==/g, "$1$2")
    .replaceAll(/\s+/g, " ")
    .trim()

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" })

/** Returns a text of at most `max` characters, cut behind a word. */
export const cutAtWord = (text: string, max: number): string => {
  if ([...text].length <= max) return text
  let cut = ""
  for (const { segment } of segmenter.segment(text)) {
    if ([...`${cut}${segment}`].length > max - 1) break
    cut += segment
  }
  const words = cut.replace(/[\s\p{P}]+$/u, "")
  return `${words === "" ? [...text].slice(0, max - 1).join("") : words}…`
}

const parse = (body: string): Node[] =>
  fromMarkdown(body.slice(0, LOOKED_AT), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children

/** Returns the words of the first heading of level 1; null if there is none. */
export const firstHeading = (body: string): string | null => {
  const found = parse(body).find((node) => node.type === "heading" && node.depth === 1)
  return (found && plain(textOf(found))) || null
}

/** Returns the words of the first paragraph of a Markdown text that has some, at most 160 characters; empty if none has. */
export const describeText = (body: string): string => {
  const children = parse(body)
  const paragraphs = children.filter(({ type }) => type === "paragraph").map((node) => plain(textOf(node)))
  const [first = ""] = paragraphs.filter((text) => /\p{L}/u.test(text))
  return cutAtWord(first, MAX_CHARS)
}
