import type * as z from "zod"

import type { Account } from "../db/schema.ts"
import { languageName } from "../language.ts"
import type { PostSummary, TranslationView } from "../posts/schema.ts"
import { PostState, PostTitle } from "../ui/components.tsx"
import { renderSettingsPage } from "./layout.tsx"

type Summary = z.input<typeof PostSummary> & { preview_url: string | null }
type Translation = z.input<typeof TranslationView>

interface Props {
  account: Account
  posts: Summary[]
  /** The query string of this page, with its question mark. */
  query: string
  /** The cursor of the next page. */
  nextCursor: string | null
}

const STATES = { queued: "Waiting", running: "Running", ready: "Ready", failed: "Failed" } as const

const isWorking = ({ status }: Translation): boolean => status === "queued" || status === "running"

interface TranslationProps {
  post: Summary
  translation: Translation
  query: string
}

const TranslationRow = ({ post, translation, query }: TranslationProps) => {
  const { lang_code, status, segments, error, stale, edited, warnings, url, listed } = translation
  return (
    <li>
      <div>
        <strong>{url ? <a href={url}>{languageName(lang_code)}</a> : languageName(lang_code)}</strong>{" "}
        <span class={`state ${status}`}>{listed ? STATES[status] : "Not listed"}</span>
        {status === "running" && segments.total > 0 && (
          <progress
            max={segments.total}
            value={segments.done}
            aria-label={`${segments.done} of ${segments.total} parts`}
          />
        )}
        {error && <p class="quiet">{error.message}</p>}
        {edited.length > 0 && <p class="quiet">Edited by hand: {edited.join(", ")}.</p>}
        {stale.length > 0 && <p class="quiet">Outdated: {stale.join(", ")}.</p>}
        {warnings.map(({ message }) => (
          <p class="quiet">{message}</p>
        ))}
      </div>
      {status === "failed" && listed && (
        <form method="post" action={`/settings/posts/${post.slug}/${lang_code}/${query}`}>
          <button aria-label={`Try again: translate ${post.title ?? post.slug} into ${languageName(lang_code)}`}>
            Try again
          </button>
        </form>
      )}
    </li>
  )
}

const PostRow = ({ post, query }: { post: Summary; query: string }) => (
  <article>
    <h2>
      <PostTitle post={post} />
    </h2>
    <p class="byline">
      <PostState post={post} /> <code>{post.slug}</code> · {languageName(post.primary_language)}
      {post.preview_url && (post.status === "DF" || post.scheduled) && (
        <>
          {" "}
          · <a href={post.preview_url}>Preview</a>
        </>
      )}
    </p>
    {post.translations.length > 0 && (
      <ul class="rows">
        {post.translations.map((translation) => (
          <TranslationRow post={post} translation={translation} query={query} />
        ))}
      </ul>
    )}
  </article>
)

/** Renders the page of the author's posts with the status of their translations. `nextCursor`: null on the last page. */
export const renderBoard = ({ account, posts, query, nextCursor }: Props) =>
  renderSettingsPage({
    account,
    path: "/settings/posts/",
    title: "Posts",
    children: (
      <>
        <h1>Posts</h1>
        <div id="board" data-refresh={posts.some(({ translations }) => translations.some(isWorking)) ? "" : undefined}>
          {posts.length === 0 && <p>There is no post here yet. Write the first one with your API key.</p>}
          {posts.map((post) => (
            <PostRow post={post} query={query} />
          ))}
        </div>
        <nav aria-label="More">
          <a href={`/settings/posts/${query}`}>Refresh</a>
          {nextCursor && <a href={`/settings/posts/?cursor=${encodeURIComponent(nextCursor)}`}>Older posts</a>}
        </nav>
      </>
    ),
  })
