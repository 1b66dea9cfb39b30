import type { Edit } from "../markdown/edits.ts"
import { alertKind } from "../markdown/shortcodes.ts"
import { ITEM, linesOf } from "./lines.ts"

// Blocks by indentation, as Python-Markdown has them: `!!! note`, `??? tip`, `=== "Tab"`, and text that is four blanks deeper.

/** Matches a text with such blocks. Does not match `===`. */
const SIGN = /^[ \t]*(?:!!!|\?\?\?|===[+!]{0,2} +")/m
/** Matches `!!! note "A"`, `!!! note inline`, `??? "A"`, `???+ tip` and `===! "A"`. Does not match `!!! note 'a'`. */
const OPEN = /^(!!!|\?\?\?\+?|===[+!]{0,2}) ?([\w-]+(?: +[\w-]+)*)?(?: *"(.*?)")?$/
const MAX_LINE_CHARS = 500
const TAB = 4

/** Writes the start of a block as that of a container; null for other lines. */
const containerOf = (text: string): string | null => {
  const [, sign = "", names = "", given] = text.length > MAX_LINE_CHARS ? [] : (OPEN.exec(text) ?? [])
  const [kind = ""] = names.split(" ")
  if (sign === "" || (kind === "" && (sign === "!!!" || given === undefined))) return null
  const title = given ?? kind.slice(0, 1).toUpperCase() + kind.slice(1)
  if (sign.startsWith("=")) return kind === "" ? `:::tab[${title}]` : null
  if (sign.startsWith("?")) return `:::details[${title}]`
  // Of kinds that readers' pages know, they show the name.
  return alertKind(kind) === undefined ? `:::note[${title}]` : `:::${kind}[${given ?? ""}]`
}

/** Makes edits that write blocks by indentation as containers between `:::`. */
export const indentedBlocks = (body: string): Edit[] => {
  if (!SIGN.test(body)) return []
  const edits: Edit[] = []
  /** How far the open blocks are indented, and the open items of lists. */
  let open: number[] = []
  const items: number[] = []
  let textEnd = 0
  const close = (from: number): void => {
    const signs = open.slice(from).map((indent, i) => `\n${" ".repeat(indent - TAB * (from + i))}:::`)
    edits.push({ start: textEnd, end: textEnd, text: signs.toReversed().join("") })
    open = open.slice(0, from)
  }
  for (const { start, at, end, text, indent, isCode } of linesOf(body)) {
    if (text === "") continue
    const kept = open.findIndex((one) => indent < one + TAB)
    if (kept >= 0) close(kept)
    const depth = open.length
    if (!isCode) while ((items.at(-1) ?? -1) >= indent) items.pop()
    // What is four blanks deeper than its block or item is code.
    const isText = !isCode && indent < Math.max(open.at(-1) ?? -TAB, items.at(-1) ?? -TAB) + 2 * TAB
    const container = isText ? containerOf(text) : null
    if (container !== null) open.push(indent)
    else if (!isCode && ITEM.test(text)) items.push(indent)
    if (depth > 0) edits.push({ start, end: at, text: " ".repeat(indent - TAB * depth) })
    if (container !== null) edits.push({ start: at, end, text: container })
    textEnd = end
  }
  close(0)
  return edits
}
