import type { Child } from "hono/jsx"
import type * as z from "zod"

import { directionOf, languageName } from "../language.ts"
import type { PostSummary, TranslationView } from "../posts/operations.ts"
import { PostState, Time } from "../ui/components.tsx"
import { Field } from "../ui/form.tsx"
import type { BoardQuery } from "./input.ts"

// A list of posts with their dates and languages, for the author and for the operator.

export type Summary = z.input<typeof PostSummary> & { preview_url: string | null }
type Translation = z.input<typeof TranslationView>
export type Filters = Pick<z.output<typeof BoardQuery>, "q" | "state">

const STATES = { queued: "Waiting", running: "Running", ready: "Ready", failed: "Failed" } as const

export const isWorking = ({ status }: Translation): boolean => status === "queued" || status === "running"

interface TranslationProps {
  post: Summary
  translation: Translation
  /** The page on which the post is edited. */
  page?: string | undefined
  /** Renders the button that has a failed translation made again; its name ends in `what`, which tells it from others. */
  renderRetry?: ((what: string) => Child) | undefined
}

/** Renders the state of a translation. */
export const TranslationRow = ({ post, translation, page, renderRetry }: TranslationProps) => {
  const { lang_code, status, segments, error, stale, edited, warnings, url, listed, pending } = translation
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
        {pending && (
          <p class="quiet">
            {page && listed ? (
              <a href={`${page}?lang=${lang_code}#review`} aria-label={`${languageName(lang_code)} waits for approval`}>
                Waits for approval
              </a>
            ) : (
              "Waits for approval"
            )}
            .
          </p>
        )}
        {error && <p class="quiet">{error.message}</p>}
        {edited.length > 0 && <p class="quiet">Edited by hand: {edited.join(", ")}.</p>}
        {stale.length > 0 && <p class="quiet">Outdated: {stale.join(", ")}.</p>}
        {warnings.map(({ message }) => (
          <p class="quiet">{message}</p>
        ))}
      </div>
      {status === "failed" &&
        listed &&
        renderRetry?.(`translate ${post.title ?? post.slug} into ${languageName(lang_code)}`)}
    </li>
  )
}

/** Renders the state of a post with its times: since when readers see it, and when it was last changed. */
export const PostTimes = ({ post, zone }: { post: Summary; zone: string }) => (
  <>
    <PostState post={post} />{" "}
    {post.status === "PB" && post.published_at && (
      <>
        {post.scheduled ? "from" : "since"} <Time at={new Date(post.published_at)} zone={zone} />{" "}
      </>
    )}
    {post.published_at !== post.updated_at && (
      <>
        · changed <Time at={new Date(post.updated_at)} zone={zone} />
      </>
    )}
  </>
)

/** Renders links to a post's public page and its preview, after other words of a line. */
export const PostLinks = ({ post: { status, scheduled, url, preview_url } }: { post: Summary }) => (
  <>
    {url && status === "PB" && (
      <>
        {" "}
        · <a href={url}>View</a>
      </>
    )}
    {preview_url && (status === "DF" || scheduled) && (
      <>
        {" "}
        · <a href={preview_url}>Preview link</a>
      </>
    )}
  </>
)

interface RowProps {
  post: Summary
  /** IANA name of the zone of its times; by default UTC. */
  zone?: string
  /** The page on which the post is edited; undefined if it can only be looked at. */
  href?: string | undefined
  /** Returns the action of the form that has a translation made again; undefined without such forms. */
  retryOf?: (lang: string) => string
  /** Further elements, such as a form. */
  children?: Child
}

/** Renders a post of a list. */
export const PostListItem = ({ post, zone = "UTC", href, retryOf, children }: RowProps) => (
  <article>
    <h2 lang={post.primary_language} dir={directionOf(post.primary_language)}>
      {href === undefined ? post.title : <a href={href}>{post.title}</a>}
    </h2>
    <p class="byline">
      <PostTimes post={post} zone={zone} />
    </p>
    <p class="byline">
      <code>{post.slug}</code> · {languageName(post.primary_language)}
      <PostLinks post={post} />
    </p>
    {post.translations.length > 0 && (
      <ul class="rows">
        {post.translations.map((translation) => (
          <TranslationRow
            post={post}
            translation={translation}
            page={href}
            renderRetry={
              retryOf &&
              ((what) => (
                <form method="post" action={retryOf(translation.lang_code)}>
                  <button aria-label={`Try again: ${what}`}>Try again</button>
                </form>
              ))
            }
          />
        ))}
      </ul>
    )}
    {children}
  </article>
)

const STATE_NAMES = { draft: "Drafts", scheduled: "Scheduled", published: "Published" } as const

/** Renders the search and the filter of a list. */
export const PostFilters = ({ q, state, action }: Filters & { action: string }) => (
  <search>
    <form method="get" action={action} class="filters">
      <div>
        <Field id="q" name="q" type="search" label="Title or slug" value={q ?? ""} refused={undefined} />
      </div>
      <div>
        <label htmlFor="state">State</label>
        <select id="state" name="state">
          <option value="">All</option>
          {Object.entries(STATE_NAMES).map(([value, name]) => (
            <option value={value} selected={value === state || undefined}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button>Show</button>
    </form>
  </search>
)

/** Says that a page of a list has no posts. @param nextCursor older posts may match */
export const NoMatch = ({ nextCursor }: { nextCursor: string | null }) =>
  nextCursor ? <>None of the newest posts matches. Look at older posts.</> : <>No post matches.</>

/** Returns the query string of a page of a list, with its question mark; "" without filters and cursor. */
export const queryFor = ({ q, state }: Filters, cursor: string | null = null): string => {
  const query = new URLSearchParams({ ...(q && { q }), ...(state && { state }), ...(cursor && { cursor }) })
  return query.size > 0 ? `?${query.toString()}` : ""
}
