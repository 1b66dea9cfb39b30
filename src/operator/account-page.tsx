import type { NewKey } from "../accounts/key.ts"
import { Keys } from "../accounts/keys.tsx"
import { dayOf } from "../days.ts"
import type { Account } from "../db/schema.ts"
import { languageName } from "../language.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"
import { AccountUsage, count, countUpTo, PostState, PostTitle, Secret, Section, Time } from "../ui/components.tsx"
import { Field, Hidden, Outcome, type RefusedForm, sentTo, Unchanged } from "../ui/form.tsx"
import { States } from "./accounts-page.tsx"
import { Actions, accountPath, renderOperatorPage } from "./layout.tsx"
import type { AccountFacts } from "./request.ts"

interface Props extends AccountFacts {
  /** A new sign-in link, which is shown only once. */
  newLink?: string
  /** A new API key, which is shown only once. */
  newKey?: NewKey
  /** The form of a new key or of the paid time, if it has wrong or outdated fields. */
  refused?: RefusedForm | undefined
  /** True after a form that has changed nothing. */
  isUnchanged?: boolean
  /** True after a form that has changed something. */
  isSaved?: boolean
}

const Facts = ({ account, subscriptions, sessions, holdings }: Props) => (
  <Section id="facts" title="Facts">
    <ul>
      <li>
        Made <Time at={account.created_at} />
      </li>
      <li>
        {account.paid_until ? (
          <>
            Paid until <Time at={account.paid_until} />
            {account.paid_source && `, by ${account.paid_source === "stripe" ? "Stripe" : "the operator"}`}
          </>
        ) : (
          "Never paid"
        )}
      </li>
      {subscriptions.map((id) => (
        <li>
          Live Stripe subscription <code>{id}</code>
        </li>
      ))}
      <li>
        Posts in {languageName(account.primary_language)}
        {account.translation_languages.length > 0 &&
          `, to ${account.translation_languages.map(languageName).join(", ")}`}
      </li>
      {!account.shows_translation_note && <li>Readers are not told of machine translations</li>}
      {account.blog_title && <li>Blog title: {account.blog_title}</li>}
      {account.blog_description && <li>Blog description: {account.blog_description}</li>}
      {account.author_name && <li>Author: {account.author_name}</li>}
      <li>
        {countUpTo(holdings.published, "published post")}, {countUpTo(holdings.drafts, "draft")},{" "}
        {countUpTo(holdings.images, "image")}
      </li>
      <li>{count(sessions.length, "session")}</li>
    </ul>
  </Section>
)

const REFUSALS: Record<string, string> = {
  rate_limited: "uploads over the limit of a minute",
  file_too_large: "files that are too large",
  unsupported_format: "files that are not images",
  json_too_large: "JSON bodies that are too long",
  steps: "steps of texts that took long to convert",
}

const Refusals = ({ refusals }: Props) => (
  <Section id="refusals" title="Refused or costly">
    {refusals.length === 0 && <p>Nothing.</p>}
    <ul>
      {refusals.map(({ day, kind, count: times }) => (
        <li>
          <time datetime={day}>{day}</time>: {times} {REFUSALS[kind] ?? kind}
        </li>
      ))}
    </ul>
  </Section>
)

const AuditLog = ({ account, actions }: Props) => (
  <Section id="audit-log" title="Audit log">
    <Actions actions={actions} showsAccount={false} />
    <p>
      <a href={`/operator/audit-log/?username=${encodeURIComponent(account.username)}`}>All entries</a>
    </p>
  </Section>
)

const Erasing = ({ account: { username } }: Props) => (
  <Section id="erasing" title="Erasing">
    <p>
      An account is erased with everything it owns, for good, by the API alone:{" "}
      <code>DELETE /operator/api/accounts/{username}/</code>
    </p>
  </Section>
)

/** Renders the operator's page of an account: its data, forms to change it, refused requests and the audit log. */
export const renderAccount = (props: Props) =>
  renderOperatorPage({
    path: "/operator/accounts/",
    title: props.account.username,
    children: (
      <>
        <h1>{props.account.username}</h1>
        <Outcome {...props} />
        {props.isUnchanged && <Unchanged />}
        <p>
          <States account={props.account} />
        </p>
        <Facts {...props} />
        <SignInLink {...props} />
        <Section id="keys" title="API keys">
          <Keys {...props} path={`${accountPath(props.account.username)}keys/`} />
        </Section>
        <Changes {...props} />
        <Unpublish {...props} />
        <Section id="usage" title="Usage">
          <AccountUsage {...props} />
        </Section>
        <Refusals {...props} />
        <AuditLog {...props} />
        <Erasing {...props} />
      </>
    ),
  })

const SignInLink = ({ account, lastLink, newLink }: Props) => (
  <Section id="sign-in-link" title="Sign-in link">
    {newLink !== undefined && (
      <Secret id="new-link" label="Sign-in link" value={newLink}>
        <strong>This is the link. It is shown only now,</strong> works once and for {SIGN_IN_LINK_SECONDS / 60} minutes:
        send it to the author.
      </Secret>
    )}
    <form method="post" action={`${accountPath(account.username)}sign-in-links/`}>
      <input type="hidden" name="seen" value={lastLink ?? ""} />
      <button>Make a sign-in link</button>
    </form>
  </Section>
)

const PaidTime = ({ account: { username, paid_until }, ...props }: Pick<Props, "account" | "refused">) => {
  const action = `${accountPath(username)}paid-until/`
  const seen = paid_until ? String(paid_until.getTime()) : ""
  const refused = sentTo(action, props.refused)
  return (
    <>
      <form method="post" action={action}>
        <Hidden name="seen" value={seen} refused={refused} />
        <Field
          id="paid-until"
          name="paid_until"
          type="date"
          label="Paid until (UTC)"
          value={paid_until ? dayOf(paid_until) : ""}
          required
          refused={refused}
        />
        <button>Set</button>
      </form>
      <form method="post" action={action}>
        <input type="hidden" name="seen" value={seen} />
        <button name="months" value="1">
          One month more
        </button>{" "}
        <button name="months" value="12">
          One year more
        </button>
      </form>
    </>
  )
}

const BlogHost = ({ account: { username, blog_host }, ...props }: Pick<Props, "account" | "refused">) => {
  const action = `${accountPath(username)}blog-host/`
  const refused = sentTo(action, props.refused)
  return (
    <form method="post" action={action}>
      <Hidden name="seen" value={blog_host ?? ""} refused={refused} />
      <Field
        id="blog-host"
        name="blog_host"
        label="Host of the blog"
        value={blog_host ?? ""}
        hint="A custom domain of the Worker, such as blog.ann.example: the blog is then at its root. Empty: none."
        refused={refused}
      />
      <button>Set the host</button>
    </form>
  )
}

interface ToggleProps {
  account: Account
  flag: "restricted" | "hidden"
  verb: string
  about: string
}

const Toggle = ({ account, flag, verb, about }: ToggleProps) => (
  <form method="post" action={`${accountPath(account.username)}${flag}/`}>
    <input type="hidden" name="value" value={String(!account[flag])} />
    <button>{account[flag] ? `${verb} no longer` : verb}</button>
    <p class="quiet">{about}</p>
  </form>
)

const Changes = ({ account, refused }: Props) => (
  <Section id="changes" title="Changes">
    <PaidTime account={account} refused={refused} />
    <BlogHost account={account} refused={refused} />
    <Toggle
      account={account}
      flag="restricted"
      verb="Restrict"
      about="The API answers 403 to a restricted account; its pages stay public."
    />
    <Toggle account={account} flag="hidden" verb="Hide" about="The pages and images of a hidden account answer 404." />
  </Section>
)

const Unpublish = ({ account, posts }: Props) => (
  <Section id="posts" title="Posts">
    <ul class="rows">
      {posts.map((post) => (
        <li>
          <div>
            <PostTitle post={post} /> <code>{post.slug}</code>
          </div>
          <PostState post={post} />
        </li>
      ))}
    </ul>
    <p>
      <a href={`${accountPath(account.username)}posts/`}>All posts</a>
    </p>
    <form method="post" action={`${accountPath(account.username)}unpublish/`}>
      <label htmlFor="slug">Slug of a published post</label>
      <input id="slug" name="slug" required autocapitalize="none" spellcheck={false} />
      <button>Turn it into a draft</button>
    </form>
  </Section>
)
