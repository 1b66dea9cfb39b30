import { expect, it } from "vitest"

import type { Client } from "../src/client/index.ts"
import { searchPosts } from "../src/mcp/posts.ts"

/** Lists 2,030 posts from the newest to the oldest, as the service does; a cursor is the number of the last post. */
const listPosts = async ({ limit = 20, cursor = "2031" }: { limit?: number; cursor?: string } = {}) => {
  const newest = Number(cursor) - 1
  const posts = Array.from({ length: Math.min(limit, newest) }, (_, i) => ({
    slug: `post-${newest - i}`,
    categories: ["Récits"],
    tags: [],
    texts: { en: { title: newest - i === 7 ? "Die Größe" : "Hay", meta_description: null } },
  }))
  return { posts, next_cursor: newest > limit ? String(newest - limit + 1) : null }
}
const client = { listPosts } as unknown as Client

it("a search by an assistant looks at 2,000 posts, and its cursor leads to the older ones", async () => {
  const first = await searchPosts(client, "grosse RECITS")
  expect(first).toEqual({ searched: 2000, found: 0, posts: [], next_cursor: "31" })
  expect(await searchPosts(client, "grosse RECITS", "31")).toMatchObject({
    searched: 30,
    found: 1,
    posts: [{ slug: "post-7" }],
    next_cursor: null,
  })
})
