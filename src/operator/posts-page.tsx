import { type Filters, NoMatch, PostFilters, PostListItem, queryFor, type Summary } from "../author-pages/post-list.tsx"
import type { Account } from "../db/schema.ts"
import { More } from "../ui/components.tsx"
import { Done } from "../ui/form.tsx"
import { accountPath, renderOperatorPage } from "./layout.tsx"

interface Props {
  account: Account
  posts: Summary[]
  filters: Filters
  /** The query string of this page, with its question mark. */
  query: string
  /** A form has just turned a post into a draft, or has changed nothing. */
  done: "draft" | "unchanged" | undefined
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null
}

/** Renders the operator's list of an account's posts, to look at them and to turn published ones into drafts. */
export const renderPosts = ({ account: { username }, posts, filters, query, done, nextCursor }: Props) => {
  const path = `${accountPath(username)}posts/`
  return renderOperatorPage({
    path: "/operator/accounts/",
    title: `Posts of ${username}`,
    children: (
      <>
        <h1>Posts of {username}</h1>
        <p>
          <a href={accountPath(username)}>Back to the account</a>
        </p>
        {done === "draft" && <Done>Turned into a draft.</Done>}
        {done === "unchanged" && <Done>Nothing was changed. The post is a draft already, or was deleted.</Done>}
        <PostFilters {...filters} action={path} />
        {posts.length === 0 && (
          <p>
            <NoMatch nextCursor={nextCursor} />
          </p>
        )}
        {posts.map((post) => (
          <PostListItem post={post}>
            {post.status === "PB" && (
              <form method="post" action={`${path}unpublish/${query}`}>
                <input type="hidden" name="slug" value={post.slug} />
                <button aria-label={`Turn into a draft: ${post.title ?? post.slug}`}>Turn into a draft</button>
              </form>
            )}
          </PostListItem>
        ))}
        {nextCursor && <More href={`${path}${queryFor(filters, nextCursor)}`}>Older posts</More>}
      </>
    ),
  })
}
