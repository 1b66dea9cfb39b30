import type { Edit } from "../markdown/edits.ts"
import { dedentComponents, linesOf } from "./lines.ts"

// Components of Markdown in Nuxt Content (MDC): `::note{a="b"}` with its end `::`, `:badge[Text]`, and slots.

/** Matches `::note[Title]{a="b"}` and `::`, with the name and the list. Does not match `::note Title`. */
const BLOCK = /^(:{2,})(?:([a-z][\w-]*)(?:\[[^\]]*\])?(\{.*\})?)?$/i
/** Matches a slot: `#title`. Does not match `# Title`. */
const SLOT = /^#[a-z][\w-]*$/i
/** Matches a field of a component's front matter with a text: `title: A`. Does not match `a:`. */
const FIELD = /^([a-z][\w-]*):\s+(["']?)([^"]+?)\2$/i
/** Matches code in a line, and tags of HTML; `:badge[Text]{.a}`, `:icon{name="b"}` and `:br`, with their parts. Does not match `:tada:`, `a:b` and `:D`. */
const INLINE =
  /(`+)(?:(?!\1).)*\1`*|<[a-z/][^<>]*>|(?<![^\s(>*_])(?<sign>:)(?<name>[a-z][\w-]+)(?:\[(?<text>[^[\]]*)\])?(?:\{(?<list>[^{}]*)\})?(?![\w:[{-])/gi

/** Writes a component in a line as Markdown, or as an element. */
const inlineOf = ({ name = "", text, list = "" }: Record<string, string | undefined>): string => {
  // Matches `to="/a"`. Does not match `:to="a"`.
  const [, url] = /(?<!\S)(?:to|href)="([^"<>]*)"/.exec(list) ?? []
  if (text !== undefined) return url === undefined ? text : `[${text}](<${url}>)`
  if (name === "br") return "<br>"
  return `<${name.includes("-") ? name : name.slice(0, 1).toUpperCase() + name.slice(1)} ${list} />`
}

/** Makes edits that write components as containers between `:::`, as elements, and as their text. */
export const mdcBlocks = (body: string): Edit[] => {
  // Matches what may be a component. Does not match `a: b`.
  if (!/:[a-z]/i.test(body)) return []
  const lines = linesOf(body)
  const edits: Edit[] = []
  const open: number[] = []
  const insert = (at: number, text: string): unknown => edits.push({ start: at, end: at, text })
  let fieldsEnd = -1
  for (const [i, { start, at, end, text, indent, isCode }] of lines.entries()) {
    const [, colons = "", name, list] = isCode ? [] : (BLOCK.exec(text) ?? [])
    if (i <= fieldsEnd || (open.length > 0 && !isCode && SLOT.test(text))) edits.push({ start: at, end, text: "" })
    else if (name !== undefined) {
      open.push(colons.length)
      insert(at, ":")
      if (lines[i + 1]?.text === "---") fieldsEnd = lines.findIndex((line, n) => n > i + 1 && line.text === "---")
      const fields = lines.slice(i + 2, Math.max(i + 2, fieldsEnd)).map((line) => line.text.replace(FIELD, '$1="$3"'))
      if (list === undefined && i < fieldsEnd) insert(end, `{${fields.join(" ").replaceAll(/[{}]/g, "")}}`)
    } else if (open.includes(colons.length)) {
      open.splice(open.lastIndexOf(colons.length))
      insert(at, ":")
    } else if (!isCode && (indent < 4 || open.length > 0 || lines[i - 1]?.text !== ""))
      for (const { 0: whole, index, groups = {} } of body.slice(start, end).matchAll(INLINE))
        if (groups["sign"] !== undefined)
          edits.push({ start: start + index, end: start + index + whole.length, text: inlineOf(groups) })
  }
  // A component without an end goes on to the end of the text.
  insert(
    body.length,
    open
      .toReversed()
      .map((count) => `\n${":".repeat(count + 1)}`)
      .join(""),
  )
  // Matches the start of a component, and its end.
  return [...dedentComponents(lines, /^:{2,}[a-z]/i, /^:{2,}$/), ...edits]
}
