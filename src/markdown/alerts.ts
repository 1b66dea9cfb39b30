import type { Element, ElementContent } from "hast"

import type { Words } from "./words.ts"

// Alerts: quotes that begin with a line such as `[!NOTE]`.

const KINDS = ["note", "tip", "important", "warning", "caution"] as const
const MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\r\n?|\n|$)/i

/** Which alert a text begins, and the length of its marker; null where it begins none. */
export const alertMarker = (text: string): { kind: (typeof KINDS)[number]; length: number } | null => {
  const [marker, name = ""] = MARKER.exec(text) ?? []
  const kind = KINDS.find((known) => known === name.toLowerCase())
  return marker !== undefined && kind ? { kind, length: marker.length } : null
}

const isElement = (node: ElementContent, tagName: string): node is Element =>
  node.type === "element" && node.tagName === tagName

const isBlank = (node: ElementContent): boolean => node.type === "text" && node.value.trim() === ""

/** A quote that is an alert, as a titled block; null for all others. */
export const toAlert = ({ children }: Element, words: Words): Element | null => {
  const first = children.find((child) => !isBlank(child))
  const text = first && isElement(first, "p") ? first.children[0] : undefined
  const marker = text?.type === "text" ? alertMarker(text.value) : null
  if (!first || !isElement(first, "p") || text?.type !== "text" || !marker) return null
  const [, next, ...others] = first.children
  const isBreak = next !== undefined && isElement(next, "br")
  // A marker is alone in its line.
  if (next && !isBreak && text.value.length === marker.length && !/[\r\n]$/.test(text.value)) return null
  const start: ElementContent = { type: "text", value: text.value.slice(marker.length) }
  const rest = [start, ...(next && !isBreak ? [next] : []), ...others]
  const isEmpty = rest.every(isBlank)
  const title: Element = {
    type: "element",
    tagName: "p",
    properties: { className: ["alert-title"] },
    children: [{ type: "text", value: words[marker.kind] }],
  }
  return {
    type: "element",
    tagName: "div",
    properties: { className: ["alert", `alert-${marker.kind}`], role: "note" },
    children: [
      title,
      ...(isEmpty ? [] : [{ ...first, children: rest }]),
      ...children.filter((child) => child !== first),
    ],
  }
}
