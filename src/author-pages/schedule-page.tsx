import { daysAfter } from "../days.ts"
import type { Account } from "../db/schema.ts"
import { MAX_SCHEDULE_DAYS } from "../limits.ts"
import type { Post } from "../posts/post.ts"
import { Field, Hidden, Outcome, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { showLocal } from "./local-time.ts"

interface Props {
  account: Account
  now: Date
  post: Post
  title: string
  etag: string
  refused?: RefusedForm | undefined
}

const isConflict = ({ errors }: RefusedForm): boolean => errors.some(({ code }) => code === "version_conflict")

/** Renders the form that asks from when on readers see a post. It has a page of its own, so that it drops no unsaved text. */
export const renderSchedule = ({ account, now, post, title, etag, refused }: Props) => {
  const { published_at } = post
  const proposed = published_at && published_at > now ? published_at : daysAfter(now, 1)
  return renderSettingsPage({
    account,
    path: "/settings/posts/",
    title: "Schedule a post",
    children: (
      <>
        <h1>
          Schedule “<bdi lang={post.primary_language}>{title}</bdi>”
        </h1>
        <Outcome refused={refused} />
        <form method="post" action={`/settings/posts/${post.slug}/schedule/`}>
          {/* After a conflict the form is for the newest version. */}
          <Hidden name="etag" value={etag} refused={refused && !isConflict(refused) ? refused : undefined} />
          <Hidden name="timezone" value={account.timezone} refused={refused} />
          <Field
            id="published-at"
            name="published_at"
            type="datetime-local"
            label={`Readers see it from (${account.timezone})`}
            value={showLocal(proposed, account.timezone)}
            hint={`A day and a time at most ${MAX_SCHEDULE_DAYS} days ahead.`}
            required
            refused={refused}
          />
          <button class="primary">Schedule</button> <a href={`/settings/posts/${post.slug}/`}>Back to the post</a>
        </form>
      </>
    ),
  })
}
