import type { Element, ElementContent, Parents } from "hast"

import { attribute, element, findClass, findTag, hasClass, isElement, isHidden, lineOf } from "./tree.ts"

// Finds formulas as KaTeX, MathJax, Wikipedia and browsers have them, and the TeX that they were made of. Each becomes an element
// `math` with the attribute `dataTex`, or with its text if the page has no TeX.

/** Matches the beginning of what Wikipedia puts around a formula: `{\displaystyle x^2}`. Does not match `\frac{a}{b}`. */
const DISPLAYSTYLE = /^\{\\(?:display|text)style(?![a-z])\s*/

/** Returns TeX without the braces and the style that Wikipedia puts around all of it. */
const withoutStyle = (tex: string): string => {
  const [start] = DISPLAYSTYLE.exec(tex) ?? []
  if (start === undefined) return tex
  let depth = 0
  // Matches a brace, and a sign with a backslash. The braces around all end at the last one.
  for (const { 0: sign, index } of tex.matchAll(/\\[^]|[{}]/g)) {
    depth += sign === "{" ? 1 : sign === "}" ? -1 : 0
    if (depth === 0) return index === tex.length - 1 ? tex.slice(start.length, -1) : tex
  }
  return tex
}

const withoutComments = (node: ElementContent): ElementContent =>
  node.type === "text" ? { ...node, value: node.value.replaceAll(/(?<!\\)%.*$/gm, "") } : node

/** Returns TeX in one line, without the comments that would then go on to its end. Matches `% <![CDATA[`. Does not match `\%`. */
const plainTex = (node: Element): string =>
  lineOf({ ...node, tagName: "span", children: node.children.map(withoutComments) })

const texOf = (node: Element): string => {
  const annotation = findTag(node, "annotation").find((each) => attribute(each, "encoding") === "application/x-tex")
  const image = findTag(node, "img").find((each) => attribute(each, "alt") !== "")
  const tex = annotation ? plainTex(annotation) : image ? attribute(image, "alt") : ""
  return withoutStyle(tex).trim()
}

const formula = (tex: string, isDisplay: boolean, text = ""): Element =>
  element(
    "math",
    { dataTex: tex, dataDisplay: isDisplay ? "block" : "" },
    text === "" ? [] : [{ type: "text", value: text }],
  )

/** Classes of elements that show a formula. */
const CLASSES =
  "katex-display katex mwe-math-element MathJax_Display MathJax MathJax_SVG_Display MathJax_SVG MJXc-display mjx-chtml MathJax_CHTML".split(
    " ",
  )
/** Classes of what MathJax shows until it has made a formula. */
const PREVIEWS = ["MathJax_Preview", "MJX_Assistive_MathML"]

const isDisplayed = (node: Element): boolean =>
  attribute(node, "display") === "block" ||
  attribute(node, "display") === "true" ||
  ["katex-display", "MathJax_Display", "MathJax_SVG_Display", "MJXc-display", "mwe-math-fallback-image-display"].some(
    (name) => hasClass(node, name) || findClass(node, name) !== undefined,
  )

/** Returns the formula that an element shows; null for other elements. */
const read = (node: Element): Element | null => {
  // The extension reads a page before and after Readability.
  const given = attribute(node, "dataTex")
  if (given !== "") return node.tagName === "math" ? node : formula(given, false)
  if (node.tagName !== "math" && node.tagName !== "mjx-container" && !CLASSES.some((name) => hasClass(node, name)))
    return null
  const [math] = node.tagName === "math" ? [node] : findTag(node, "math")
  return formula(
    texOf(node),
    isDisplayed(node) || (math !== undefined && isDisplayed(math)),
    math ? lineOf(math) : lineOf(node),
  )
}

/** Matches the types of scripts that hold TeX for MathJax: `math/tex; mode=display`. Does not match `text/javascript`. */
const TEX_SCRIPT = /^math\/tex(?:;\s*mode=(\w+))?/

/** Replaces all formulas of a tree. */
export const plainFormulas = (node: Parents): void => {
  const children: ElementContent[] = []
  for (const child of node.children as ElementContent[]) {
    const script = isElement(child, "script") ? TEX_SCRIPT.exec(attribute(child, "type")) : null
    if (script && isElement(child)) {
      // MathJax shows what the script holds right before it.
      const last = children.at(-1)
      if (isElement(last, "math") && attribute(last, "dataTex") === "") children.pop()
      children.push(formula(plainTex(child), script[1] === "display"))
      continue
    }
    if (!isElement(child)) children.push(child)
    else if (!PREVIEWS.some((name) => hasClass(child, name))) {
      const found = isHidden(child) ? null : read(child)
      if (!found) plainFormulas(child)
      children.push(found ?? child)
    }
  }
  node.children = children
}
