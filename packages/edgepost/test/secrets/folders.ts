import { blocksOf, DESCRIPTIONS, type Dialect, NOTES, type Setting, STARTS, TITLES } from "./places.ts"

// Makes folders of posts in which SECRET<n> stands wherever a blog's tool shows nothing, between words VISIBLE<n> that readers see.

interface Post {
  /** The line of the title, or a front matter in TOML. */
  title: string
  notes: string[]
  description: string
  blocks: string[]
}

interface Unrendered {
  fields: string
  blocks: string[]
  /** What stands before the front matter. */
  start?: string
}

export interface Made {
  dialect: Dialect
  lineEnd: "\n" | "\r\n"
  posts: Post[]
  unrendered: Unrendered[]
  /** Files as in `folders` of the dialect. */
  others: Record<string, string>
  /** Settings of the dialect. */
  settings: Setting[]
}

/** Files by path, and the paths of those that are rendered. */
export interface Files {
  files: Record<string, string>
  rendered: string[]
}

/** Numbers secrets and words. In a file that is not rendered every word is a secret. */
const numbered = (text: string, isRendered = true): string => {
  let secrets = 0
  let words = 0
  return (isRendered ? text : text.replaceAll("¶", "§"))
    .replaceAll("§", () => `SECRET${(secrets += 1)}`)
    .replaceAll("¶", () => `VISIBLE${(words += 1)}`)
}

const hidden = (fields: string, blocks: string[], start = ""): string =>
  numbered(`${start}---\ntitle: §\ndate: 2024-01-02\n${fields}\n---\n\n${[...blocks, "§"].join("\n\n")}\n`, false)

/** Adds texts to those of files. */
const add = (files: Record<string, string>, more: Record<string, string>): Record<string, string> => ({
  ...files,
  ...Object.fromEntries(Object.entries(more).map(([file, text]) => [file, (files[file] ?? "") + text])),
})

/** Writes a folder. @param name begins the names of its posts */
export const write = (
  { dialect: { path, files = {}, mark = "" }, lineEnd, posts, unrendered, others, settings }: Made,
  name = "p",
): Files => {
  const rendered = posts.map(({ title, notes, description, blocks }, i) => {
    const lines = [title, "date: 2024-01-02", ...notes, description, mark].filter((line) => line !== "")
    const front = title.includes("=") ? `+++\n${title}\n+++` : ["---", ...lines, "---"].join("\n")
    const text = numbered(`${front}\n\n${[...blocks, "¶"].join("\n\n")}\n`)
    return [path(`${name}-${i}`), text.replaceAll("\n", lineEnd)] as const
  })
  const left = unrendered.map(
    ({ fields, blocks, start }, i) => [path(`${name}-left-${i}`), hidden(fields, blocks, start)] as const,
  )
  const named = settings.flatMap((setting) => setting.left).map((file) => [file, hidden("", ["§"])] as const)
  const more = Object.entries(others).map(([file, text]) => [file, text === "" ? hidden("", ["§"]) : numbered(text)])
  return {
    files: {
      ...settings.reduce((all, setting) => add(all, setting.files), files),
      ...Object.fromEntries([...rendered, ...left, ...named, ...more]),
    },
    rendered: rendered.map(([file]) => file),
  }
}

/** Makes a folder with every place of a dialect, each in a post of its own. */
export const makeAll = (dialect: Dialect): Made[] => {
  const post = { title: "title: ¶", notes: [], description: "", blocks: ["¶"] }
  const { toml = [], fields = [], folders = [], settings = [] } = dialect
  const posts = [
    ...blocksOf(dialect).map((block) => ({ ...post, blocks: [block] })),
    ...[...TITLES, ...toml].map((title) => ({ ...post, title })),
    ...NOTES.map((note) => ({ ...post, notes: [note] })),
    ...DESCRIPTIONS.map((description) => ({ ...post, description })),
  ]
  const unrendered = [
    ...fields.map((one) => ({ fields: one, blocks: ["¶"] })),
    ...STARTS.map((start) => ({ fields: "x: y", blocks: ["¶"], start })),
  ]
  return [
    { dialect, lineEnd: "\n", posts, unrendered, others: {}, settings },
    ...folders.map((others): Made => ({
      dialect,
      lineEnd: "\r\n",
      posts: [post],
      unrendered: [],
      others,
      settings: [],
    })),
  ]
}

/** Returns the visible words in their order. */
export const wordsOf = (text: string): string[] => text.match(/VISIBLE\d+/g) ?? []

// The pattern matches a front matter. Does not match a rule further below.
/** Returns the words of a file's text, without its front matter. */
export const wantedOf = (text: string): string[] => wordsOf(text.replace(/^(---|\+\+\+)[^]*?\n\1/, ""))
