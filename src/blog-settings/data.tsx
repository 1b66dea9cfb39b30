import { renderLayout } from "../http/layout.tsx"
import type { Account } from "../tables.ts"
import { renderSettingsPage, Section, writeBytes } from "./parts.tsx"

const EXPORT = "/settings/export/"

/** @param cursors where each part of an export but the first begins */
export const Data = ({ cursors }: { cursors: string[] }) => (
  <Section id="data" title="Your data">
    <p>
      Every post in every language as Markdown with front matter, drafts too, and the pictures. You can make the same
      posts again from it, here or elsewhere.
    </p>
    {cursors.length === 0 ? (
      <p>
        <a href={EXPORT}>Download everything (zip)</a>
      </p>
    ) : (
      <ul>
        {["", ...cursors].map((cursor, i) => (
          <li>
            <a href={cursor ? `${EXPORT}?cursor=${cursor}` : EXPORT}>
              Download part {i + 1} of {cursors.length + 1} (zip)
            </a>
          </li>
        ))}
      </ul>
    )}
    <p>
      <a href="/settings/erase/">Erase everything</a>
    </p>
  </Section>
)

interface ErasureProps {
  account: Account
  posts: number
  /** Whether Stripe goes on charging for a subscription. */
  isSubscribed: boolean
}

/** Asks whether to erase the account. */
export const renderErasure = ({ account, posts, isSubscribed }: ErasureProps) =>
  renderSettingsPage({
    account,
    path: "/settings/",
    title: "Erase everything",
    children: (
      <>
        <h1>Erase everything</h1>
        <p class="notice">
          <strong>This cannot be undone, by nobody.</strong> There is no copy that it could be brought back from.{" "}
          <a href="/settings/#data">Download everything</a> first, if you may want any of it again.
        </p>
        {isSubscribed && (
          <p class="notice">
            <strong>Your subscription goes on, and goes on charging you.</strong> Erasing the account does not cancel
            it: cancel it with Stripe first.
          </p>
        )}
        <p>These will be gone:</p>
        <ul>
          <li>
            {posts === 1 ? "1 post" : `${posts} posts`} with all translations and public pages; anybody may then take
            the slugs
          </li>
          <li>all pictures, {writeBytes(account.stored_bytes)}</li>
          <li>the API key: whatever uses it stops working</li>
          <li>
            the account <strong>{account.username}</strong> with its settings, passkeys and paid time, everywhere you
            are signed in
          </li>
        </ul>
        <form method="post" action="/settings/erase/">
          <label htmlFor="username">
            To confirm, type the name of the account: <code>{account.username}</code>
          </label>
          <input id="username" name="username" required autocomplete="off" autocapitalize="none" spellcheck={false} />
          <button>Erase everything for good</button>
        </form>
        <p>
          <a href="/settings/">Back to the settings</a>
        </p>
      </>
    ),
  })

/** Says that the account is no more. */
export const renderErased = (username: string, isSubscribed: boolean) =>
  renderLayout({
    title: "Erased",
    children: (
      <>
        <h1>Everything is erased</h1>
        <p>
          The account <strong>{username}</strong> is gone, with its posts, pictures, key and sessions. Files of pictures
          follow within minutes.
        </p>
        {isSubscribed && (
          <p class="notice">
            <strong>Your subscription goes on</strong> until you cancel it with Stripe.
          </p>
        )}
      </>
    ),
  })
