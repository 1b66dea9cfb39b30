import { type Base, BASES, type Kind, KINDS } from "./kinds.ts"

// Draws blogs of a tool from a seed: each post is of one kind, and what readers must see of it is known.

export interface Shown {
  title: string
  /** RFC 3339 in UTC; null if any will do. */
  date: string | null
  /** Without them, that of the configuration or of a folder. */
  categories: string[] | null
  tags: string[]
  /** BCP 47 code. */
  language: string
}

/** What readers must see of a file. */
export interface Known {
  file: string
  kind: string
  /** Words that stand in no other file. */
  mark: string
  /** Null if no reader may see the mark. */
  shown: Shown | null
}

export interface DrawnBlog {
  files: Record<string, string>
  known: Known[]
}

/** What Git writes into a further checkout. */
const CHECKOUT = { "worktrees/fix/.git": "gitdir: ../../.git/worktrees/fix\n" }

const WORDS =
  "harbour lantern moss heron tide gravel willow copper meadow ferry anchor barley cloud ember quarry sedge".split(" ")

/** Returns a function that draws whole numbers below a limit: the same ones for the same seed. */
const drawer = (seed: number) => {
  let at = seed
  return (limit: number): number => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((at / 2 ** 32) * limit)
  }
}

const two = (value: number): string => String(value).padStart(2, "0")

/** Draws a blog of a tool. @param count how many posts it has; a copy of one counts as one more */
export const drawBlog = (tool: string, seed: number, count: number): DrawnBlog => {
  const base = BASES[tool]
  if (!base) throw new Error(`There is no tool ${tool}.`)
  const below = drawer(seed)
  const one = <T>(list: T[]): T => list[below(list.length)] as T
  const kinds = KINDS.filter(({ tools }) => tools === undefined || tools.split(" ").includes(tool))
  const blog: DrawnBlog = { files: { ...base.files, ...CHECKOUT }, known: [] }
  for (let i = 0; blog.known.length < count; i++) {
    // Each kind is there, and about a third of the posts are plain.
    const kind = kinds[i] ?? one(below(3) === 0 ? kinds.slice(0, 1) : kinds)
    const [first, second] = [one(WORDS), one(WORDS)]
    const [y, m, d] = [String(2016 + below(9)), two(1 + below(12)), two(1 + below(28))]
    const values = {
      name: `${first}-${second}-${i}`,
      title: `The ${first} and the ${second} ${i}`,
      date: `${y}-${m}-${d}`,
      y,
      m,
      d,
    }
    const text = Array.from({ length: 40 }, () => one(WORDS)).join(" ")
    addPost(blog, base, kind, values, text)
  }
  return blog
}

const addPost = (blog: DrawnBlog, base: Base, kind: Kind, values: Record<string, string>, text: string): void => {
  // Matches `{name}`, not `{ name }`.
  const filled = (template: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
  const own = filled(base.path)
  const path = filled(kind.path ?? base.path).replace("{path}", own)
  const fence = kind.fence ?? base.fence ?? "---\n"
  const fields = kind.fields === undefined ? "" : `${filled(kind.fields)}\n`
  const head = `${fence}${filled(kind.head ?? base.head)}${fields}${fence.trimStart()}`
  const date = kind.date === undefined ? `{date}T${base.time ?? "00:00:00"}Z` : kind.date
  const { title = "{title}", categories = null, tags = [], language = "en" } = kind
  const shown = { title: filled(title), date: date && filled(date), categories, tags, language }
  const add = (file: string, isHidden: boolean): void => {
    const mark = `mark ${blog.known.length} of ${values["name"]}`
    blog.files[file] = `${head}\n${text}, ${mark}.\n\n${filled(kind.text ?? "")}\n`
    blog.known.push({ file, kind: kind.name, mark, shown: isHidden ? null : shown })
  }
  add(path, kind.hidden === true)
  // Matches the ending of `posts/a.md`, not `posts.d/a`.
  if (kind.twin) add(filled(kind.twin.path).replace("{stem}", path.replace(/\.\w+$/, "")), kind.twin.hidden)
}
