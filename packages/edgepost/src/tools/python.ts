import type { Folder } from "../folder/files.ts"
import { readTextFile } from "./configuration.ts"

// Reads configurations in Python, which is never run.

/** Matches what Python writes otherwise than JSON: comments, texts, tuples, words, a comma after the last item. Does not match `[1]`. */
const PYTHON =
  /#.*|(?<!\w)([rRbBuUfF]{0,2})("""|'''|"|')((?:\\[^]|(?!\2)[^\\])*)\2|[()]|\b(?:True|False|None)\b|,(?=(?:\s|#.*\n)*[\])}])/g
const AS_JSON: Record<string, string> = { "(": "[", ")": "]", True: "true", False: "false", None: "null" }
/** Matches a value that begins at the start of a line: `SITEURL = "a"`. Does not match what is indented, below an `if`. */
const ASSIGNED = /^([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*(.*(?:\n(?:[ \t\]}].*)?)*)/gm

/** Matches where a name gets or changes its value, also below an `if`: `A = b`, `A += b`, `A.append(b)`, `A["b"] = c`. Does not match `A == b`. */
const CHANGED = /^[ \t]*([A-Z][A-Z0-9_]*)[ \t]*(?:[+|]?=(?!=)|\.\w+\[|\[[^\]\n]*\][ \t]*=(?!=))/gm

/**
 * Reads the values that files of Python give names as they stand; of two the last that is not empty. Code is never run.
 * @returns also the names whose values are code
 */
export const readPython = async (
  folder: Folder,
  ...files: string[]
): Promise<{ data: Record<string, unknown>; unread: string[] }> => {
  const texts = await Promise.all(files.map((file) => readTextFile(folder, file)))
  const json = texts
    .join("\n")
    .replaceAll("\r", "")
    .replaceAll(PYTHON, (all, prefix: string, quote?: string, text = "") => {
      if (quote === undefined) return AS_JSON[all] ?? ""
      // A text with `f` is code. Without `r`, a backslash before a sign stands for nothing.
      return /f/i.test(prefix) ? all : JSON.stringify(/r/i.test(prefix) ? text : text.replaceAll(/\\(["'\\])/g, "$1"))
    })
  const data: Record<string, unknown> = {}
  const unread = Array.from(json.matchAll(CHANGED), ([, name = ""]) => name)
  for (const [, name = "", value = ""] of json.matchAll(ASSIGNED))
    try {
      const read: unknown = JSON.parse(value)
      if (read !== "") data[name] = read
      unread.splice(unread.indexOf(name), 1)
    } catch {
      // It is code.
    }
  return { data, unread }
}
