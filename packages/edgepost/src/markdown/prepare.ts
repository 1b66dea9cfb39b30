import type { LocalText } from "../folder/post.ts"
import type { Lack, ToolSettings } from "../tools/tool.ts"
import { readDocument } from "./document.ts"
import { applyEdits, type Edited } from "./edits.ts"
import type { LeftOutElement } from "./reader.ts"

/** Writes blocks and code that a tool shows otherwise as the other files know them. A text that the service has stays as it is. @returns also what is left out, and what the service does not have, at their places in the body */
export const prepare = (
  { body, file, isStored }: LocalText,
  { tool, data }: ToolSettings,
): Edited & { leftOut: LeftOutElement[]; lacks: Lack[] } => {
  const leftOut: LeftOutElement[] = []
  const lacks = ((isStored ? null : tool.lacks?.(body)) ?? []).map(({ at, level, message }) => {
    const [shown = ""] = body
      .slice(at, at + 60)
      .trim()
      .split("\n")
    return { at, level, message: `“${shown}” ${message}` }
  })
  const blocks = applyEdits(body, (isStored ? null : tool.blocks?.(body, file, data)) ?? [])
  if (isStored || !tool.shownCode?.sign.test(blocks.text)) return { ...blocks, leftOut, lacks }
  const edits = readDocument(blocks.text).code.flatMap(({ start, end }) => {
    const source = blocks.text.slice(start, end)
    const text = tool.shownCode?.of(source) ?? source
    // Matches the sign of code in a line, and the first word of a fence.
    if (text === "") leftOut.push({ at: blocks.oldOffset(start), shown: /^`+\s*\$?=|^\W*\w+/.exec(source)?.[0] ?? "" })
    return text === source ? [] : [{ start, end, text }]
  })
  const { text, oldOffset } = applyEdits(blocks.text, edits)
  return { text, oldOffset: (offset) => blocks.oldOffset(oldOffset(offset)), leftOut, lacks }
}
