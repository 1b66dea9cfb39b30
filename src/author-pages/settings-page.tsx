import { isPaid } from "../accounts/account.ts"
import { languageName } from "../language.ts"
import { MAX_TRANSLATION_LANGUAGES } from "../limits.ts"
import type { ApiKey, Passkey, Session } from "../tables.ts"
import { KeyFacts, Section, Time, Usage, Usages } from "../ui/components.tsx"
import { Data } from "./export-page.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { Passkeys } from "./passkeys.tsx"
import { Subscription, type SubscriptionProps } from "./subscription.tsx"

/** All that the page shows. */
export interface SettingsProps extends SubscriptionProps {
  liveKey: Pick<ApiKey, "last_four" | "created_at" | "last_used_at"> | null
  /** A key that was just made: shown this once. */
  newKey?: string
  passkeys: Passkey[]
  sessions: Session[]
  session: Session
  /** In the last minute; null: the limiter does not answer. */
  uploads: number | null
  uploadsPerMinute: number
  /** Today. */
  characters: number
  charactersPerDay: number
  /** Whether one archive does not hold all there is. */
  isParted: boolean
}

const NewKey = ({ newKey }: { newKey: string }) => (
  <div class="secret">
    <p>
      <strong>This is your key. It is shown only now:</strong> keep it where secrets are kept.
    </p>
    <label htmlFor="new-key">API key</label>
    <input id="new-key" readonly value={newKey} autocomplete="off" spellcheck={false} />
    <button type="button" data-copy="new-key" hidden>
      Copy
    </button>
  </div>
)

const Key = ({ account, now, liveKey, newKey }: SettingsProps) => (
  <Section id="key" title="API key">
    {newKey ? (
      <NewKey newKey={newKey} />
    ) : liveKey ? (
      <p>
        <KeyFacts live={liveKey} />.
      </p>
    ) : (
      <p>There is no key yet.</p>
    )}
    {isPaid(account, now) ? (
      <form method="post" action="/settings/key/">
        <input type="hidden" name="replaced" value={liveKey ? String(liveKey.created_at.getTime()) : ""} />
        {liveKey && (
          <p id="key-warning">
            A new key revokes this one at once: whatever uses it stops working until it has the new one.
          </p>
        )}
        <button class={liveKey ? undefined : "primary"} aria-describedby={liveKey ? "key-warning" : undefined}>
          {liveKey ? "Replace the key" : "Make a key"}
        </button>
      </form>
    ) : (
      <p>Only a paid account can make one.</p>
    )}
  </Section>
)

const Languages = ({ account: { primary_language, translation_languages } }: SettingsProps) => (
  <Section id="languages" title="Languages">
    <p>
      New posts are in {languageName(primary_language)}
      {translation_languages.length > 0
        ? `, translated into ${translation_languages.map(languageName).join(", ")}`
        : ""}
      , unless a request says otherwise.
    </p>
    <form method="post" action="/settings/languages/">
      <label htmlFor="primary-language">Primary language</label>
      <input id="primary-language" name="primary_language" value={primary_language} required spellcheck={false} />
      <label htmlFor="translation-languages">Translation languages</label>
      <input
        id="translation-languages"
        name="translation_languages"
        value={translation_languages.join(", ")}
        aria-describedby="languages-hint"
        spellcheck={false}
      />
      <p id="languages-hint" class="quiet">
        BCP 47 codes such as en, pt-BR or zh-Hant, between commas; at most {MAX_TRANSLATION_LANGUAGES}.
      </p>
      <button>Save</button>
    </form>
  </Section>
)

const Limits = ({ account, uploads, uploadsPerMinute, characters, charactersPerDay }: SettingsProps) => (
  <Section id="limits" title="Limits">
    {uploads !== null && (
      <Usage id="uploads" label="Uploads in the last minute" used={uploads} limit={uploadsPerMinute} />
    )}
    <Usages stored_bytes={account.stored_bytes} characters={characters} charactersPerDay={charactersPerDay} />
  </Section>
)

const Sessions = ({ sessions, session }: SettingsProps) => (
  <Section id="sessions" title="Where you are signed in">
    <ul class="rows">
      {sessions.map(({ hash, user_agent, created_at, last_seen_at }) => (
        <li>
          <div>
            <strong>{user_agent}</strong>
            {hash === session.hash && " (this one)"}
            <br />
            <span class="quiet">
              Signed in <Time at={created_at} />, last seen <Time at={last_seen_at} />
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
    <form method="post" action="/settings/sessions/end-all/">
      <button>Sign out everywhere</button>
    </form>
  </Section>
)

export const renderSettings = (props: SettingsProps) =>
  renderSettingsPage({
    account: props.account,
    path: "/settings/",
    title: "Settings",
    children: (
      <>
        <h1>Settings</h1>
        <Subscription {...props} />
        <Key {...props} />
        <Languages {...props} />
        <Limits {...props} />
        <Passkeys {...props} />
        <Sessions {...props} />
        <Data isParted={props.isParted} />
      </>
    ),
  })
