import { posix } from "node:path"

import { escapeText } from "../escape.ts"
import { writeImage } from "../markdown/write.ts"
import { linesOf } from "./lines.ts"
import type { Lack, Tool } from "./tool.ts"

// By the specification of its content blocks, github.com/iainc/Markdown-Content-Blocks, version 0.4.

/** Matches a content block with its ending and its title: `/a b.png "A boat"`. Does not match `/a` and `a.png`. */
const BLOCK =
  /^ {0,3}(\/[^\t\n]{0,500}?\.([a-z\d]{1,20}))(?:[ \t]+(?:"([^"\n]{0,500})"|'([^'\n]{0,500})'|\(([^()\n]{0,500})\)))?[ \t]*$/i
/** Matches endings of images, of texts and of tables. Does not match `swift`. */
const IMAGE = /^(?:png|jpe?g|gif|tiff?|webp|svg|heic)$/i
const TEXT = /^(?:md|markdown|txt)$/i
const TABLE = /^(?:csv|tsv)$/i
const KNOWN = new RegExp([IMAGE, TEXT, TABLE].map(({ source }) => source).join("|"), "i")

const NO_DATA = "is a table of data, which is never included. Write it as a table of Markdown."

/** Lists the content blocks of a text. */
const blocksOf = (body: string) => {
  const lines = /^ {0,3}\//m.test(body) ? linesOf(body) : []
  return lines.flatMap(({ start, end, indent, isCode }, i) => {
    const [, path, ending = "", ...titles] = (!isCode && indent < 4 && BLOCK.exec(body.slice(start, end))) || []
    const [isFirst, isLast] = [i - 1, i + 1].map((at) => (lines[at]?.text ?? "") === "")
    return path === undefined ? [] : [{ start, end, path, ending, title: titles.find(Boolean) ?? "", isFirst, isLast }]
  })
}

/** Names what looks like content blocks, in a folder of which nothing says that it has some. */
export const looksLikeBlocks = (body: string): Lack[] => {
  const found = blocksOf(body).find(({ ending, isFirst, isLast }) => KNOWN.test(ending) && isFirst && isLast)
  const message =
    "looks like a content block of iA Writer, which readers see as text. Write it as Markdown, or set `as: ia-writer` in edgepost.config.yaml."
  return found ? [{ at: found.start, level: "warning", message }] : []
}

export const iaWriter: Tool = {
  name: "iA Writer",
  // Any file.
  isDatedByCommit: () => true,
  // Images of content blocks, with their titles as captions.
  blocks: (body) =>
    blocksOf(body).flatMap(({ start, end, path, ending, title, isLast }) => {
      const image = writeImage({ src: path.slice(1), alt: title, caption: escapeText(title) })
      return IMAGE.test(ending) ? [{ start, end, text: isLast ? image : `${image}\n` }] : []
    }),
  // Texts and code of content blocks, from the folder of the text or from the root: `/part.md`, `/a.swift`.
  inclusions: [
    {
      pattern: new RegExp(BLOCK, "gim"),
      read: ([, path = "", ending = ""], { file }) => {
        const paths = [posix.join(posix.dirname(file), path), path.slice(1)]
        return IMAGE.test(ending) || TABLE.test(ending) ? [] : [{ paths, ...(!TEXT.test(ending) && { code: "" }) }]
      },
    },
  ],
  // Tables of data in content blocks.
  lacks: (body) =>
    blocksOf(body)
      .filter(({ ending }) => TABLE.test(ending))
      .map(({ start: at }) => ({ at, level: "error", message: NO_DATA })),
  // None of them.
  comments: [],
  // Of braces those of values stay: it evaluates none.
  markup: () => ({ literalBraces: "values" }),
}
