import type { Finding } from "../../src/finding.ts"
import type { Folder } from "../../src/folder/files.ts"
import { FolderError } from "../../src/folder/folder-error.ts"
import { refusePointer } from "../../src/folder/pointer.ts"
import type { LocalPost } from "../../src/folder/post.ts"
import { type ReadOptions, readPosts } from "../../src/folder/posts.ts"
import { NO_THEME } from "../../src/markdown/theme.ts"
import { NO_TOOL } from "../../src/tools/index.ts"

/** Makes a folder of files in memory. */
export const folderOf = (files: Record<string, string | Uint8Array>): Folder => ({
  root: "/blog",
  blog: "",
  unseen: null,
  files: Object.keys(files).toSorted(),
  signs: [],
  leftOut: [],
  read: async (path, maxBytes) => {
    const bytes = Buffer.from(files[path] ?? "")
    if (bytes.length > maxBytes) throw new FolderError(`It has ${bytes.length} bytes.`)
    refusePointer(bytes, path, new Set(Object.keys(files)))
    return bytes
  },
})

export const OPTIONS: ReadOptions = {
  timezone: null,
  category: "Blog",
  primaryLanguage: "en",
  theme: NO_THEME,
  settings: NO_TOOL,
  now: new Date("2026-11-26T12:00:00Z"),
  paths: [],
  publishBy: null,
  showHidden: false,
}

/** Reads the posts of files in memory. */
export const read = (
  files: Record<string, string | Uint8Array>,
  options: Partial<ReadOptions> = {},
): ReturnType<typeof readPosts> => readPosts(folderOf(files), { ...OPTIONS, ...options })

/** Reads the only post of files in memory. */
export const readOne = async (
  files: Record<string, string | Uint8Array>,
  options: Partial<ReadOptions> = {},
): Promise<LocalPost> => {
  const { posts } = await read(files, options)
  const [post, other] = posts
  if (!post || other) throw new Error(`There are ${posts.length} posts.`)
  return post
}

/** Reads a post with a front matter in YAML. */
export const readFront = (yaml: string, options: Partial<ReadOptions> = {}, file = "posts/a.md"): Promise<LocalPost> =>
  readOne({ [file]: `---\n${yaml}\n---\n\nText.\n` }, options)

/** Returns the findings of a post in short: `error invalid_date 3`. */
export const brief = ({ findings }: { findings: Finding[] }): string[] =>
  findings.map(({ level, code, line }) => `${level} ${code} ${line}`)
