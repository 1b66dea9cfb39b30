import { posix } from "node:path"

import type { Folder } from "../folder/files.ts"
import { readData, readTextFile } from "./configuration.ts"
import { type Line, linesOf } from "./lines.ts"
import type { GivenFields, Tool } from "./tool.ts"

// By its specification, textbundle.org/spec.

/** Matches the text of a bundle. Does not match `a.textbundle/assets/b.md`. */
const TEXT = /(?:^|\/)([^/]+)\.textbundle\/text\.(?:md|markdown)$/i
/** Matches the front matter of a text, and its first heading. Does not match `## A`. */
const FRONT = /^---\n(?:.*\n)*?---\n/
const HEADING = /^\s*# +(\S.*)/
/** Matches a line of nothing but tags, as Bear has them: `#sea #coast/dover`. Does not match `# Sea`, `#sea is salty`, `#1` and `#ffffff`. */
const TAGS = /^(?:#(?!(?:\d+|[\da-f]{3}|[\da-f]{6})#?(?:\s|$))[^\s#]+#?(?:[ \t]+|$))+$/i

const isText = ({ text, indent, isCode }: Line): boolean => isCode || indent > 3 || !TAGS.test(text)

/** Lists the lines of tags at the start, below the title, and at the end of a text. */
const tagLines = (body: string): Line[] => {
  const lines = linesOf(body).filter(({ text }, i) => text !== "" && !(i === 0 && HEADING.test(text)))
  const [first, last] = [lines.findIndex(isText), lines.findLastIndex(isText)]
  return lines.filter((_, i) => first < 0 || i < first || i > last)
}

/** Returns the question about a folder that has bundles; null for others. */
export const askAboutBundles = ({ files }: Pick<Folder, "files">): string | null => {
  const bundle = files.find((file) => TEXT.test(file))
  return bundle === undefined
    ? null
    : `The folder has bundles, such as ${bundle}. Set \`as: textbundle\` in edgepost.config.yaml to read their names, titles and tags, or \`as: folder\`.`
}

export const textbundle: Tool = {
  name: "TextBundle",
  isOfNotes: true,
  // The first heading as title, else the name of the bundle; tags of lines at the start and the end; the time of `info.json`, and what lies in the trash as hidden, both of Bear.
  givenFields: (folder) => {
    const readOne = async (file: string): Promise<GivenFields> => {
      const text = (await readTextFile(folder, file)).replace(FRONT, "")
      const title = HEADING.exec(text)?.[1] ?? TEXT.exec(file)?.[1]
      const tags = tagLines(text).flatMap((line) => line.text.split(/[\s#]+/).filter(Boolean))
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
  // Lines of tags at the start and the end of a bundle are not shown.
  blocks: (body, file) => (TEXT.test(file) ? tagLines(body).map(({ start, end }) => ({ start, end, text: "" })) : []),
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
}
