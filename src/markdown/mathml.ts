import type { Element, ElementContent, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { sanitize, type Schema } from "hast-util-sanitize"
import { parseFragment } from "parse5"
import temml from "temml"

import { MAX_FORMULA_BYTES, MAX_POST_FORMULA_BYTES, MAX_POST_MATHML_CHARS } from "../limits.ts"
import { classesOf, onlyTextOf } from "./to-hast.ts"

// Converts formulas from TeX to MathML.

/** The limit of one formula's MathML. */
const MAX_MATHML_CHARS = 32 * 1024
const MAX_EXPANSIONS = 100

const names = (list: string): string[] => list.split(/\s+/)

/** The MathML that is served: without links, styles and embedded HTML. */
const SCHEMA: Schema = {
  tagNames: names(`math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace
    msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none`),
  attributes: {
    "*": names(`accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form frame
      height largeop linethickness lspace mathvariant maxsize minsize movablelimits notation rowalign rowlines
      rowspacing rspace scriptlevel separator stretchy symmetric voffset width`),
  },
}

const renderTex = (tex: string, displayMode: boolean): string =>
  temml.renderToString(tex, { displayMode, throwOnError: true, trust: false, maxExpand: MAX_EXPANSIONS })

const parseMathMl = (html: string): ElementContent[] =>
  (sanitize(fromParse5(parseFragment(html)), SCHEMA) as Root).children as ElementContent[]

interface Formula {
  content: ElementContent[]
  /** The length of the MathML in characters. */
  chars: number
}

const textNode = (value: string): ElementContent => ({ type: "text", value })

/** Converts the formulas of one post, up to limits for each formula and for the whole post. */
export class FormulaRenderer {
  #left = MAX_POST_FORMULA_BYTES
  #mathMlLeft = MAX_POST_MATHML_CHARS
  readonly #converted = new Map<string, Formula | null>()
  /** The TeX of formulas with an error or beyond a limit, which stay as text. */
  readonly shownAsTex = new Set<string>()

  #convert(tex: string, displayMode: boolean): Formula | null {
    const bytes = new TextEncoder().encode(tex).length
    if (bytes > MAX_FORMULA_BYTES || bytes > this.#left || this.#mathMlLeft < 0) return null
    this.#left -= bytes
    try {
      const html = renderTex(tex, displayMode)
      if (html.length <= MAX_MATHML_CHARS) return { content: parseMathMl(html), chars: html.length }
      // The formula is not shown, but its work counts.
      this.#mathMlLeft -= html.length
      return null
    } catch {
      // temml throws ParseError for errors in TeX, and RangeError for braces that are nested too deeply.
      return null
    }
  }

  #find(tex: string, displayMode: boolean): ElementContent[] | null {
    const key = `${displayMode ? "$$" : "$"}${tex}`
    if (!this.#converted.has(key)) this.#converted.set(key, this.#convert(tex, displayMode))
    const formula = this.#converted.get(key)
    if (!formula || formula.chars > this.#mathMlLeft) {
      this.shownAsTex.add(tex)
      return null
    }
    this.#mathMlLeft -= formula.chars
    // A node may only stand at one place of a tree.
    return structuredClone(formula.content)
  }

  /**
   * Converts a code element that holds a formula.
   * @param isBlock whether the element is the content of a `pre`
   * @returns MathML, or the TeX as text if it cannot be shown; null if the code is not a formula
   */
  render(code: Element, isBlock: boolean): ElementContent[] | null {
    const classes = classesOf(code)
    const isDisplay = isBlock || classes.includes("math-display")
    if (!classes.includes("language-math") || !(isDisplay || classes.includes("math-inline"))) return null
    const tex = onlyTextOf(code) ?? ""
    const mathMl = tex.trim() === "" ? null : this.#find(tex.trim(), isDisplay)
    if (mathMl) return mathMl
    if (!isBlock) return [textNode(isDisplay ? `$$${tex}$$` : `$${tex}$`)]
    const value = classes.includes("math-display") ? `$$\n${tex}\n$$` : tex
    const plain: Element = { ...code, properties: {}, children: [textNode(value)] }
    return [{ type: "element", tagName: "pre", properties: {}, children: [plain] }]
  }
}
