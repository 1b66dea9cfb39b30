import type * as z from "zod"

import { openDb } from "../db/client.ts"
import type { Account } from "../db/schema.ts"
import type { AppContext } from "../http/context.ts"
import { writeCursor } from "../http/cursor.ts"
import { listPosts } from "../posts/list-store.ts"
import type { Post } from "../posts/post.ts"
import { previewOf, viewSummary } from "../posts/view.ts"
import type { BoardQuery } from "./input.ts"

/** Returns the query string of a list, with its question mark, without what a form has done. */
export const queryOf = (c: AppContext): string => {
  const { searchParams, search } = new URL(c.req.url)
  if (!searchParams.has("done")) return search
  searchParams.delete("done")
  return searchParams.size > 0 ? `?${searchParams.toString()}` : ""
}

/** Returns what the pages of posts show of one. */
export const summaryOf = (c: AppContext, post: Post) => ({
  ...viewSummary(post, c.var),
  preview_url: previewOf(post, c.var),
})

/** Reads a page of an account's posts that match the filters. `nextCursor` is null on the last page. */
export const readBoard = async (
  c: AppContext,
  { id }: Account,
  { q, state, limit, cursor }: Pick<z.output<typeof BoardQuery>, "q" | "state" | "limit" | "cursor">,
) => {
  const { now } = c.var
  const { posts, next } = await listPosts(openDb(c.env.DB), id, {
    limit,
    cursor,
    search: q || undefined,
    status: state === "draft" ? "DF" : undefined,
    visibleAt: state === "published" ? now : undefined,
    scheduledAt: state === "scheduled" ? now : undefined,
  })
  return {
    posts: posts.map((post) => summaryOf(c, post)),
    nextCursor: next === null ? null : writeCursor(next),
    filters: { q, state },
  }
}
