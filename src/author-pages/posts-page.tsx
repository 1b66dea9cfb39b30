import type { Account } from "../db/schema.ts"
import { renderSettingsPage } from "./layout.tsx"
import { type Filters, isWorking, PostFilters, PostRow, queryFor, type Summary } from "./post-list.tsx"

interface Props {
  account: Account
  posts: Summary[]
  filters: Filters
  /** The query string of this page, with its question mark. */
  query: string
  /** The cursor of the next page. */
  nextCursor: string | null
  /** The slug of the post that was just deleted. */
  deleted: string | undefined
}

const PATH = "/settings/posts/"

const NoPosts = ({ filters }: { filters: Filters }) =>
  queryFor(filters) === "" ? (
    <p>There is no post here yet. Write the first one with your API key.</p>
  ) : (
    <p>
      No post matches. <a href={PATH}>Show all</a>
    </p>
  )

/** Renders the page of the author's posts with their states, dates and languages. `nextCursor`: null on the last page. */
export const renderBoard = ({ account, posts, filters, query, nextCursor, deleted }: Props) =>
  renderSettingsPage({
    account,
    path: PATH,
    title: "Posts",
    children: (
      <>
        <h1>Posts</h1>
        {deleted !== undefined && (
          <output class="notice">
            <strong>Deleted:</strong> <code>{deleted}</code>
          </output>
        )}
        <PostFilters {...filters} action={PATH} />
        <div id="board" data-refresh={posts.some(({ translations }) => translations.some(isWorking)) ? "" : undefined}>
          {posts.length === 0 && <NoPosts filters={filters} />}
          {posts.map((post) => (
            <PostRow
              post={post}
              href={`${PATH}${post.slug}/`}
              retryOf={(lang) => `${PATH}${post.slug}/translations/${lang}/${query}`}
            />
          ))}
        </div>
        <nav aria-label="More">
          <a href={`${PATH}${query}`}>Refresh</a>
          {nextCursor && <a href={`${PATH}${queryFor(filters, nextCursor)}`}>Older posts</a>}
        </nav>
      </>
    ),
  })
