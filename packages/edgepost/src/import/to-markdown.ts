import GithubSlugger from "github-slugger"
import type { Element, Root } from "hast"
import { type Handle, type State, toMdast } from "hast-util-to-mdast"
import type {
  Delete,
  Emphasis,
  Heading,
  Image,
  InlineCode,
  Link,
  Nodes,
  Parents,
  PhrasingContent,
  Root as Markdown,
  RootContent,
  Strong,
  Text,
} from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Options, toMarkdown, type Unsafe } from "mdast-util-to-markdown"

import { escapeText } from "../escape.ts"
import { escapeHtml, writeImage } from "../markdown/write.ts"
import { attribute, findTag, isElement, lineOf, textOf } from "./html.ts"

// Turns HTML into Markdown of which the service makes the same text, links and images.

/** Matches what is text in Markdown and in HTML: `A boat, at sea.`. Does not match `a & b` or `{a}`. */
const PLAIN = /^[^`*_[\]<>&\\~${}%=:]*$/
/** Matches addresses that can stand in `<…>`: `https://e.x/a?b=c`. Does not match `https://e.x/a==b`. */
const AUTOLINK = /^(?!.*(?:==|%%))[\w:/.?=&%#~+,;@-]+$/

/** Characters that tools whose syntax `publish` reads take for markup in addresses and titles. */
const UNSAFE: Unsafe[] = ["%", "=", "{"].map((character) => ({
  character,
  ...(character !== "{" && { before: character }),
  inConstruct: "phrasing",
  notInConstruct: ["autolink"],
}))

/** HTML on separate lines. */
const flow = (value: string): RootContent => ({ type: "html", value })
/** HTML within a line. `html` would end the paragraph; of the types that do not, this one is unused. */
const raw = (value: string): PhrasingContent => ({ type: "mdxTextExpression", value }) as unknown as PhrasingContent

type Writer = Parameters<typeof defaultHandlers.link>[2]
type Info = Parameters<typeof defaultHandlers.link>[3]

const link = (node: Link, parent: Parents | undefined, state: Writer, info: Info): string => {
  state.options.resourceLink = !AUTOLINK.test(node.url)
  return defaultHandlers.link(node, parent, state, info)
}
link.peek = (node: Link, parent: Parents | undefined, state: Writer): string => {
  state.options.resourceLink = !AUTOLINK.test(node.url)
  return defaultHandlers.link.peek(node, parent, state)
}

/** Writes line breaks as HTML, since the line of a heading and of a cell has one line. */
const breaksToHtml = (nodes: PhrasingContent[]): PhrasingContent[] =>
  nodes.map((node) => {
    if (node.type === "break") return raw("<br>")
    return "children" in node ? { ...node, children: breaksToHtml(node.children) } : node
  })

/** Matches a letter or a digit. Does not match `.` and `*`. */
const WORD = /^[\p{L}\p{N}]/u

const isWhitespace = (text: string): boolean => text.trim() === ""

/** Writes formatted text. Its delimiters take effect only between whitespace and a word, or within words; elsewhere a tag is written. */
const format = (delimiter: string, tag: string) => {
  const handle = (
    node: Delete | Emphasis | Strong,
    _parent: Parents | undefined,
    state: Writer,
    info: Info,
  ): string => {
    const value = state.containerPhrasing(node, { ...info, before: delimiter, after: delimiter })
    // Matches `**` at the edges of `**a**`. Text between tildes must not begin or end with one.
    const [first = "", ...others] = delimiter === "~~" ? value : value.replaceAll(/^\*+|\*+$/g, "")
    const begins = isWhitespace(info.before.slice(-1)) || (delimiter !== "~~" && WORD.test(first))
    const ends = isWhitespace(info.after.slice(0, 1)) || (delimiter !== "~~" && WORD.test(others.at(-1) ?? first))
    const isClear = delimiter !== "~~" || (WORD.test(first) && WORD.test(others.at(-1) ?? first))
    const isTrimmed = value.trim() === value && value !== ""
    return begins && ends && isClear && isTrimmed ? `${delimiter}${value}${delimiter}` : `<${tag}>${value}</${tag}>`
  }
  // Without it the next format would be written twice at each level.
  return Object.assign(handle, { peek: () => delimiter.charAt(0) })
}

const writers = {
  link,
  text: ({ value }: Text, _parent: Parents | undefined, { stack }: Writer, { before, after }: Info) => {
    if (stack.includes("autolink")) return value
    const isLine = stack.includes("tableCell") || stack.includes("headingAtx")
    return escapeText(isLine ? value.replaceAll("\n", " ") : value, before, after)
  },
  image: Object.assign(
    (node: Image, parent: Parents | undefined, state: Writer, info: Info) =>
      `![${escapeText(node.alt ?? "")}${defaultHandlers.image({ ...node, alt: null }, parent, state, info).slice(2)}`,
    { peek: () => "!" },
  ),
  // A line end would end the cell.
  break: (_node: Nodes, _parent: Parents | undefined, { stack }: Writer) =>
    stack.includes("tableCell") ? "<br>" : "\\\n",
  heading: (node: Heading, parent: Parents | undefined, state: Writer, info: Info) => {
    const children = breaksToHtml(node.children)
    return defaultHandlers.heading({ ...node, children }, parent, state, info)
  },
  inlineCode: Object.assign(
    (node: InlineCode, parent: Parents | undefined, state: Writer) => {
      const code = defaultHandlers.inlineCode(node, parent, state)
      if (!state.stack.includes("tableCell")) return code
      // A backslash before `|` is read as its escape, in code as well. Matches `\|`. Does not match `|`.
      if (/\\\|/.test(code)) return `<code>${escapeText(node.value, ">", "<")}</code>`
      return code.replaceAll("|", String.raw`\|`)
    },
    { peek: () => "`" },
  ),
  strong: format("**", "strong"),
  emphasis: format("*", "em"),
  delete: format("~~", "del"),
  mdxTextExpression: Object.assign(({ value }: { value: string }) => value, { peek: () => "<" }),
}

const OPTIONS: Options = {
  bullet: "-",
  fences: true,
  listItemIndent: "one",
  rule: "*",
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  unsafe: UNSAFE,
  join: [({ type }, { type: next }) => (([type, next] as string[]).includes("html") ? 1 : undefined)],
  handlers: writers,
}

const isBlank = (node: Nodes | undefined): boolean =>
  node?.type === "break" || (node?.type === "text" && node.value.trim() === "")

/** Formats that mean the same when nested, and when joined with a neighbour. */
const FORMATS = new Set(["strong", "emphasis", "delete", "inlineCode", "text"])

/** Joins adjacent formats of a kind, and unwraps those nested in their own kind: `~~~~a~~~~` would begin a code block. */
const joinFormats = (nodes: RootContent[], within: string[]): RootContent[] => {
  const joined: RootContent[] = []
  const unwrap = (node: RootContent): RootContent[] =>
    within.includes(node.type) && "children" in node ? node.children.flatMap(unwrap) : [node]
  for (const node of nodes.flatMap(unwrap)) {
    const last = joined.at(-1)
    if (last?.type !== node.type || !FORMATS.has(node.type)) joined.push(node)
    else if ("children" in last && "children" in node) {
      const inner: RootContent[] = last.children
      for (const child of node.children) inner.push(child)
    } else if ("value" in last && "value" in node) last.value += node.value
  }
  return joined
}

/** Makes a tree one that Markdown can have: no line breaks at the edges of a block, no adjacent formats of a kind. */
const tidy = (node: Nodes, within: string[] = []): void => {
  if (!("children" in node)) return
  const { children } = node
  if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
    while (isBlank(children.at(-1))) children.pop()
    while (isBlank(children[0])) children.shift()
  }
  const here = FORMATS.has(node.type) ? [...within, node.type] : within
  const joined = joinFormats(children, here)
  Object.assign(node, { children: joined })
  for (const child of joined) tidy(child, here)
}

const write = (children: RootContent[]): string => {
  const root: Markdown = { type: "root", children }
  tidy(root)
  return toMarkdown(root, OPTIONS).toWellFormed()
}

/** Writes blocks of hast as Markdown. */
const writeBlocks = (state: State, { children }: Element): string =>
  write(state.toFlow(state.all({ type: "root", children }))).trim()

/** Keeps an element of HTML that Markdown has no markup for. */
const keep: Handle = (state, node) => {
  const children = state.all(node) as PhrasingContent[]
  return children.length === 0 ? [] : [raw(`<${node.tagName}>`), ...children, raw(`</${node.tagName}>`)]
}

/** Writes code in a line; with links in it, as HTML. */
const inlineCode: Handle = (state, node) => {
  if (findTag(node, "a", "img").length > 0) return keep(state, { ...node, tagName: "code" }, undefined)
  const value = lineOf(node)
  return value === "" ? [] : { type: "inlineCode", value }
}

/** Returns the language of a code block: from classes such as `language-js`, `lang-js` and `brush: js`, or from an attribute. */
const languageOf = (nodes: Element[]): string => {
  const classes = nodes.map(({ properties }) => [properties["className"]].flat().join(" ")).join(" ")
  // Matches `language-js`, `lang-c++` and `brush: js`. Does not match `slang-x`.
  const [, named] = /(?:^|\s)(?:lang(?:uage)?-|brush:\s*)([\w+#.-]+)/.exec(classes) ?? []
  const attributes = ["dataCodeBlockLang", "dataLang", "dataLanguage", "lang"]
  const found = named ?? nodes.flatMap((node) => attributes.map((name) => attribute(node, name))).find(Boolean) ?? ""
  // Matches `c++`. Does not match `a b`.
  return /^[\w+#.-]+$/.test(found) && found !== "none" ? found : ""
}

const code: Handle = (_, node) => {
  const lang = languageOf([node, ...findTag(node, "code")])
  const value = textOf(node).trimEnd()
  // Matches the line ends at the beginning. Does not match an indent.
  return { type: "code", lang: lang || null, value: value.replace(/^[\r\n]+/, "") }
}

/** Escapes characters of an attribute that tools read as markup even in a tag. */
const protect = (html: string): string =>
  // Matches `{`, `[`, `%` and the second `=` of `==`. Does not match a single `=`.
  html.replace(/<img [^>]*>/, (tag) => tag.replaceAll(/[{[%]|(?<==)=/g, (character) => `&#${character.charCodeAt(0)};`))

/** Writes a figure of one image with its caption; the parts of other figures one after another. */
const figure: Handle = (state, node) => {
  const [image, ...images] = findTag(node, "img")
  const [caption, ...captions] = findTag(node, "figcaption")
  const isOne = image && images.length + captions.length === 0 && findTag(node, "figure", "table", "hr").length === 0
  const isInCaption = image && caption && findTag(caption, "img").includes(image)
  if (!isOne || isInCaption || lineOf(node) !== (caption ? lineOf(caption) : "")) return state.toFlow(state.all(node))
  const markdown = caption ? writeBlocks(state, caption) : ""
  if (markdown === "") return state.toFlow(state.all(node))
  const href = findTag(node, "a").find((each) => findTag(each, "img").length > 0)
  const [src, alt] = [attribute(image, "src"), attribute(image, "alt").replaceAll(/\s+/g, " ")]
  return flow(protect(writeImage({ src, alt, caption: markdown, link: href && attribute(href, "href") })))
}

const details: Handle = (state, node) => {
  const summary = node.children.find((child) => isElement(child, "summary"))
  const rest = state.toFlow(state.all({ ...node, children: node.children.filter((child) => child !== summary) }))
  const label = summary ? lineOf(summary) : ""
  const isPlain = !summary || (PLAIN.test(label) && findTag(summary, "a", "img").length === 0)
  const head = isPlain
    ? [flow(`<details><summary>${escapeHtml(label)}</summary>`)]
    : [flow("<details><summary>"), ...state.toFlow(state.all(summary)), flow("</summary>")]
  return [...head, ...rest, flow("</details>")] as RootContent[]
}

/** Writes a heading, with its id if that is not the one that the service gives. */
const heading =
  (targets: Set<string>, slugger: GithubSlugger): Handle =>
  (state, node) => {
    const children = state.all(node) as PhrasingContent[]
    const id = attribute(node, "id")
    const isOther = slugger.slug(lineOf(node)) !== id
    // Matches `the-end`. Does not match `a b`, nor `1f2e`: Medium gives such ids to all headings.
    const isKept = isOther && /^[\w-]+$/.test(id) && (targets.has(id) || !/^[0-9a-f]{4}$/.test(id))
    const depth = Number(node.tagName.slice(1)) as 1
    return { type: "heading", depth, children: isKept ? [...children, raw(` {#${id}}`)] : children }
  }

/** Writes a formula as the TeX that it was made of; without that, as its text. */
const math: Handle = (state, node) => {
  const tex = findTag(node, "annotation").find((each) => attribute(each, "encoding") === "application/x-tex")
  return tex ? raw(`$${lineOf(tex)}$`) : state.all(node)
}

const sup: Handle = (state, node, parent) => {
  const label = attribute(node, "dataFootnote")
  return label === "" ? keep(state, node, parent) : { type: "footnoteReference", identifier: label, label }
}

const div: Handle = (state, node) => {
  const label = attribute(node, "dataFootnote")
  const children = state.toFlow(state.all(node))
  return label === "" ? children : { type: "footnoteDefinition", identifier: label, label, children }
}

const handlersFor = (tree: Root): Record<string, Handle> => {
  const targets = new Set(
    findTag(tree, "a")
      .map((each) => attribute(each, "href"))
      .filter((href) => href.startsWith("#"))
      .map((href) => href.slice(1)),
  )
  const writeHeading = heading(targets, new GithubSlugger())
  const handlers: Record<string, Handle> = { figure, details, pre: code, listing: code, xmp: code, math, sup, div }
  for (const name of ["code", "samp", "tt", "var"]) handlers[name] = inlineCode
  for (const name of ["sub", "mark", "kbd", "q", "u", "ins", "small", "ruby", "rt", "rp"]) handlers[name] = keep
  for (const name of ["h1", "h2", "h3", "h4", "h5", "h6"]) handlers[name] = writeHeading
  return handlers
}

/** Writes HTML that `simplifyHtml` returned as Markdown. */
export const writeMarkdown = (tree: Root): string => {
  const root = toMdast(tree, { handlers: handlersFor(tree) }) as Markdown
  return write(root.children)
}
