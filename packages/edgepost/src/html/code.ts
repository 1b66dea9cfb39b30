import type { Element, ElementContent, Parents } from "hast"

import { attribute, element, findAll, findTag, isElement, lineOf, textOf } from "./tree.ts"

// Makes plain code blocks of what pages show as code: `pre` with a line in each element, tables of numbered lines, styled code.
//
//   <pre><div>a</div><div>b</div></pre>                               →  <pre>a⏎b</pre>
//   <table><tr><td class="blob-num"><td class="blob-code">a</table>   →  <pre>a</pre>

const classesOf = ({ properties }: Element): string => [properties["className"]].flat().join(" ")
const styleOf = (node: Element): string => attribute(node, "style")

/** The language of a code block by classes of it and of what is around it. Matches `language-js`, `lang-c++`, `lang:php`, `brush: js`, `highlight-source-shell`. Does not match `slang-x`. */
const LANGUAGE = /(?:^|\s)(?:lang(?:uage)?[-:]|brush:\s*|highlight-(?:source|text)-)([\w+#.-]+)/
const LANGUAGE_ATTRIBUTES = ["dataCodeBlockLang", "dataLang", "dataLanguage", "dataEnlighterLanguage"]

const languageOf = (nodes: Element[]): string => {
  const [, named] = LANGUAGE.exec(nodes.map(classesOf).join(" ")) ?? []
  const attributes = nodes.flatMap((node) => {
    // Around code, `lang` is the language of the page's text.
    const names = isElement(node, "pre", "code") ? [...LANGUAGE_ATTRIBUTES, "lang"] : LANGUAGE_ATTRIBUTES
    return names.map((name) => attribute(node, name))
  })
  const found = (named ?? attributes.find(Boolean) ?? "").toLowerCase()
  // Matches `c++`. Does not match `a b`.
  return /^[\w+#.-]+$/.test(found) && found !== "none" ? found : ""
}

/** Matches classes of what stands beside code and is no code: numbers of lines. */
const NUMBERS =
  /(?:^|\s)(?:gutter|crayon-nums|lineno|linenos|linenumber|line-numbers-rows|ln|lnt|hljs-ln-numbers|blob-num|react-syntax-highlighter-line-number)(?:\s|$)/
/** Matches styles of an element that is a line: `display: block`. Does not match `display: inline-block`. */
const IS_BLOCK = /(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table-row)/
const LINES = new Set(["div", "p", "li", "tr"])

/** Returns the text of code. Lines are line ends, breaks or elements; numbers and buttons are left out. */
const codeOf = (code: Element): string => {
  // Some pages have an element `code` for each line.
  const lines = new Set(code.children.filter((child) => isElement(child, "code")))
  const isLine = (node: Element): boolean =>
    LINES.has(node.tagName) || IS_BLOCK.test(styleOf(node)) || (lines.size > 1 && lines.has(node))
  let text = ""
  /** A line has ended whose line end is not written yet. */
  let isEnded = false
  const add = (value: string): void => {
    if (value === "") return
    if (isEnded && !/^\r?\n/.test(value)) text += "\n"
    isEnded = false
    text += value
  }
  const read = ({ children }: Parents): void => {
    for (const node of children) {
      if (node.type === "text") add(node.value)
      else if (isElement(node, "br")) add("\n")
      else if (!isElement(node) || isElement(node, "button", "script", "style") || NUMBERS.test(classesOf(node)))
        continue
      else if (isLine(node)) {
        if (isEnded || (text !== "" && !text.endsWith("\n"))) text += "\n"
        isEnded = false
        const before = text.length
        read(node)
        isEnded = isEnded || text.length === before || !text.endsWith("\n")
      } else read(node)
    }
  }
  read(code)
  return text.replaceAll(/\r\n?/g, "\n")
}

const codeBlock = (value: string, lang: string, id = ""): Element =>
  // Matches the line ends at the beginning. Does not match an indent.
  element("pre", { dataLanguage: lang, ...(id !== "" && { id }) }, [
    { type: "text", value: value.replace(/^\n+/, "").trimEnd() },
  ])

/** Matches classes of cells with one line of code. */
const LINE_CELL = /(?:^|\s)(?:blob-code|hljs-ln-code|js-file-line|line-content)(?:\s|$)/
/** Matches classes of cells with all lines of code, beside one with their numbers. */
const CODE_CELL = /(?:^|\s)(?:code|crayon-code|rouge-code|lntd)(?:\s|$)/

/** Lists the cells of a table, without those of tables within it. */
const cellsOf = (node: Parents): Element[] =>
  node.children.flatMap((child) => {
    if (!isElement(child) || child.tagName === "table") return []
    return ["td", "th"].includes(child.tagName) ? [child] : cellsOf(child)
  })

/** Tells whether a cell only has numbers of lines. Matches `1 2`. Does not match `a1`. */
const isNumbers = (cell: Element): boolean => NUMBERS.test(classesOf(cell)) || /^[\d\s]*$/.test(textOf(cell))

/** Returns the code of a table that has nothing else than lines of code and their numbers; null for other tables. */
const codeOfTable = (table: Element): string | null => {
  const cells = cellsOf(table)
  const lines = cells.filter((cell) => LINE_CELL.test(classesOf(cell)))
  const others = cells.filter((cell) => !lines.includes(cell) && !isNumbers(cell))
  if (lines.length > 0 && others.length === 0) return lines.map((line) => codeOf(line).replace(/\n$/, "")).join("\n")
  const [cell, ...more] = others
  if (!cell || more.length > 0 || cells.length < 2 || !CODE_CELL.test(classesOf(cell))) return null
  const [pre] = findTag(cell, "pre")
  if (pre) return codeOf(pre)
  // SyntaxHighlighter makes each blank a no-break one.
  return findAll(cell, (each) => /(?:^|\s)(?:crayon-)?line(?:\s|$)/.test(classesOf(each))).length > 0
    ? codeOf(cell).replaceAll("\u00A0", " ")
    : null
}

/** Matches styles in which line ends are kept: `white-space: pre-wrap`. Does not match `white-space: nowrap`. */
const KEEPS_LINES = /white-space\s*:\s*(?:pre|break-spaces)/

/** Returns the lines of a text as they are shown, with breaks between: each blank after another is a no-break one. */
export const withBreaks = (nodes: ElementContent[]): ElementContent[] =>
  nodes.flatMap((node): ElementContent[] => {
    if (isElement(node)) return [{ ...node, children: withBreaks(node.children) }]
    if (node.type !== "text") return []
    return node.value.split(/\r\n?|\n/).flatMap((full, i, all) => {
      const line = i < all.length - 1 ? full.trimEnd() : full
      // Matches a blank at the beginning of a line and before another one. Does not match a single one between words.
      const value = line.replaceAll("\t", "    ").replaceAll(i > 0 ? /^ | (?= )/g : / (?= )/g, "\u00A0")
      return [...(i > 0 ? [element("br", {}, [])] : []), { type: "text" as const, value }]
    })
  })

/** Tells whether an element such as `pre` holds code: a poem, and a text with links or images but without an element `code`, is none. */
const isCode = (node: Element, holders: Element[]): boolean =>
  isElement(node, "pre", "listing", "xmp") &&
  !/wp-block-verse/.test(classesOf(node)) &&
  findTag(node, "img").length === 0 &&
  (findTag(node, "code").length > 0 ||
    languageOf(holders) !== "" ||
    findTag(node, "a").every((link) => attribute(link, "href") === ""))

/** Matches what a button says, or the label that tells that it was pressed: `Copy code`, `Copied!`. Does not match `Copy the file`. */
export const BUTTON = /^(?:(?:copy|copied|edit|run|download|wrap)(?: (?:code|to clipboard|lines))?[!.]?\s*)+$/i

/** Finds the one element `code` of a block of code, and labels that stand beside it: the name of a file, a language. */
const labelled = (block: Element): { code: Element; labels: Element[] } => {
  const [code, ...more] = findTag(block, "code")
  if (!code || more.length > 0 || textOf(code).trim() === "") return { code: block, labels: [] }
  const isHolder = (node: Element): boolean =>
    node !== code && findAll(node, (each) => each === code || each.tagName === "button").length > 0
  const partsOf = (node: Element): ElementContent[] =>
    node.children.flatMap((child) => (isElement(child) && isHolder(child) ? partsOf(child) : [child]))
  const parts = partsOf(block).filter((node) => lineOf(node) !== "" && !isElement(node, "button"))
  const before = parts.slice(0, parts.indexOf(code))
  const labels = before.filter((node) => isElement(node))
  // A prompt, or what a command answers, is part of the block.
  const isBeside =
    labels.length === before.length &&
    labels.every((label) => /\p{L}{2}/u.test(textOf(label)) && !textOf(label).trim().includes("\n")) &&
    parts.slice(before.length + 1).every((node) => BUTTON.test(lineOf(node)))
  return isBeside ? { code, labels } : { code: block, labels: [] }
}

/** Returns a block of code, after the labels that say more than its language or what a button does. */
const blockOf = (block: Element, lang: string): Element[] => {
  const { code, labels } = labelled(block)
  // Matches the name of a language. Does not match `main.go`.
  const kept = labels.map(lineOf).filter((label) => !BUTTON.test(label) && !/^[\w+#-]+$/.test(label))
  return [
    ...kept.map((value) => element("p", {}, [{ type: "text", value }])),
    codeBlock(codeOf(code), lang, attribute(block, "id")),
  ]
}

/** Replaces all code of a tree that has several lines by plain code blocks. @param around the elements that hold the node */
export const plainCode = (node: Parents, around: Element[] = []): void => {
  node.children = (node.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (!isElement(child)) return [child]
    const holders = [child, ...around.slice(0, 3)]
    const isStyled = child.tagName === "code" && KEEPS_LINES.test(styleOf(child)) && textOf(child).trim().includes("\n")
    if (isStyled || isCode(child, holders)) return blockOf(child, languageOf([...findTag(child, "code"), ...holders]))
    const table = child.tagName === "table" ? codeOfTable(child) : null
    if (table !== null) return [codeBlock(table, languageOf([...findTag(child, "code", "pre"), ...holders]))]
    plainCode(child, holders)
    if (isElement(child, "p", "div", "span") && KEEPS_LINES.test(styleOf(child)))
      child.children = withBreaks(child.children)
    return [child]
  })
}
