import { posix } from "node:path"

import type { ListedPost } from "../client/index.ts"
import type { LeftOut, LocalPost } from "../folder/post.ts"
import type { FolderPosts } from "../folder/posts.ts"
import type { PlanOptions } from "./blog.ts"

// Decides which new posts are pages, and leaves out those without a date. Posts that the service has go on as they are.

/** Matches pages that servers show for errors: `404.md`. Does not match `2024.md`. */
const ERROR_PAGE = /^(?:404|500)\./

/** Tells why a new post is left out; null if it is not. */
const whyLeftOut = (post: LocalPost, { isShallow }: FolderPosts, { paths, noPages }: PlanOptions): string | null => {
  const { isPage, isUndated, status, source } = post
  if (isPage && ERROR_PAGE.test(posix.basename(source.file))) return "a page for errors"
  if (isPage) return noPages ? "a page, because of --no-pages" : null
  if (!isUndated || status === "DF" || paths.includes(source.file)) return null
  const more = isShallow ? ", or fetch all commits (`fetch-depth: 0`)" : ""
  return `no date: write \`date: 2024-01-31\` into its front matter${more}`
}

/** Makes a page of a new post that its tool shows as one. */
const toPage = (post: LocalPost): LocalPost => {
  if (!post.isUndated) return { ...post, listed: false }
  const message =
    "It has no date, so it becomes a page: no list and no feed shows it. Write `date: 2024-01-31` to make it a post."
  const { file } = post.source
  const findings = [...post.findings, { level: "warning" as const, code: "undated_page", message, file, line: 1 }]
  return { ...post, listed: false, findings }
}

/** Decides about the new posts of a folder that are pages or have no date. The field `listed` of a file wins. */
export const settlePages = (
  found: FolderPosts,
  there: ReadonlyMap<string, ListedPost>,
  options: PlanOptions,
): FolderPosts => {
  const settled = new Map<LocalPost, LocalPost>()
  const leftOut = new Map<LocalPost, LeftOut>()
  for (const post of found.all) {
    const isNew = post.listed === undefined && !there.has(post.slug)
    const reason = isNew ? whyLeftOut(post, found, options) : null
    if (reason !== null) leftOut.set(post, { file: post.source.file, line: 1, reason })
    else settled.set(post, isNew && post.isPage ? toPage(post) : post)
  }
  return {
    ...found,
    posts: found.posts.flatMap((post) => settled.get(post) ?? []),
    all: [...settled.values()],
    leftOut: [...found.leftOut, ...found.posts.flatMap((post) => leftOut.get(post) ?? [])],
    unrendered: [...found.unrendered, ...leftOut.keys()],
  }
}
