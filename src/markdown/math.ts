import type { Element, ElementContent, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { sanitize, type Schema } from "hast-util-sanitize"
import { parseFragment } from "parse5"
import temml from "temml"

import { MAX_FORMULA_BYTES, MAX_POST_FORMULA_BYTES, MAX_POST_MATHML_CHARS } from "../limits.ts"
import { classesOf, onlyTextOf } from "./to-hast.ts"

// Formulas of TeX, as MathML.

/** MathML of one formula. */
const MAX_MATHML_CHARS = 32 * 1024
const MAX_EXPANSIONS = 100

const names = (list: string): string[] => list.split(/\s+/)

/** MathML that has no links, styles or other languages in it. */
const SCHEMA: Schema = {
  tagNames: names(`math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace
    msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none`),
  attributes: {
    "*": names(`accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form frame
      height largeop linethickness lspace mathvariant maxsize minsize movablelimits notation rowalign rowlines
      rowspacing rspace scriptlevel separator stretchy symmetric voffset width`),
  },
}

const toMathMl = (tex: string, displayMode: boolean): string =>
  temml.renderToString(tex, { displayMode, throwOnError: true, trust: false, maxExpand: MAX_EXPANSIONS })

const readMathMl = (html: string): ElementContent[] =>
  (sanitize(fromParse5(parseFragment(html)), SCHEMA) as Root).children as ElementContent[]

interface Formula {
  content: ElementContent[]
  /** Characters of its MathML. */
  size: number
}

const text = (value: string): ElementContent => ({ type: "text", value })

/** Writes the formulas of one post, as long as there is room for it. */
export class Formulas {
  #left = MAX_POST_FORMULA_BYTES
  #mathMlLeft = MAX_POST_MATHML_CHARS
  readonly #known = new Map<string, Formula | null>()
  /** TeX of those that stayed as they were written. */
  readonly unreadable = new Set<string>()

  #write(tex: string, displayMode: boolean): Formula | null {
    const bytes = new TextEncoder().encode(tex).length
    if (bytes > MAX_FORMULA_BYTES || bytes > this.#left || this.#mathMlLeft < 0) return null
    this.#left -= bytes
    try {
      const html = toMathMl(tex, displayMode)
      if (html.length <= MAX_MATHML_CHARS) return { content: readMathMl(html), size: html.length }
      // It is not shown, but the work is done.
      this.#mathMlLeft -= html.length
      return null
    } catch {
      // ParseError, and RangeError for braces that are too deep: what it throws says nothing about what is safe to do next.
      return null
    }
  }

  #read(tex: string, displayMode: boolean): ElementContent[] | null {
    const key = `${displayMode ? "$$" : "$"}${tex}`
    if (!this.#known.has(key)) this.#known.set(key, this.#write(tex, displayMode))
    const made = this.#known.get(key)
    if (!made || made.size > this.#mathMlLeft) {
      this.unreadable.add(tex)
      return null
    }
    this.#mathMlLeft -= made.size
    // Nodes of a tree stand in one place each.
    return structuredClone(made.content)
  }

  /** @param code inline, or of a block @returns what stands in its place; null where it is no formula */
  replace(code: Element, isBlock: boolean): ElementContent[] | null {
    const classes = classesOf(code)
    const isDisplay = isBlock || classes.includes("math-display")
    if (!classes.includes("language-math") || !(isDisplay || classes.includes("math-inline"))) return null
    const tex = onlyTextOf(code) ?? ""
    const made = tex.trim() === "" ? null : this.#read(tex.trim(), isDisplay)
    if (made) return made
    if (!isBlock) return [text(isDisplay ? `$$${tex}$$` : `$${tex}$`)]
    const value = classes.includes("math-display") ? `$$\n${tex}\n$$` : tex
    const plain: Element = { ...code, properties: {}, children: [text(value)] }
    return [{ type: "element", tagName: "pre", properties: {}, children: [plain] }]
  }
}
