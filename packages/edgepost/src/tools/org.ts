import { MARKDOWN, nameOf } from "../folder/paths.ts"
import type { Edit } from "../markdown/edits.ts"
import type { Tool } from "./tool.ts"

// Run: the export to Markdown of Org 9.5.5 in Emacs 28.2.

/** Matches contents at the start of a text: a heading, and a list of nothing but links to headings, with their tags. Does not match a list with words. */
const CONTENTS =
  /^\s*# [^\n]{1,200}\n(?:[ \t]*\n)*(?:[ \t]*(?:\d+\.|[-+*])[ \t]+\[(?:(?!\]\()[^\n])*\]\(#[^)\n]*\)(?::[^\s:][^\s]*:)?[ \t]*\n(?:[ \t]*\n)*)+(?![ \t]*(?:\d+\.|[-+*])[ \t]|[ \t]+\S)/

/** Leaves out the contents at the start of a text. @param sign matches in those that are meant */
const leaveOut = (body: string, sign: RegExp): Edit[] => {
  const [contents = ""] = CONTENTS.exec(body) ?? []
  return sign.test(contents) ? [{ start: 0, end: contents.length, text: "" }] : []
}

/** Does so in a folder of which nothing says that it is one of Org: its ids must be there. */
export const leaveOutOfOrg = (body: string): Edit[] => leaveOut(body, /\]\(#org[0-9a-f]{7}\)/)

export const org: Tool = {
  name: "Org",
  isOfNotes: true,
  // The title is the name of the file: the export leaves that of the document out.
  givenFields: async ({ files }) =>
    files
      .filter((file) => MARKDOWN.test(file))
      .map((file) => {
        const title = nameOf({ file, lang: null }).name.replaceAll(/[-_]+/g, " ")
        return { place: file, target: null, base: ".", lang: null, fields: { title } }
      }),
  // The contents are not shown.
  blocks: (body) => leaveOut(body, /./),
  // None of them.
  comments: [],
}
