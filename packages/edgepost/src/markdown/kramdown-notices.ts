import type { DialectText } from "./dialect-text.ts"
import { type Edit, matchesIn, replaceMatch } from "./edits.ts"
import { alertKind } from "./shortcodes.ts"

// Writes paragraphs and quotes whose class is one of a notice as alerts.

/** Matches a quote or a paragraph with a list of attributes below it, or above it. Does not match `- a\n{: .b}`. */
const BLOCK = String.raw`((?:>[^\n]*(?:\n|$(?![^])))+|(?:(?![#|<>*+{~\s-]|\d+[.)]|\x60{3})[^\n]+(?:\n|$(?![^])))+)`
const LIST = String.raw`\{:([^{}\n]*)\}[ \t]*$`
const START = String.raw`(?<=^[ \t]*\n|^(?<![^]))`
const NOTICE = new RegExp(`${START}(?:${LIST}\n${BLOCK}|${BLOCK}${LIST})`, "gm")
/** Matches a class that themes have for a notice, with its kind: `.notice--info`, `.prompt-tip`, `.note-title`. Does not match `.quote`. */
const CLASS =
  /\.(?:(?:notice|prompt|alert|callout)-{1,2}([a-z]+)|(notice|note|tip|important|warning|caution|danger|info))(?:-title)?(?![\w-])/

export const writeNotices = (source: DialectText): Edit[] => {
  const isMeant = source.names.markup.isKramdown === true && source.text.includes("{:")
  return Array.from(isMeant ? matchesIn(source, NOTICE) : [], (match) => {
    const [whole, above, below, before = "", list = above ?? ""] = match
    const [found, themed, own = ""] = CLASS.exec(list) ?? []
    const block = (below ?? before).trimEnd()
    const quoted = block.startsWith(">") ? block : `> ${block.replaceAll("\n", "\n> ")}`
    const isNotice = found !== undefined && !block.startsWith("> [!")
    return replaceMatch(match, isNotice ? `> [!${alertKind(themed ?? own) ?? "NOTE"}]\n${quoted}\n` : whole)
  })
}
