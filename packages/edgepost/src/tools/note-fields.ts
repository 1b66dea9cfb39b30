import { type FrontMatter, splitFrontMatter } from "../folder/front-matter.ts"

// Reads properties that apps for notes write as lines of a text.

/** Names of properties that are fields, with those that apps give them. Others say nothing to readers. */
const FIELDS =
  "title slug status draft published publish private hidden password visibility date publishdate publisheddate=publishdate publishedon=publishdate " +
  "created createdtime=created createdat=created datecreated=created updated lasteditedtime=updated tags tag categories category description " +
  "summary excerpt author authors language lang cover"
const NAMES = new Map(
  FIELDS.split(" ").map((one) => {
    const [name = "", field = name] = one.split("=")
    return [name, field]
  }),
)
/** Returns the field that a property is; undefined for others. */
export const fieldOf = (name: string): string | undefined =>
  NAMES.get(name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ""))

/** Matches an answer, by which the author may choose the notes for readers. Does not match `Done`. */
const ANSWER = /^(?:yes|no|true|false)$/i

/** Splits a file into its front matter and its text; null for one of `edgepost pull`, which has nothing else. */
export const splitNote = (text: string): FrontMatter | null => {
  const front = splitFrontMatter(text)
  return "edgepost" in front.data ? null : front
}

/** Adds properties to a front matter, whose own fields win. @param lines of the text up to the end of the properties @param read finds one in a line */
export const withProperties = (
  front: FrontMatter,
  lines: string[],
  read: (line: string) => [name: string, value: string] | null,
): FrontMatter => {
  const properties: FrontMatter = { ...front, data: {}, lines: {} }
  const unread = new Set<string>()
  let last = ""
  for (const [i, line] of lines.entries()) {
    const found = read(line)
    // A line without a property goes on with the one above it.
    const [name, value] = found ?? [line.trim() && last, ""]
    last = name
    const field = found ? fieldOf(name) : undefined
    if (field !== undefined || ANSWER.test(value)) {
      properties.data[field ?? name] = value || null
      properties.lines[field ?? name] = front.bodyLine + i
    } else if (name !== "") unread.add(name)
  }
  return {
    ...properties,
    data: { ...properties.data, ...front.data },
    lines: { ...properties.lines, ...front.lines },
    unread: [...unread],
    body: front.body.split("\n").slice(lines.length).join("\n"),
    bodyLine: front.bodyLine + lines.length,
  }
}
