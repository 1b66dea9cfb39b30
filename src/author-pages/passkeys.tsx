import type { Passkey } from "../db/schema.ts"
import { MAX_PASSKEYS, MAX_PASSKEY_NAME_CHARS } from "../limits.ts"
import { Section, Time } from "../ui/components.tsx"
import type { Settings } from "./settings.ts"

const PasskeyRow = ({ passkey: { id, name, created_at, last_used_at } }: { passkey: Passkey }) => (
  <li>
    <div>
      <strong>{name}</strong>
      <br />
      <span class="quiet">
        Made <Time at={created_at} />,{" "}
        {last_used_at ? (
          <>
            last used <Time at={last_used_at} />
          </>
        ) : (
          "not used yet"
        )}
      </span>
    </div>
    <form method="post" action="/settings/passkeys/remove/">
      <input type="hidden" name="passkey" value={id} />
      <button aria-label={`Remove the passkey ${name}, made ${created_at.toISOString()}`}>Remove</button>
    </form>
  </li>
)

/** Renders the form for a new passkey. A script shows it, because registration needs JavaScript. */
const NewPasskey = () => (
  <>
    <p id="passkey-needs">Adding a passkey needs JavaScript, and a browser that has passkeys.</p>
    <form data-passkey="register" hidden>
      <label htmlFor="passkey-name">Name of the passkey (optional)</label>
      <input id="passkey-name" name="name" maxLength={MAX_PASSKEY_NAME_CHARS} autocomplete="off" />
      <button>Add a passkey</button>
    </form>
    <p class="notice" role="alert" id="passkey-error" hidden></p>
  </>
)

/** Renders the author's passkeys and the form for a new one. */
export const Passkeys = ({ passkeys }: Pick<Settings, "passkeys">) => (
  <Section id="passkeys" title="Passkeys">
    <p>A passkey lets you sign in without a link, with your device's screen lock or a security key.</p>
    {passkeys.length > 0 && (
      <ul class="rows">
        {passkeys.map((passkey) => (
          <PasskeyRow passkey={passkey} />
        ))}
      </ul>
    )}
    {passkeys.length < MAX_PASSKEYS ? <NewPasskey /> : <p>{MAX_PASSKEYS} are the most. Remove one to add another.</p>}
  </Section>
)
