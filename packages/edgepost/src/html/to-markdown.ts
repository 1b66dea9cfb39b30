import type { Element, Nodes, Root } from "hast"
import { toMdast, type Handle, type State } from "hast-util-to-mdast"
import type { PhrasingContent, Root as Markdown, RootContent } from "mdast"

import { writeImage } from "../markdown/write.ts"
import type { Budget } from "../parser/budget.ts"
import { HEADING_ID, targetsIn } from "./anchors.ts"
import { htmlBudget } from "./parse.ts"
import { attribute, findTag, isElement, lineOf, textOf } from "./tree.ts"
import { formula, raw, write } from "./write.ts"

// Turns HTML into Markdown of which the service makes the same text, links and images.

/** HTML on separate lines. */
const flow = (value: string): RootContent => ({ type: "html", value })

/** Writes blocks of hast as Markdown. */
const writeBlocks = (state: State, { children }: Element, budget: Budget): string =>
  write(state.toFlow(state.all({ type: "root", children })), budget).trim()

/** Keeps an element of HTML that Markdown has no markup for. */
const keep: Handle = (state, node) => {
  const children = state.all(node) as PhrasingContent[]
  return children.length === 0 ? [] : [raw(`<${node.tagName}>`), ...children, raw(`</${node.tagName}>`)]
}

/** Writes code in a line, with breaks between several; with links in it, as HTML. */
const inlineCode: Handle = (state, node) => {
  if (findTag(node, "a", "img").length > 0) return keep(state, { ...node, tagName: "code" }, undefined)
  const lines = findTag(node, "br").length > 0 ? textOf(node).split("\n") : [lineOf(node)]
  return lines.flatMap((line, i): PhrasingContent[] => {
    const value = line.replaceAll(/\s+/g, " ").trim()
    return [
      ...(i > 0 ? [{ type: "break" as const }] : []),
      ...(value === "" ? [] : [{ type: "inlineCode" as const, value }]),
    ]
  })
}

const code: Handle = (_, node) => ({
  type: "code",
  lang: attribute(node, "dataLanguage") || null,
  value: textOf(node),
})

/** Escapes characters of an attribute that tools read as markup even in a tag. */
const protect = (html: string): string =>
  // Matches `{`, `[`, `%` and the second `=` of `==`. Does not match a single `=`.
  html.replace(/<img [^>]*>/, (tag) => tag.replaceAll(/[{[%]|(?<==)=/g, (character) => `&#${character.charCodeAt(0)};`))

/** Writes a figure of one image with its caption; the parts of other figures one after another. */
const figure =
  (budget: Budget): Handle =>
  (state, node) => {
    const [caption, ...captions] = findTag(node, "figcaption")
    const captioned = new Set(caption ? findTag(caption, "img") : [])
    const [image, ...images] = findTag(node, "img").filter((each) => !captioned.has(each))
    const isOne = image && images.length + captions.length === 0 && findTag(node, "figure", "table", "hr").length === 0
    if (!isOne || lineOf(node) !== (caption ? lineOf(caption) : "")) return state.toFlow(state.all(node))
    const markdown = caption ? writeBlocks(state, caption, budget) : ""
    if (markdown === "") return state.toFlow(state.all(node))
    const href = findTag(node, "a").find((each) => findTag(each, "img").includes(image))
    const [src, alt] = [attribute(image, "src"), attribute(image, "alt").replaceAll(/\s+/g, " ")]
    return flow(protect(writeImage({ src, alt, caption: markdown, link: href && attribute(href, "href") })))
  }

/** Escapes what HTML, Markdown or another tool reads as markup. Matches `*`, `<`, `{`. Does not match `.`. */
const escapeAll = (label: string): string =>
  label.replaceAll(/[`*_[\]<>&\\~${}%=:|]/g, (character) => `&#${character.charCodeAt(0)};`)

const details: Handle = (state, node) => {
  const summary = node.children.find((child) => isElement(child, "summary"))
  const rest = state.toFlow(state.all({ ...node, children: node.children.filter((child) => child !== summary) }))
  const isPlain = !summary || summary.children.every((child) => child.type === "text")
  const head = isPlain
    ? [flow(`<details><summary>${escapeAll(summary ? lineOf(summary) : "")}</summary>`)]
    : [flow("<details><summary>"), ...state.toFlow(state.all(summary)), flow("</summary>")]
  return [...head, ...rest, flow("</details>")] as RootContent[]
}

/** Makes the id that the service gives to a heading's text, such as github-slugger. */
export interface Slugs {
  slug: (text: string) => string
}

/** Returns the text of which the service makes a heading's id. */
const headingText = (node: Nodes): string => {
  if (!isElement(node)) return textOf(node)
  if (node.tagName === "img") return attribute(node, "alt")
  return attribute(node, "dataFootnote") === "" ? node.children.map(headingText).join("") : ""
}

/** Writes a heading, with its id if that is not the one that the service gives. */
const heading =
  (targets: Set<string>, slugs: Slugs | null): Handle =>
  (state, node) => {
    const children = state.all(node) as PhrasingContent[]
    const id = attribute(node, "id")
    const isOther = slugs !== null && slugs.slug(headingText(node).replaceAll(/\s+/g, " ").trim()) !== id
    // Matches `1f2e`: Medium gives such ids to all headings. Does not match `the-end`.
    const isKept = isOther && HEADING_ID.test(id) && (targets.has(id) || !/^[0-9a-f]{4}$/.test(id))
    const depth = Number(node.tagName.slice(1)) as 1
    return { type: "heading", depth, children: isKept ? [...children, raw(` {#${id}}`)] : children }
  }

/** Writes a formula as the TeX that it was made of; without that as its text. */
const math: Handle = (state, node) => {
  const tex = attribute(node, "dataTex").replaceAll(/\s+/g, " ")
  return tex === "" ? state.all(node) : formula(tex, attribute(node, "dataDisplay") === "block")
}

/** Writes a raised text: a reference if its footnote is there, which Readability may have left out. */
const sup =
  (footnotes: Set<string>): Handle =>
  (state, node, parent) => {
    const label = attribute(node, "dataFootnote")
    return footnotes.has(label) ? { type: "footnoteReference", identifier: label, label } : keep(state, node, parent)
  }

/** Writes a footnote that the text refers to. */
const div =
  (footnotes: Set<string>): Handle =>
  (state, node) => {
    const label = attribute(node, "dataFootnote")
    const children = state.toFlow(state.all(node))
    return footnotes.has(label) ? { type: "footnoteDefinition", identifier: label, label, children } : children
  }

const handlersFor = (tree: Root, slugs: Slugs | null, budget: Budget): Record<string, Handle> => {
  const targets = targetsIn(tree)
  const references = new Set(findTag(tree, "sup").map((each) => attribute(each, "dataFootnote")))
  const footnotes = new Set(
    findTag(tree, "div")
      .map((each) => attribute(each, "dataFootnote"))
      .filter((label) => label !== "" && references.has(label)),
  )
  const writeHeading = heading(targets, slugs)
  const handlers: Record<string, Handle> = {
    figure: figure(budget),
    details,
    pre: code,
    listing: code,
    xmp: code,
    math,
    anchor: (_, node) => raw(`<a id="${attribute(node, "id")}"></a>`),
  }
  Object.assign(handlers, { sup: sup(footnotes), div: div(footnotes), input: () => [] })
  for (const name of ["code", "samp", "tt", "var"]) handlers[name] = inlineCode
  for (const name of ["sub", "mark", "kbd", "q", "u", "ins", "small", "ruby", "rt", "rp"]) handlers[name] = keep
  for (const name of ["h1", "h2", "h3", "h4", "h5", "h6"]) handlers[name] = writeHeading
  return handlers
}

/** The cost of reading a node without words, in steps. */
const BLANK = 30
/** Elements that end a run of such nodes. */
const ENDS = new Set(
  "address article aside blockquote br button caption center dd dialog div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr img input li main menu nav ol option p pre section select summary table tbody td textarea tfoot th thead tr ul".split(
    " ",
  ),
)

/** Charges for nodes without words in a row: hast-util-minify-whitespace 1.0.1 reads each of them for all before it. @returns how many are read from the first node on, and whether they go on to the last one */
const chargeBlanks = (nodes: Nodes[], budget: Budget): { read: number; isBlank: boolean } => {
  let [read, isBlank] = [0, true]
  for (const node of nodes.toReversed()) {
    budget.spend(BLANK * read, "elements of HTML without a text")
    const inner = chargeBlanks("children" in node ? node.children : [], budget)
    const isEnd = (node.type === "text" && node.value.trim() !== "") || (isElement(node) && ENDS.has(node.tagName))
    const goesOn = inner.isBlank && !isEnd
    read = (isEnd ? 0 : inner.read) + 1 + (goesOn ? read : 0)
    isBlank &&= goesOn
  }
  return { read, isBlank }
}

/** Writes HTML that `simplifyHtml` returned as Markdown. @param slugs null: no ids of headings are kept @throws TooComplex */
export const writeMarkdown = (tree: Root, slugs: Slugs | null = null, budget = htmlBudget()): string => {
  chargeBlanks(tree.children, budget)
  const root = toMdast(tree, { handlers: handlersFor(tree, slugs, budget) }) as Markdown
  return write(root.children, budget)
}
