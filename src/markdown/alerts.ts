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

const withoutBlanks = (node: ElementContent): ElementContent =>
  node.type === "text" ? { ...node, value: node.value.trimStart() } : node

/** A quote that is an alert, as a titled block; null for all others. */
export const toAlert = ({ children }: Element, words: Words): Element | null => {
  const first = children.find((child) => !isBlank(child))
  const text = first && isElement(first, "p") ? first.children[0] : undefined
  const marker = text?.type === "text" ? alertMarker(text.value) : null
  if (!first || !isElement(first, "p") || text?.type !== "text" || !marker) return null
  const others = first.children.slice(1)
  // A marker is alone in its line.
  if (
    text.value.length === marker.length &&
    others.length > 0 &&
    !/[\r\n]$/.test(text.value) &&
    !isElement(others[0] as ElementContent, "br")
  )
    return null
  const isBroken = others[0] !== undefined && isElement(others[0], "br") && text.value.length === marker.length
  // The line break after a marker is of no use: the title stands in a line of its own.
  const after = isBroken ? others.slice(1).map((node, i) => (i === 0 ? withoutBlanks(node) : node)) : others
  const rest: ElementContent[] = [{ type: "text", value: text.value.slice(marker.length) }, ...after]
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
