import type { Element, ElementContent, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { sanitize, type Schema } from "hast-util-sanitize"
import { parseFragment } from "parse5"
import temml from "temml"

import { MAX_FORMULA_BYTES, MAX_MATHML_CHARS, MAX_POST_FORMULA_BYTES, MAX_POST_MATHML_CHARS } from "../limits.ts"

// Formulas of TeX, as MathML.

const MAX_EXPANSIONS = 100

const names = (list: string): string[] => list.split(" ")

/** MathML that has no links, styles or other languages in it. */
const SCHEMA: Schema = {
  tagNames: [
    ...names(
      "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt",
    ),
    ...names("mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none"),
  ],
  attributes: {
    "*": names("accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form").concat(
      names("frame height largeop linethickness lspace mathvariant maxsize minsize movablelimits notation rowalign"),
      names("rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width"),
    ),
  },
}

/** MathML, and its length in characters. */
interface Formula {
  nodes: ElementContent[]
  length: number
}

const toMathMl = (tex: string, displayMode: boolean, maxChars: number): Formula | null => {
  const html = temml.renderToString(tex, { displayMode, throwOnError: true, trust: false, maxExpand: MAX_EXPANSIONS })
  if (html.length > maxChars) return null
  const tree = sanitize(fromParse5(parseFragment(html)), SCHEMA) as Root
  return { nodes: tree.children as ElementContent[], length: html.length }
}

const text = (value: string): ElementContent => ({ type: "text", value })

const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : []

const textIn = ({ children }: Element): string => {
  const [only] = children
  return children.length === 1 && only?.type === "text" ? only.value : ""
}

/** Writes the formulas of one post, as long as there is room for it. */
export class Formulas {
  #left = MAX_POST_FORMULA_BYTES
  /** Macros make much of little, and a formula may be repeated. */
  #charsLeft = MAX_POST_MATHML_CHARS
  readonly #known = new Map<string, Formula | null>()
  readonly #unreadable = new Set<string>()

  /** Formulas that stayed as they were written. */
  get unreadable(): string[] {
    return [...this.#unreadable]
  }

  #write(tex: string, displayMode: boolean): Formula | null {
    const bytes = new TextEncoder().encode(tex).length
    if (bytes > MAX_FORMULA_BYTES || bytes > this.#left) return null
    this.#left -= bytes
    try {
      return toMathMl(tex, displayMode, Math.min(MAX_MATHML_CHARS, this.#charsLeft))
    } catch {
      // ParseError, and RangeError for braces that are too deep: what it throws says nothing about what is safe to do next.
      return null
    }
  }

  #read(tex: string, displayMode: boolean): ElementContent[] | null {
    const key = `${displayMode ? "$$" : "$"}${tex}`
    const known = this.#known.get(key)
    const made = known === undefined ? this.#write(tex, displayMode) : known
    if (known === undefined) this.#known.set(key, made)
    if (!made || made.length > this.#charsLeft) {
      this.#unreadable.add(tex)
      return null
    }
    this.#charsLeft -= made.length
    // Nodes of a tree stand in one place each.
    return structuredClone(made.nodes)
  }

  /** @param code inline, or of a block @returns what stands in its place; null where it is no formula */
  replace(code: Element, isBlock: boolean): ElementContent[] | null {
    const classes = classesOf(code)
    const isDisplay = isBlock || classes.includes("math-display")
    const isFormula = classes.includes("language-math") && (isBlock || isDisplay || classes.includes("math-inline"))
    if (!isFormula) return null
    const tex = textIn(code)
    const made = tex.trim() === "" ? null : this.#read(tex.trim(), isDisplay)
    if (made) return made
    if (!isBlock) return [text(isDisplay ? `$$${tex}$$` : `$${tex}$`)]
    const value = classes.includes("math-display") ? `$$\n${tex}\n$$` : tex
    return [
      {
        type: "element",
        tagName: "pre",
        properties: {},
        children: [{ ...code, properties: {}, children: [text(value)] }],
      },
    ]
  }
}
