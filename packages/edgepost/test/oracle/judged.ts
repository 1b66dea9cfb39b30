import type { Field } from "./page.ts"

/** A difference that we want, and why. */
export interface Difference {
  /** Path of the source file, if need be with the language; null for any page of the blog. */
  file: string | null
  /** `page` is a page that only one of the two shows, `day` a time of a day alone, `tie` the order of posts of one moment. */
  field: Field | "page" | "day" | "tie"
  /** A part of the tool's answer, and what edgepost has in its place. Entries of a list are lines. */
  tool: string
  edgepost: string
  reason: string
}

/** A wanted difference of a page: a part of the tool's answer, and what edgepost has in its place. */
export type Row = [field: Difference["field"], reason: string, tool?: string, edgepost?: string]

/** The day on which all blogs are built, so that a future post stays one. */
export const TODAY = "2026-11-01T00:00:00Z"

/** Posts of the sample `comments` that each tool builds. */
export const COMMON = ["html-in-list.md", "html-multi.md", "html-odd.md", "md-refcomment.md", "toml-cmt.md"]

/** A tool that is run, its blogs, and the differences that we want. Its folder has `theme/`, `blogs/` and `answers/`. */
export interface Judged {
  /** Its package of npm, whose version stands in `package.json` of its folder, or of Debian's newest suite. */
  package: string
  /** A package of Debian that it does not need by itself, but its blogs do. */
  helper?: string
  /** Builds a blog with the files of `theme/`, which print each page's data before its text. */
  command: string[]
  env?: Record<string, string>
  /** The folder of the built site. */
  site: string
  /** Returns the place of a sample's post in a blog. Each slug belongs to one post of the service. */
  place: (name: string) => string
  /** Files without which the tool builds nothing or edgepost does not know the tool. */
  frame: Record<string, string>
  /** Whole blogs of `samples/`. */
  samples?: string[]
  /** Starts of the paths of the sample `unrendered` that are of this tool. */
  unrendered?: string[]
  /** Posts of a sample that is a plain list of files, by its name. */
  posts: Record<string, string[]>
  /** Changes by which the tool builds a blog, by the blog's name: the file, the text, and what stands there instead. */
  edits?: Record<string, [file: string, text: string, instead: string][]>
  /** The wanted differences by blog and file; `*` for any page. All others are bugs. */
  differences: Record<string, Record<string, Row[]>>
}
