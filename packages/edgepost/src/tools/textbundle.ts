import { posix } from "node:path"

import type { Folder } from "../folder/files.ts"
import { readData, readTextFile } from "./configuration.ts"
import { linesOf } from "./lines.ts"
import type { GivenFields, Tool } from "./tool.ts"

// By its specification, textbundle.org/spec.

/** Matches the text of a bundle. Does not match `a.textbundle/assets/b.md`. */
const TEXT = /(?:^|\/)([^/]+)\.textbundle\/text\.(?:md|markdown)$/i
/** Matches the first heading of a text, with its front matter before it. Does not match `## A`. */
const HEADING = /^(?:---\n(?:.*\n)*?---\n)?\s*# +(\S.*)/

/** Matches a line of nothing but tags, as Bear has them: `#sea #coast/dover`. Does not match `# Sea` and `#sea is salty`. */
const TAGS = /^[ \t]*#[^\s#]+#?(?:[ \t]+#[^\s#]+#?)*[ \t]*$/m

/** Tells whether a folder has bundles. */
export const hasBundles = ({ files }: Pick<Folder, "files">): boolean => files.some((file) => TEXT.test(file))

export const textbundle: Tool = {
  name: "TextBundle",
  isOfNotes: true,
  // The first heading as title, else the name of the bundle; tags of lines that have nothing else; the time of `info.json`, and what lies in the trash as hidden, both of Bear.
  givenFields: (folder) => {
    const readOne = async (file: string): Promise<GivenFields> => {
      const text = await readTextFile(folder, file)
      const title = HEADING.exec(text)?.[1] ?? TEXT.exec(file)?.[1]
      const tags = text.split("\n").flatMap((line) => (TAGS.test(line) ? line.split(/[\s#]+/).filter(Boolean) : []))
      const { "net.shinyfrog.bear": bear } = await readData(folder, posix.join(posix.dirname(file), "info.json"))
      const { creationDate: created, trashed } = Object(bear) as Record<string, unknown>
      const fields = { title, tags, created, hidden: trashed ? true : undefined }
      return { place: file, target: null, base: ".", lang: null, fields }
    }
    return Promise.all(folder.files.filter((file) => TEXT.test(file)).map(readOne))
  },
  // `A.textbundle/text.md` as `A.md`.
  translationOf: (path) =>
    /\.textbundle\/text$/i.test(path) ? { key: path.replace(/\.textbundle\/text$/i, ""), lang: null } : null,
  // Lines of a bundle of nothing but tags are not shown.
  blocks: (body, file) =>
    TEXT.test(file) && TAGS.test(body)
      ? linesOf(body).flatMap(({ start, end, text, isCode }) =>
          !isCode && TAGS.test(text) ? [{ start, end, text: "" }] : [],
        )
      : [],
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
}
