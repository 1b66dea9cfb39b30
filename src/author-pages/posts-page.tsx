import type { Account } from "../db/schema.ts"
import { languageName } from "../language.ts"
import { MAX_APPROVED_AT_ONCE } from "../limits.ts"
import { NEW_SLUG } from "../posts/defaults.ts"
import type { Waiting } from "../posts/review-store.ts"
import { count, More, Section } from "../ui/components.tsx"
import { Done } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { APPROVE_ALL } from "./post-access.ts"
import { type Filters, isWorking, NoMatch, PostFilters, PostListItem, queryFor, type Summary } from "./post-list.tsx"

interface Props {
  account: Account
  posts: Summary[]
  filters: Filters
  /** The query string of this page, with its question mark. */
  query: string
  /** The cursor of the next page. */
  nextCursor: string | null
  /** The translations that wait for approval, by language. */
  waiting: Waiting[]
  /** When they were counted. */
  now: Date
  /** A form has just deleted a post, or approved translations. */
  done: "deleted" | "approved" | undefined
}

const PATH = "/settings/posts/"

const stillWaiting = (waiting: Waiting[]): string => {
  const total = waiting.reduce((sum, each) => sum + each.count, 0)
  return `${count(total, "translation")} still ${total === 1 ? "waits" : "wait"}.`
}

/** Renders a button for each language that approves all that waits. */
const ApproveAll = ({ waiting, now }: Pick<Props, "waiting" | "now">) => (
  <Section id="waiting" title="Waiting for approval">
    {waiting.map(({ lang_code, count: number }) => (
      <form method="post" action={APPROVE_ALL}>
        <input type="hidden" name="lang_code" value={lang_code} />
        <input type="hidden" name="seen" value={String(now.getTime())} />
        <button>
          Approve all in {languageName(lang_code)} ({number})
        </button>
      </form>
    ))}
    <p class="quiet">
      Readers then see the newest translations. The {MAX_APPROVED_AT_ONCE} oldest posts with something that waits are
      counted.
    </p>
  </Section>
)

const NoPosts = ({ filters, nextCursor }: Pick<Props, "filters" | "nextCursor">) =>
  queryFor(filters) === "" ? (
    <>
      <p>There is no post yet. Write one here, or send it by the command line, the browser extension or a script.</p>
      <p>
        <a href="/settings/keys/">Make an API key</a> · <a href="/docs/">Reference of the API</a>
      </p>
    </>
  ) : (
    <p>
      <NoMatch nextCursor={nextCursor} /> <a href={PATH}>Show all</a>
    </p>
  )

/** Renders the page of the author's posts with their states, dates and languages. `nextCursor`: null on the last page. */
export const renderBoard = ({ account, posts, filters, query, nextCursor, waiting, now, done }: Props) =>
  renderSettingsPage({
    account,
    path: PATH,
    title: "Posts",
    children: (
      <>
        <h1>Posts</h1>
        {done === "deleted" && <Done>Deleted.</Done>}
        {done === "approved" && <Done>{waiting.length > 0 ? `Approved. ${stillWaiting(waiting)}` : "Approved."}</Done>}
        <p>
          <a class="button" href={`${PATH}new/`}>
            New post
          </a>
        </p>
        {waiting.length > 0 && <ApproveAll waiting={waiting} now={now} />}
        <PostFilters {...filters} action={PATH} />
        <div id="board" data-refresh={posts.some(({ translations }) => translations.some(isWorking)) ? "" : undefined}>
          {posts.length === 0 && <NoPosts filters={filters} nextCursor={nextCursor} />}
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
