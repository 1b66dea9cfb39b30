import type { LocalText } from "../folder/post.ts"
import type { ToolSettings } from "../tools/tool.ts"
import { readDocument } from "./document.ts"
import { applyEdits, type Edited } from "./edits.ts"
import type { LeftOutElement } from "./reader.ts"

/** Writes blocks and code that a tool shows otherwise as the other files know them. A text that the service has stays as it is. @returns also what is left out, at its place in the body */
export const prepare = (
  { body, file, isStored }: LocalText,
  { tool, data }: ToolSettings,
): Edited & { leftOut: LeftOutElement[] } => {
  const leftOut: LeftOutElement[] = []
  const blocks = applyEdits(body, (isStored ? null : tool.blocks?.(body, file, data)) ?? [])
  if (isStored || !tool.shownCode?.sign.test(blocks.text)) return { ...blocks, leftOut }
  const edits = readDocument(blocks.text).code.flatMap(({ start, end }) => {
    const source = blocks.text.slice(start, end)
    const text = tool.shownCode?.of(source) ?? source
    // Matches the sign of code in a line, and the first word of a fence.
    if (text === "") leftOut.push({ at: blocks.oldOffset(start), shown: /^`+\s*\$?=|^\W*\w+/.exec(source)?.[0] ?? "" })
    return text === source ? [] : [{ start, end, text }]
  })
  const { text, oldOffset } = applyEdits(blocks.text, edits)
  return { text, oldOffset: (offset) => blocks.oldOffset(oldOffset(offset)), leftOut }
}
