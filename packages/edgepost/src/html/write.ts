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
import { defaultHandlers, toMarkdown, type Options, type Unsafe } from "mdast-util-to-markdown"

import { escapeText } from "../escape.ts"
import type { Budget } from "../parser/budget.ts"

// Writes mdast as Markdown of which the service makes the same text, links and images.

/** Matches addresses that can stand in `<…>`: `https://e.x/a?b=c`. Does not match `https://e.x/a==b`. */
const AUTOLINK = /^(?!.*(?:==|%%))[\w:/.?=&%#~+,;@-]+$/

/** Characters that tools whose syntax `publish` reads take for markup in addresses and titles. */
const UNSAFE: Unsafe[] = ["%", "=", "{"].map((character) => ({
  character,
  ...(character !== "{" && { before: character }),
  inConstruct: "phrasing",
  notInConstruct: ["autolink"],
}))

/** HTML within a line. `html` would end the paragraph; of the types that do not, this one is unused. */
export const raw = (value: string): PhrasingContent =>
  ({ type: "mdxTextExpression", value }) as unknown as PhrasingContent

interface Formula {
  type: "inlineMath"
  tex: string
  isDisplay: boolean
}

/** Makes a formula of TeX in one line. */
export const formula = (tex: string, isDisplay: boolean): PhrasingContent =>
  ({ type: "inlineMath", tex, isDisplay }) as unknown as PhrasingContent

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

/** Matches TeX that a dollar after it would not end: with a dollar, or with a backslash at its end. Does not match `\\\\`. */
const UNCLOSED = /\$|(?<!\\)(?:\\\\)*\\$/

/** Writes a formula; as code where the service would not read one: beside a digit or another formula. */
const writeFormula = ({ tex, isDisplay }: Formula, parent: Parents | undefined, state: Writer, info: Info): string => {
  if (UNCLOSED.test(tex) || /^[\d$]/.test(info.after) || info.before.endsWith("$"))
    return writers.inlineCode({ type: "inlineCode", value: tex }, parent, state)
  const sign = isDisplay ? "$$" : "$"
  // A cell would end at `|`.
  const inCell = state.stack.includes("tableCell")
  const written = inCell ? tex.replaceAll("\\|", "\\Vert ").replaceAll("|", "\\vert ") : tex
  return `${sign}${written}${sign}`
}

const writers = {
  inlineMath: Object.assign(writeFormula, { peek: () => "$" }),
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

/** Blocks with a blank line around them. */
const APART = new Set<string>(["html", "table"])

const OPTIONS: Options = {
  bullet: "-",
  fences: true,
  listItemIndent: "one",
  rule: "*",
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  unsafe: UNSAFE,
  // A table goes on until a blank line, in a tight list as well.
  join: [({ type }, { type: next }) => ([type, next].some((each) => APART.has(each)) ? 1 : undefined)],
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

/** The cost of a character of quotes and lists before a line, in steps: each level writes its own on each line. */
const MARK = 4

/** Returns how many characters a node puts before each line within it, at most. */
const markCharsOf = (node: Nodes): number => {
  if (node.type === "blockquote") return 2
  if (node.type === "footnoteDefinition") return 4
  return node.type === "list" ? String((node.start ?? 0) + node.children.length).length + 2 : 0
}

/** Counts the characters that lines within a node begin with. @param before what stands before a line outside of it */
const countMarkChars = (node: Nodes, before = 0): number => {
  const lines = "value" in node ? node.value.split("\n").length : 1
  const inner = before + markCharsOf(node)
  const children: Nodes[] = "children" in node ? node.children : []
  return children.reduce((sum, child) => sum + countMarkChars(child, inner), lines * before)
}

/** @throws TooComplex if lines would begin with too many marks of quotes and lists */
export const write = (children: RootContent[], budget: Budget): string => {
  const root: Markdown = { type: "root", children }
  tidy(root)
  budget.spend(MARK * countMarkChars(root), "lines in quotes and lists")
  return toMarkdown(root, OPTIONS).toWellFormed()
}
