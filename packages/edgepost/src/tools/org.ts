import { MARKDOWN, nameOf } from "../folder/paths.ts"
import type { Edit } from "../markdown/edits.ts"
import type { Tool } from "./tool.ts"

// Run: the export to Markdown of Org 9.5.5 in Emacs 28.2.

/** Matches contents at the start of a text: a heading, and a list of nothing but links to headings. Does not match a list with words. */
const CONTENTS =
  /^\s*# [^\n]{1,200}\n(?:[ \t]*\n)*(?:[ \t]*(?:\d+\.|[-+*])[ \t]+\[[^\n]*\]\(#[^)\n]*\)[^\n]*\n(?:[ \t]*\n)*)+(?![ \t]*(?:\d+\.|[-+*])[ \t])/
/** Matches the tags at the end of a heading, `# A     :intro:`. Does not match `# A :intro:`. */
const TAGS = /^(#{1,6} .{1,300}?) {2,80}:[\p{L}\p{N}_@#%:]{1,200}:[ \t]*$/gmu

/** Leaves out the contents at the start of a text, and the tags of headings. */
const leaveOut = (body: string): Edit[] => {
  const [contents = ""] = CONTENTS.exec(body) ?? []
  const tags = Array.from(body.matchAll(TAGS), ({ 0: { length }, 1: heading = "", index }) => ({
    start: index + heading.length,
    end: index + length,
    text: "",
  }))
  return [{ start: 0, end: contents.length, text: "" }, ...tags.filter(({ start }) => start >= contents.length)]
}

/** Does so in a folder of which nothing says that it is one of Org: its ids must be there. */
export const leaveOutOfOrg = (body: string): Edit[] => (/\]\(#org[0-9a-f]{7}\)/.test(body) ? leaveOut(body) : [])

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
  // The contents and the tags of headings are not shown.
  blocks: leaveOut,
  // None of them.
  comments: [],
}
