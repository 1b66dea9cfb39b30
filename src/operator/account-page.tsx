import type * as z from "zod"

import { KeyFacts, Section, Time, Usages } from "../blog-settings/parts.tsx"
import { languageName } from "../language.ts"
import type { PostSummary } from "../posts/answers.ts"
import type { AbuseCount, Account, ApiKey, OperatorAction, Session } from "../tables.ts"
import { Changes, SignInLink, Unpublish } from "./account-forms.tsx"
import { States } from "./page.tsx"
import { Actions, renderOperatorPage } from "./parts.tsx"
import type { Holdings } from "./store.ts"

/** All that the page shows. */
export interface AccountProps {
  account: Account
  /** Of Stripe, by its ids: those that go on. */
  subscriptions: string[]
  liveKey: ApiKey | null
  sessions: Session[]
  holdings: Holdings
  /** The newest. */
  posts: z.input<typeof PostSummary>[]
  /** Translated today. */
  characters: number
  charactersPerDay: number
  /** The last. */
  actions: OperatorAction[]
  refusals: AbuseCount[]
  /** The entry of the last sign-in link. */
  lastLink: string | null
  /** A link that was just made: shown this once. */
  newLink?: string
  /** A form was sent that has changed nothing. */
  isUnchanged?: boolean
}

const Facts = ({ account, subscriptions, liveKey, sessions, holdings }: AccountProps) => (
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
          Stripe's subscription <code>{id}</code> goes on
        </li>
      ))}
      <li>{liveKey ? <KeyFacts live={liveKey} /> : "No key"}</li>
      <li>
        Posts in {languageName(account.primary_language)}
        {account.translation_languages.length > 0 &&
          `, to ${account.translation_languages.map(languageName).join(", ")}`}
      </li>
      <li>
        {holdings.published} published posts, {holdings.drafts} drafts, {holdings.pictures} pictures
      </li>
      <li>Signed in {sessions.length === 1 ? "once" : `${sessions.length} times`}</li>
    </ul>
  </Section>
)

const REFUSALS: Record<string, string> = {
  rate_limited: "uploads over the limit of a minute",
  file_too_large: "files that are too large",
  unsupported_format: "files that are no picture",
  json_too_large: "JSON bodies that are too long",
}

const Refusals = ({ refusals }: AccountProps) => (
  <Section id="refusals" title="Refused">
    {refusals.length === 0 && <p>Nothing.</p>}
    <ul>
      {refusals.map(({ day, kind, count }) => (
        <li>
          <time datetime={day}>{day}</time>: {count} {REFUSALS[kind] ?? kind}
        </li>
      ))}
    </ul>
  </Section>
)

const Trail = ({ account, actions }: AccountProps) => (
  <Section id="trail" title="Trail">
    <Actions actions={actions} hasNames={false} />
    <p>
      <a href={`/operator/trail/?username=${encodeURIComponent(account.username)}`}>All entries</a>
    </p>
  </Section>
)

const Erasing = ({ account: { username } }: AccountProps) => (
  <Section id="erasing" title="Erasing">
    <p>
      An account is erased with everything it owns, for good, by the API alone:{" "}
      <code>DELETE /operator/api/accounts/{username}/</code>
    </p>
  </Section>
)

/** Everything about an account. */
export const renderAccount = (props: AccountProps) =>
  renderOperatorPage({
    path: "/operator/accounts/",
    title: props.account.username,
    children: (
      <>
        <h1>{props.account.username}</h1>
        {props.isUnchanged && (
          <p class="notice">
            <strong>Nothing was changed.</strong> The form was sent twice, or from a page that showed the account as it
            no longer is. This is how it is now.
          </p>
        )}
        <p>
          <States account={props.account} />
        </p>
        <Facts {...props} />
        <SignInLink {...props} />
        <Changes {...props} />
        <Unpublish {...props} />
        <Section id="usage" title="Usage">
          <Usages {...props} stored_bytes={props.account.stored_bytes} />
        </Section>
        <Refusals {...props} />
        <Trail {...props} />
        <Erasing {...props} />
      </>
    ),
  })
