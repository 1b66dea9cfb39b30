import type { Row } from "./judged.ts"

// The reasons for wanted differences that several tools have. Those of one tool stand in its room below `tools/`.

export const DAY: Row = ["day", "A day alone is that day in UTC."]
export const NAMED_DAY: Row = ["listed", "A date in a file's name dates the post in every tool.", "no", "yes"]
export const TIE: Row = ["tie", "Of posts of one moment, the service lists the one that was made last first."]
export const SLUG = "A slug is that of the field or of the file's name, whatever the pattern of addresses makes of it."
export const HEADING = "A first heading that is the title is not shown twice."
export const ABOUT: Row = ["page", "A README is about its folder, unless its fields say that it is a post."]
export const NO_TEXT: Row = ["page", "A page without a text is left out."]
export const OFF: Row = ["page", "A front matter that does not begin with three dashes on the first line is not read."]
export const LATER: Row = ["page", "A date ahead schedules the post."]
export const BLOCKED: Row = ["page", "Unknown syntax that readers would see blocks the post."]
export const IN_CODE: Row = ["page", "Code of the blog decides about it, and edgepost runs none."]
export const ALERT = "A notice has a title. The tool of this version or the empty theme shows none."
export const FORMULA = "A formula is drawn, where the tool leaves that to a script."
export const HEADLESS = "A table has a head, which may be empty."
export const FRAME = "A frame or a script of another site becomes a link."
export const BROKEN = "The old site's link is broken, and edgepost knows the file."
export const GUESSED = "The tool finds no image there, and edgepost knows the file."
export const COMMENT = "A comment is hidden in every tool, also where this one shows it."
export const PLUGIN = "The blog needs a plugin of its tool, which the oracle does not run."
export const LATER_LINK = "The page of a draft has its address already."
export const SELF_LINK = "The link of a heading to itself says nothing."
export const NOTE: Row = ["page", "A file without front matter is a note."]
export const EVERYWHERE: Row = ["page", "A field that hides a page or makes it a draft counts in every tool."]
export const DRAFTS: Row = ["page", "Files in a folder of drafts are drafts in every tool."]
export const UNLISTED: Row = ["page", "A page in no list is left out."]
export const LABEL: Row = ["tags", "A label is as it is written.", "3.1\n", "3.10\n"]
export const TITLE = "A title is plain text, as it is written."
export const UNTITLED = "A post has a title."
export const COMMA = "Commas separate labels in every tool."
export const SINGULAR = "A category or a tag in the singular is a label in every tool."
export const OF_FOLDER = "A post without a category has that of its folder."
export const COLLECTED = "A tag by which posts are collected says nothing to readers."
/** `[//]: # (…)` with text after it is no definition: a link to the page's own start. */
export const NO_DEFINITION = (file: string): Row[] => [
  ["words", COMMENT, " //: # (SECRET27 (with) parens) //: # SECRET28"],
  ["links", COMMENT, `${file}\n${file}`],
]
export const ODD: Row[] = [["words", COMMENT, "and SECRET? 22 -->", "and"]]
