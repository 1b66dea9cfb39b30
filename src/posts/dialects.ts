import { parse } from "micromark"
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough"
import { gfmTable } from "micromark-extension-gfm-table"
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item"
import { combineExtensions } from "micromark-util-combine-extensions"
import type { Extension, ParseContext } from "micromark-util-types"

import { autolinks, footnotes, mayCallPictured, mergedSpans } from "./linear.ts"
import { AUTOLINK } from "./ordinary.ts"

// Parsers are made once an isolate, each of GFM without what a text does not have.

/** What the blocks of a document share, as micromark keeps it. */
export type Shared = Required<Pick<ParseContext, "defined" | "gfmFootnotes" | "lazy">>

/** GFM, and a parser of it: to make one takes longer than most paragraphs. */
const dialect = (hasLinks: boolean, hasTables: boolean, hasPictures: boolean) => {
  const extension = combineExtensions([
    ...(hasLinks ? [autolinks()] : []),
    footnotes(hasPictures),
    gfmStrikethrough(),
    ...(hasTables ? [gfmTable()] : []),
    gfmTaskListItem(),
    mergedSpans,
  ])
  return { extension, parser: parse({ extensions: [extension] }) }
}

const DIALECTS: ReturnType<typeof dialect>[] = []
/** Of the row under a head: dashes beside a colon or, blanks aside, a pipe. */
export const MAY_BE_TABLE = /:-|-:|-[ \t]*\||\|[ \t]*-/

/** Some constructs are tried at every word, line or closing bracket. Where what they look for is not in all that is parsed together, they need not. */
const dialectOf = (text: string) => {
  const [hasLinks, hasTables, hasPictures] = [AUTOLINK.test(text), MAY_BE_TABLE.test(text), mayCallPictured([text])]
  const index = Number(hasLinks) + 2 * Number(hasTables) + 4 * Number(hasPictures)
  return (DIALECTS[index] ??= dialect(hasLinks, hasTables, hasPictures))
}

/** GFM, as much of it as the text can have. */
export const extensionFor = (text: string): Extension => dialectOf(text).extension

/** The parser of a text, with what its document shares; until now it may have had another's. */
export const parserFor = (shared: Shared, text: string): ParseContext => Object.assign(dialectOf(text).parser, shared)
