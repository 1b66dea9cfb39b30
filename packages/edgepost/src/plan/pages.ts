import { posix } from "node:path"

import type { ListedPost } from "../client/index.ts"
import type { LeftOut, LocalPost } from "../folder/post.ts"
import type { FolderPosts } from "../folder/posts.ts"
import type { PlanOptions } from "./blog.ts"

// Decides which new posts are pages, and leaves out notes for no readers and those without a date. Posts that the service has go on as they are.

/** Matches pages that servers show for errors: `404.md`. Does not match `2024.md`. */
const ERROR_PAGE = /^(?:404|500)\./

/** Tells why a new post is left out; null if it is not. */
const whyLeftOut = (post: LocalPost, { isShallow }: FolderPosts, { paths, noPages }: PlanOptions): string | null => {
  const { isPage, isUndated, status, source } = post
  if (isPage && ERROR_PAGE.test(posix.basename(source.file))) return "a page for errors"
  if (isPage) return noPages ? "a page, because of --no-pages" : null
  const isNamed = paths.some((path) => path.normalize("NFC") === source.file.normalize("NFC"))
  if (!isUndated || status === "DF" || isNamed) return null
  const more = isShallow ? ", or fetch all commits (`fetch-depth: 0`)" : ""
  return `no date: write \`date: 2024-01-31\` into its front matter${more}`
}

const withWarning = (post: LocalPost, code: string, message: string): LocalPost => ({
  ...post,
  findings: [...post.findings, { level: "warning", code, message, file: post.source.file, line: 1 }],
})

const UNDATED =
  "It has no date, so it becomes a page: no list and no feed shows it. Write `date: 2024-01-31` to make it a post."
const STILL_A_PAGE = "The service has it as a page. Write `listed: true` to make it a post, or `listed: false`."

/** Makes a page of a new post that its tool shows as one, and says so of one that is a page only there. */
const settle = (post: LocalPost, found: ListedPost | undefined): LocalPost => {
  if (post.listed !== undefined) return post
  if (!found && post.isPage)
    return { ...(post.isUndated ? withWarning(post, "undated_page", UNDATED) : post), listed: false }
  const isDated = post.published_at !== null && !post.isPage
  return found?.listed === false && isDated ? withWarning(post, "page", STILL_A_PAGE) : post
}

/**
 * Decides about the new posts of a folder that are pages or have no date. The field `listed` of a file wins.
 * @param source the folder's mark
 */
export const settlePages = (
  found: FolderPosts,
  there: ReadonlyMap<string, ListedPost>,
  source: string | null,
  options: PlanOptions,
): FolderPosts => {
  const slugs = new Set(found.all.map(({ slug }) => slug))
  const unclaimed = [...there.values()].filter((post) => post.source === source && !slugs.has(post.slug))
  // A file with another name may be one of these.
  const titles = new Map(source === null ? [] : unclaimed.map((post) => [post.title, post]))
  const settled = new Map<LocalPost, LocalPost>()
  const leftOut = new Map<LocalPost, LeftOut>()
  for (const post of found.all) {
    const known = there.get(post.slug) ?? titles.get(post.source.title.normalize("NFC"))
    const byDate = known || post.listed !== undefined ? null : whyLeftOut(post, found, options)
    const reason = (known?.source === source ? null : post.notForReaders) ?? byDate
    if (reason === null) settled.set(post, settle(post, known))
    else leftOut.set(post, { file: post.source.file, line: 1, reason })
  }
  return {
    ...found,
    posts: found.posts.flatMap((post) => settled.get(post) ?? []),
    all: [...settled.values()],
    leftOut: [...found.leftOut, ...found.posts.flatMap((post) => leftOut.get(post) ?? [])],
    unrendered: [...found.unrendered, ...leftOut.keys()],
  }
}
