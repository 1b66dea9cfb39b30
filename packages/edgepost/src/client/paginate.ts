/** A page of a list: its items in the only field that is an array. */
interface Page<Item> {
  posts: Item[]
  /** The cursor of the next page; null after the last one. */
  next_cursor: string | null
}

/**
 * Reads a list page by page, and yields its items: `for await (const post of paginate(client.listPosts, { status: "PB" }))`.
 * A post that is created meanwhile may be missing, and one that is deleted may still come.
 */
export async function* paginate<Query extends { cursor?: string }, Item>(
  list: (query: Query) => Promise<Page<Item>>,
  query: Query,
): AsyncGenerator<Item, void> {
  let cursor: string | null | undefined = query.cursor
  do {
    const page: Page<Item> = await list(cursor === undefined ? query : { ...query, cursor })
    yield* page.posts
    cursor = page.next_cursor
  } while (cursor !== null)
}
