import type { Account } from "../db/schema.ts"
import { NEW_SLUG } from "../posts/defaults.ts"
import { More } from "../ui/components.tsx"
import { Done } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { type Filters, isWorking, PostFilters, PostListItem, queryFor, type Summary } from "./post-list.tsx"

interface Props {
  account: Account
  posts: Summary[]
  filters: Filters
  /** The query string of this page, with its question mark. */
  query: string
  /** The cursor of the next page. */
  nextCursor: string | null
  /** A form has just deleted a post. */
  done: "deleted" | undefined
}

const PATH = "/settings/posts/"

const NoPosts = ({ filters }: { filters: Filters }) =>
  queryFor(filters) === "" ? (
    <>
      <p>There is no post yet. Write one here, or send it by the command line, the browser extension or a script.</p>
      <p>
        <a href="/settings/keys/">Make an API key</a> · <a href="/docs/">Reference of the API</a>
      </p>
    </>
  ) : (
    <p>
      No post matches. <a href={PATH}>Show all</a>
    </p>
  )

/** Renders the page of the author's posts with their states, dates and languages. `nextCursor`: null on the last page. */
export const renderBoard = ({ account, posts, filters, query, nextCursor, done }: Props) =>
  renderSettingsPage({
    account,
    path: PATH,
    title: "Posts",
    children: (
      <>
        <h1>Posts</h1>
        {done === "deleted" && <Done>Deleted.</Done>}
        <p>
          <a class="button" href={`${PATH}new/`}>
            New post
          </a>
        </p>
        <PostFilters {...filters} action={PATH} />
        <div id="board" data-refresh={posts.some(({ translations }) => translations.some(isWorking)) ? "" : undefined}>
          {posts.length === 0 && <NoPosts filters={filters} />}
          {posts.map((post) => (
            <PostListItem
              post={post}
              zone={account.timezone}
              href={post.slug === NEW_SLUG ? undefined : `${PATH}${post.slug}/`}
              retryOf={(lang) => `${PATH}${post.slug}/translations/${lang}/${query}`}
            />
          ))}
        </div>
        <p>
          <a href={`${PATH}${query}`}>Refresh</a>
        </p>
        {nextCursor && <More href={`${PATH}${queryFor(filters, nextCursor)}`}>Older posts</More>}
      </>
    ),
  })
