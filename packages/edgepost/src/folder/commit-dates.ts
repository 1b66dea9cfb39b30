import type { ToolSettings } from "../tools/tool.ts"
import { git, isShallowClone } from "../workspace/git.ts"
import type { LocalPost } from "./post.ts"
import { asText } from "./values.ts"

// Decides about posts to which no field and no path gives a date: Git tells when their files were first committed, or they are pages.

/**
 * Finds the first commit of each file, through its renames.
 * @param log the newest commit first: U+0001, its time in seconds since 1970, and its changes, each with NUL after its parts
 * @returns the times in ms since 1970
 */
export const findFirst = (log: string, files: string[]): Map<string, number> => {
  const times = new Map<string, number>()
  /** The names of files at the time of a commit, with those of today. */
  const names = new Map(files.map((file) => [file, file]))
  for (const commit of log.split("\u0001")) {
    const [seconds, ...parts] = commit.split("\0").map((part) => part.replace(/^\n/, ""))
    const renamed: [from: string, file: string | undefined][] = []
    for (let i = 0; i < parts.length; i++) {
      const isAdded = parts[i] === "A"
      // Matches a file that is renamed, with the share that stayed: `R100`.
      if (!isAdded && !/^R\d/.test(parts[i] ?? "")) continue
      const [from = "", to = ""] = parts.slice(i + 1, i + 3)
      const file = names.get(isAdded ? from : to)
      if (!isAdded) renamed.push([from, file])
      else if (file !== undefined) times.set(file, Number(seconds) * 1000)
      i += isAdded ? 1 : 2
    }
    // Before a commit the name of a renamed file was that file's, also if another has it today.
    for (const [from, file] of renamed)
      if (file === undefined) names.delete(from)
      else names.set(from, file)
  }
  return times
}

/** Reads when files were first committed. Without Git and without a repository no file has a time, and in a shallow clone none. */
const readCommits = async (root: string, files: string[]) => {
  const none = { isShallow: false, times: new Map<string, number>() }
  if (files.length === 0) return none
  try {
    const isShallow = await isShallowClone(root)
    const command = ["log", "--relative", "--name-status", "--diff-filter=AR", "-M", "-z", "--format=%x01%at"]
    return { isShallow, times: findFirst(isShallow ? "" : await git(root, ...command), files) }
  } catch {
    return none
  }
}

/** Dates posts without a date by the first commit, where the tool does so; without its commits they stay undated. Others are pages, where a tool makes the blog. */
export const dateByCommits = async (
  root: string,
  posts: LocalPost[],
  { settings: { tool, file }, now }: { settings: ToolSettings; now: Date },
): Promise<{ posts: LocalPost[]; isShallow: boolean }> => {
  const leavesDate = ({ source }: LocalPost) => tool.isFileDate?.(asText(source.data["date"]) ?? "") === true
  const undated = new Set(posts.filter(({ isUndated, status }) => isUndated && status === "PB"))
  const files = [...undated].filter((post) => leavesDate(post) || tool.isDatedByCommit?.(post.source.file))
  const { isShallow, times } = await readCommits(
    root,
    files.map(({ source }) => source.file),
  )
  const dated = posts.map((post): LocalPost => {
    const time = times.get(post.source.file)
    if (time !== undefined)
      return { ...post, published_at: new Date(Math.min(time, now.getTime())).toISOString(), isUndated: false }
    if (leavesDate(post)) return { ...post, isUndated: false }
    // The commits that a shallow clone lacks would date it.
    const isDatedElsewhere = isShallow && files.includes(post)
    return { ...post, isPage: post.isPage || (undated.has(post) && file !== null && !isDatedElsewhere) }
  })
  return { posts: dated, isShallow }
}
