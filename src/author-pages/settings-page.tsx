import { isPaid } from "../accounts/account.ts"
import { languageName, unnamedLanguages } from "../language.ts"
import {
  MAX_AUTHOR_NAME_CHARS,
  MAX_BLOG_DESCRIPTION_CHARS,
  MAX_BLOG_TITLE_CHARS,
  MAX_TRANSLATION_LANGUAGES,
} from "../limits.ts"
import { AccountUsage, CalendarDay, Section, Time, Usage } from "../ui/components.tsx"
import { Field, Outcome, Seen, sentTo, type RefusedForm } from "../ui/form.tsx"
import { Data } from "./export-page.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { Passkeys } from "./passkeys.tsx"
import type { Settings } from "./settings.ts"
import { LanguageList } from "./text-form.tsx"

interface Props extends Settings {
  /** The form of the blog or of the languages, if it has wrong fields. */
  refused?: RefusedForm
  isSaved?: boolean
}

const KeyList = ({ keys }: Props) => (
  <Section id="keys" title="API keys">
    {keys.length > 0 && (
      <ul>
        {keys.map(({ name, scope }) => (
          <li>
            <strong>{name}</strong> ({scope})
          </li>
        ))}
      </ul>
    )}
    <p>
      <a href="/settings/keys/">{keys.length > 0 ? "Manage API keys" : "Make an API key"}</a>
    </p>
  </Section>
)

const WebhooksLink = ({ hasWebhooks }: Props) =>
  hasWebhooks ? (
    <Section id="webhooks" title="Webhooks">
      <p>
        <a href="/settings/webhooks/">Addresses that are told of your posts</a>
      </p>
    </Section>
  ) : (
    <></>
  )

/** The attributes of a field for words instead of codes. */
const WORDS = { autocapitalize: "sentences", spellcheck: true } as const

const Blog = ({ account: { blog_title, blog_description, author_name, timezone }, blogUrl, ...props }: Props) => {
  const action = "/settings/blog/"
  const refused = sentTo(action, props.refused)
  return (
    <Section id="blog" title="Blog">
      <p>
        Readers find your posts at <a href={blogUrl}>{blogUrl}</a>, and subscribe to them with the feed{" "}
        <a href={`${blogUrl}feed.atom`}>{`${blogUrl}feed.atom`}</a>.
      </p>
      <form method="post" action={action}>
        <Seen values={{ blog_title, blog_description, author_name, timezone }} refused={refused} />
        <Field
          {...WORDS}
          id="blog-title"
          name="blog_title"
          label="Title"
          value={blog_title ?? ""}
          hint={`At most ${MAX_BLOG_TITLE_CHARS} characters; empty for none.`}
          refused={refused}
        />
        <Field
          {...WORDS}
          id="blog-description"
          name="blog_description"
          label="Description"
          value={blog_description ?? ""}
          hint={`At most ${MAX_BLOG_DESCRIPTION_CHARS} characters, in one line.`}
          refused={refused}
        />
        <Field
          id="author-name"
          name="author_name"
          label="Your name"
          value={author_name ?? ""}
          hint={`At most ${MAX_AUTHOR_NAME_CHARS} characters; for posts that name no author themselves.`}
          refused={refused}
        />
        <Field
          id="timezone"
          name="timezone"
          label="Time zone"
          value={timezone}
          list="timezones"
          hint="These pages show and take times in it, such as Europe/Berlin."
          required
          refused={refused}
        />
        <datalist id="timezones">
          {["UTC", ...Intl.supportedValuesOf("timeZone")].map((name) => (
            <option value={name}>{name}</option>
          ))}
        </datalist>
        <button>Save blog</button>
      </form>
    </Section>
  )
}

const Languages = ({ account: { primary_language, translation_languages }, ...props }: Props) => {
  const action = "/settings/languages/"
  const refused = sentTo(action, props.refused)
  return (
    <Section id="languages-section" title="Languages">
      <p>
        New posts are in {languageName(primary_language)}
        {translation_languages.length > 0
          ? `, translated into ${translation_languages.map(languageName).join(", ")}`
          : ""}
        , unless a request says otherwise.
      </p>
      {unnamedLanguages({ primary_language, translation_languages }).map(({ message }) => (
        <p class="quiet">{message}</p>
      ))}
      <form method="post" action={action}>
        <Seen values={{ primary_language, translation_languages }} refused={refused} />
        <Field
          id="primary-language"
          name="primary_language"
          label="Primary language"
          value={primary_language}
          list="languages"
          required
          refused={refused}
        />
        <Field
          id="translation-languages"
          name="translation_languages"
          label="Translation languages"
          value={translation_languages.join(", ")}
          hint={`Names or codes such as German, pt-BR or zh-Hant, separated by commas; at most ${MAX_TRANSLATION_LANGUAGES}.`}
          refused={refused}
        />
        <Field
          id="added-language"
          name="added_language"
          label="Add a language"
          list="languages"
          hint="Type a part of its name and choose it; or leave this empty."
          refused={refused}
        />
        <LanguageList />
        <button>Save languages</button>
      </form>
      <p>
        <a href="/settings/translations/">Glossary, tone and review of translations</a>
      </p>
    </Section>
  )
}

const Limits = ({ uploads, uploadsPerMinute, ...usage }: Props) => (
  <Section id="limits" title="Limits">
    {uploads !== null && (
      <Usage id="uploads" label="Uploads in the last minute" used={uploads} limit={uploadsPerMinute} />
    )}
    <AccountUsage {...usage} />
  </Section>
)

const Sessions = ({ account: { timezone }, sessions, session }: Props) => (
  <Section id="sessions" title="Where you are signed in">
    <ul class="rows">
      {sessions.map(({ hash, user_agent, created_at, last_seen_at }) => (
        <li>
          <div>
            <strong>{user_agent}</strong>
            {hash === session.hash && " (this one)"}
            <br />
            <span class="quiet">
              Signed in <Time at={created_at} zone={timezone} />, last seen <Time at={last_seen_at} zone={timezone} />
            </span>
          </div>
          {hash !== session.hash && (
            <form method="post" action="/settings/sessions/end/">
              <input type="hidden" name="session" value={hash} />
              <button aria-label={`Sign out ${user_agent}, last seen ${last_seen_at.toISOString()}`}>Sign out</button>
            </form>
          )}
        </li>
      ))}
    </ul>
    <p>
      <a href="/settings/sessions/end-all/">Sign out everywhere</a>
    </p>
  </Section>
)

/** The ids and names of the page's sections. */
const SECTIONS = [
  ["blog", "Blog"],
  ["languages-section", "Languages"],
  ["subscription", "Subscription"],
  ["keys", "API keys"],
  ["limits", "Limits"],
  ["passkeys", "Passkeys"],
  ["sessions", "Sessions"],
  ["data", "Your data"],
] as const

/** Renders the author's settings: subscription, names of API keys, blog, languages, limits, passkeys and sessions. */
export const renderSettings = (props: Props) =>
  renderSettingsPage({
    account: props.account,
    path: "/settings/",
    title: "Settings",
    children: (
      <>
        <h1>Settings</h1>
        <Outcome {...props} />
        <p>
          <a class="button" href="/settings/posts/new/">
            New post
          </a>{" "}
          <a href="/docs/markdown/">How to write Markdown</a> · <a href="/docs/">Reference of the API</a>
        </p>
        <nav aria-label="Sections">
          <ul class="tabs">
            {SECTIONS.map(([id, name]) => (
              <li>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <Blog {...props} />
        <Languages {...props} />
        <Subscription {...props} />
        <KeyList {...props} />
        <WebhooksLink {...props} />
        <Limits {...props} />
        <Passkeys {...props} />
        <Sessions {...props} />
        <Data isParted={props.isParted} />
      </>
    ),
  })

/** Renders the payment status, and the link to subscribe. */
const Subscription = ({ account, now, isSubscribed, subscribeUrl }: Props) => {
  const paid = isPaid(account, now)
  return (
    <Section id="subscription" title="Subscription">
      {paid && account.paid_until ? (
        <p>
          <strong>Paid</strong> until <CalendarDay at={account.paid_until} />.
        </p>
      ) : (
        <p class="notice">
          <strong>Not paid.</strong>{" "}
          {account.paid_until ? (
            <>
              The paid time ended on <CalendarDay at={account.paid_until} />.{" "}
            </>
          ) : null}
          Your posts stay where they are; the API answers 403 to every key until the account is paid.
          {subscribeUrl === null && !isSubscribed && " Ask the operator of this service how to pay."}
        </p>
      )}
      {!paid && isSubscribed && (
        <p>
          Stripe has a subscription of this account that is not paid for now. Use the links in its e-mails to pay the
          open invoice, or to cancel it and subscribe again.
        </p>
      )}
      {account.restricted && (
        <p class="notice">
          <strong>Restricted.</strong> The operator has restricted this account; the API answers 403.
        </p>
      )}
      {subscribeUrl && (
        <p>
          <a class="button" href={subscribeUrl}>
            Subscribe
          </a>
        </p>
      )}
    </Section>
  )
}
