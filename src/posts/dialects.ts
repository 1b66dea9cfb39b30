import { parse } from "micromark"
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal"
import { gfmFootnote } from "micromark-extension-gfm-footnote"
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough"
import { gfmTable } from "micromark-extension-gfm-table"
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item"
import { combineExtensions } from "micromark-util-combine-extensions"
import type { Extension, ParseContext } from "micromark-util-types"

import { AUTOLINK } from "./paragraphs.ts"

// Parsers are made once an isolate, each of GFM without what a text does not have.

/** What the blocks of a document share, as micromark keeps it. */
export type Shared = Required<Pick<ParseContext, "defined" | "gfmFootnotes" | "lazy">>

/** GFM, and a parser of it: to make one takes longer than most paragraphs. */
const dialect = (hasLinks: boolean, hasTables: boolean) => {
  const extension = combineExtensions([
    ...(hasLinks ? [gfmAutolinkLiteral()] : []),
    gfmFootnote(),
    gfmStrikethrough(),
    ...(hasTables ? [gfmTable()] : []),
    gfmTaskListItem(),
  ])
  return { extension, parser: parse({ extensions: [extension] }) }
}

/** Two extensions try every word and every line. Where what they look for is not there, they need not. */
const DIALECTS = {
  plain: dialect(false, false),
  links: dialect(true, false),
  tables: dialect(false, true),
  both: dialect(true, true),
}
const TABLE = /\||:-|-:/

const dialectOf = (text: string) => {
  const hasTables = TABLE.test(text)
  if (AUTOLINK.test(text)) return hasTables ? DIALECTS.both : DIALECTS.links
  return hasTables ? DIALECTS.tables : DIALECTS.plain
}

/** GFM, as much of it as the text can have. */
export const extensionFor = (text: string): Extension => dialectOf(text).extension

/** The parser of a text, with what its document shares; until now it may have had another's. */
export const parserFor = (shared: Shared, text: string): ParseContext => Object.assign(dialectOf(text).parser, shared)
