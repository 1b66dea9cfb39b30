import { Section } from "../blog-settings/parts.tsx"
import { dayOf } from "../days.ts"
import { SIGN_IN_LINK_SECONDS } from "../limits.ts"
import type { AccountProps } from "./account-page.tsx"
import { accountPath } from "./parts.tsx"

const NewLink = ({ newLink }: { newLink: string }) => (
  <div class="secret">
    <p>
      <strong>This is the link. It is shown only now,</strong> works once and for {SIGN_IN_LINK_SECONDS / 60} minutes:
      send it to the author.
    </p>
    <label htmlFor="new-link">Sign-in link</label>
    <input id="new-link" readonly value={newLink} autocomplete="off" spellcheck={false} />
    <button type="button" data-copy="new-link" hidden>
      Copy
    </button>
  </div>
)

export const SignInLink = ({ account, lastLink, newLink }: AccountProps) => (
  <Section id="sign-in-link" title="Sign-in link">
    {newLink !== undefined && <NewLink newLink={newLink} />}
    <form method="post" action={`${accountPath(account.username)}sign-in-links/`}>
      <input type="hidden" name="seen" value={lastLink ?? ""} />
      <button>Make a sign-in link</button>
    </form>
  </Section>
)

const PaidTime = ({ account: { username, paid_until } }: AccountProps) => {
  const action = `${accountPath(username)}paid-until/`
  const seen = paid_until ? String(paid_until.getTime()) : ""
  return (
    <>
      <form method="post" action={action}>
        <input type="hidden" name="seen" value={seen} />
        <label htmlFor="paid-until">Paid until (UTC)</label>
        <input id="paid-until" name="paid_until" type="date" required value={paid_until ? dayOf(paid_until) : ""} />
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

interface ToggleProps {
  action: string
  /** What the account is to be. */
  value: boolean
  words: string
  about: string
}

const Toggle = ({ action, value, words, about }: ToggleProps) => (
  <form method="post" action={action}>
    <input type="hidden" name="value" value={String(value)} />
    <button>{words}</button>
    <p class="quiet">{about}</p>
  </form>
)

export const Changes = (props: AccountProps) => {
  const { username, restricted, hidden } = props.account
  return (
    <Section id="changes" title="Changes">
      <PaidTime {...props} />
      <Toggle
        action={`${accountPath(username)}restricted/`}
        value={!restricted}
        words={restricted ? "Restrict no longer" : "Restrict"}
        about="To a restricted account the API answers 403; its pages stay."
      />
      <Toggle
        action={`${accountPath(username)}hidden/`}
        value={!hidden}
        words={hidden ? "Hide no longer" : "Hide"}
        about="Of a hidden account pages and pictures answer 404."
      />
    </Section>
  )
}

export const Unpublish = ({ account, posts }: AccountProps) => (
  <Section id="posts" title="Posts">
    <ul class="rows">
      {posts.map(({ slug, status, title, url }) => (
        <li>
          <div>
            {status === "PB" ? <a href={url}>{title}</a> : title} <code>{slug}</code>
          </div>
          <span class={`state ${status}`}>{status === "PB" ? "Published" : "Draft"}</span>
        </li>
      ))}
    </ul>
    <form method="post" action={`${accountPath(account.username)}unpublish/`}>
      <label htmlFor="slug">Slug of a published post</label>
      <input id="slug" name="slug" required autocapitalize="none" spellcheck={false} />
      <button>Turn it into a draft</button>
    </form>
  </Section>
)
