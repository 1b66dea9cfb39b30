import type { Element, ElementContent } from "hast"

import { ALERT_KINDS, type AddedLabels } from "./labels.ts"

// GitHub's alerts: quotes whose first line is a marker such as `[!NOTE]`.

/** Matches `[!NOTE]\n` and `[!other]`. Does not match `[!NOTE] Text`. */
const MARKER = /^\[!([a-z]+)\][ \t]*(?:\r\n?|\n|$)/i

/**
 * Reads the alert marker (`[!NOTE]`) that a text starts with: its kind, and its length in UTF-16 units with the line
 * ending; null if none.
 */
export const alertMarker = (text: string): { kind: (typeof ALERT_KINDS)[number]; length: number } | null => {
  const [marker, name = ""] = MARKER.exec(text) ?? []
  const kind = ALERT_KINDS.find((known) => known === name.toLowerCase())
  return marker !== undefined && kind ? { kind, length: marker.length } : null
}

const isElement = (node: ElementContent, tagName: string): node is Element =>
  node.type === "element" && node.tagName === tagName

const isBlank = (node: ElementContent): boolean => node.type === "text" && node.value.trim() === ""

/** Converts a `blockquote` that starts with `[!NOTE]` or another alert marker to a `div` titled by `labels`. Returns null for others. */
export const toAlert = ({ children }: Element, labels: AddedLabels): Element | null => {
  const first = children.find((child) => !isBlank(child))
  const text = first && isElement(first, "p") ? first.children[0] : undefined
  const marker = text?.type === "text" ? alertMarker(text.value) : null
  if (!first || !isElement(first, "p") || text?.type !== "text" || !marker) return null
  const [, next, ...others] = first.children
  const isBreak = next !== undefined && isElement(next, "br")
  // A marker stands alone in its line. Markup after it on the same line makes the quote an ordinary one.
  // Matches `[!NOTE]\n`. Does not match `[!NOTE]`.
  if (next && !isBreak && text.value.length === marker.length && !/[\r\n]$/.test(text.value)) return null
  const start: ElementContent = { type: "text", value: text.value.slice(marker.length) }
  const rest = [start, ...(next && !isBreak ? [next] : []), ...others]
  const isEmpty = rest.every(isBlank)
  const title: Element = {
    type: "element",
    tagName: "p",
    properties: { className: ["alert-title"] },
    children: [{ type: "text", value: labels[marker.kind] }],
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
