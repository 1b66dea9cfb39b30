import type { Account } from "../db/schema.ts"
import type { Part } from "../export/part.ts"
import { writeCursor } from "../http/cursor.ts"
import { MAX_EXPORT_IMAGE_BYTES, MAX_EXPORT_POSTS } from "../limits.ts"
import { count, countUpTo, More, Section, writeBytes } from "../ui/components.tsx"
import { Field, type RefusedForm } from "../ui/form.tsx"
import { renderLayout } from "../ui/layout.tsx"
import { renderSettingsPage } from "./layout.tsx"

const EXPORT = "/settings/export/"
const PARTS = `${EXPORT}parts/`

/** Renders the links to export and erasure. @param isParted true if the export needs several archives */
export const Data = ({ isParted }: { isParted: boolean }) => (
  <Section id="data" title="Your data">
    <p>
      All posts and drafts in every language as Markdown with front matter, and the images. The import script of
      edgepost can create them again.
    </p>
    <p>
      {isParted ? <a href={PARTS}>Download everything, in parts</a> : <a href={EXPORT}>Download everything (zip)</a>}
    </p>
    <p>
      <a href="/settings/erase/">Erase everything</a>
    </p>
  </Section>
)

const cursorOf = (name: string, id: string | undefined): string[][] =>
  id === undefined ? [] : [[name, writeCursor(id)]]

interface PartsProps {
  account: Account
  parts: Part[]
  /** The number of the first part. */
  first: number
}

const PartRow = ({ part: { after, until, posts, bytes }, number }: { part: Part; number: number }) => {
  const query = new URLSearchParams([...cursorOf("cursor", after), ...cursorOf("until", until), ["part", `${number}`]])
  return (
    <li>
      <a href={`${EXPORT}?${query.toString()}`}>Download part {number} (zip)</a>
      <span class="quiet">
        {count(posts, "post")}, {writeBytes(bytes)} of images
      </span>
    </li>
  )
}

/** Renders one page of links to the parts of an export; `first` is the number of the first part. */
export const renderParts = ({ account, parts, first }: PartsProps) => {
  const until = parts.at(-1)?.until
  const next = new URLSearchParams([...cursorOf("cursor", until), ["part", `${first + parts.length}`]])
  return renderSettingsPage({
    account,
    path: "/settings/",
    title: "Download everything",
    children: (
      <>
        <h1>Download everything</h1>
        <p>
          One archive holds at most {MAX_EXPORT_POSTS} posts and {writeBytes(MAX_EXPORT_IMAGE_BYTES)} of images. The
          oldest posts come first.
        </p>
        <ul class="rows">
          {parts.map((part, i) => (
            <PartRow part={part} number={first + i} />
          ))}
        </ul>
        {until !== undefined && <More href={`${PARTS}?${next.toString()}`}>More parts</More>}
        <p>
          <a href="/settings/#data">Back to the settings</a>
        </p>
      </>
    ),
  })
}

interface ErasureProps {
  account: Account
  posts: number
  /** True if Stripe still charges for a subscription. */
  isSubscribed: boolean
  refused?: RefusedForm | undefined
}

/** Renders the form that confirms erasing the account. If `isSubscribed`, it warns that Stripe still charges. */
export const renderErasure = ({ account, posts, isSubscribed, refused }: ErasureProps) =>
  renderSettingsPage({
    account,
    path: "/settings/",
    title: "Erase everything",
    children: (
      <>
        <h1>Erase everything</h1>
        <p class="notice">
          <strong>This cannot be undone.</strong> There is no backup to restore.{" "}
          <a href="/settings/#data">Download everything</a> first if you want to keep anything.
        </p>
        {isSubscribed && (
          <p class="notice">
            <strong>Your subscription continues, and still charges you.</strong> Erasing the account does not cancel it:
            cancel it with Stripe first.
          </p>
        )}
        <p>This erases:</p>
        <ul>
          <li>{countUpTo(posts, "post")} with all translations and public pages; the slugs become free</li>
          <li>all images, {writeBytes(account.stored_bytes)}</li>
          <li>all API keys: programs that use them stop working</li>
          <li>
            the account <strong>{account.username}</strong> with its settings, passkeys, paid time and all sessions
          </li>
        </ul>
        <form method="post" action="/settings/erase/">
          <Field
            id="username"
            name="username"
            label={`To confirm, type the name of the account: ${account.username}`}
            required
            autocomplete="off"
            refused={refused}
          />
          <button>Erase everything for good</button>
        </form>
        <p>
          <a href="/settings/">Back to the settings</a>
        </p>
      </>
    ),
  })

/** Renders the page that says that the account is erased. @param isSubscribed true: it warns that Stripe still charges */
export const renderErased = (username: string, isSubscribed: boolean) =>
  renderLayout({
    title: "Erased",
    children: (
      <>
        <h1>Everything is erased</h1>
        <p>
          The account <strong>{username}</strong> is gone, with its posts, images, keys and sessions. Image files are
          deleted within minutes.
        </p>
        {isSubscribed && (
          <p class="notice">
            <strong>Your subscription continues</strong> until you cancel it with Stripe.
          </p>
        )}
      </>
    ),
  })
